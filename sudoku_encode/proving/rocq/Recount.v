(* The program that counts a puzzle, and its theorem.

   The text of the puzzle is believed; everything else is advice and cannot make the count wrong: how the text is read, the
   order in which cells are filled, the symmetries and which of them is used where. *)
From Coq Require Import NArith List Permutation Bool Lia Arith String.
From Proved Require Import Rules Automata Constraints States Symmetries Counter.
Import ListNotations.
Open Scope N_scope.

(* ======== the program ======== *)
(* The cells of the rules exist. *)
Definition cells_exist (r : rules) : bool :=
  forallb (forallb (fun c => c <? cells r)) (units r) && forallb (fun a => fst a <? cells r) (allowed r).

(* The order contains each cell once. *)
Definition each_once (r : rules) (order : list N) : bool :=
  (N.of_nat (List.length order) =? cells r) && (set_of order =? N.ones (cells r)).

(* The counter fills the highest open cell, so cells are numbered by their place from the end of the order. *)
Fixpoint place (c : N) (cs : list N) : N :=
  match cs with [] => 0 | d :: cs' => if c =? d then 0 else N.succ (place c cs') end.

Definition may_take (r : rules) (c v : N) : bool :=
  forallb (fun a => negb (fst a =? c) || existsb (N.eqb v) (snd a)) (allowed r).

Definition placed (cs : list N) (l : list N) : N := set_of (map (fun c => place c cs) l).
Definition start (r : rules) (cs : list N) : state :=
  map (fun v => placed cs (filter (fun c => may_take r c (N.of_nat v + 1)) cs)) (seq 0 (N.to_nat (values r))).

Fixpoint automata (r : rules) (order : list N) (ks : list constraint) : option (list automaton) :=
  match ks with
  | [] => Some []
  | k :: ks' =>
      match automaton_of (N.to_nat (values r)) (fun c => place c (rev order)) order k, automata r order ks' with
      | Some a, Some A => Some (a :: A)
      | _, _ => None
      end
  end.

Definition count (r : rules) (order : list N) (tables : nat -> option table) (choose : N -> state -> list bool) : option N :=
  let cs := rev order in
  let S := start r cs in
  let k := List.length order in
  match automata r order (constraints r) with
  | None => None
  | Some A =>
      if cells_exist r && each_once r order && forallb (descends (N.of_nat k)) A
      then run (map (placed cs) (units r)) tables choose (List.length S) A k
        [(pack (fields A (List.length S) k) (S ++ map (fun _ => 0) A), 1)]
      else None
  end.

(* The rules may have been read wrongly: they are written again, and compared with the text. *)
Definition recount (rules_txt : string) (r : rules) order tables choose : option N :=
  if String.eqb rules_txt (text r) then count r order tables choose else None.

(* ======== the proof ======== *)
Lemma each_once_spec : forall r order, each_once r order = true ->
  NoDup order /\ forall c, In c order <-> is_cell r c.
Proof.
  intros r order H. unfold each_once in H. rewrite andb_true_iff, !N.eqb_eq in H. destruct H as [HL HS].
  assert (I : forall c, In c order <-> is_cell r c).
  { intros c. rewrite <- set_of_spec, HS, ones_spec, N.ltb_lt. tauto. }
  split; auto. apply NoDup_incl_NoDup with (l := below (N.to_nat (cells r))).
  - apply below_NoDup.
  - rewrite below_length. lia.
  - intros c Hc. apply in_below in Hc. apply I. unfold is_cell. lia.
Qed.

Lemma place_nth : forall cs c, In c cs -> (N.to_nat (place c cs) < List.length cs)%nat /\ nth (N.to_nat (place c cs)) cs 0 = c.
Proof.
  induction cs as [|d cs IH]; simpl; intros c H; [tauto|]. destruct (N.eqb_spec c d) as [->|E].
  - simpl. split; [lia|auto].
  - destruct H as [H|H]; [congruence|]. destruct (IH c H) as [H1 H2]. rewrite N2Nat.inj_succ. split; [lia|auto].
Qed.

Lemma nth_place : forall cs i, NoDup cs -> (i < List.length cs)%nat -> place (nth i cs 0) cs = N.of_nat i.
Proof.
  induction cs as [|d cs IH]; simpl; intros i ND H; [lia|]. inversion ND; subst. destruct i as [|i]; simpl.
  - rewrite N.eqb_refl. auto.
  - assert (Hi : (i < List.length cs)%nat) by lia. destruct (N.eqb_spec (nth i cs 0) d) as [E|E].
    + exfalso. apply H2. rewrite <- E. apply nth_In; auto.
    + rewrite IH by auto. lia.
Qed.

Lemma automata_spec : forall r order ks A f g, automata r order ks = Some A ->
  (forall c, In c order -> follows (N.to_nat (values r)) (fun c => place c (rev order)) f g c) ->
  ((forall k, In k ks -> meets f k) <-> all_accept A (map (fun _ => 0) A) g).
