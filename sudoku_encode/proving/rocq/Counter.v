(* The counter, and the proof that it is right.

   It fills one cell after the other.  The states of a layer are packed into numbers; equal states are merged, with the sum of
   their ways.  So that many are equal, the sets of values that no automaton tells apart are sorted, and states are moved by
   symmetries.

   The theorem, run_correct, at the end: what the counter returns is the number of ways to fill the cells. *)
From Coq Require Import NArith List Permutation Bool Lia Arith.
From Proved Require Import Rules Automata States Symmetries.
Import ListNotations.
Open Scope N_scope.

(* ======== the program ======== *)
(* Set s gets the first place, whose class is c; behind it are places with classes and sets, sorted within each class: the
   least set of the class comes first. *)
Fixpoint put (c s : N) (cl : list N) (S : state) : N * state :=
  match cl, S with
  | d :: cl', t :: S' =>
      if d =? c then
        if s <=? t then (s, S) else let (u, S'') := put c s cl' S' in (t, u :: S'')
      else let (u, S'') := put c s cl' S' in (u, t :: S'')
  | _, _ => (s, S)
  end.
Fixpoint sorted (cl : list N) (S : state) : state :=
  match cl, S with
  | c :: cl', s :: S' => let (t, S'') := put c s cl' (sorted cl' S') in t :: S''
  | _, _ => S
  end.

(* A state as one number: each set and each mark in a field of some bits, given as their number and a mask. *)
Notation field := (N * N)%type.
Definition field_of (bits : N) : field := (bits, N.ones bits).
Definition fields (A : list automaton) (n k : nat) : list field :=
  repeat (field_of (N.of_nat k)) n ++ map (fun a => field_of (mark_width a)) A.
Fixpoint pack (fs : list field) (xs : list N) : N :=
  match fs, xs with
  | f :: fs', x :: xs' => N.lor (N.land x (snd f)) (N.shiftl (pack fs' xs') (fst f))
  | _, _ => 0
  end.
Fixpoint unpack (fs : list field) (p : N) : list N :=
  match fs with [] => [] | f :: fs' => N.land p (snd f) :: unpack fs' (N.shiftr p (fst f)) end.

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

Section Counter.
Variable units : list N.
(* Advice that need not be believed: after which layers there are symmetries, and which of them a state is moved by. *)
Variable tables : nat -> option table.
Variable choose : N -> state -> list bool.
Variable n : nat.

(* Fill cell k, the last of the k + 1 open cells. *)
Definition step (A : list automaton) (k : nat) (l : layer) : layer :=
  let c := N.of_nat k in
  let all := N.ones c in
  let others := peers units c in
  let pigeonholes := holes units k in
  let A' := map (advance c) A in
  let before := fields A n (Datatypes.S k) in
  let after := fields A' n k in
  let cl := classes A' n in
  gather (fold_left (fun heap e =>
    let xs := unpack before (fst e) in
    let marks := skipn n xs in
    fold_left (fun heap t =>
      match read c (fst t) A marks with
      | None => heap
      | Some marks' =>
          let T := map (N.land all) (snd t) in
          if viable all pigeonholes T then push [(pack after (sorted cl T ++ marks'), snd e)] heap else heap
      end) (successors c others 0 (firstn n xs)) heap) l []).

Definition move_layer (A : list automaton) (k : nat) (t : table) (l : layer) : layer :=
  let fs := fields A n k in
  let cl := classes A n in
  gather (fold_left (fun heap e =>
    let xs := unpack fs (fst e) in
    let S := firstn n xs in
    let T := map (image (pick (choose (N.of_nat k) S) t)) S in
    push [(pack fs (sorted cl T ++ skipn n xs), snd e)] heap) l []).

Fixpoint run (A : list automaton) (k : nat) (l : layer) : option N :=
  match k with
  | O => Some (sum (map snd l))
  | Datatypes.S k' =>
      let l := step A k' l in
      let A' := map (advance (N.of_nat k')) A in
      match tables k' with
      | None => run A' k' l
      | Some t => if idle A' && every (symmetry units k') t then run A' k' (move_layer A' k' t l) else None
      end
  end.
End Counter.

