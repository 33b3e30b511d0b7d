(* The counter, and the proof that it is right.

   Cells are numbered so that the highest open cell is filled next: with k cells open these are 0 .. k-1.  A state is the
   puzzle that is left: for each value the set of the open cells that may take it.  A set is a whole number with bit c set
   for each cell c in it.  All rules are "these cells differ", so values may be renamed: sets are sorted, and equal states
   are merged, with the sum of their ways.  States may also be replaced by their images under symmetries of the board.

   The theorem, run_correct, at the end: what the counter returns is the number of ways to fill the cells. *)
From Coq Require Import NArith List Permutation Bool Lia Arith.
From Proved Require Import Rules.
Import ListNotations.
Open Scope N_scope.

(* ======== the specification ======== *)
Notation state := (list N).

Definition share (units : list N) (c d : N) : Prop :=
  c <> d /\ exists u, In u units /\ N.testbit u c = true /\ N.testbit u d = true.

(* f gives each of the open cells, those below k, the place of one of the sets that contain it. *)
Definition fills (units : list N) (S : state) (k : nat) (f : N -> nat) : Prop :=
  (forall c, c < N.of_nat k -> (f c < length S)%nat /\ N.testbit (nth (f c) S 0) c = true) /\
  (forall c d, c < N.of_nat k -> d < N.of_nat k -> share units c d -> f c <> f d).

Definition open (k : nat) (c : N) : Prop := c < N.of_nat k.

