(* The checker of a listed certificate: "the solutions are exactly these grids", and its theorem.

   The formula is the clauses of the puzzle (Clauses.v) and for each grid a blocking clause, which excludes it.  A proof in
   LRAT without RAT refutes it: each step names a clause and earlier clauses, its hints; if all literals of the clause are
   false, then hint by hint one more literal must be true, until a clause has none.  Here too only the text of the rules
   is believed.  The grids, the numbers of clauses and the steps are advice: if they are read wrongly, or do not fit the
   puzzle, the program refuses them. *)
From Coq Require Import NArith List Bool Lia Arith FMapPositive String.
From Proved Require Import Rules States Recount Clauses.
Import ListNotations.
Open Scope N_scope.

(* ======== the program: a refutation with hints ======== *)
Module Map := PositiveMap.
Definition key (i : N) : positive := N.succ_pos i.

(* What is known of variables: those that are true, and those that are false. *)
Notation assignment := (Map.t bool).
Definition assign (l : literal) (a : assignment) : assignment := Map.add (key (snd l)) (fst l) a.
Definition is_false (a : assignment) (l : literal) : bool :=
  match Map.find (key (snd l)) a with Some b => negb (Bool.eqb b (fst l)) | None => false end.
Definition same_literal (l k : literal) : bool := Bool.eqb (fst l) (fst k) && (snd l =? snd k).

Fixpoint contradicts (known : Map.t clause) (a : assignment) (hints : list N) : bool :=
  match hints with
  | [] => false
  | hint :: hints' =>
      match Map.find (key hint) known with
      | None => false
      | Some C =>
          match filter (fun l => negb (is_false a l)) C with
          | [] => true
          | l :: rest => forallb (same_literal l) rest && contradicts known (assign l a) hints'
          end
      end
  end.

Definition negated (C : clause) : assignment := fold_right (fun l a => assign (negb (fst l), snd l) a) (Map.empty bool) C.

Record step := Step { name : N; derived : clause; hints : list N }.
Fixpoint refutes (known : Map.t clause) (steps : list step) : bool :=
  match steps with
  | [] => false
  | s :: steps' =>
      contradicts known (negated (derived s)) (hints s) &&
      match derived s with [] => true | _ => refutes (Map.add (key (name s)) (derived s) known) steps' end
  end.

Definition numbered (number : clause -> N) (F : list clause) : Map.t clause :=
  fold_left (fun known C => Map.add (key (number C)) C known) F (Map.empty clause).

(* ======== the program: the grids ======== *)
(* A grid is the list of its values, from cell 0 on. *)
Definition value_in (grid : list N) (c : N) : N := nth (N.to_nat c) grid 0.

Definition is_solution (r : rules) (f : N -> N) : bool :=
  forallb (fun c => (1 <=? f c) && (f c <=? values r)) (cell_list r) &&
  forallb (fun u => distinct (map f u)) (units r) &&
  forallb (fun a => member (snd a) (f (fst a))) (allowed r).

(* A number for each grid; grids are listed so that these ascend, which shows that no two are the same. *)
Definition grid_number (r : rules) (grid : list N) : N := fold_left (fun k v => k * N.succ (values r) + v) grid 0.
Fixpoint ascending (l : list N) : bool :=
  match l with i :: (j :: _) as l' => (i <? j) && ascending l' | _ => true end.

Definition blocking (given : N -> bool) (r : rules) (grid : list N) : clause :=
  map (fun p => is_not r (fst p) (snd p)) (filter (fun p => negb (given (fst p))) (combine (cell_list r) grid)).

(* Cells that are called given have one allowed value. *)
Definition really_given (given : N -> bool) (r : rules) : bool :=
  forallb (fun c => negb (given c) ||
    existsb (fun a => (fst a =? c) && match snd a with [_] => true | _ => false end) (allowed r)) (cell_list r).

Definition check_listed (rules_txt : string) (r : rules) (given : N -> bool) (grids : list (list N))
    (number : clause -> N) (steps : list step) : option N :=
  if String.eqb rules_txt (text r) && proper r && really_given given r &&
     forallb (fun g => (N.of_nat (List.length g) =? cells r) && is_solution r (value_in g)) grids &&
     ascending (map (grid_number r) grids) &&
     refutes (numbered number (clauses given r ++ map (blocking given r) grids)) steps
  then Some (N.of_nat (List.length grids)) else None.

(* ======== a refuted formula has no model ======== *)
Definition agrees (x : N -> bool) (a : assignment) : Prop :=
  forall i b, Map.find (key i) a = Some b -> x i = b.
Definition holds (x : N -> bool) (C : clause) : Prop := exists l, In l C /\ x (snd l) = fst l.
Definition all_hold (x : N -> bool) (known : Map.t clause) : Prop :=
  forall i C, Map.find (key i) known = Some C -> holds x C.

