(* Constraints as automata.  When a cell is filled, a constraint becomes another one, about the other cells: what is left of
   it.  The marks of its automaton stand for what may be left; of these, those are one that the same values fulfil. *)
From Coq Require Import NArith ZArith List Bool Lia Arith.
From Proved Require Import Rules Automata.
Import ListNotations.
Open Scope N_scope.

(* ======== the program ======== *)
(* A part of a sequence: a cell that is read, with its moves, or filled cells, with the pairs of states before and after. *)
Inductive part := Unread (c : N) (moves : list (N * N * N)) | Filled (pairs : list (N * N)).
Inductive left := LeftSum (total : Z) (terms : list (N * Z)) | LeftClause (literals : list (N * Z)) | LeftPath (parts : list part).

Definition left_eq_dec : forall a b : left, {a = b} + {a <> b}.
Proof. decide equality; try apply Z.eq_dec; apply list_eq_dec; repeat (decide equality; auto using N.eq_dec, Z.eq_dec). Defined.

Definition moves_at (place : N) (moves : list (N * N * N * N)) : list (N * N * N) :=
  flat_map (fun m => match m with (p, s, v, t) => if p =? place then [(s, v, t)] else [] end) moves.
Fixpoint parts (place : N) (moves : list (N * N * N * N)) (cells : list N) : list part :=
  match cells with [] => [] | c :: cells' => Unread c (moves_at place moves) :: parts (N.succ place) moves cells' end.

Definition whole (c : constraint) : left :=
  match c with
  | Sum total terms => LeftSum total terms
  | Clause literals => LeftClause literals
  | Pairs c d l => LeftPath [Unread c (map (fun p => (0, fst p, fst p)) l); Unread d (map (fun p => (fst p, snd p, 0)) l)]
  | Sequence cells moves => LeftPath (Filled [(0, 0)] :: parts 0 moves cells)
  end.

(* Pairs in ascending order, none twice. *)
Fixpoint add (x : N * N) (l : list (N * N)) : list (N * N) :=
  match l with
  | [] => [x]
  | y :: l' =>
      match fst x ?= fst y, snd x ?= snd y with
      | Eq, Eq => l
      | Lt, _ | Eq, Lt => x :: l
      | _, _ => y :: add x l'
      end
  end.
Definition compose (a b : list (N * N)) : list (N * N) :=
  fold_right add [] (flat_map (fun x => map (fun y => (fst x, snd y)) (filter (fun y => fst y =? snd x) b)) a).
Definition fill (c v : N) (p : part) : part :=
  match p with
  | Unread d moves =>
      if d =? c then
        Filled (fold_right add [] (flat_map (fun m => match m with (s, w, t) => if w =? v then [(s, t)] else [] end) moves))
      else p
  | Filled _ => p
  end.
Definition join (p : part) (rest : list part) : list part :=
  match p, rest with Filled a, Filled b :: rest' => Filled (compose a b) :: rest' | _, _ => p :: rest end.

(* What is left after cell c took value v. *)
Definition after (c v : N) (l : left) : left :=
  match l with
  | LeftSum total terms =>
      LeftSum (total - weighted (fun _ => v) (filter (fun t => fst t =? c) terms)) (filter (fun t => negb (fst t =? c)) terms)
  | LeftClause literals =>
      if existsb (fun l => (fst l =? c) && agrees v (snd l)) literals then LeftSum 0 []
      else LeftClause (filter (fun l => negb (fst l =? c)) literals)
  | LeftPath parts => LeftPath (fold_right join [] (map (fill c v) parts))
  end.

(* Whether it is fulfilled if no cell is left; None if there is one. *)
Definition verdict (l : left) : option bool :=
  match l with
  | LeftSum total [] => Some (total =? 0)%Z
  | LeftClause [] => Some false
  | LeftPath [] => Some true
  | LeftPath [Filled pairs] => Some (existsb (fun p => (fst p =? 0) && (snd p =? 0)) pairs)
  | _ => None
  end.

