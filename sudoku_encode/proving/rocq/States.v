(* States: the puzzle that is left when some cells are filled, and in how many ways it can be filled.

   Cells are numbered so that the highest open cell is filled next: with k cells open these are 0 .. k-1.  A state has for
   each value the set of the open cells that may take it, and for each automaton its mark.  A set is a whole number with bit
   c set for each cell c in it.

   ways is the number of ways to fill a state, as a recursion; ways_correct says that it is that number.  States that differ
   only by values that no automaton tells apart have equally many (ways_renamed); those that are not viable have none. *)
From Coq Require Import NArith List Permutation Bool Lia Arith FinFun.
From Proved Require Import Rules Automata.
Import ListNotations.
Open Scope N_scope.

(* ======== the specification ======== *)
Notation state := (list N).

Definition share (units : list N) (c d : N) : Prop :=
  c <> d /\ exists u, In u units /\ N.testbit u c = true /\ N.testbit u d = true.

(* f gives each of the open cells, those below k, the number of one of the sets that contain it. *)
Definition fills (units : list N) (A : list automaton) (S : state) (marks : list N) (k : nat) (f : N -> nat) : Prop :=
  (forall c, c < N.of_nat k -> (f c < length S)%nat /\ N.testbit (nth (f c) S 0) c = true) /\
  (forall c d, c < N.of_nat k -> d < N.of_nat k -> share units c d -> f c <> f d) /\
  all_accept A marks f.

Definition open (k : nat) (c : N) : Prop := c < N.of_nat k.