Lemma key_same : forall i j, key i = key j -> i = j.
Proof. intros i j H. unfold key in H. apply (f_equal N.pos) in H. rewrite !N.succ_pos_spec in H. lia. Qed.

Lemma find_add : forall (A : Type) i j (v : A) m, Map.find (key j) (Map.add (key i) v m) = if i =? j then Some v else Map.find (key j) m.
Proof.
  intros A i j v m. destruct (N.eqb_spec i j) as [->|E]; [apply Map.gss|]. apply Map.gso. intros H. apply key_same in H. auto.
Qed.

Lemma assign_agrees : forall x l a, x (snd l) = fst l -> agrees x a -> agrees x (assign l a).
Proof.
  intros x l a H Ha i b F. unfold assign in F. rewrite find_add in F. destruct (N.eqb_spec (snd l) i) as [<-|E]; [congruence|auto].
Qed.

Lemma is_false_spec : forall x a l, agrees x a -> is_false a l = true -> x (snd l) <> fst l.
Proof.
  intros x a l Ha H. unfold is_false in H. destruct (Map.find _ a) as [b|] eqn:F; [|discriminate].
  apply Ha in F. apply negb_true_iff, eqb_false_iff in H. congruence.
Qed.

Lemma contradicts_spec : forall x known hints a, all_hold x known -> agrees x a -> contradicts known a hints = true -> False.
Proof.
  intros x known hints. induction hints as [|h hints IH]; intros a Hk Ha H; cbn [contradicts] in H; [discriminate|].
  destruct (Map.find (key h) known) as [C|] eqn:F; [|discriminate]. destruct (Hk _ _ F) as [l [Hl E]].
  assert (I : In l (filter (fun l => negb (is_false a l)) C)).
  { apply filter_In. split; auto. apply negb_true_iff, not_true_iff_false. intros N. apply (is_false_spec x) in N; auto. }
  destruct (filter _ C) as [|k rest]; [destruct I|]. apply andb_true_iff in H. destruct H as [H1 H2].
  apply (IH (assign k a)); auto. apply assign_agrees; auto.
  destruct I as [<-|I]; auto. rewrite forallb_forall in H1. specialize (H1 l I).
  unfold same_literal in H1. apply andb_true_iff in H1. rewrite N.eqb_eq, eqb_true_iff in H1. destruct H1 as [-> ->]. auto.
Qed.

Lemma negated_agrees : forall x C, (forall l, In l C -> x (snd l) <> fst l) -> agrees x (negated C).
Proof.
  intros x C. induction C as [|l C IH]; intros H; simpl.
  - intros i b F. rewrite Map.gempty in F. discriminate.
  - apply assign_agrees; [|apply IH; intros; apply H; simpl; auto]. cbn [fst snd].
    specialize (H l (or_introl eq_refl)). destruct (x (snd l)), (fst l); simpl; congruence.
Qed.

Lemma holds_or_not : forall x C, holds x C \/ forall l, In l C -> x (snd l) <> fst l.
Proof.
  intros x C. induction C as [|l C IH]; [right; intros l []|]. destruct (bool_dec (x (snd l)) (fst l)) as [E|E].
  - left. exists l. simpl; auto.
  - destruct IH as [[k [Hk Ek]]|IH]; [left; exists k; simpl; auto|]. right. intros k [<-|Hk]; auto.
Qed.

Lemma refutes_spec : forall x steps known, all_hold x known -> refutes known steps = true -> False.
Proof.
  intros x steps. induction steps as [|s steps IH]; intros known Hk H; cbn [refutes] in H; [discriminate|].
  apply andb_true_iff in H. destruct H as [H1 H2].
  destruct (holds_or_not x (derived s)) as [D|D].
  - destruct (derived s) as [|l C]; [destruct D as [k [[] _]]|]. eapply IH; [|exact H2].
    intros i B F. rewrite find_add in F. destruct (N.eqb_spec (name s) i); [|eauto]. inversion F; subst. auto.
  - eapply contradicts_spec; [exact Hk| |exact H1]. apply negated_agrees; auto.
Qed.

Lemma numbered_hold : forall x number F, satisfies x F -> all_hold x (numbered number F).
Proof.
  intros x number F HF. unfold numbered.
  assert (G : forall known, all_hold x known -> all_hold x (fold_left (fun known C => Map.add (key (number C)) C known) F known)).
  { unfold satisfies in HF. induction F as [|C F IH]; intros known Hk; auto. simpl. apply IH.
    - intros D HD. apply HF. simpl; auto.
    - intros i B E. rewrite find_add in E. destruct (number C =? i); [|eauto]. inversion E; subst. apply HF. simpl; auto. }
  apply G. intros i C E. rewrite Map.gempty in E. discriminate.
Qed.