(* ======== the program ======== *)
Fixpoint below (k : nat) : list N := match k with O => [] | Datatypes.S k' => below k' ++ [N.of_nat k'] end.

Definition set_of (cells : list N) : N := fold_right (fun c s => N.setbit s c) 0 cells.

(* The cells that share a unit with c. *)
Definition peers (units : list N) (c : N) : N :=
  N.clearbit (fold_right N.lor 0 (filter (fun u => N.testbit u c) units)) c.

(* The states after cell c took one of the values whose set contains it; the others lose that value. *)
Fixpoint successors (c others : N) (S : state) : list state :=
  match S with
  | [] => []
  | s :: S' =>
      let later := map (cons s) (successors c others S') in
      if N.testbit s c then (N.ldiff s others :: S') :: later else later
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

Fixpoint insert (s : N) (S : state) : state :=
  match S with [] => [s] | t :: S' => if s <=? t then s :: S else t :: insert s S' end.
Definition sorted (S : state) : state := fold_right insert [] S.

(* A state as one number: k bits for each set. *)
Definition pack (k : N) (S : state) : N :=
  let all := N.ones k in fold_right (fun s p => N.lor (N.land s all) (N.shiftl p k)) 0 S.
Fixpoint split (n : nat) (k all p : N) : state :=
  match n with O => [] | Datatypes.S n' => N.land p all :: split n' k all (N.shiftr p k) end.
Definition unpack (n : nat) (k p : N) : state := split n k (N.ones k) p.

(* A layer: packed states with their ways.  Two layers are fused by merging them as sorted lists; the result is put before
   `done` in reverse. *)
Notation layer := (list (N * N)).
Fixpoint fuse (a : layer) : layer -> layer -> layer :=
  match a with
  | [] => fun b done => rev_append done b
  | (s, v) :: a' =>
      fix scan (b done : layer) :=
        match b with
        | [] => rev_append done a
        | (t, w) :: b' =>
            match s ?= t with
            | Lt => fuse a' b ((s, v) :: done)
            | Eq => fuse a' b' ((s, v + w) :: done)
            | Gt => scan b' ((t, w) :: done)
            end
        end
  end.

(* A heap holds layers of up to 1, 2, 4, ... states. *)
Fixpoint push (l : layer) (heap : list layer) : list layer :=
  match heap with
  | [] => [l]
  | [] :: heap' => l :: heap'
  | m :: heap' => [] :: push (fuse l m []) heap'
  end.
Definition gather (heap : list layer) : layer := fold_left (fun l m => fuse l m []) heap [].

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

Section Counter.
Variable units : list N.
(* Advice that need not be believed: after which layers there are symmetries, and which of them a state is moved by. *)
Variable tables : nat -> option table.
Variable choose : N -> state -> list bool.
Variable n : nat.

(* Fill cell k, the last of the k + 1 open cells. *)
Definition step (k : nat) (l : layer) : layer :=
  let c := N.of_nat k in
  let all := N.ones c in
  let others := peers units c in
  let pigeonholes := holes units k in
  let width := N.of_nat (Datatypes.S k) in
  gather (fold_left (fun heap entry =>
    fold_left (fun heap T =>
      let T := map (N.land all) T in
      if viable all pigeonholes T then push [(pack c (sorted T), snd entry)] heap else heap)
    (successors c others (unpack n width (fst entry))) heap) l []).

Definition move_layer (k : nat) (t : table) (l : layer) : layer :=
  let width := N.of_nat k in
  gather (fold_left (fun heap entry =>
    let S := unpack n width (fst entry) in
    push [(pack width (sorted (map (image (pick (choose width S) t)) S)), snd entry)] heap) l []).

Fixpoint run (k : nat) (l : layer) : option N :=
  match k with
  | O => Some (sum (map snd l))
  | Datatypes.S k' =>
      let l := step k' l in
      match tables k' with
      | None => run k' l
      | Some t => if every (symmetry units k') t then run k' (move_layer k' t l) else None
      end
  end.
End Counter.

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
Fixpoint ways (units : list N) (k : nat) (S : state) : N :=
  match k with
  | O => 1
  | Datatypes.S k' => sum (map (ways units k') (successors (N.of_nat k') (peers units (N.of_nat k')) S))
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

Lemma successors_by_value : forall c others S, successors c others S = map (after others S) (takes c S).
Proof.
  intros c others S. unfold takes. induction S as [|s S IH]; auto. cbn [length seq filter successors]. rewrite <- seq_shift.
  change (nth 0 (s :: S) 0) with s.
  assert (E : forall l, map (after others (s :: S)) (filter (fun v => N.testbit (nth v (s :: S) 0) c) (map Datatypes.S l)) =
      map (cons s) (map (after others S) (filter (fun v => N.testbit (nth v S 0) c) l))).
  { induction l as [|v l IHl]; auto. cbn [map filter].
    change (nth (Datatypes.S v) (s :: S) 0) with (nth v S 0).
    destruct (N.testbit (nth v S 0) c); cbn [map]; rewrite IHl; auto. }
  destruct (N.testbit s c); cbn [map]; rewrite E, IH; auto.
Qed.

(* Filling the last cell with v leaves the ways to fill the others in the state after. *)
Lemma fills_after : forall units S k f v, f (N.of_nat k) = v ->
  (fills units S (Datatypes.S k) f <-> In v (takes (N.of_nat k) S) /\ fills units (after (peers units (N.of_nat k)) S v) k f).
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

Theorem ways_correct : forall units k S, exactly (ways units k S) (open k) (fills units S k).
Proof.
  intros units. induction k as [|k IH]; intros S.
  - exists [fun _ => O]. repeat split; simpl; unfold open; try lia.
    + constructor; constructor.
    + intros f _. exists (fun _ => O). split; auto. intros c Hc. lia.
  - cbn [ways]. rewrite successors_by_value, map_map.
    apply exactly_sum with (c := N.of_nat k) (m := fun v => ways units k (after (peers units (N.of_nat k)) S v)).
    + unfold open. lia.
    + unfold takes. apply NoDup_filter, seq_NoDup.
    + intros f Hf. apply (fills_after units S k f _ eq_refl) in Hf. tauto.
    + intros v Hv.
      set (there := fun (f : N -> nat) d => if d =? N.of_nat k then v else f d).
      assert (T : forall f d, d < N.of_nat k -> there f d = f d).
      { intros f d Hd. unfold there. destruct (N.eqb_spec d (N.of_nat k)); auto. lia. }
      assert (Tk : forall f, there f (N.of_nat k) = v) by (intros f; unfold there; rewrite N.eqb_refl; auto).
      apply exactly_transfer with (there := there) (back := fun f => f) (5 := IH (after (peers units (N.of_nat k)) S v)).
      * intros f [H1 H2]. split; auto. apply (fills_after _ _ _ _ v); auto. split; auto. split.
        -- intros d Hd. rewrite T by auto. auto.
        -- intros d e Hd He. rewrite !T by auto. auto.
      * intros f g d Hf Hg Hd Hn. exists d. unfold open in *. rewrite !T by auto. split; auto. lia.
      * intros f [Hf E]. apply (fills_after _ _ _ _ v) in Hf; tauto.
      * intros f g [Hf E] Hg H d Hd. unfold open in *. destruct (N.eq_dec d (N.of_nat k)) as [->|Hn].
        -- rewrite E, Tk. auto.
        -- rewrite T by lia. apply H. lia.
Qed.

(* States that are filled in the same ways have equally many. *)
Lemma ways_transfer : forall units k S T (there back : (N -> nat) -> (N -> nat)),
  (forall f, fills units S k f -> fills units T k (there f)) ->
  (forall f g c, fills units S k f -> fills units S k g -> open k c -> f c <> g c ->
     exists c', open k c' /\ there f c' <> there g c') ->
  (forall f, fills units T k f -> fills units S k (back f)) ->
  (forall f g, fills units T k f -> fills units S k g -> (forall c, open k c -> back f c = g c) ->
     forall c, open k c -> f c = there g c) ->
  ways units k T = ways units k S.
Proof.
  intros units k S T there back H1 H2 H3 H4.
  apply exactly_unique with (inside := open k) (P := fills units T k); [apply ways_correct|].
  eapply exactly_transfer with (there := there) (back := back); eauto. apply ways_correct.
Qed.

Lemma ways_none : forall units k S, (forall f, ~ fills units S k f) -> ways units k S = 0.
Proof.
  intros units k S H. apply exactly_unique with (inside := open k) (P := fills units S k); [apply ways_correct|].
  apply exactly_none; auto.
Qed.

(* ======== filled cells may be forgotten ======== *)
Lemma ways_same : forall units k S T, (forall f, fills units S k f <-> fills units T k f) -> ways units k T = ways units k S.
Proof. intros units k S T H. apply ways_transfer with (there := fun f => f) (back := fun f => f); try firstorder. Qed.

Lemma ways_open : forall units k S, ways units k (map (N.land (N.ones (N.of_nat k))) S) = ways units k S.
Proof.
  intros units k S. apply ways_same. intros f. unfold fills. rewrite map_length.
  set (g := N.land (N.ones (N.of_nat k))).
  assert (E : forall c, open k c -> N.testbit (nth (f c) (map g S) 0) c = N.testbit (nth (f c) S 0) c).
  { intros c Hc. apply N.ltb_lt in Hc. replace 0 with (g 0) at 1 by (unfold g; apply N.land_0_r).
    rewrite map_nth. unfold g. rewrite N.land_spec, ones_spec, Hc. auto. }
  split; intros [H1 H2]; split; auto; intros c Hc; destruct (H1 c Hc); rewrite E in * by auto; auto.
Qed.

(* ======== values may be renamed ======== *)
Lemma successors_perm : forall (c others : N) (S T : state), Permutation S T ->
  forall g : state -> N, (forall U V, Permutation U V -> g U = g V) ->
  sum (map g (successors c others S)) = sum (map g (successors c others T)).
Proof.
  assert (H0 : forall g : state -> N, (forall U V, Permutation U V -> g U = g V) ->
               forall s, forall U V, Permutation U V -> g (s :: U) = g (s :: V)) by auto.
  induction 1 as [|s S T HP IH|s t S|S T U H1 IH1 H2 IH2]; intros g Hg; auto.
  - cbn [successors]. pose proof (IH (fun U => g (s :: U)) (H0 g Hg s)) as E.
    destruct (N.testbit s c); cbn [map sum fold_right]; rewrite !map_map; fold sum.
    + change (g (N.ldiff s others :: S) + sum (map (fun U => g (s :: U)) (successors c others S)) =
              g (N.ldiff s others :: T) + sum (map (fun U => g (s :: U)) (successors c others T))).
      rewrite E. f_equal. auto.
    + apply E.
  - assert (E : map g (map (cons t) (map (cons s) (successors c others S))) =
                map g (map (cons s) (map (cons t) (successors c others S)))).
    { rewrite !map_map. apply map_ext. intros U. apply Hg. constructor. }
    assert (Es : g (t :: N.ldiff s others :: S) = g (N.ldiff s others :: t :: S)) by (apply Hg; constructor).
    assert (Et : g (s :: N.ldiff t others :: S) = g (N.ldiff t others :: s :: S)) by (apply Hg; constructor).
    unfold sum. cbn [successors]. destruct (N.testbit s c); destruct (N.testbit t c); cbn [map fold_right];
      rewrite E, ?Es, ?Et; lia.
  - rewrite IH1; auto.
Qed.

Lemma ways_perm : forall units k S T, Permutation S T -> ways units k S = ways units k T.
Proof. induction k as [|k IH]; intros S T H; cbn [ways]; auto. apply successors_perm; auto. Qed.

Lemma insert_perm : forall s S, Permutation (insert s S) (s :: S).
Proof.
  induction S as [|t S IH]; simpl; auto. destruct (s <=? t); auto.
  eapply perm_trans; [apply perm_skip, IH|]. constructor.
Qed.
Lemma sorted_perm : forall S, Permutation (sorted S) S.
Proof. induction S as [|s S IH]; simpl; auto. eapply perm_trans; [apply insert_perm|]. auto. Qed.

(* ======== a state that is not viable has no ways ======== *)
Lemma not_covers : forall units k S, covers (N.ones (N.of_nat k)) S = false -> ways units k S = 0.
Proof.
  intros units k S H. apply ways_none. intros f [Hf _]. unfold covers in H. apply N.eqb_neq in H.
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
Lemma fills_meet : forall units k S f u, fills units S k f -> In u units ->
  let cells := filter (N.testbit u) (below k) in meet (set_of cells) (length cells) S = true.
Proof.
  intros units k S f u [H1 H2] Hu cells.
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

Lemma not_viable : forall units k S, viable (N.ones (N.of_nat k)) (holes units k) S = false -> ways units k S = 0.
Proof.
  intros units k S H. unfold viable in H. apply andb_false_iff in H. destruct H as [H|H]; [apply not_covers; auto|].
  apply ways_none. intros f Hf. apply not_true_iff_false in H. apply H. apply forallb_forall.
  intros h Hh. apply in_map_iff in Hh. destruct Hh as [u [<- Hu]]. cbn [fst snd]. eapply fills_meet; eauto.
Qed.

(* ======== packed states ======== *)
Lemma unpack_length : forall n k p, length (unpack n k p) = n.
Proof. unfold unpack. induction n; simpl; auto. Qed.

Lemma unpack_pack : forall k S, unpack (length S) k (pack k S) = map (fun s => N.land s (N.ones k)) S.
Proof.
  intros k. unfold unpack. induction S as [|s S IH]; auto. cbn [length split map]. rewrite <- IH.
  unfold pack. cbv zeta. cbn [fold_right]. set (p := fold_right _ 0 S).
  f_equal; [|f_equal]; apply N.bits_inj; intros d.
  - rewrite !N.land_spec, N.lor_spec, N.land_spec, !ones_spec. destruct (N.ltb_spec d k) as [Hd|Hd].
    + rewrite N.shiftl_spec_low by auto. rewrite orb_false_r, !andb_true_r. auto.
    + rewrite !andb_false_r. auto.
  - rewrite N.shiftr_spec', N.lor_spec, N.land_spec, ones_spec, N.shiftl_spec_high' by lia.
    replace (d + k <? k) with false by (symmetry; apply N.ltb_ge; lia). rewrite andb_false_r, N.add_sub. auto.
Qed.

Definition value (units : list N) (n k : nat) (l : layer) : N :=
  sum (map (fun e => snd e * ways units k (unpack n (N.of_nat k) (fst e))) l).

Lemma value_packed : forall units k S T w, Permutation S T ->
  value units (length T) k [(pack (N.of_nat k) S, w)] = w * ways units k T.
Proof.
  intros units k S T w H. unfold value, sum. cbn [map fold_right fst snd].
  rewrite <- (Permutation_length H), unpack_pack, <- (ways_perm units k S T H), <- (ways_open units k S).
  rewrite (map_ext (fun s => N.land s (N.ones (N.of_nat k))) (N.land (N.ones (N.of_nat k))))
    by (intros; apply N.land_comm). lia.
Qed.

(* ======== equal states may be merged ======== *)
Section Merging.
Variables (units : list N) (n k : nat).
Notation value := (value units n k).

Lemma value_app : forall l m, value (l ++ m) = value l + value m.
Proof. intros. unfold Counter.value. rewrite map_app. apply sum_app. Qed.

Lemma value_cons : forall s w l, value ((s, w) :: l) = w * ways units k (unpack n (N.of_nat k) s) + value l.
Proof. intros. reflexivity. Qed.

Lemma value_rev_append : forall l m, value (rev_append l m) = value l + value m.
Proof.
  induction l as [|[s w] l IH]; intros m; auto. cbn [rev_append]. rewrite IH, !value_cons. lia.
Qed.

Lemma fuse_value : forall a b done, value (fuse a b done) = value a + value b + value done.
Proof.
  induction a as [|[s v] a IHa]; intros b.
  - intros. simpl fuse. rewrite value_rev_append. change (value []) with 0. lia.
  - induction b as [|[t w] b IHb]; intros done.
    + simpl fuse. rewrite value_rev_append. change (value []) with 0. lia.
    + cbn [fuse]. destruct (s ?= t) eqn:E.
      * apply N.compare_eq in E. subst t. rewrite IHa, !value_cons. lia.
      * rewrite IHa, !value_cons. lia.
      * rewrite IHb, !value_cons. lia.
Qed.

Definition heap_value (heap : list layer) : N := sum (map value heap).

Lemma push_value : forall heap l, heap_value (push l heap) = value l + heap_value heap.
Proof.
  unfold heap_value. induction heap as [|m heap IH]; intros l; [reflexivity|].
  destruct m as [|e m]; cbn [push map sum fold_right]; fold sum.
  - change (value []) with 0. unfold sum. lia.
  - change (fold_right N.add 0) with sum. rewrite IH, fuse_value. change (value []) with 0. lia.
Qed.

Lemma gather_value : forall heap, value (gather heap) = heap_value heap.
Proof.
  unfold gather, heap_value. intros heap.
  assert (G : forall l, value (fold_left (fun l m => fuse l m []) heap l) = value l + sum (map value heap)).
  { induction heap as [|m heap IH]; intros l; cbn [fold_left map sum fold_right]; fold sum; [unfold sum; simpl; lia|].
    rewrite IH, fuse_value. change (value []) with 0. unfold sum. simpl. lia. }
  rewrite G. reflexivity.
Qed.

(* What is pushed for each element of a list adds up. *)
Lemma fold_push : forall (A : Type) (act : list layer -> A -> list layer) (worth : A -> N) (l : list A) heap,
  (forall a h, In a l -> heap_value (act h a) = worth a + heap_value h) ->
  heap_value (fold_left act l heap) = sum (map worth l) + heap_value heap.
Proof.
  intros A act worth l. induction l as [|a l IH]; intros heap H; [reflexivity|].
  cbn [fold_left map]. rewrite IH by (intros; apply H; simpl; auto). rewrite H by (simpl; auto).
  unfold sum. simpl. lia.
Qed.
End Merging.

Lemma sum_times : forall (A : Type) (g : A -> N) w l, sum (map (fun a => w * g a) l) = w * sum (map g l).
Proof. intros A g w. unfold sum. induction l; simpl; lia. Qed.

Lemma step_value : forall units n k l, value units n k (step units n k l) = value units n (Datatypes.S k) l.
Proof.
  intros units n k l. unfold step. cbv zeta. rewrite gather_value.
  rewrite fold_push with (worth := fun e => snd e * ways units (Datatypes.S k) (unpack n (N.of_nat (Datatypes.S k)) (fst e))).
  - unfold heap_value, value. cbn [map sum fold_right]. lia.
  - intros e heap _. cbn [ways].
    rewrite <- sum_times. apply fold_push. intros T h HT.
    assert (LT : length T = n).
    { rewrite successors_by_value in HT. apply in_map_iff in HT. destruct HT as [v [<- _]].
      unfold after. rewrite update_length. apply unpack_length. }
    set (all := N.ones (N.of_nat k)). destruct (viable all (holes units k) (map (N.land all) T)) eqn:V.
    + rewrite push_value. f_equal.
      rewrite <- (ways_open units k T). rewrite <- LT, <- (map_length (N.land all) T) at 1.
      apply value_packed, sorted_perm.
    + apply not_viable in V. unfold all in V. rewrite ways_open in V. rewrite V. lia.
Qed.

(* ======== symmetries ======== *)
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

Lemma ways_image : forall S, (forall s d, In s S -> N.testbit s d = true -> open k d) ->
  ways units k (map (image moves) S) = ways units k S.
Proof.
  intros S HS.
  assert (B : forall v c, (v < length S)%nat -> open k c ->
    N.testbit (nth v (map (image moves) S) 0) (to c) = N.testbit (nth v S 0) c).
  { intros v c Hv Hc. rewrite nth_indep with (d' := image moves 0) by (rewrite map_length; auto).
    rewrite map_nth. apply image_bit; auto. intros d. apply HS, nth_In; auto. }
  apply ways_transfer with (there := fun f d => f (from d)) (back := fun f c => f (to c)).
  - intros f [H1 H2]. split.
    + intros d Hd. destruct (from_spec d Hd) as [F1 F2]. destruct (H1 _ F1) as [H3 H4]. rewrite map_length. split; auto.
      rewrite <- F2 at 2. rewrite B; auto.
    + intros d e Hd He Hs. destruct (from_spec d Hd) as [F1 F2]. destruct (from_spec e He) as [F3 F4].
      apply H2; auto. apply to_share; auto. rewrite F2, F4. auto.
  - intros f g c _ _ Hc Hn. exists (to c). split; [apply to_open; auto|].
    destruct (from_spec (to c) (to_open c Hc)) as [F1 F2]. apply to_one in F2; auto. rewrite F2. auto.
  - intros f [H1 H2]. split.
    + intros c Hc. destruct (H1 (to c) (to_open c Hc)) as [H3 H4]. rewrite map_length in H3. split; auto.
      rewrite B in H4 by auto. auto.
    + intros c d Hc Hd Hs. apply H2; try (apply to_open; auto). apply (proj2 (to_share c d Hc Hd)). auto.
  - intros f g _ _ H d Hd. destruct (from_spec d Hd) as [F1 F2]. rewrite <- F2 at 1. apply H. auto.
Qed.
End Symmetry.

Lemma every_pick : forall test path t, every test t = true -> test (pick path t) = true.
Proof.
  intros test path t. revert path. induction t as [moves|low IHl high IHr]; intros path H; simpl in *; auto.
  apply andb_true_iff in H. destruct path as [|[] path]; [apply IHl|apply IHr|apply IHl]; tauto.
Qed.

Lemma unpack_open : forall k n p s d, In s (unpack n (N.of_nat k) p) -> N.testbit s d = true -> open k d.
Proof.
  intros k. unfold unpack. induction n as [|n IH]; simpl; intros p s d Hs Hd; [tauto|]. destruct Hs as [<-|Hs]; [|eauto].
  rewrite N.land_spec, ones_spec, andb_true_iff, N.ltb_lt in Hd. tauto.
Qed.

Lemma move_layer_value : forall units choose n k t l, every (symmetry units k) t = true ->
  value units n k (move_layer choose n k t l) = value units n k l.
Proof.
  intros units choose n k t l Ht. unfold move_layer. cbv zeta. rewrite gather_value.
  rewrite fold_push with (worth := fun e => snd e * ways units k (unpack n (N.of_nat k) (fst e))).
  - unfold heap_value, value. cbn [map sum fold_right]. lia.
  - intros e heap _. rewrite push_value. f_equal. set (S := unpack n (N.of_nat k) (fst e)).
    rewrite <- (ways_image units k (pick (choose (N.of_nat k) S) t)).
    + rewrite <- (unpack_length n (N.of_nat k) (fst e)) at 1. fold S. rewrite <- (map_length (image (pick (choose (N.of_nat k) S) t)) S).
      apply value_packed, sorted_perm.
    + apply every_pick. auto.
    + intros s d. apply unpack_open.
Qed.

(* ======== the theorem ======== *)
Lemma run_value : forall units tables choose n k l m,
  run units tables choose n k l = Some m -> m = value units n k l.
Proof.
  intros units tables choose n. induction k as [|k IH]; intros l m H; cbn [run] in H.
  - inversion H. unfold value. f_equal. apply map_ext. intros e. cbn [ways]. lia.
  - rewrite <- step_value. destruct (tables k) as [t|]; [|auto].
    destruct (every (symmetry units k) t) eqn:E; [|discriminate]. rewrite <- (move_layer_value units choose n k t) by auto. auto.
Qed.

Theorem run_correct : forall units tables choose k S m,
  run units tables choose (length S) k [(pack (N.of_nat k) S, 1)] = Some m -> exactly m (open k) (fills units S k).
Proof.
  intros units tables choose k S m H. apply run_value in H. rewrite value_packed with (T := S) in H by auto.
  replace m with (ways units k S) by lia. apply ways_correct.
Qed.