Definition mentions (c : N) (k : constraint) : bool :=
  match k with
  | Sum _ terms => existsb (fun t => fst t =? c) terms
  | Clause literals => existsb (fun l => fst l =? c) literals
  | Pairs d e _ => (d =? c) || (e =? c)
  | Sequence cells _ => existsb (N.eqb c) cells
  end.

Definition collect {A : Type} (dec : forall a b : A, {a = b} + {a <> b}) (l : list A) : list A :=
  rev (fold_left (fun seen x => if in_dec dec x seen then seen else x :: seen) l []).

(* For each of some lists its entry: 0, or 1 more than its number among others. *)
Fixpoint number_of (row : list N) (rows : list (list N)) : N :=
  match rows with
  | [] => 0
  | r :: rows' => if equal_columns row r then 1 else match number_of row rows' with 0 => 0 | e => N.succ e end
  end.
Fixpoint entry_of (l : left) (entries : list (left * N)) : N :=
  match entries with [] => 0 | (m, e) :: entries' => if left_eq_dec l m then e else entry_of l entries' end.

Fixpoint verdicts (ls : list left) : option (list N) :=
  match ls with
  | [] => Some []
  | l :: ls' =>
      match verdict l, verdicts ls' with
      | Some b, Some bs => Some ((if b then 1 else 0) :: bs)
      | _, _ => None
      end
  end.

Section Build.
Variable n : nat. (* values *)
Variable at_place : N -> N.
Definition each_value : list N := map (fun v => N.of_nat v + 1) (seq 0 n).

(* The levels that read some cells, and the entries of what may be left before these. *)
Fixpoint build (cs : list N) (ls : list left) : option (automaton * list N) :=
  match cs with
  | [] => option_map (pair []) (verdicts ls)
  | c :: cs' =>
      let next := collect left_eq_dec (flat_map (fun l => map (fun v => after c v l) each_value) ls) in
      match build cs' next with
      | None => None
      | Some (levels, entries) =>
          let known := combine next entries in
          let rows := map (fun l => map (fun v => entry_of (after c v l) known) each_value) ls in
          let alive := collect (list_eq_dec N.eq_dec) (filter (existsb (fun e => negb (e =? 0))) rows) in
          Some (Level (at_place c) (N.size (N.pred (N.of_nat (length alive))))
                  (map (fun v => map (fun row => nth v row 0) alive) (seq 0 n)) :: levels,
                map (fun row => number_of row alive) rows)
      end
  end.

(* A constraint that nothing fulfils becomes one level without entries. *)
Definition automaton_of (order : list N) (k : constraint) : option automaton :=
  match build (filter (fun c => mentions c k) order) [whole k], order with
  | Some (_, [0]), c :: _ => Some [Level (at_place c) 0 []]
  | Some (levels, [1]), _ => Some levels
  | _, _ => None
  end.
End Build.

(* ======== what is left ======== *)
Fixpoint path (f : N -> N) (ps : list part) (s t : N) : Prop :=
  match ps with
  | [] => s = t
  | Unread c moves :: ps' => exists u, In (s, f c, u) moves /\ path f ps' u t
  | Filled pairs :: ps' => exists u, In (s, u) pairs /\ path f ps' u t
  end.
Definition holds (f : N -> N) (l : left) : Prop :=
  match l with
  | LeftSum total terms => weighted f terms = total
  | LeftClause literals => exists l, In l literals /\ agrees (f (fst l)) (snd l) = true
  | LeftPath ps => path f ps 0 0
  end.

