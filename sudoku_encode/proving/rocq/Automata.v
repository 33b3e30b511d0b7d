(* Automata that read cells in the order in which they are filled, from a table.

   A state of an automaton is a number, its mark.  Marks are packed into few bits, so a table looks only at those bits. *)
From Coq Require Import NArith List Bool Lia Arith.
Import ListNotations.
Open Scope N_scope.

(* The reading of a cell.  A column for each value contains, for each mark, 0 if nothing is accepted from there, else 1 more
   than the next mark. *)
Record level := Level { position : N; width : N; columns : list (list N) }.
Notation automaton := (list level).

Definition entry (L : level) (mark : N) (v : nat) : N :=
  nth (N.to_nat (N.land mark (N.ones (width L)))) (nth v (columns L) []) 0.

(* The automaton accepts the values that f gives to its positions, from a mark. *)
Fixpoint accepts (a : automaton) (mark : N) (f : N -> nat) : Prop :=
  match a with
  | [] => True
  | L :: a' => entry L mark (f (position L)) <> 0 /\ accepts a' (N.pred (entry L mark (f (position L)))) f
  end.
Fixpoint all_accept (A : list automaton) (marks : list N) (f : N -> nat) : Prop :=
  match A with [] => True | a :: A' => accepts a (hd 0 marks) f /\ all_accept A' (tl marks) f end.

