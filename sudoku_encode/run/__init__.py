"""Every call that takes time: limits, processes that can be ended, compiled functions, Ctrl-C."""