Lemma parts_reads : forall f moves cells place s, path f (parts place moves cells) s 0 <-> reads f moves place s cells.
Proof.
  intros f moves cs. induction cs as [|c cs IH]; intros place s; simpl; [tauto|].
  assert (M : forall u, In (s, f c, u) (moves_at place moves) <-> In (place, s, f c, u) moves).
  { intros u. unfold moves_at. rewrite in_flat_map. split.
    - intros [[[[p s'] v] t] [Hm H]]. destruct (N.eqb_spec p place); [|destruct H]. destruct H as [H|[]]. inversion H; subst; auto.
    - intros H. exists (place, s, f c, u). split; auto. rewrite N.eqb_refl. simpl; auto. }
  split; intros [u [H1 H2]]; exists u; split; try apply M; try apply IH; auto.
Qed.

Lemma whole_holds : forall f k, holds f (whole k) <-> meets f k.
Proof.
  intros f [total terms|literals|c d l|cells moves]; simpl; try tauto.
  - split.
    + intros [u [H1 [w [H2 ->]]]]. apply in_map_iff in H1, H2. destruct H1 as [[a b] [E1 H1]]. destruct H2 as [[a' b'] [E2 H2]].
      simpl in *. inversion E1; inversion E2; subst. auto.
    + intros H. exists (f c). split; [apply in_map_iff; exists (f c, f d); auto|]. exists 0. split; auto.
      apply in_map_iff. exists (f c, f d). auto.
  - rewrite <- parts_reads. split; [intros [u [[E|[]] H]]; inversion E; subst; auto|intros H; exists 0; auto].
Qed.

Lemma add_spec : forall x l y, In y (add x l) <-> y = x \/ In y l.
Proof.
  intros [a b]. induction l as [|[c d] l IH]; intros y; [simpl; intuition congruence|]. cbn [add fst snd].
  destruct (N.compare_spec a c); [destruct (N.compare_spec b d)|..]; subst; cbn [In]; rewrite ?IH; intuition congruence.
Qed.
Lemma canonical_spec : forall l y, In y (fold_right add [] l) <-> In y l.
Proof. induction l as [|x l IH]; intros y; simpl; [tauto|]. rewrite add_spec, IH. intuition congruence. Qed.
Lemma compose_spec : forall a b s t, In (s, t) (compose a b) <-> exists u, In (s, u) a /\ In (u, t) b.
Proof.
  intros a b s t. unfold compose. rewrite canonical_spec, in_flat_map. split.
  - intros [[s' u] [H1 H2]]. apply in_map_iff in H2. destruct H2 as [[u' t'] [E H2]]. apply filter_In in H2.
    cbn [fst snd] in *. destruct H2 as [H2 H3]. apply N.eqb_eq in H3. inversion E; subst. eauto.
  - intros [u [H1 H2]]. exists (s, u). split; auto. apply in_map_iff. exists (u, t). split; auto. apply filter_In.
    split; auto. apply N.eqb_refl.
Qed.

Lemma join_path : forall f p ps s t, path f (join p ps) s t <-> path f (p :: ps) s t.
Proof.
  intros f [c moves|a] [|[d moves'|b] ps] s t; try tauto. cbn [join path]. split.
  - intros [u [H1 H2]]. apply compose_spec in H1. destruct H1 as [w [H3 H4]]. eauto.
  - intros [w [H3 [u [H4 H2]]]]. exists u. split; auto. apply compose_spec. eauto.
Qed.

Lemma fill_path : forall f c v ps s t, f c = v -> (path f (fold_right join [] (map (fill c v) ps)) s t <-> path f ps s t).
Proof.
  intros f c v ps s t E. revert s. induction ps as [|p ps IH]; intros s; [simpl; tauto|]. cbn [map fold_right].
  rewrite join_path. destruct p as [d moves|pairs]; cbn [fill].
  - destruct (N.eqb_spec d c) as [->|]; cbn [path].
    + assert (M : forall u, In (s, u) (fold_right add [] (flat_map (fun m => match m with (s, w, t) =>
          if w =? v then [(s, t)] else [] end) moves)) <-> In (s, f c, u) moves).
      { intros u. rewrite canonical_spec, in_flat_map. split.
        - intros [[[s' w] t'] [Hm H]]. destruct (N.eqb_spec w v); [|destruct H]. destruct H as [H|[]]. inversion H; subst; auto.
        - intros H. exists (s, f c, u). split; auto. rewrite E, N.eqb_refl. simpl; auto. }
      split; intros [u [H1 H2]]; exists u; split; try apply M; try apply IH; auto.
    + split; intros [u [H1 H2]]; exists u; split; try apply IH; auto.
  - cbn [path]. split; intros [u [H1 H2]]; exists u; split; try apply IH; auto.
Qed.

Lemma weighted_split : forall f c v terms, f c = v ->
  weighted f terms = (weighted (fun _ => v) (filter (fun t => fst t =? c)%N terms) +
                      weighted f (filter (fun t => negb (fst t =? c)%N) terms))%Z.
Proof.
  intros f c v terms E. induction terms as [|t terms IH]; auto. simpl filter.
  destruct (N.eqb_spec (fst t) c) as [H|H]; cbn [negb weighted fold_right]; fold (weighted f terms);
    unfold weighted in *; cbn [fold_right]; rewrite IH; rewrite ?H, ?E; lia.
Qed.

Lemma after_holds : forall f c v l, f c = v -> (holds f (after c v l) <-> holds f l).
Proof.
  intros f c v [total terms|literals|ps] E; cbn [after].
  - cbn [holds]. rewrite (weighted_split f c v terms E). lia.
  - destruct (existsb _ _) eqn:X.
    + cbn [holds weighted fold_right]. split; auto. intros _. apply existsb_exists in X. destruct X as [l [Hl H]].
      apply andb_true_iff in H. destruct H as [H1 H2]. apply N.eqb_eq in H1. exists l. rewrite H1, E. auto.
    + cbn [holds]. split; intros [l [Hl H]]; exists l.
      * apply filter_In in Hl. tauto.
      * split; auto. apply filter_In. split; auto. apply negb_true_iff, N.eqb_neq. intros H1.
        rewrite <- not_true_iff_false in X. apply X, existsb_exists. exists l. rewrite <- E, <- H1, N.eqb_refl, H. auto.
  - cbn [holds]. apply fill_path. auto.
Qed.

Lemma verdict_holds : forall f l b, verdict l = Some b -> (holds f l <-> b = true).
Proof.
  intros f [total [|]|[|]|[|[|pairs] [|]]] b H; simpl in H; inversion H; subst; clear H; simpl.
  - rewrite Z.eqb_eq. intuition congruence.
  - split; [intros [l [[] _]]|discriminate].
  - tauto.
  - rewrite existsb_exists. split.
    + intros [u [H ->]]. exists (0, 0). auto.
    + intros [[a b] [H E]]. apply andb_true_iff in E. cbn [fst snd] in E. rewrite !N.eqb_eq in E. destruct E; subst. eauto.
Qed.

(* ======== its automaton ======== *)
Lemma collect_in : forall (A : Type) dec (l : list A) x, In x (collect dec l) <-> In x l.
Proof.
  intros A dec l x. unfold collect. rewrite <- in_rev.
  assert (G : forall seen, In x (fold_left (fun seen x => if in_dec dec x seen then seen else x :: seen) l seen) <-> In x l \/ In x seen).
  { induction l as [|y l IH]; intros seen; simpl; [tauto|]. rewrite IH. destruct (in_dec dec y seen); simpl; intuition congruence. }
  rewrite G. simpl. tauto.
Qed.

Lemma number_of_spec : forall rows row, In row rows ->
  number_of row rows <> 0 /\ (N.to_nat (N.pred (number_of row rows)) < length rows)%nat /\
  nth (N.to_nat (N.pred (number_of row rows))) rows [] = row.
Proof.
  induction rows as [|r rows IH]; intros row H; [destruct H|]. cbn [number_of]. unfold equal_columns.
  destruct (list_eq_dec N.eq_dec row r) as [->|E]; [simpl; repeat split; auto; lia|].
  destruct H as [H|H]; [congruence|]. destruct (IH row H) as [H1 [H2 H3]]. destruct (number_of row rows) as [|p]; [congruence|].
  split; [lia|]. cbn [length]. replace (N.to_nat (N.pred (N.succ (N.pos p)))) with (Datatypes.S (N.to_nat (N.pred (N.pos p)))) by lia.
  split; [lia|auto].
Qed.
Lemma number_of_none : forall rows row, ~ In row rows -> number_of row rows = 0.
Proof.
  induction rows as [|r rows IH]; intros row H; auto. cbn [number_of]. unfold equal_columns.
  destruct (list_eq_dec N.eq_dec row r) as [->|E]; [simpl in H; tauto|]. rewrite IH; [auto|]. simpl in H. tauto.
Qed.

Lemma entry_of_in : forall l entries, (exists e, In (l, e) entries) -> In (l, entry_of l entries) entries.
Proof.
  intros l. induction entries as [|[m e] entries IH]; intros [e' H]; [destruct H|]. cbn [entry_of].
  destruct (left_eq_dec l m) as [->|E]; [simpl; auto|]. destruct H as [H|H]; [inversion H; congruence|]. simpl. eauto.
Qed.

Lemma combine_has : forall (A B : Type) (l : list A) (m : list B) x, length m = length l -> In x l -> exists y, In (x, y) (combine l m).
Proof.
  induction l as [|a l IH]; intros [|b m] x L H; simpl in *; try tauto; try discriminate.
  destruct H as [->|H]; [eauto|]. destruct (IH m x) as [y Hy]; auto. eauto.
Qed.
Lemma combine_mapped : forall (A B : Type) (h : A -> B) l x y, In (x, y) (combine l (map h l)) -> In x l /\ y = h x.
Proof.
  induction l as [|a l IH]; simpl; intros x y H; [tauto|]. destruct H as [H|H]; [inversion H; auto|]. apply IH in H. tauto.
Qed.

Section Built.
Variables (n : nat) (at_place : N -> N).
(* g gives the values of f to the places, counted from 0. *)
Definition follows (f : N -> N) (g : N -> nat) (c : N) : Prop := (g (at_place c) < n)%nat /\ f c = N.of_nat (g (at_place c)) + 1.

Lemma verdicts_spec : forall ls entries, verdicts ls = Some entries ->
  length entries = length ls /\ forall l e f, In (l, e) (combine ls entries) -> (holds f l <-> e <> 0).
Proof.
  induction ls as [|l ls IH]; intros entries H; cbn [verdicts] in H; [inversion H; simpl; split; [auto|intros; tauto]|].
  destruct (verdict l) as [b|] eqn:V; [|discriminate]. destruct (verdicts ls) as [bs|]; [|discriminate]. inversion H; subst.
  destruct (IH bs eq_refl) as [L G]. simpl. split; [auto|]. intros m e f [E|E]; [|eauto]. inversion E; subst.
  rewrite (verdict_holds f m b V). destruct b; intuition (congruence || discriminate).
Qed.

Lemma build_spec : forall cs ls levels entries, build n at_place cs ls = Some (levels, entries) ->
  length entries = length ls /\
  forall l e f g, (forall c, In c cs -> follows f g c) -> In (l, e) (combine ls entries) ->
    (holds f l <-> e <> 0 /\ accepts levels (N.pred e) g).
Proof.
  induction cs as [|c cs IH]; intros ls levels entries H; cbn [build] in H.
  - destruct (verdicts ls) as [es|] eqn:V; [|discriminate]. inversion H; subst. apply verdicts_spec in V. destruct V as [L G].
    split; auto. intros l e f g _ I. rewrite (G l e f I). simpl. tauto.
  - cbv zeta in H. set (next := collect left_eq_dec _) in H. destruct (build n at_place cs next) as [[levels' known]|] eqn:B; [|discriminate].
    destruct (IH next levels' known B) as [L G]. clear IH. set (alive := collect (list_eq_dec N.eq_dec) _) in H.
    set (row_of := fun l => map (fun v => entry_of (after c v l) (combine next known)) (each_value n)) in *.
    inversion H; subst levels entries; clear H. split; [rewrite !map_length; auto|].
    intros l e f g F I. rewrite map_map in I. apply combine_mapped in I. destruct I as [Hl ->].
    destruct (F c (or_introl eq_refl)) as [Fn Fc]. set (v := g (at_place c)) in *.
    assert (V : nth v (row_of l) 0 = entry_of (after c (f c) l) (combine next known)).
    { unfold row_of, each_value. rewrite map_map, nth_indep with (d' := (fun w => entry_of (after c (N.of_nat w + 1) l) (combine next known)) O)
        by (rewrite map_length, seq_length; auto).
      rewrite (map_nth (fun w => entry_of (after c (N.of_nat w + 1) l) (combine next known))), seq_nth by auto. rewrite Fc. auto. }
    assert (I : In (after c (f c) l, nth v (row_of l) 0) (combine next known)).
    { rewrite V. apply entry_of_in, combine_has; auto. apply collect_in, in_flat_map. exists l. split; auto.
      apply in_map_iff. exists (f c). split; auto. unfold each_value. apply in_map_iff. exists v. split; auto. apply in_seq. lia. }
    rewrite <- (after_holds f c (f c) l eq_refl). rewrite (G _ _ f g) by (try exact I; intros; apply F; simpl; auto).
    cbn [accepts position]. fold v.
    destruct (in_dec (list_eq_dec N.eq_dec) (row_of l) alive) as [A|A].
    + destruct (number_of_spec alive (row_of l) A) as [N1 [N2 N3]]. set (q := N.pred (number_of (row_of l) alive)) in *.
      assert (E : entry (Level (at_place c) (N.size (N.pred (N.of_nat (length alive))))
                  (map (fun v => map (fun row => nth v row 0) alive) (seq 0 n))) q v = nth v (row_of l) 0).
      { unfold entry. cbn [width columns].
        rewrite nth_indep with (d' := (fun v => map (fun row => nth v row 0) alive) O) by (rewrite map_length, seq_length; auto).
        rewrite (map_nth (fun v => map (fun row => nth v row 0) alive)), seq_nth by auto. simpl (0 + v)%nat.
        rewrite N.land_ones, N.mod_small.
        - rewrite nth_indep with (d' := (fun row => nth v row 0) []) by (rewrite map_length; auto).
          rewrite (map_nth (fun row => nth v row 0)), N3. auto.
        - eapply N.le_lt_trans; [|apply N.size_gt]. lia. }
      rewrite E. tauto.
    + rewrite number_of_none by auto. split; [|tauto]. intros [Hn _]. exfalso. apply A. unfold alive. apply collect_in, filter_In.
      split; [apply in_map; auto|]. apply existsb_exists. exists (nth v (row_of l) 0). split.
      * apply nth_In. unfold row_of, each_value. rewrite !map_length, seq_length. auto.
      * apply negb_true_iff, N.eqb_neq. auto.
Qed.

Theorem automaton_correct : forall order k a f g, automaton_of n at_place order k = Some a ->
  (forall c, In c order -> follows f g c) -> (meets f k <-> accepts a 0 g).
Proof.
  intros order k a f g H F. unfold automaton_of in H. destruct (build _ _ _ _) as [[levels [|e [|]]]|] eqn:B; try discriminate;
    [|destruct e as [|[| |]]; try discriminate; destruct order; discriminate].
  apply build_spec in B. destruct B as [_ B]. rewrite <- whole_holds.
  rewrite (B (whole k) e f g); [|intros c Hc; apply filter_In in Hc; apply F; tauto|simpl; auto].
  destruct e as [|[p|p|]]; try discriminate.
  - destruct order as [|c order]; [discriminate|]. inversion H; subst. cbn [accepts].
    assert (E : forall v, entry (Level (at_place c) 0 []) 0 v = 0).
    { intros v. unfold entry. cbn [width columns]. destruct v; apply nth_overflow; simpl; lia. }
    rewrite E. tauto.
  - inversion H; subst. change (N.pred 1) with 0. intuition discriminate.
Qed.
End Built.
