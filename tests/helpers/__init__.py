"""What tests of more than one module use."""
