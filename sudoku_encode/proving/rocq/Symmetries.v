(* Symmetries of the board that is left: states may be replaced by their images, if no automaton reads an open cell. *)
From Coq Require Import NArith List Bool Lia Arith.
From Proved Require Import Automata States.
Import ListNotations.
Open Scope N_scope.

(* ======== the program ======== *)
(* A map of cells, as moves of sets: the cells of a set that are in `fst` go up or down by a distance. *)
Inductive move := Up (cells distance : N) | Down (cells distance : N).
Definition moved (s : N) (m : move) : N :=
  match m with Up cells d => N.shiftl (N.land s cells) d | Down cells d => N.shiftr (N.land s cells) d end.
Definition image (moves : list move) (s : N) : N := fold_right (fun m t => N.lor (moved s m) t) 0 moves.
Definition target (moves : list move) (c : N) : N := N.log2 (image moves (set_of [c])).

(* The moves map the open cells one to one, and keep "share a unit". *)
Definition symmetry (units : list N) (k : nat) (moves : list move) : bool :=
  let all := N.ones (N.of_nat k) in
  (image moves all =? all) &&
  forallb (fun c =>
    let d := target moves c in
    (image moves (set_of [c]) =? set_of [d]) &&
    (image moves (N.land all (peers units c)) =? N.land all (peers units d))) (below k).

(* The symmetries that may be used after a layer, at the leaves of a tree. *)
Inductive table := Leaf (moves : list move) | Node (low high : table).
Fixpoint every (test : list move -> bool) (t : table) : bool :=
  match t with Leaf moves => test moves | Node low high => every test low && every test high end.
Fixpoint pick (path : list bool) (t : table) : list move :=
  match t with
  | Leaf moves => moves
  | Node low high =>
      match path with [] => pick [] low | b :: path' => pick path' (if b then high else low) end
  end.

(* No automaton has a cell to read. *)
Definition idle (A : list automaton) : bool := forallb (fun a => match a with [] => true | _ :: _ => false end) A.

(* ======== the proof ======== *)
Lemma moved_spec : forall s m d, N.testbit (moved s m) d = true <->
  exists c, N.testbit s c = true /\
    match m with Up cells x => N.testbit cells c = true /\ d = c + x | Down cells x => N.testbit cells c = true /\ c = d + x end.
Proof.
  intros s [cells x|cells x] d; simpl.
  - destruct (N.lt_ge_cases d x) as [H|H].
    + rewrite N.shiftl_spec_low by auto. split; [discriminate|]. intros [c [_ [_ E]]]. lia.
    + rewrite N.shiftl_spec_high' by auto. rewrite N.land_spec, andb_true_iff. split.
      * intros [H1 H2]. exists (d - x). repeat split; auto. lia.
      * intros [c [H1 [H2 ->]]]. rewrite N.add_sub. auto.
  - rewrite N.shiftr_spec', N.land_spec, andb_true_iff. split.
    + intros [H1 H2]. exists (d + x). auto.
    + intros [c [H1 [H2 ->]]]. auto.
Qed.

Lemma image_or : forall moves s d, N.testbit (image moves s) d = true <->
  exists m, In m moves /\ N.testbit (moved s m) d = true.