(* ======== the program ======== *)
(* The marks after cell c took value v; None if an automaton accepts nothing more. *)
Fixpoint read (c : N) (v : nat) (A : list automaton) (marks : list N) : option (list N) :=
  match A with
  | [] => Some []
  | [] :: A' => option_map (cons (hd 0 marks)) (read c v A' (tl marks))
  | (L :: _) :: A' =>
      if position L =? c then
        let e := entry L (hd 0 marks) v in
        if e =? 0 then None else option_map (cons (N.pred e)) (read c v A' (tl marks))
      else option_map (cons (hd 0 marks)) (read c v A' (tl marks))
  end.

(* What the automata have still to read after cell c. *)
Definition advance (c : N) (a : automaton) : automaton :=
  match a with L :: a' => if position L =? c then a' else a | [] => [] end.

(* The positions are below k, each below the one before. *)
Fixpoint descends (k : N) (a : automaton) : bool :=
  match a with [] => true | L :: a' => (position L <? k) && descends (position L) a' end.

(* Values of one class are moved alike wherever the automata read. *)
Definition equal_columns (x y : list N) : bool := if list_eq_dec N.eq_dec x y then true else false.
Definition alike (A : list automaton) (u v : nat) : bool :=
  forallb (forallb (fun L => equal_columns (nth u (columns L) []) (nth v (columns L) []))) A.
Definition class (A : list automaton) (v : nat) : nat :=
  match find (fun u => alike A u v) (seq 0 v) with Some u => u | None => v end.
Definition classes (A : list automaton) (n : nat) : list N := map (fun v => N.of_nat (class A v)) (seq 0 n).

(* The number of bits of the marks. *)
Definition mark_width (a : automaton) : N := match a with [] => 0 | L :: _ => width L end.

(* ======== the proof ======== *)
Lemma read_length : forall c v A marks marks', read c v A marks = Some marks' -> length marks' = length A.
Proof.
  induction A as [|a A IH]; intros marks marks' H; cbn [read] in H; [inversion H; auto|].
  assert (G : forall x, option_map (cons x) (read c v A (tl marks)) = Some marks' -> length marks' = length (a :: A)).
  { intros x E. destruct (read c v A (tl marks)) as [m|] eqn:R; [|discriminate]. inversion E. simpl. f_equal. eauto. }
  destruct a as [|L a]; [eauto|]. destruct (position L =? c); [|eauto]. cbv zeta in H.
  destruct (_ =? 0); [discriminate|eauto].
Qed.

Lemma read_spec : forall f c v A marks, f c = v ->
  (all_accept A marks f <-> exists marks', read c v A marks = Some marks' /\ all_accept (map (advance c) A) marks' f).
Proof.
  intros f c v A marks E. revert marks. induction A as [|a A IH]; intros marks.
  - simpl. split; [intros _; exists []; auto|auto].
  - cbn [all_accept map read].
    assert (G : forall x (P Q : Prop), (P <-> Q) -> (forall marks', all_accept (advance c a :: map (advance c) A) (x :: marks') f <->
        Q /\ all_accept (map (advance c) A) marks' f) ->
      (P /\ all_accept A (tl marks) f <-> exists marks', option_map (cons x) (read c v A (tl marks)) = Some marks' /\
        all_accept (advance c a :: map (advance c) A) marks' f)).
    { intros x P Q H1 H2. rewrite H1, IH. split.
      - intros [HQ [m [R HA]]]. exists (x :: m). rewrite R. split; auto. apply H2. auto.
      - intros [m [R HA]]. destruct (read c v A (tl marks)) as [m'|] eqn:R'; [|discriminate]. inversion R; subst m.
        apply H2 in HA. destruct HA. split; auto. exists m'. auto. }
    destruct a as [|L a].
    + apply G with (Q := True); simpl; tauto.
    + cbv zeta. cbn [advance] in *. destruct (N.eqb_spec (position L) c) as [P|P].
      * cbn [accepts]. rewrite P, E. destruct (N.eqb_spec (entry L (hd 0 marks) v) 0) as [Z|Z].
        -- split; [tauto|]. intros [m [D _]]. discriminate.
        -- apply G with (Q := accepts a (N.pred (entry L (hd 0 marks) v)) f); [tauto|]. intros m. cbn [all_accept hd tl]. tauto.
      * apply G with (Q := accepts (L :: a) (hd 0 marks) f); [tauto|]. intros m. cbn [all_accept hd tl]. tauto.
Qed.

Lemma advance_descends : forall k a, descends (N.succ k) a = true -> descends k (advance k a) = true.
Proof.
  intros k [|L a] H; auto. cbn [descends advance] in *. apply andb_true_iff in H. destruct H as [H1 H2]. apply N.ltb_lt in H1.
  destruct (N.eqb_spec (position L) k) as [<-|E]; auto. cbn [descends]. rewrite H2, andb_true_r. apply N.ltb_lt. lia.
Qed.

Lemma accepts_below : forall f g a k mark, descends k a = true -> (forall c, c < k -> f c = g c) -> accepts a mark f -> accepts a mark g.
Proof.
  intros f g. induction a as [|L a IH]; intros k mark D H HA; auto. cbn [descends accepts] in *.
  apply andb_true_iff in D. destruct D as [D1 D2]. apply N.ltb_lt in D1. rewrite <- H by auto. split; [tauto|].
  eapply IH; [exact D2| |tauto]. intros c Hc. apply H. lia.
Qed.
Lemma all_accept_below : forall f g k A marks, forallb (descends k) A = true -> (forall c, c < k -> f c = g c) ->
  all_accept A marks f -> all_accept A marks g.
Proof.
  intros f g k. induction A as [|a A IH]; intros marks D H HA; auto. cbn [forallb all_accept] in *.
  apply andb_true_iff in D. split; [eapply accepts_below; [apply D|exact H|tauto]|apply IH; tauto].
Qed.

Lemma descends_nothing : forall A marks f, forallb (descends 0) A = true -> all_accept A marks f.
Proof.
  induction A as [|a A IH]; intros marks f H; cbn [forallb all_accept] in *; auto. apply andb_true_iff in H.
  split; [|apply IH; tauto]. destruct a as [|L a]; simpl; auto. exfalso. cbn [descends] in H. rewrite andb_true_iff, N.ltb_lt in H. lia.
Qed.

(* Values that are alike may be exchanged. *)
Lemma alike_spec : forall A u v, alike A u v = true -> forall a L, In a A -> In L a -> nth u (columns L) [] = nth v (columns L) [].
Proof.
  intros A u v H a L Ha HL. unfold alike in H. rewrite forallb_forall in H. specialize (H a Ha). rewrite forallb_forall in H.
  specialize (H L HL). unfold equal_columns in H. destruct (list_eq_dec _ _ _); [auto|discriminate].
Qed.
Lemma class_spec : forall A v a L, In a A -> In L a -> nth (class A v) (columns L) [] = nth v (columns L) [].
Proof.
  intros A v a L Ha HL. unfold class. destruct (find _ _) as [u|] eqn:F; auto. apply find_some in F.
  eapply alike_spec; [apply F|eauto|auto].
Qed.

Lemma accepts_alike : forall f g a, (forall L, In L a -> nth (f (position L)) (columns L) [] = nth (g (position L)) (columns L) []) ->
  forall mark, accepts a mark f -> accepts a mark g.
Proof.
  intros f g. induction a as [|L a IH]; intros H mark HA; auto. cbn [accepts] in *.
  assert (E : entry L mark (f (position L)) = entry L mark (g (position L))) by (unfold entry; rewrite H by (simpl; auto); auto).
  rewrite <- E. split; [tauto|]. apply IH; [|tauto]. intros; apply H; simpl; auto.
Qed.
Lemma all_accept_alike : forall f g A, (forall a L, In a A -> In L a -> nth (f (position L)) (columns L) [] = nth (g (position L)) (columns L) []) ->
  forall marks, all_accept A marks f -> all_accept A marks g.
Proof.
  intros f g. induction A as [|a A IH]; intros H marks HA; auto. cbn [all_accept] in *. split.
  - eapply accepts_alike; [|apply HA]. intros; eapply H; simpl; eauto.
  - apply IH; [|tauto]. intros; eapply H; simpl; eauto.
Qed.

Lemma accepts_narrow : forall a mark f, accepts a (N.land mark (N.ones (mark_width a))) f <-> accepts a mark f.
Proof.
  intros [|L a] mark f; simpl; [tauto|]. unfold entry. rewrite <- N.land_assoc, N.land_diag. tauto.
Qed.