(* ======== the theorem ======== *)
Lemma distinct_differ : forall (f : N -> N) u c d, NoDup (map f u) -> In c u -> In d u -> c <> d -> f c <> f d.
Proof.
  intros f u c d ND Hc Hd Hn E. induction u as [|e u IH]; [destruct Hc|]. simpl in ND. inversion ND; subst.
  destruct Hc as [->|Hc]; destruct Hd as [->|Hd]; auto.
  - apply H1. rewrite E. apply in_map; auto.
  - apply H1. rewrite <- E. apply in_map; auto.
Qed.

Lemma ascending_spec : forall l, ascending l = true -> ForallOrdPairs N.lt l.
Proof.
  induction l as [|i l IH]; intros H; constructor.
  - clear IH. revert i H. induction l as [|j l IH]; intros i H; constructor; cbn [ascending] in H;
      apply andb_true_iff in H; destruct H as [H1 H2]; apply N.ltb_lt in H1; auto.
    specialize (IH j H2). rewrite Forall_forall in *. intros k Hk. specialize (IH k Hk). lia.
  - apply IH. destruct l; auto. cbn [ascending] in H. apply andb_true_iff in H. tauto.
Qed.

Lemma differ_somewhere : forall (f g : N -> N) l, {c | In c l /\ f c <> g c} + {forall c, In c l -> f c = g c}.
Proof.
  intros f g l. induction l as [|c l IH]; [right; intros c []|]. destruct (N.eq_dec (f c) (g c)) as [E|E].
  - destruct IH as [[d [Hd Hn]]|IH]; [left; exists d; simpl; auto|]. right. intros d [<-|Hd]; auto.
  - left. exists c. simpl; auto.
Qed.

Section Listed.
Variables (r : rules) (given : N -> bool).
Hypothesis form : proper r = true.

Lemma is_solution_spec : forall f, is_solution r f = true -> solution r f.
Proof.
  intros f H. unfold is_solution in H. rewrite !andb_true_iff, !forallb_forall in H. destruct H as [[H1 H2] H3].
  split; [|split; [|split]]; [| | |rewrite (unconstrained r form); intros c []].
  - intros c Hc. apply in_cell_list in Hc. specialize (H1 c Hc). rewrite andb_true_iff, !N.leb_le in H1. auto.
  - intros u c d Hu. apply distinct_differ. apply distinct_NoDup. auto.
  - intros c vs Ha. apply member_spec. apply (H3 _ Ha).
Qed.

Lemma cell_pairs : forall l c, List.length l = List.length (cell_list r) -> In c (cell_list r) ->
  In (c, value_in l c) (combine (cell_list r) l).
Proof.
  intros l c L Hc. apply in_cell_list in Hc. unfold is_cell in Hc.
  assert (E : nth (N.to_nat c) (combine (cell_list r) l) (0, 0) = (c, value_in l c)).
  { rewrite combine_nth by auto. f_equal. unfold cell_list.
    assert (B : forall k i, (i < k)%nat -> nth i (below k) 0 = N.of_nat i).
    { induction k as [|k IH]; intros i Hi; [lia|]. cbn [below]. destruct (Nat.eq_dec i k) as [->|Hn].
      - rewrite app_nth2; rewrite below_length; auto. rewrite Nat.sub_diag. auto.
      - rewrite app_nth1 by (rewrite below_length; lia). apply IH. lia. }
    rewrite B by lia. lia. }
  rewrite <- E. apply nth_In. rewrite combine_length, <- L, Nat.min_id. rewrite L. unfold cell_list. rewrite below_length. lia.
Qed.

Hypothesis really : really_given given r = true.

Lemma given_same : forall f g c, solution r f -> solution r g -> is_cell r c -> given c = true -> f c = g c.
Proof.
  intros f g c [_ [_ [F _]]] [_ [_ [G _]]] Hc Hg. unfold really_given in really. rewrite forallb_forall in really.
  specialize (really c (proj2 (in_cell_list r c) Hc)). rewrite Hg in really. simpl in really.
  apply existsb_exists in really. destruct really as [[d vs] [Ha H]]. cbn [fst snd] in H. apply andb_true_iff in H.
  destruct H as [E H]. apply N.eqb_eq in E. subst d. destruct vs as [|v [|w vs]]; try discriminate.
  destruct (F _ _ Ha) as [<-|[]]. destruct (G _ _ Ha) as [<-|[]]. auto.
Qed.

Lemma listed_or_refuted : forall grids f, solution r f ->
  (forall g, In g grids -> List.length g = List.length (cell_list r) /\ solution r (value_in g)) ->
  (forall x, satisfies x (clauses given r ++ map (blocking given r) grids) -> False) ->
  exists g, In g grids /\ forall c, is_cell r c -> f c = value_in g c.