Proof.
  induction moves as [|m moves IH]; intros s d; simpl.
  - split; [discriminate|]. intros [m [[] _]].
  - rewrite N.lor_spec, orb_true_iff, IH. split.
    + intros [H|[m' [H1 H2]]]; eauto.
    + intros [m' [[<-|H1] H2]]; eauto.
Qed.

(* An image is the union of the images of its cells. *)
Lemma image_spec : forall moves s d, N.testbit (image moves s) d = true <->
  exists c, N.testbit s c = true /\ N.testbit (image moves (set_of [c])) d = true.
Proof.
  intros moves s d. rewrite image_or. split.
  - intros [m [Hm H]]. apply moved_spec in H. destruct H as [c [H1 H2]]. exists c. split; auto.
    apply image_or. exists m. split; auto. apply moved_spec. exists c. split; auto. apply set_of_spec. simpl; auto.
  - intros [c [H1 H2]]. apply image_or in H2. destruct H2 as [m [Hm H]]. exists m. split; auto.
    apply moved_spec in H. destruct H as [e [H3 H4]]. apply set_of_spec in H3. destruct H3 as [<-|[]].
    apply moved_spec. exists c. auto.
Qed.

Lemma idle_accepts : forall A marks f, idle A = true -> all_accept A marks f.
Proof.
  induction A as [|[|L a] A IH]; intros marks f H; simpl in *; auto; discriminate.
Qed.
Lemma idle_ordered : forall A k, idle A = true -> forallb (descends k) A = true.
Proof. induction A as [|[|L a] A IH]; intros k H; simpl in *; auto; discriminate. Qed.

Section Symmetry.
Variables (units : list N) (k : nat) (moves : list move).
Hypothesis checked : symmetry units k moves = true.
Let all := N.ones (N.of_nat k).
Let to := target moves.

Lemma image_cell : forall c, open k c -> image moves (set_of [c]) = set_of [to c].
Proof.
  intros c Hc. pose proof checked as H. unfold symmetry in H. rewrite andb_true_iff, forallb_forall in H.
  destruct H as [_ H]. specialize (H c (proj2 (in_below k c) Hc)). rewrite !andb_true_iff, !N.eqb_eq in H. tauto.
Qed.
Lemma image_peers : forall c, open k c -> image moves (N.land all (peers units c)) = N.land all (peers units (to c)).
Proof.
  intros c Hc. pose proof checked as H. unfold symmetry in H. rewrite andb_true_iff, forallb_forall in H.
  destruct H as [_ H]. specialize (H c (proj2 (in_below k c) Hc)). rewrite !andb_true_iff, !N.eqb_eq in H. tauto.
Qed.
Lemma image_all : image moves all = all.
Proof. pose proof checked as H. unfold symmetry in H. rewrite andb_true_iff, N.eqb_eq in H. tauto. Qed.

Lemma in_all : forall c, N.testbit all c = true <-> open k c.
Proof. intros c. unfold all, open. rewrite ones_spec, N.ltb_lt. tauto. Qed.

Lemma to_open : forall c, open k c -> open k (to c).
Proof.
  intros c Hc. apply in_all. rewrite <- image_all. apply image_spec. exists c. split; [apply in_all; auto|].
  rewrite image_cell by auto. apply set_of_spec. simpl; auto.
Qed.
Lemma to_onto : forall d, open k d -> exists c, open k c /\ to c = d.
Proof.
  intros d Hd. apply in_all in Hd. rewrite <- image_all in Hd. apply image_spec in Hd. destruct Hd as [c [H1 H2]].
  apply in_all in H1. rewrite image_cell in H2 by auto. apply set_of_spec in H2. destruct H2 as [H2|[]]. eauto.
Qed.
Lemma to_NoDup : NoDup (map to (below k)).
Proof.
  apply NoDup_incl_NoDup with (l := below k); [apply below_NoDup|rewrite map_length; auto|].
  intros d Hd. apply in_below in Hd. destruct (to_onto d Hd) as [c [Hc <-]]. apply in_map, in_below; auto.
Qed.
Lemma to_one : forall c d, open k c -> open k d -> to c = to d -> c = d.
Proof.
  intros c d Hc Hd E. apply in_below in Hc, Hd. pose proof to_NoDup as ND. clear - Hc Hd E ND.
  induction (below k) as [|e l IH]; simpl in *; [tauto|]. inversion ND; subst.
  destruct Hc as [<-|Hc]; destruct Hd as [<-|Hd]; auto.
  - exfalso. apply H1. rewrite E. apply in_map; auto.
  - exfalso. apply H1. rewrite <- E. apply in_map; auto.
Qed.

(* A cell is in a set of open cells exactly if its image is in the set's image. *)
Lemma image_bit : forall s c, (forall d, N.testbit s d = true -> open k d) -> open k c ->
  N.testbit (image moves s) (to c) = N.testbit s c.
Proof.
  intros s c Hs Hc. apply eq_true_iff_eq. rewrite image_spec. split.
  - intros [e [H1 H2]]. pose proof (Hs _ H1) as He. rewrite image_cell in H2 by auto. apply set_of_spec in H2.
    destruct H2 as [H2|[]]. rewrite <- (to_one e c); auto.
  - intros H. exists c. split; auto. rewrite image_cell by auto. apply set_of_spec. simpl; auto.
Qed.

Lemma to_share : forall c d, open k c -> open k d -> (share units (to c) (to d) <-> share units c d).
Proof.
  intros c d Hc Hd. rewrite <- !peers_spec.
  assert (B : N.testbit (image moves (N.land all (peers units c))) (to d) = N.testbit (N.land all (peers units c)) d).
  { apply image_bit; auto. intros e He. rewrite N.land_spec, andb_true_iff in He. apply in_all. tauto. }
  rewrite image_peers in B by auto. rewrite !N.land_spec in B.
  rewrite (proj2 (in_all _) (to_open d Hd)), (proj2 (in_all _) Hd) in B. simpl in B. rewrite B. tauto.
Qed.

Definition from (d : N) : N := match find (fun c => to c =? d) (below k) with Some c => c | None => 0 end.
Lemma from_spec : forall d, open k d -> open k (from d) /\ to (from d) = d.
Proof.
  intros d Hd. unfold from. destruct (find _ _) as [c|] eqn:E.
  - apply find_some in E. rewrite N.eqb_eq, in_below in E. auto.
  - exfalso. destruct (to_onto d Hd) as [c [Hc Ec]].
    pose proof (find_none _ _ E c (proj2 (in_below _ _) Hc)) as Q. simpl in Q. rewrite Ec, N.eqb_refl in Q. discriminate.
Qed.

Lemma ways_image : forall A S marks, idle A = true -> (forall s d, In s S -> N.testbit s d = true -> open k d) ->
  ways units A k (map (image moves) S) marks = ways units A k S marks.
Proof.
  intros A S marks HI HS.
  assert (B : forall v c, (v < length S)%nat -> open k c ->
    N.testbit (nth v (map (image moves) S) 0) (to c) = N.testbit (nth v S 0) c).
  { intros v c Hv Hc. rewrite nth_indep with (d' := image moves 0) by (rewrite map_length; auto).
    rewrite map_nth. apply image_bit; auto. intros d. apply HS, nth_In; auto. }
  apply ways_transfer with (there := fun f d => f (from d)) (back := fun f c => f (to c)).
  - apply idle_ordered; auto.
  - intros f [H1 [H2 _]]. split; [|split].
    + intros d Hd. destruct (from_spec d Hd) as [F1 F2]. destruct (H1 _ F1) as [H3 H4]. rewrite map_length. split; auto.
      rewrite <- F2 at 2. rewrite B; auto.
    + intros d e Hd He Hs. destruct (from_spec d Hd) as [F1 F2]. destruct (from_spec e He) as [F3 F4].
      apply H2; auto. apply to_share; auto. rewrite F2, F4. auto.
    + apply idle_accepts; auto.
  - intros f g c _ _ Hc Hn. exists (to c). split; [apply to_open; auto|].
    destruct (from_spec (to c) (to_open c Hc)) as [F1 F2]. apply to_one in F2; auto. rewrite F2. auto.
  - intros f [H1 [H2 _]]. split; [|split].
    + intros c Hc. destruct (H1 (to c) (to_open c Hc)) as [H3 H4]. rewrite map_length in H3. split; auto.
      rewrite B in H4 by auto. auto.
    + intros c d Hc Hd Hs. apply H2; try (apply to_open; auto). apply (proj2 (to_share c d Hc Hd)). auto.
    + apply idle_accepts; auto.
  - intros f g _ _ H d Hd. destruct (from_spec d Hd) as [F1 F2]. rewrite <- F2 at 1. apply H. auto.
Qed.
End Symmetry.

Lemma every_pick : forall test path t, every test t = true -> test (pick path t) = true.
Proof.
  intros test path t. revert path. induction t as [moves|low IHl high IHr]; intros path H; simpl in *; auto.
  apply andb_true_iff in H. destruct path as [|[] path]; [apply IHl|apply IHr|apply IHl]; tauto.
Qed.