Proof.
  intros r order. induction ks as [|k ks IH]; intros A f g H F; cbn [automata] in H.
  - inversion H. simpl. split; [auto|intros _ k []].
  - destruct (automaton_of _ _ _ _) as [a|] eqn:E; [|discriminate]. destruct (automata r order ks) as [A'|]; [|discriminate].
    inversion H; subst. cbn [map all_accept hd tl]. rewrite <- (IH A' f g eq_refl F).
    rewrite <- (automaton_correct _ _ order k a f g E F). simpl. split; [auto|]. intros [H1 H2] j [<-|Hj]; auto.
Qed.

Section Renumbered.
Variables (r : rules) (cs : list N) (A : list automaton).
Hypothesis once : NoDup cs.
Hypothesis all : forall c, In c cs <-> is_cell r c.
Hypothesis exist : cells_exist r = true.
Hypothesis made : automata r (rev cs) (constraints r) = Some A.
Let k := List.length cs.
Let at_place (i : N) : N := nth (N.to_nat i) cs 0.

Lemma place_open : forall c, is_cell r c -> open k (place c cs) /\ at_place (place c cs) = c.
Proof. intros c Hc. destruct (place_nth cs c) as [H1 H2]; [apply all; auto|]. unfold open, k. split; [lia|auto]. Qed.
Lemma at_place_cell : forall i, open k i -> is_cell r (at_place i) /\ place (at_place i) cs = i.
Proof.
  intros i Hi. unfold open, k in Hi. split; [apply all, nth_In; lia|]. unfold at_place.
  rewrite nth_place by (auto; lia). lia.
Qed.
Lemma place_same : forall c d, is_cell r c -> is_cell r d -> place c cs = place d cs -> c = d.
Proof.
  intros c d Hc Hd E. destruct (place_open c Hc) as [_ <-]. destruct (place_open d Hd) as [_ <-]. rewrite E. auto.
Qed.

Lemma placed_spec : forall l c, (forall d, In d l -> is_cell r d) -> is_cell r c ->
  (N.testbit (placed cs l) (place c cs) = true <-> In c l).
Proof.
  intros l c Hl Hc. unfold placed. rewrite set_of_spec, in_map_iff. split.
  - intros [d [E Hd]]. apply place_same in E; auto. subst. auto.
  - eauto.
Qed.

Lemma unit_cell : forall u c, In u (units r) -> In c u -> is_cell r c.
Proof.
  intros u c Hu Hc. pose proof exist as H. unfold cells_exist in H. rewrite andb_true_iff, !forallb_forall in H.
  destruct H as [H _]. specialize (H u Hu). rewrite forallb_forall in H. apply N.ltb_lt, H, Hc.
Qed.
Lemma allowed_cell : forall c vs, In (c, vs) (allowed r) -> is_cell r c.
Proof.
  intros c vs H. pose proof exist as E. unfold cells_exist in E. rewrite andb_true_iff, !forallb_forall in E.
  apply N.ltb_lt. apply (proj2 E _ H).
Qed.

Lemma share_spec : forall c d, is_cell r c -> is_cell r d ->
  (share (map (placed cs) (units r)) (place c cs) (place d cs) <->
   c <> d /\ exists u, In u (units r) /\ In c u /\ In d u).
Proof.
  intros c d Hc Hd. unfold share. split.
  - intros [Hn [m [Hm [H1 H2]]]]. split; [congruence|]. apply in_map_iff in Hm. destruct Hm as [u [<- Hu]]. exists u.
    rewrite placed_spec in H1, H2 by (auto; intros; eapply unit_cell; eauto). auto.
  - intros [Hn [u [Hu [H1 H2]]]]. split; [intros E; apply Hn, place_same; auto|].
    exists (placed cs u). rewrite !placed_spec by (auto; intros; eapply unit_cell; eauto). split; auto. apply in_map; auto.
Qed.

Lemma start_length : List.length (start r cs) = N.to_nat (values r).
Proof. unfold start. rewrite map_length, seq_length. auto. Qed.

Lemma may_take_spec : forall c v, may_take r c v = true <-> forall vs, In (c, vs) (allowed r) -> In v vs.
Proof.
  intros c v. unfold may_take. rewrite forallb_forall. split.
  - intros H vs Hvs. specialize (H _ Hvs). cbn [fst snd] in H. rewrite N.eqb_refl in H. simpl in H.
    apply existsb_exists in H. destruct H as [w [Hw E]]. apply N.eqb_eq in E. subst. auto.
  - intros H [d vs] Hd. cbn [fst snd]. destruct (N.eqb_spec d c) as [->|E]; simpl; auto.
    apply existsb_exists. exists v. rewrite N.eqb_refl. auto.
Qed.

Lemma start_spec : forall v c, (v < N.to_nat (values r))%nat -> is_cell r c ->
  (N.testbit (nth v (start r cs) 0) (place c cs) = true <-> forall vs, In (c, vs) (allowed r) -> In (N.of_nat v + 1) vs).
Proof.
  intros v c Hv Hc. unfold start.
  set (h := fun v => placed cs (filter (fun c => may_take r c (N.of_nat v + 1)) cs)).
  rewrite nth_indep with (d' := h O) by (rewrite map_length, seq_length; auto).
  rewrite map_nth, seq_nth by auto. unfold h. simpl (0 + v)%nat. rewrite placed_spec; auto.
  - rewrite filter_In, may_take_spec, all. tauto.
  - intros d Hd. apply filter_In in Hd. apply all. tauto.
Qed.

Lemma constraints_spec : forall f g, (forall c, is_cell r c -> follows (N.to_nat (values r)) (fun c => place c cs) f g c) ->
  ((forall c, In c (constraints r) -> meets f c) <-> all_accept A (map (fun _ => 0) A) g).
Proof.
  intros f g F. apply (automata_spec r (rev cs)); auto. rewrite rev_involutive. intros c Hc. apply F, all, in_rev. auto.
Qed.

Lemma renumbered : forall m, exactly m (open k) (fills (map (placed cs) (units r)) A (start r cs) (map (fun _ => 0) A) k) ->
  has_solutions r m.
Proof.
  intros m. unfold has_solutions.
  apply exactly_transfer with
    (there := fun (g : N -> nat) c => N.of_nat (g (place c cs)) + 1) (back := fun f i => N.to_nat (f (at_place i) - 1)).
  - intros g [H1 [H2 HA]]. split; [|split; [|split]].
    + intros c Hc. destruct (place_open c Hc) as [Ho _]. destruct (H1 _ Ho) as [H _]. rewrite start_length in H. lia.
    + intros u c d Hu Hc Hd Hn E. assert (Cc : is_cell r c) by (eapply unit_cell; eauto).
      assert (Cd : is_cell r d) by (eapply unit_cell; eauto).
      apply (H2 (place c cs) (place d cs)); try apply place_open; auto; [|lia]. apply share_spec; auto. split; auto. exists u; auto.
    + intros c vs Hv. assert (Cc : is_cell r c) by (eapply allowed_cell; eauto).
      destruct (place_open c Cc) as [Ho _]. destruct (H1 _ Ho) as [H H3]. rewrite start_length in H.
      rewrite start_spec in H3; auto.
    + apply constraints_spec with (g := g); auto. intros c Hc. destruct (place_open c Hc) as [Ho _]. destruct (H1 _ Ho) as [H _].
      rewrite start_length in H. split; auto.
  - intros f g i _ _ Hi Hn. exists (at_place i). destruct (at_place_cell i Hi) as [H1 H2]. split; auto. rewrite H2. lia.
  - intros f [H1 [H2 [H3 HC]]].
    assert (V : forall i, open k i -> N.of_nat (N.to_nat (f (at_place i) - 1)) + 1 = f (at_place i)).
    { intros i Hi. destruct (H1 (at_place i)); [apply at_place_cell; auto|]. lia. }
    split; [|split].
    + intros i Hi. destruct (at_place_cell i Hi) as [C1 C2]. destruct (H1 _ C1).
      assert (L : (N.to_nat (f (at_place i) - 1) < N.to_nat (values r))%nat) by lia.
      rewrite start_length. split; auto. rewrite <- C2 at 2. rewrite start_spec by auto. intros vs Hvs. rewrite V by auto. auto.
    + intros i j Hi Hj Hs E. destruct (at_place_cell i Hi) as [C1 C2]. destruct (at_place_cell j Hj) as [C3 C4].
      rewrite <- C2, <- C4 in Hs. apply share_spec in Hs; auto. destruct Hs as [Hn [u [Hu [H4 H5]]]].
      apply (H2 u (at_place i) (at_place j)); auto. rewrite <- (V i), <- (V j) by auto. rewrite E. auto.
    + apply constraints_spec with (f := f); auto. intros c Hc. destruct (place_open c Hc) as [Ho E]. destruct (H1 c Hc) as [L U].
      unfold follows. rewrite V by auto. rewrite E. split; [lia|auto].
  - intros f g [H1 [H2 H3]] _ H c Hc. destruct (place_open c Hc) as [Ho E]. rewrite <- (H _ Ho), E.
    specialize (H1 c Hc). lia.
Qed.
End Renumbered.

Theorem count_correct : forall r order tables choose m,
  count r order tables choose = Some m -> has_solutions r m.
Proof.
  intros r order tables choose m. unfold count. cbv zeta.
  destruct (automata r order (constraints r)) as [A|] eqn:M; [|discriminate].
  destruct (cells_exist r && each_once r order && _) eqn:E; [|discriminate].
  rewrite !andb_true_iff in E. destruct E as [[E1 E2] E3]. apply each_once_spec in E2. destruct E2 as [ND I]. intros H.
  apply run_correct in H; [|auto|rewrite map_length; auto]. rewrite <- rev_length in H. apply renumbered in H; auto.
  - apply NoDup_rev; auto.
  - intros c. rewrite <- in_rev. apply I.
  - rewrite rev_involutive. auto.
Qed.

Theorem recount_correct : forall rules_txt r order tables choose m,
  recount rules_txt r order tables choose = Some m -> rules_txt = text r /\ has_solutions r m.
Proof.
  intros rules_txt r order tables choose m. unfold recount. destruct (String.eqb_spec rules_txt (text r)); [|discriminate].
  intros H. split; auto. eapply count_correct; eauto.
Qed.
