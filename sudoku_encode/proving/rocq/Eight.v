(* The number of 8x8 grids as a theorem of the kernel itself.  It takes minutes, so no test compiles this file:
   coqc -Q . Proved Eight.v *)
From Coq Require Import NArith.
From Proved Require Import Rules Boards.
Open Scope N_scope.

Theorem eight : has_solutions (square 8 2 4) 29136487207403520.
Proof. apply plain_count_correct. vm_cast_no_check (eq_refl (Some 29136487207403520)). Qed.
Print Assumptions eight.