(* ======== the program ======== *)
Fixpoint below (k : nat) : list N := match k with O => [] | Datatypes.S k' => below k' ++ [N.of_nat k'] end.

Definition set_of (cells : list N) : N := fold_right (fun c s => N.setbit s c) 0 cells.

(* The cells that share a unit with c. *)
Definition peers (units : list N) (c : N) : N :=
  N.clearbit (fold_right N.lor 0 (filter (fun u => N.testbit u c) units)) c.

(* For each value, from v on, whose set contains cell c, the sets after c took it: the others of its unit lose it. *)
Fixpoint successors (c others : N) (v : nat) (S : state) : list (nat * state) :=
  match S with
  | [] => []
  | s :: S' =>
      let later := map (fun e => (fst e, s :: snd e)) (successors c others (Datatypes.S v) S') in
      if N.testbit s c then (v, N.ldiff s others :: S') :: later else later
  end.

(* Every open cell is in a set. *)
Definition covers (all : N) (S : state) : bool := N.ldiff all (fold_right N.lor 0 S) =? 0.

(* At least `need` of the sets meet unit u. *)
Fixpoint meet (u : N) (need : nat) (S : state) : bool :=
  match need with
  | O => true
  | Datatypes.S fewer =>
      match S with
      | [] => false
      | s :: S' => if N.land u s =? 0 then meet u need S' else meet u fewer S'
      end
  end.

(* For each unit its open cells, and how many they are. *)
Definition holes (units : list N) (k : nat) : list (N * nat) :=
  map (fun u => let cells := filter (N.testbit u) (below k) in (set_of cells, length cells)) units.

Definition viable (all : N) (pigeonholes : list (N * nat)) (S : state) : bool :=
  covers all S && forallb (fun h => meet (fst h) (snd h) S) pigeonholes.

(* ======== sets ======== *)
Lemma set_of_spec : forall l d, N.testbit (set_of l) d = true <-> In d l.
Proof.
  induction l as [|c l IH]; intros d; simpl.
  - split; [discriminate|tauto].
  - rewrite N.setbit_eqb, orb_true_iff, N.eqb_eq, IH. tauto.
Qed.

Lemma in_below : forall k c, In c (below k) <-> c < N.of_nat k.
Proof.
  induction k as [|k IH]; intros c; [simpl; lia|].
  cbn [below]. rewrite in_app_iff, IH. simpl In. lia.
Qed.
Lemma below_length : forall k, length (below k) = k.
Proof. induction k; simpl; auto. rewrite app_length, IHk. simpl. lia. Qed.
Lemma below_NoDup : forall k, NoDup (below k).
Proof.
  induction k; cbn [below]; [constructor|].
  apply NoDup_rev in IHk. rewrite <- (rev_involutive (below k ++ _)). apply NoDup_rev. rewrite rev_app_distr. simpl.
  constructor; auto. rewrite <- in_rev, in_below. lia.
Qed.
Lemma ones_spec : forall k c, N.testbit (N.ones k) c = (c <? k).
Proof.
  intros k c. destruct (N.ltb_spec c k); [apply N.ones_spec_low|apply N.ones_spec_high]; auto.
Qed.

Lemma union_spec : forall S d, N.testbit (fold_right N.lor 0 S) d = true <-> exists s, In s S /\ N.testbit s d = true.
Proof.
  induction S as [|s S IH]; simpl; intros d.
  - split; [discriminate|]. intros [s [[] _]].
  - rewrite N.lor_spec, orb_true_iff, IH. split.
    + intros [H|[t [H1 H2]]]; eauto.
    + intros [t [[<-|H1] H2]]; eauto.
Qed.

Lemma peers_spec : forall units c d, N.testbit (peers units c) d = true <-> share units c d.
Proof.
  intros units c d. unfold peers, share. rewrite N.clearbit_eqb, andb_true_iff, union_spec, negb_true_iff, N.eqb_neq.
  split.
  - intros [[u [Hu Hd]] Hn]. apply filter_In in Hu. destruct Hu. eauto 6.
  - intros [Hn [u [Hu [Hc Hd]]]]. split; auto. exists u. rewrite filter_In. auto.
Qed.

(* ======== the number of ways to fill what is left, as a recursion ======== *)
Fixpoint ways (units : list N) (A : list automaton) (k : nat) (S : state) (marks : list N) : N :=
  match k with
  | O => 1
  | Datatypes.S k' =>
      let c := N.of_nat k' in
      sum (map (fun e => match read c (fst e) A marks with
                         | None => 0
                         | Some marks' => ways units (map (advance c) A) k' (snd e) marks'
                         end) (successors c (peers units c) 0 S))
  end.

Fixpoint update (v : nat) (s : N) (S : state) : state :=
  match v, S with
  | O, _ :: S' => s :: S'
  | Datatypes.S v', t :: S' => t :: update v' s S'
  | _, [] => []
  end.
Lemma update_length : forall v s S, length (update v s S) = length S.
Proof. induction v; destruct S; simpl; auto. Qed.
Lemma nth_update : forall v s S w, (v < length S)%nat -> nth w (update v s S) 0 = if Nat.eqb w v then s else nth w S 0.
Proof.
  induction v; destruct S as [|t S]; simpl; intros w H; try lia; destruct w; simpl; auto.
  apply IHv; lia.
Qed.

Definition takes (c : N) (S : state) : list nat := filter (fun v => N.testbit (nth v S 0) c) (seq 0 (length S)).
Definition after (others : N) (S : state) (v : nat) : state := update v (N.ldiff (nth v S 0) others) S.

Lemma successors_by_value : forall c others S, successors c others 0 S = map (fun v => (v, after others S v)) (takes c S).
Proof.
  intros c others S.
  assert (G : forall b, successors c others b S = map (fun v => ((b + v)%nat, after others S v)) (takes c S)).
  { unfold takes. induction S as [|s S IH]; intros b; auto. cbn [length seq filter successors]. rewrite <- seq_shift.
    change (nth 0 (s :: S) 0) with s.
    assert (E : forall l, map (fun v => ((b + v)%nat, after others (s :: S) v))
          (filter (fun v => N.testbit (nth v (s :: S) 0) c) (map Datatypes.S l)) =
        map (fun e => (fst e, s :: snd e)) (map (fun v => ((Datatypes.S b + v)%nat, after others S v))
          (filter (fun v => N.testbit (nth v S 0) c) l))).
    { induction l as [|v l IHl]; auto. cbn [map filter].
      change (nth (Datatypes.S v) (s :: S) 0) with (nth v S 0).
      destruct (N.testbit (nth v S 0) c); cbn [map]; rewrite IHl; auto. cbn [fst snd]. unfold after at 1.
      replace (b + Datatypes.S v)%nat with (Datatypes.S b + v)%nat by lia. auto. }
    rewrite IH. destruct (N.testbit s c); cbn [map]; rewrite E; auto. rewrite Nat.add_0_r. auto. }
  apply G.
Qed.

(* What fills says about the sets. *)
Definition places (units : list N) (S : state) (k : nat) (f : N -> nat) : Prop :=
  (forall c, c < N.of_nat k -> (f c < length S)%nat /\ N.testbit (nth (f c) S 0) c = true) /\
  (forall c d, c < N.of_nat k -> d < N.of_nat k -> share units c d -> f c <> f d).

(* Filling the last cell with v leaves the ways to fill the others in the state after. *)
Lemma places_after : forall units S k f v, f (N.of_nat k) = v ->
  (places units S (Datatypes.S k) f <-> In v (takes (N.of_nat k) S) /\ places units (after (peers units (N.of_nat k)) S v) k f).
Proof.
  intros units S k f v Hv. set (c := N.of_nat k). unfold takes, after. rewrite filter_In, in_seq.
  assert (Lt : forall d, d < N.of_nat (Datatypes.S k) <-> d < N.of_nat k \/ d = c) by (intros d; unfold c; lia).
  split.
  - intros [H1 H2]. destruct (H1 c) as [H3 H4]; [apply Lt; auto|]. unfold c in H3, H4. rewrite Hv in H3, H4. fold c in H4.
    split; [split; [lia|auto]|]. split.
    + intros d Hd. rewrite update_length, nth_update by auto. destruct (H1 d) as [H5 H6]; [apply Lt; auto|].
      split; auto. destruct (Nat.eqb_spec (f d) v) as [E|E]; auto.
      rewrite N.ldiff_spec, <- E, H6. simpl. apply negb_true_iff, not_true_iff_false. rewrite peers_spec. intros Hs.
      apply (H2 c d); auto; try (apply Lt; auto). unfold c. congruence.
    + intros d e Hd He. apply H2; apply Lt; auto.
  - intros [[Hlt Hb] [H1 H2]].
    assert (G : forall d, d < N.of_nat k -> share units c d -> f d <> v).
    { intros d Hd Hs E. destruct (H1 d Hd) as [_ H3]. rewrite nth_update in H3 by lia. rewrite E, Nat.eqb_refl in H3.
      rewrite N.ldiff_spec, (proj2 (peers_spec _ _ _) Hs), andb_false_r in H3. discriminate. }
    split.
    + intros d Hd. apply Lt in Hd. destruct Hd as [Hd| ->].
      * destruct (H1 d Hd) as [H3 H4]. rewrite update_length in H3. rewrite nth_update in H4 by lia. split; auto.
        destruct (Nat.eqb_spec (f d) v) as [->|E]; auto. rewrite N.ldiff_spec in H4. apply andb_true_iff in H4. tauto.
      * unfold c. rewrite Hv. split; [lia|auto].
    + intros d e Hd He Hs E. apply Lt in Hd, He.
      assert (Hs' : share units e d) by (destruct Hs as [Hn [u Hu]]; split; [auto|exists u; tauto]).
      destruct Hd as [Hd| ->]; destruct He as [He| ->].
      * apply (H2 d e); auto.
      * apply (G d Hd Hs'). unfold c in E. congruence.
      * apply (G e He Hs). unfold c in E. congruence.
      * destruct Hs. congruence.
Qed.

Lemma fills_after : forall units A S marks k f v, f (N.of_nat k) = v ->
  (fills units A S marks (Datatypes.S k) f <-> In v (takes (N.of_nat k) S) /\
    exists marks', read (N.of_nat k) v A marks = Some marks' /\
      fills units (map (advance (N.of_nat k)) A) (after (peers units (N.of_nat k)) S v) marks' k f).
Proof.
  intros units A S marks k f v E. pose proof (places_after units S k f v E) as P. unfold fills.
  pose proof (read_spec f (N.of_nat k) v A marks E) as R. unfold places in P. split.
  - intros [H1 [H2 H3]]. apply R in H3. destruct H3 as [marks' [H3 H4]]. destruct P as [P _].
    destruct P as [P1 [P2 P3]]; [auto|]. split; auto. exists marks'. auto.
  - intros [H1 [marks' [H2 [H3 [H4 H5]]]]]. destruct P as [_ P]. destruct P as [P1 P2]; [auto|]. split; [auto|]. split; [auto|].
    apply R. exists marks'. auto.
Qed.

(* The automata read the open cells in the order in which they are filled. *)
Notation ordered k A := (forallb (descends (N.of_nat k)) A = true).

Lemma ordered_advance : forall k A, ordered (Datatypes.S k) A -> ordered k (map (advance (N.of_nat k)) A).
Proof.
  intros k A H. rewrite forallb_forall in *. intros a Ha. apply in_map_iff in Ha. destruct Ha as [b [<- Hb]].
  apply advance_descends. rewrite <- Nat2N.inj_succ. auto.
Qed.

Theorem ways_correct : forall units k A S marks, ordered k A ->
  exactly (ways units A k S marks) (open k) (fills units A S marks k).
Proof.
  intros units. induction k as [|k IH]; intros A S marks D.
  - exists [fun _ => O]. repeat split; simpl; unfold open; try lia.
    + apply descends_nothing. exact D.
    + constructor; constructor.
    + intros f _. exists (fun _ => O). split; auto. intros c Hc. lia.
  - cbn [ways]. cbv zeta. rewrite successors_by_value, map_map. cbn [fst snd].
    set (after_v := after (peers units (N.of_nat k)) S).
    apply exactly_sum with (c := N.of_nat k) (m := fun v => match read (N.of_nat k) v A marks with
      | None => 0 | Some marks' => ways units (map (advance (N.of_nat k)) A) k (after_v v) marks' end).
    + unfold open. lia.
    + unfold takes. apply NoDup_filter, seq_NoDup.
    + intros f Hf. apply (fills_after units A S marks k f _ eq_refl) in Hf. tauto.
    + intros v Hv. destruct (read (N.of_nat k) v A marks) as [marks'|] eqn:R.
      2: { apply exactly_none. intros f [Hf E]. apply (fills_after _ _ _ _ _ _ v) in Hf; auto.
           destruct Hf as [_ [m [R' _]]]. congruence. }
      set (there := fun (f : N -> nat) d => if d =? N.of_nat k then v else f d).
      assert (T : forall f d, d < N.of_nat k -> there f d = f d).
      { intros f d Hd. unfold there. destruct (N.eqb_spec d (N.of_nat k)); auto. lia. }
      assert (Tk : forall f, there f (N.of_nat k) = v) by (intros f; unfold there; rewrite N.eqb_refl; auto).
      pose proof (ordered_advance k A D) as D'.
      apply exactly_transfer with (there := there) (back := fun f => f) (5 := IH _ (after_v v) marks' D').
      * intros f [H1 [H2 H3]]. split; auto. apply (fills_after _ _ _ _ _ _ v); auto. split; auto. exists marks'. split; auto.
        split; [|split].
        -- intros d Hd. rewrite T by auto. auto.
        -- intros d e Hd He. rewrite !T by auto. auto.
        -- eapply all_accept_below; [exact D'| |exact H3]. intros d Hd. rewrite T by auto. auto.
      * intros f g d Hf Hg Hd Hn. exists d. unfold open in *. rewrite !T by auto. split; auto. lia.
      * intros f [Hf E]. apply (fills_after _ _ _ _ _ _ v) in Hf; auto. destruct Hf as [_ [m [R' Hf]]].
        rewrite R in R'. inversion R'; subst m. auto.
      * intros f g [Hf E] Hg H d Hd. unfold open in *. destruct (N.eq_dec d (N.of_nat k)) as [->|Hn].
        -- rewrite E, Tk. auto.
        -- rewrite T by lia. apply H. lia.
Qed.

(* States that are filled in the same ways have equally many. *)
Lemma ways_transfer : forall units k A S T marks marks' (there back : (N -> nat) -> (N -> nat)), ordered k A ->
  (forall f, fills units A S marks k f -> fills units A T marks' k (there f)) ->
  (forall f g c, fills units A S marks k f -> fills units A S marks k g -> open k c -> f c <> g c ->
     exists c', open k c' /\ there f c' <> there g c') ->
  (forall f, fills units A T marks' k f -> fills units A S marks k (back f)) ->
  (forall f g, fills units A T marks' k f -> fills units A S marks k g -> (forall c, open k c -> back f c = g c) ->
     forall c, open k c -> f c = there g c) ->
  ways units A k T marks' = ways units A k S marks.
Proof.
  intros units k A S T marks marks' there back D H1 H2 H3 H4.
  apply exactly_unique with (inside := open k) (P := fills units A T marks' k); [apply ways_correct; auto|].
  eapply exactly_transfer with (there := there) (back := back); eauto. apply ways_correct; auto.
Qed.

Lemma ways_none : forall units k A S marks, ordered k A -> (forall f, ~ fills units A S marks k f) -> ways units A k S marks = 0.
Proof.
  intros units k A S marks D H. apply exactly_unique with (inside := open k) (P := fills units A S marks k); [apply ways_correct; auto|].
  apply exactly_none; auto.
Qed.

Lemma ways_same : forall units k A S T marks marks', ordered k A ->
  (forall f, fills units A S marks k f <-> fills units A T marks' k f) -> ways units A k T marks' = ways units A k S marks.
Proof.
  intros units k A S T marks marks' D H. apply ways_transfer with (there := fun f => f) (back := fun f => f); auto; try firstorder.
Qed.

(* ======== filled cells, and bits of marks that no table looks at, may be forgotten ======== *)
Lemma ways_open : forall units k A S marks, ordered k A ->
  ways units A k (map (N.land (N.ones (N.of_nat k))) S) marks = ways units A k S marks.
Proof.
  intros units k A S marks D. apply ways_same; auto. intros f. unfold fills. rewrite map_length.
  set (g := N.land (N.ones (N.of_nat k))).
  assert (E : forall c, open k c -> N.testbit (nth (f c) (map g S) 0) c = N.testbit (nth (f c) S 0) c).
  { intros c Hc. apply N.ltb_lt in Hc. replace 0 with (g 0) at 1 by (unfold g; apply N.land_0_r).
    rewrite map_nth. unfold g. rewrite N.land_spec, ones_spec, Hc. auto. }
  split; intros [H1 [H2 H3]]; (split; [|split]); auto; intros c Hc; destruct (H1 c Hc); rewrite E in * by auto; auto.
Qed.

Lemma ways_narrow : forall units k A S marks marks', ordered k A ->
  (forall f, all_accept A marks f <-> all_accept A marks' f) -> ways units A k S marks' = ways units A k S marks.
Proof. intros units k A S marks marks' D H. apply ways_same; auto. intros f. unfold fills. rewrite H. tauto. Qed.

(* ======== values of one class may be renamed ======== *)
Lemma ways_renamed : forall units k A S T marks, ordered k A -> length S = length T ->
  Permutation (combine (classes A (length S)) S) (combine (classes A (length S)) T) -> ways units A k T marks = ways units A k S marks.
Proof.
  intros units k A S T marks D L P. set (n := length S) in *. set (cl := classes A n) in *.
  assert (Lc : length cl = n) by (unfold cl, classes; rewrite map_length, seq_length; auto).
  assert (L1 : length (combine cl S) = n) by (rewrite combine_length, Lc; unfold n; lia).
  apply (Permutation_nth _ _ (0, 0)) in P. destruct P as [_ [to [B [I N]]]]. rewrite L1 in *.
  pose proof (proj1 (bInjective_bSurjective B) I) as J. destruct (bSurjective_bBijective B J) as [from [B' F]].
  assert (Q : forall v, (v < n)%nat -> nth v cl 0 = nth (to v) cl 0 /\ nth v T 0 = nth (to v) S 0).
  { intros v Hv. specialize (N v Hv). rewrite !combine_nth in N by (rewrite Lc; auto). inversion N. auto. }
  assert (C : forall u v, (u < n)%nat -> (v < n)%nat -> nth u cl 0 = nth v cl 0 ->
    forall a M, In a A -> In M a -> nth u (columns M) [] = nth v (columns M) []).
  { intros u v Hu Hv E a M Ha HM. unfold cl, classes in E.
    assert (K : forall w, (w < n)%nat -> nth w (map (fun v => N.of_nat (class A v)) (seq 0 n)) 0 = N.of_nat (class A w)).
    { intros w Hw. rewrite nth_indep with (d' := (fun v => N.of_nat (class A v)) O) by (rewrite map_length, seq_length; auto).
      rewrite (map_nth (fun v => N.of_nat (class A v))), seq_nth by auto. auto. }
    rewrite !K in E by auto. apply Nat2N.inj in E.
    rewrite <- (class_spec A u a M), <- (class_spec A v a M) by auto. rewrite E. auto. }
  (* Outside of the places of open cells a function may have any value. *)
  assert (Acc : forall h f, (forall v, (v < n)%nat -> (h v < n)%nat /\ nth v cl 0 = nth (h v) cl 0) ->
    (forall c, open k c -> (f c < n)%nat) -> all_accept A marks f -> all_accept A marks (fun c => h (f c))).
  { intros h f Hh Hf HA. apply all_accept_alike with (f := f); auto. intros a M Ha HM.
    assert (O : open k (position M)).
    { rewrite forallb_forall in D. specialize (D a Ha). clear - D HM. unfold open. revert D. generalize (N.of_nat k).
      induction a as [|X a IH]; intros k0 D; [destruct HM|]. cbn [descends] in D. apply andb_true_iff in D. destruct D as [D1 D2].
      apply N.ltb_lt in D1. destruct HM as [->|HM]; auto. specialize (IH HM _ D2). lia. }
    destruct (Hh (f (position M)) (Hf _ O)). apply (C (f (position M)) (h (f (position M)))) with (a := a); auto. }
  symmetry. apply ways_transfer with (there := fun f c => to (f c)) (back := fun f c => from (f c)); auto; fold n.
  - intros f [H1 [H2 H3]]. split; [|split].
    + intros c Hc. destruct (H1 c Hc) as [H4 H5]. rewrite <- L in H4. split; [apply B; auto|].
      destruct (Q (f c) H4) as [_ <-]. auto.
    + intros c d Hc Hd Hs E. apply (H2 c d Hc Hd Hs). apply I; auto; rewrite L; apply H1; auto.
    + apply (Acc to f); auto. * intros v Hv. split; [apply B; auto|apply Q; auto]. * intros c Hc. rewrite L. apply H1; auto.
  - intros f g c [H1 _] [G1 _] Hc Hn. exists c. split; auto. intros E. apply Hn, I; auto; rewrite L; [apply H1|apply G1]; auto.
  - intros f [H1 [H2 H3]].
    assert (K : forall v, (v < n)%nat -> (from v < n)%nat /\ to (from v) = v) by (intros v Hv; split; [apply B'|apply F]; auto).
    split; [|split].
    + intros c Hc. destruct (H1 c Hc) as [H4 H5]. fold n in H4. destruct (K _ H4) as [K1 K2]. rewrite <- L. split; auto.
      destruct (Q _ K1) as [_ ->]. rewrite K2. auto.
    + intros c d Hc Hd Hs E. apply (H2 c d Hc Hd Hs). destruct (K (f c)) as [_ <-]; [apply H1; auto|].
      destruct (K (f d)) as [_ <-]; [apply H1; auto|]. rewrite E. auto.
    + apply (Acc from f); auto.
      * intros v Hv. destruct (K v Hv) as [K1 K2]. split; auto. destruct (Q _ K1) as [-> _]. rewrite K2. auto.
      * intros c Hc. apply H1; auto.
  - intros f g [H1 _] _ H c Hc. rewrite <- H by auto. destruct (F (f c)) as [_ E]; [apply H1; auto|auto].
Qed.

(* ======== a state that is not viable has no ways ======== *)
Lemma not_covers : forall units k A S marks, ordered k A -> covers (N.ones (N.of_nat k)) S = false -> ways units A k S marks = 0.
Proof.
  intros units k A S marks D H. apply ways_none; auto. intros f [Hf _]. unfold covers in H. apply N.eqb_neq in H.
  pose proof (N.bit_log2 _ H) as B. rewrite N.ldiff_spec, andb_true_iff, ones_spec, N.ltb_lt, negb_true_iff in B.
  destruct B as [B1 B2]. destruct (Hf _ B1) as [H1 H2]. apply not_true_iff_false in B2. apply B2.
  apply union_spec. exists (nth (f (N.log2 (N.ldiff (N.ones (N.of_nat k)) (fold_right N.lor 0 S)))) S 0). split; auto. apply nth_In; auto.
Qed.

Lemma meet_enough : forall u S need,
  (need <= length (filter (fun s => negb (N.land u s =? 0)%N) S))%nat -> meet u need S = true.
Proof.
  induction S as [|s S IH]; intros need H; destruct need as [|need]; auto; simpl in *; [lia|].
  destruct (N.land u s =? 0); simpl in H; apply IH; lia.
Qed.

Lemma filter_by_place : forall (A : Type) (p : A -> bool) d S,
  length (filter p S) = length (filter (fun v => p (nth v S d)) (seq 0 (length S))).
Proof.
  intros A p d. induction S as [|s S IH]; auto. cbn [length seq filter]. rewrite <- seq_shift. simpl nth at 1.
  assert (E : forall l, length (filter (fun v => p (nth v (s :: S) d)) (map Datatypes.S l)) =
                        length (filter (fun v => p (nth v S d)) l)).
  { induction l as [|v l IHl]; auto. simpl. destruct (p (nth v S d)); simpl; auto. }
  destruct (p s); simpl; rewrite E, IH; auto.
Qed.

(* Pigeonhole: the open cells of a unit take different values, and the set of each such value meets the unit. *)
Lemma fills_meet : forall units A k S marks f u, fills units A S marks k f -> In u units ->
  let cells := filter (N.testbit u) (below k) in meet (set_of cells) (length cells) S = true.
Proof.
  intros units A k S marks f u [H1 [H2 _]] Hu cells.
  assert (Hc : forall c, In c cells <-> c < N.of_nat k /\ N.testbit u c = true).
  { intros c. unfold cells. rewrite filter_In, in_below. tauto. }
  apply meet_enough. rewrite filter_by_place with (d := 0). rewrite <- (map_length f cells).
  apply NoDup_incl_length.
  - assert (ND : NoDup cells) by (apply NoDup_filter, below_NoDup).
    assert (G : forall c d, In c cells -> In d cells -> c <> d -> f c <> f d).
    { intros c d Hc' Hd Hn. apply Hc in Hc', Hd. apply H2; try tauto. split; auto. exists u. tauto. }
    clear - ND G. induction ND as [|c l Hc ND IH]; simpl; constructor.
    + rewrite in_map_iff. intros [d [E Hd]]. apply (G d c); simpl; auto. intros ->. auto.
    + apply IH. intros. apply G; simpl; auto.
  - intros v Hv. apply in_map_iff in Hv. destruct Hv as [c [<- Hi]]. pose proof Hi as Hi'. apply Hc in Hi'.
    destruct (H1 c) as [H3 H4]; [tauto|]. apply filter_In. split; [apply in_seq; lia|].
    apply negb_true_iff, N.eqb_neq. intros E.
    assert (B : N.testbit (N.land (set_of cells) (nth (f c) S 0)) c = true).
    { rewrite N.land_spec, H4, andb_true_r. apply set_of_spec. auto. }
    rewrite E in B. discriminate.
Qed.

Lemma not_viable : forall units k A S marks, ordered k A -> viable (N.ones (N.of_nat k)) (holes units k) S = false ->
  ways units A k S marks = 0.
Proof.
  intros units k A S marks D H. unfold viable in H. apply andb_false_iff in H. destruct H as [H|H]; [apply not_covers; auto|].
  apply ways_none; auto. intros f Hf. apply not_true_iff_false in H. apply H. apply forallb_forall.
  intros h Hh. apply in_map_iff in Hh. destruct Hh as [u [<- Hu]]. cbn [fst snd]. eapply fills_meet; eauto.
Qed.