(* ======== sets are only moved within classes ======== *)
Lemma put_spec : forall c cl s S, length cl = length S ->
  length (snd (put c s cl S)) = length S /\
  Permutation ((c, fst (put c s cl S)) :: combine cl (snd (put c s cl S))) ((c, s) :: combine cl S).
Proof.
  intros c. induction cl as [|d cl IH]; intros s [|t S] H; simpl in H; try discriminate; [simpl; auto|].
  injection H as H. destruct (IH s S H) as [L P]. cbn [put]. destruct (N.eqb_spec d c) as [->|E].
  - destruct (s <=? t); [simpl; auto|]. destruct (put c s cl S) as [u S'']. simpl in *. split; [auto|].
    eapply perm_trans; [|apply perm_swap]. apply perm_skip. auto.
  - destruct (put c s cl S) as [u S'']. simpl in *. split; [auto|].
    eapply perm_trans; [apply perm_swap|]. eapply perm_trans; [apply perm_skip, P|]. apply perm_swap.
Qed.
Lemma sorted_spec : forall cl S, length cl = length S ->
  length (sorted cl S) = length S /\ Permutation (combine cl (sorted cl S)) (combine cl S).
Proof.
  induction cl as [|c cl IH]; intros [|s S] H; simpl in H; try discriminate; [simpl; auto|]. injection H as H.
  destruct (IH S H) as [L P]. cbn [sorted]. destruct (put_spec c cl s (sorted cl S)) as [L' P']; [congruence|].
  destruct (put c s cl (sorted cl S)) as [t S'']. simpl in *. split; [congruence|].
  eapply perm_trans; [exact P'|]. apply perm_skip. auto.
Qed.

(* ======== packed states ======== *)
(* Fields keep the bits of their masks. *)
Fixpoint trim (fs : list field) (xs : list N) : list N :=
  match fs, xs with f :: fs', x :: xs' => N.land x (snd f) :: trim fs' xs' | _, _ => [] end.

Lemma unpack_length : forall fs p, length (unpack fs p) = length fs.
Proof. induction fs; simpl; auto. Qed.

Lemma unpack_pack : forall fs xs, Forall (fun f => snd f = N.ones (fst f)) fs -> length fs = length xs ->
  unpack fs (pack fs xs) = trim fs xs.
Proof.
  induction fs as [|[k m] fs IH]; intros [|x xs] F L; simpl in L; try discriminate; auto. inversion F; subst. simpl in H1. subst m.
  cbn [unpack pack trim fst snd]. injection L as L. rewrite <- IH by auto. set (p := pack fs xs).
  f_equal; [|f_equal]; apply N.bits_inj; intros d.
  - rewrite !N.land_spec, N.lor_spec, N.land_spec, !ones_spec. destruct (N.ltb_spec d k) as [Hd|Hd].
    + rewrite N.shiftl_spec_low by auto. rewrite orb_false_r, !andb_true_r. auto.
    + rewrite !andb_false_r. auto.
  - rewrite N.shiftr_spec', N.lor_spec, N.land_spec, ones_spec, N.shiftl_spec_high' by lia.
    replace (d + k <? k) with false by (symmetry; apply N.ltb_ge; lia). rewrite andb_false_r, N.add_sub. auto.
Qed.

Lemma fields_masks : forall A n k, Forall (fun f => snd f = N.ones (fst f)) (fields A n k).
Proof.
  intros A n k. unfold fields. apply Forall_app. split; apply Forall_forall; intros f Hf.
  - apply repeat_spec in Hf. subst. auto.
  - apply in_map_iff in Hf. destruct Hf as [a [<- _]]. auto.
Qed.
Lemma fields_length : forall A n k, length (fields A n k) = (n + length A)%nat.
Proof. intros. unfold fields. rewrite app_length, repeat_length, map_length. auto. Qed.

Lemma trim_sets : forall A n k S marks, length S = n ->
  firstn n (trim (fields A n k) (S ++ marks)) = map (N.land (N.ones (N.of_nat k))) S /\
  skipn n (trim (fields A n k) (S ++ marks)) = trim (map (fun a => field_of (mark_width a)) A) marks.
Proof.
  intros A n k S marks <-. unfold fields. induction S as [|s S IH]; auto. cbn [length repeat app trim firstn skipn map fst snd field_of].
  destruct IH as [IH1 IH2]. rewrite IH1, IH2, N.land_comm. auto.
Qed.
Lemma trim_marks : forall A marks f, length marks = length A ->
  (all_accept A marks f <-> all_accept A (trim (map (fun a => field_of (mark_width a)) A) marks) f).
Proof.
  induction A as [|a A IH]; intros [|m marks] f L; simpl in L; try discriminate; [simpl; tauto|]. injection L as L.
  cbn [map trim all_accept hd tl snd field_of]. rewrite accepts_narrow, <- IH by auto. tauto.
Qed.

Definition state_ways (units : list N) (A : list automaton) (n k : nat) (p : N) : N :=
  let xs := unpack (fields A n k) p in ways units A k (firstn n xs) (skipn n xs).
Definition value (units : list N) (A : list automaton) (n k : nat) (l : layer) : N :=
  sum (map (fun e => snd e * state_ways units A n k (fst e)) l).

Lemma packed_ways : forall units A n k S marks, ordered k A -> length S = n -> length marks = length A ->
  state_ways units A n k (pack (fields A n k) (S ++ marks)) = ways units A k S marks.
Proof.
  intros units A n k S marks D LS LM. unfold state_ways. cbv zeta.
  rewrite unpack_pack; [|apply fields_masks|rewrite fields_length, app_length; lia].
  destruct (trim_sets A n k S marks LS) as [-> ->]. rewrite ways_open by auto. apply ways_narrow; auto. intros f. apply trim_marks. auto.
Qed.

Lemma value_packed : forall units A k S T marks w, ordered k A -> length S = length T -> length marks = length A ->
  Permutation (combine (classes A (length T)) S) (combine (classes A (length T)) T) ->
  value units A (length T) k [(pack (fields A (length T) k) (S ++ marks), w)] = w * ways units A k T marks.
Proof.
  intros units A k S T marks w D L LM P. unfold value, sum. cbn [map fold_right fst snd].
  rewrite packed_ways by auto. rewrite <- (ways_renamed units k A T S) by (auto; apply Permutation_sym; auto). lia.
Qed.

(* ======== equal states may be merged ======== *)
Section Merging.
Variables (units : list N) (A : list automaton) (n k : nat).
Notation value := (value units A n k).

Lemma value_app : forall l m, value (l ++ m) = value l + value m.
Proof. intros. unfold Counter.value. rewrite map_app. apply sum_app. Qed.

Lemma value_cons : forall s w l, value ((s, w) :: l) = w * state_ways units A n k s + value l.
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
Lemma fold_push : forall (B : Type) (act : list layer -> B -> list layer) (worth : B -> N) (l : list B) heap,
  (forall a h, In a l -> heap_value (act h a) = worth a + heap_value h) ->
  heap_value (fold_left act l heap) = sum (map worth l) + heap_value heap.
Proof.
  intros B act worth l. induction l as [|a l IH]; intros heap H; [reflexivity|].
  cbn [fold_left map]. rewrite IH by (intros; apply H; simpl; auto). rewrite H by (simpl; auto).
  unfold sum. simpl. lia.
Qed.
End Merging.

Lemma sum_times : forall (A : Type) (g : A -> N) w l, sum (map (fun a => w * g a) l) = w * sum (map g l).
Proof. intros A g w. unfold sum. induction l; simpl; lia. Qed.

Lemma step_value : forall units A n k l, ordered (Datatypes.S k) A ->
  value units (map (advance (N.of_nat k)) A) n k (step units n A k l) = value units A n (Datatypes.S k) l.
Proof.
  intros units A n k l D. pose proof (ordered_advance k A D) as D'. unfold step. cbv zeta. rewrite gather_value.
  rewrite fold_push with (worth := fun e => snd e * state_ways units A n (Datatypes.S k) (fst e)).
  - unfold heap_value, value. cbn [map sum fold_right]. lia.
  - intros e heap _. unfold state_ways. cbn [ways]. cbv zeta. set (xs := unpack _ _).
    rewrite <- sum_times. apply fold_push. intros t h Ht.
    assert (LT : length (snd t) = n).
    { rewrite successors_by_value in Ht. apply in_map_iff in Ht. destruct Ht as [v [<- _]]. cbn [snd].
      unfold after. rewrite update_length. apply firstn_length_le. unfold xs. rewrite unpack_length, fields_length. lia. }
    destruct (read _ _ _ _) as [marks'|] eqn:R; [|lia]. apply read_length in R.
    set (all := N.ones (N.of_nat k)). set (T := map (N.land all) (snd t)).
    assert (LT' : length T = n) by (unfold T; rewrite map_length; auto).
    assert (E : ways units (map (advance (N.of_nat k)) A) k T marks' = ways units (map (advance (N.of_nat k)) A) k (snd t) marks')
      by (apply ways_open; auto).
    destruct (viable all (holes units k) T) eqn:V.
    + rewrite push_value. f_equal. rewrite <- E, <- LT'. set (A' := map _ A).
      assert (Lc : length (classes A' (length T)) = length T) by (unfold classes; rewrite map_length, seq_length; auto).
      destruct (sorted_spec _ T Lc) as [L P]. apply value_packed; auto. rewrite R. unfold A'. rewrite map_length. auto.
    + rewrite <- E. rewrite (not_viable units k _ T marks' D' V). lia.
Qed.

(* ======== symmetries ======== *)
Lemma unpack_open : forall A n k p s d, In s (firstn n (unpack (fields A n k) p)) -> N.testbit s d = true -> open k d.
Proof.
  intros A n k p s d. unfold fields. revert p. induction n as [|n IH]; intros p Hs Hd; simpl in Hs; [tauto|].
  destruct Hs as [<-|Hs]; [|eauto]. rewrite N.land_spec, ones_spec, andb_true_iff, N.ltb_lt in Hd. unfold open. tauto.
Qed.

Lemma move_layer_value : forall units choose A n k t l, idle A = true -> every (symmetry units k) t = true ->
  value units A n k (move_layer choose n A k t l) = value units A n k l.
Proof.
  intros units choose A n k t l HI Ht. unfold move_layer. cbv zeta. rewrite gather_value.
  rewrite fold_push with (worth := fun e => snd e * state_ways units A n k (fst e)).
  - unfold heap_value, value. cbn [map sum fold_right]. lia.
  - intros e heap _. rewrite push_value. f_equal. unfold state_ways. cbv zeta. set (xs := unpack _ _).
    set (T := map _ _). set (marks := skipn n xs).
    assert (Lx : length xs = (n + length A)%nat) by (unfold xs; rewrite unpack_length, fields_length; auto).
    assert (LT : length T = n) by (unfold T; rewrite map_length; apply firstn_length_le; lia).
    replace (ways units A k (firstn n xs) marks) with (ways units A k T marks).
    + rewrite <- LT. assert (Lc : length (classes A (length T)) = length T) by (unfold classes; rewrite map_length, seq_length; auto).
      destruct (sorted_spec _ T Lc) as [L P]. apply value_packed; auto; [apply idle_ordered; auto|].
      unfold marks. rewrite skipn_length. lia.
    + apply ways_image; auto; [apply every_pick; auto|]. intros s d. apply unpack_open.
Qed.

(* ======== the theorem ======== *)
Lemma run_value : forall units tables choose n k A l m, ordered k A ->
  run units tables choose n A k l = Some m -> m = value units A n k l.
Proof.
  intros units tables choose n. induction k as [|k IH]; intros A l m D H; cbn [run] in H.
  - inversion H. unfold value, state_ways. f_equal. apply map_ext. intros e. cbn [ways]. lia.
  - cbv zeta in H. pose proof (ordered_advance k A D) as D'. rewrite <- step_value by auto. destruct (tables k) as [t|]; [|auto].
    destruct (idle _ && every (symmetry units k) t) eqn:E; [|discriminate]. apply andb_true_iff in E. destruct E as [E1 E2].
    rewrite <- (move_layer_value units choose _ n k t) by auto. auto.
Qed.

Theorem run_correct : forall units tables choose A k S marks m, ordered k A -> length marks = length A ->
  run units tables choose (length S) A k [(pack (fields A (length S) k) (S ++ marks), 1)] = Some m ->
  exactly m (open k) (fills units A S marks k).
Proof.
  intros units tables choose A k S marks m D LM H. apply run_value in H; auto.
  rewrite value_packed with (T := S) in H by auto. replace m with (ways units A k S marks) by lia. apply ways_correct; auto.
Qed.