Proof.
  intros grids f Hf HG HU.
  assert (D : (exists g, In g grids /\ forall c, is_cell r c -> f c = value_in g c) \/
              (forall g, In g grids -> exists c, is_cell r c /\ f c <> value_in g c)).
  { clear HG HU. induction grids as [|g grids IH]; [right; intros g []|].
    destruct (differ_somewhere f (value_in g) (cell_list r)) as [[c [Hc Hn]]|E].
    - destruct IH as [[h [Hh Eh]]|IH]; [left; exists h; simpl; auto|]. right. intros h [<-|Hh]; auto.
      exists c. split; auto. apply in_cell_list; auto.
    - left. exists g. split; simpl; auto. intros c Hc. apply E, in_cell_list; auto. }
  destruct D as [D|D]; auto. exfalso. apply (HU (encode r f)). intros C HC. apply in_app_or in HC. destruct HC as [HC|HC].
  - apply (direct_satisfied given r form (encode r f) f); auto. apply encode_direct.
  - apply in_map_iff in HC. destruct HC as [g [<- Hg]]. destruct (D g Hg) as [c [Hc Hn]]. destruct (HG g Hg) as [L Sg].
    exists (is_not r c (value_in g c)). split.
    + unfold blocking. apply in_map_iff. exists (c, value_in g c). split; auto. apply filter_In.
      split; [apply cell_pairs; auto; apply in_cell_list; auto|]. cbn [fst]. apply negb_true_iff, not_true_iff_false.
      intros E. apply Hn. apply given_same; auto.
    + simpl. rewrite encode_direct; auto; [apply N.eqb_neq; auto|]. apply in_value_list. apply Sg; auto.
Qed.
End Listed.

Theorem check_listed_correct : forall rules_txt r given grids number steps m,
  check_listed rules_txt r given grids number steps = Some m ->
  rules_txt = text r /\ has_solutions r m /\
  (forall g, In g grids -> solution r (value_in g)) /\
  (forall f, solution r f -> exists g, In g grids /\ forall c, is_cell r c -> f c = value_in g c).
Proof.
  intros rules_txt r given grids number steps m H. unfold check_listed in H.
  destruct (String.eqb rules_txt (text r) && proper r && really_given given r && _ && _ && _) eqn:E; [|discriminate].
  inversion H; subst m; clear H. rewrite !andb_true_iff in E. destruct E as [[[[[E1 E2] E3] E4] E5] E6].
  apply String.eqb_eq in E1. rewrite forallb_forall in E4.
  assert (HG : forall g, In g grids -> List.length g = List.length (cell_list r) /\ solution r (value_in g)).
  { intros g Hg. specialize (E4 g Hg). apply andb_true_iff in E4. destruct E4 as [L S]. apply N.eqb_eq in L.
    split; [|apply is_solution_spec; auto]. unfold cell_list. rewrite below_length. lia. }
  assert (ALL : forall f, solution r f -> exists g, In g grids /\ forall c, is_cell r c -> f c = value_in g c).
  { intros f Hf. apply (listed_or_refuted r given E2 E3); auto. intros x Hx.
    eapply refutes_spec; [|exact E6]. apply numbered_hold. exact Hx. }
  split; [exact E1|]. split; [|split; [intros g Hg; apply HG; auto|exact ALL]].
  exists (map value_in grids). rewrite map_length. split; auto. split; [|split].
  - intros f Hf. apply in_map_iff in Hf. destruct Hf as [g [<- Hg]]. apply HG; auto.
  - apply ascending_spec in E5. clear - HG E5. induction grids as [|g grids IH]; simpl; constructor.
    + simpl in E5. inversion E5; subst. rewrite Forall_forall in *. intros f Hf. apply in_map_iff in Hf.
      destruct Hf as [h [<- Hh]]. destruct (differ_somewhere (value_in g) (value_in h) (cell_list r)) as [[c [Hc Hn]]|Same].
      * exists c. split; auto. apply in_cell_list; auto.
      * exfalso. assert (g = h).
        { destruct (HG g (or_introl eq_refl)) as [Lg _]. destruct (HG h (or_intror Hh)) as [Lh _].
          apply nth_ext with (d := 0) (d' := 0); [congruence|]. intros i Hi.
          specialize (Same (N.of_nat i)). unfold value_in in Same. rewrite Nat2N.id in Same. apply Same.
          apply in_cell_list. unfold is_cell. rewrite Lg in Hi. unfold cell_list in Hi. rewrite below_length in Hi. lia. }
        subst h. specialize (H1 (grid_number r g) (in_map _ _ _ Hh)). lia.
    + apply IH; [simpl in E5; inversion E5; subst; assumption|]. intros h Hh. apply HG. simpl; auto.
  - intros f Hf. destruct (ALL f Hf) as [g [Hg Eg]]. exists (value_in g). split; auto. apply in_map; auto.
Qed.
