(* Counts of small empty boards as theorems of the kernel itself: no solver, no compiler, no extracted program. *)
From Coq Require Import NArith List.
From Proved Require Import Rules States Recount Clauses.
Import ListNotations.
Open Scope N_scope.

(* The board of side n whose boxes have r rows and c columns; cell (i, j) is i * n + j. *)
Definition grid (n : nat) (rows columns : list N) : list N :=
  flat_map (fun i => map (fun j => i * N.of_nat n + j) columns) rows.
Definition blocks (n size : nat) : list (list N) :=
  map (fun b => map (fun i => N.of_nat b * N.of_nat size + i) (below size)) (seq 0 (Nat.div n size)).
Definition square (n r c : nat) : rules := {|
  cells := N.of_nat n * N.of_nat n;
  values := N.of_nat n;
  units := map (fun i => grid n [i] (below n)) (below n)
    ++ map (fun j => grid n (below n) [j]) (below n)
    ++ flat_map (fun rows => map (grid n rows) (blocks n c)) (blocks n r);
  allowed := [];
  constraints := [] |}.
Definition by_columns (n : nat) : list N := flat_map (fun j => grid n (below n) [j]) (below n).

Definition plain_count (n r c : nat) : option N :=
  count (square n r c) (by_columns n) (fun _ => None) (fun _ _ => []).
Lemma plain_count_correct : forall n r c m, plain_count n r c = Some m -> has_solutions (square n r c) m.
Proof. intros n r c m. apply count_correct. Qed.

Theorem four : has_solutions (square 4 2 2) 288.
Proof. apply plain_count_correct. vm_compute. reflexivity. Qed.

Theorem six : has_solutions (square 6 2 3) 28200960.
Proof. apply plain_count_correct. vm_cast_no_check (eq_refl (Some 28200960)). Qed.

(* The clauses of the empty 6x6 have exactly 28,200,960 models. *)
Theorem six_models : exactly 28200960 (is_variable (square 6 2 3)) (fun x => satisfies x (clauses (fun _ => false) (square 6 2 3))).
Proof. apply models; [vm_compute; reflexivity|exact six]. Qed.
