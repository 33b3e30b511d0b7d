(* What the theorems assume: nothing, "Closed under the global context".  scripts/proved reads what this file prints. *)
From Proved Require Import Rules Constraints States Counter Recount Clauses Boards Listed.
Print Assumptions exactly_unique.
Print Assumptions automaton_correct.
Print Assumptions ways_correct.
Print Assumptions run_correct.
Print Assumptions count_correct.
Print Assumptions recount_correct.
Print Assumptions clauses_correct.
Print Assumptions models.
Print Assumptions check_listed_correct.
Print Assumptions four.
Print Assumptions six.
Print Assumptions six_models.
