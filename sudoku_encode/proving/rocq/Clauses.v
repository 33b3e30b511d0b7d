(* The clauses of a puzzle, as docs/internals/certificates.md specifies formula.cnf for puzzles without constraints, and two
   theorems: a valuation satisfies them exactly if it is the direct encoding of a solution (clauses_correct), so they have as
   many models as the puzzle has solutions (models). *)
From Coq Require Import NArith List Bool Lia Arith String.
From Proved Require Import Rules States Recount.
Import ListNotations.
Open Scope N_scope.

(* ======== the statement ======== *)
(* A literal is a variable with its sign: (false, 5) is -5 in DIMACS. *)
Notation literal := (bool * N)%type.
Notation clause := (list literal).
Definition satisfies (x : N -> bool) (F : list clause) : Prop :=
  forall C, In C F -> exists l, In l C /\ x (snd l) = fst l.

(* The variable that says that a cell holds a value. *)
Definition variable (r : rules) (c v : N) : N := c * values r + v.
Definition is (r : rules) (c v : N) : literal := (true, variable r c v).
Definition is_not (r : rules) (c v : N) : literal := (false, variable r c v).

Fixpoint pairs {A : Type} (l : list A) : list (A * A) :=
  match l with [] => [] | a :: l' => map (pair a) l' ++ pairs l' end.
Definition cell_list (r : rules) : list N := below (N.to_nat (cells r)).
Definition value_list (r : rules) : list N := map N.succ (below (N.to_nat (values r))).
Definition member (l : list N) (v : N) : bool := existsb (N.eqb v) l.

(* `given` names the cells whose single allowed value is a given, not a pencilmark. *)
Definition allowed_clauses (given : N -> bool) (r : rules) (a : N * list N) : list clause :=
  match given (fst a), snd a with
  | true, [v] => [[is r (fst a) v]]
  | _, vs => map (fun v => [is_not r (fst a) v]) (filter (fun v => negb (member vs v)) (value_list r))
  end.
Definition clauses (given : N -> bool) (r : rules) : list clause :=
  (* each cell holds a value, and no two *)
  map (fun c => map (is r c) (value_list r)) (cell_list r) ++
  flat_map (fun c => map (fun p => [is_not r c (fst p); is_not r c (snd p)]) (pairs (value_list r))) (cell_list r) ++
  (* no two cells of a unit hold the same value; with as many cells as values, one of them holds it *)
  flat_map (fun u => flat_map (fun v =>
    (if N.of_nat (List.length u) =? values r then [map (fun c => is r c v) u] else []) ++
    map (fun p => [is_not r (fst p) v; is_not r (snd p) v]) (pairs u)) (value_list r)) (units r) ++
  (* givens and pencilmarks *)
  flat_map (allowed_clauses given r) (allowed r).

(* The form of rules: cells exist, no unit repeats a cell, allowed values are values, and there are no constraints. *)
Fixpoint distinct (l : list N) : bool := match l with [] => true | c :: l' => negb (member l' c) && distinct l' end.
Definition proper (r : rules) : bool :=
  cells_exist r && forallb distinct (units r) && forallb (fun a => forallb (member (value_list r)) (snd a)) (allowed r) &&
  match constraints r with [] => true | _ :: _ => false end.

(* The program: the clauses of the rules that are read from a text. *)
Definition clauses_of (rules_txt : string) (given : N -> bool) (r : rules) : option (list clause) :=
  if String.eqb rules_txt (text r) && proper r then Some (clauses given r) else None.

(* x is the direct encoding of f. *)
Definition direct (r : rules) (x : N -> bool) (f : N -> N) : Prop :=
  forall c v, is_cell r c -> In v (value_list r) -> x (variable r c v) = (f c =? v).

(* ======== lists ======== *)
Lemma member_spec : forall l v, member l v = true <-> In v l.
Proof.
  intros l v. unfold member. rewrite existsb_exists. split.
  - intros [w [Hw E]]. apply N.eqb_eq in E. subst. auto.
  - intros H. exists v. rewrite N.eqb_refl. auto.
Qed.
Lemma distinct_NoDup : forall l, distinct l = true -> NoDup l.
Proof.
  induction l as [|c l IH]; simpl; intros H; [constructor|]. apply andb_true_iff in H. destruct H as [H1 H2].
  constructor; auto. rewrite <- member_spec. apply negb_true_iff in H1. congruence.
Qed.
Lemma in_cell_list : forall r c, In c (cell_list r) <-> is_cell r c.
Proof. intros. unfold cell_list. rewrite in_below. unfold is_cell. lia. Qed.
Lemma in_value_list : forall r v, In v (value_list r) <-> 1 <= v <= values r.
Proof.
  intros. unfold value_list. rewrite in_map_iff. split.
  - intros [w [<- H]]. apply in_below in H. lia.
  - intros H. exists (N.pred v). rewrite in_below. lia.
Qed.
Lemma value_list_NoDup : forall r, NoDup (value_list r).
Proof. intros. unfold value_list. apply FinFun.Injective_map_NoDup; [|apply below_NoDup]. intros a b. lia. Qed.

Lemma pairs_in : forall (A : Type) (l : list A) a b, In (a, b) (pairs l) -> In a l /\ In b l.
Proof.
  induction l as [|c l IH]; simpl; intros a b H; [tauto|]. apply in_app_iff in H. destruct H as [H|H].
  - apply in_map_iff in H. destruct H as [d [E H]]. inversion E; subst; auto.
  - destruct (IH _ _ H); auto.
Qed.
Lemma pairs_differ : forall (A : Type) (l : list A) a b, NoDup l -> In (a, b) (pairs l) -> a <> b.
Proof.
  induction l as [|c l IH]; simpl; intros a b N H; [tauto|]. inversion N; subst. apply in_app_iff in H. destruct H as [H|H]; auto.
  apply in_map_iff in H. destruct H as [d [E H]]. inversion E; subst. congruence.
Qed.
Lemma pairs_all : forall (A : Type) (l : list A) a b, In a l -> In b l -> a <> b -> In (a, b) (pairs l) \/ In (b, a) (pairs l).
Proof.
  induction l as [|c l IH]; simpl; intros a b Ha Hb Hn; [tauto|]. rewrite !in_app_iff, !in_map_iff.
  destruct Ha as [<-|Ha]; destruct Hb as [<-|Hb]; [congruence|left; left; eauto|right; left; eauto|].
  destruct (IH a b Ha Hb Hn); auto.
Qed.

(* ======== the proof ======== *)
Section Clauses.
Variables (given : N -> bool) (r : rules).
Hypothesis form : proper r = true.

Lemma unit_in : forall u c, In u (units r) -> In c u -> is_cell r c.
Proof. apply unit_cell. unfold proper in form. rewrite !andb_true_iff in form. tauto. Qed.
Lemma unit_once : forall u, In u (units r) -> NoDup u.
Proof.
  intros u Hu. unfold proper in form. rewrite !andb_true_iff, !forallb_forall in form. apply distinct_NoDup, form, Hu.
Qed.
Lemma allowed_in : forall c vs, In (c, vs) (allowed r) -> is_cell r c /\ forall v, In v vs -> In v (value_list r).
Proof.
  intros c vs H. unfold proper in form. rewrite !andb_true_iff, !forallb_forall in form. destruct form as [[[F1 _] F3] _].
  split; [eapply allowed_cell; eauto|]. intros v Hv. apply member_spec. specialize (F3 _ H). rewrite forallb_forall in F3. auto.
Qed.

Lemma unconstrained : constraints r = [].
Proof. unfold proper in form. rewrite !andb_true_iff in form. destruct (constraints r); [auto|destruct form; discriminate]. Qed.

(* The solution that a valuation stands for. *)
Definition decode (x : N -> bool) (c : N) : N :=
  match find (fun v => x (variable r c v)) (value_list r) with Some v => v | None => 0 end.

Lemma not_both : forall x a b, satisfies x [[(false, a); (false, b)]] -> x a = true -> x b = true -> False.
Proof. intros x a b H Ha Hb. destruct (H _ (or_introl eq_refl)) as [l [[<-|[<-|[]]] E]]; simpl in E; congruence. Qed.
Lemma part : forall x C F, satisfies x F -> In C F -> satisfies x [C].
Proof. intros x C F H HC D [<-|[]]. auto. Qed.

Lemma satisfied_decode : forall x, satisfies x (clauses given r) -> solution r (decode x) /\ direct r x (decode x).
Proof.
  intros x H. unfold clauses in H.
  assert (A : forall c, is_cell r c -> In (decode x c) (value_list r) /\ x (variable r c (decode x c)) = true).
  { intros c Hc. destruct (H (map (is r c) (value_list r))) as [l [Hl E]].
    - rewrite !in_app_iff. left. apply in_map_iff. exists c. split; auto. apply in_cell_list; auto.
    - apply in_map_iff in Hl. destruct Hl as [v [<- Hv]]. unfold decode. destruct (find _ _) as [w|] eqn:F.
      + apply find_some in F. auto.
      + exfalso. pose proof (find_none _ _ F v Hv) as Q. simpl in Q, E. congruence. }
  assert (B : forall c v w, is_cell r c -> In v (value_list r) -> In w (value_list r) ->
    x (variable r c v) = true -> x (variable r c w) = true -> v = w).
  { intros c v w Hc Hv Hw E1 E2. destruct (N.eq_dec v w) as [E|E]; auto. exfalso.
    assert (G : forall a b, In (a, b) (pairs (value_list r)) -> x (variable r c a) = true -> x (variable r c b) = true -> False).
    { intros a b P. apply not_both. eapply part; [exact H|]. rewrite !in_app_iff. right; left. apply in_flat_map. exists c.
      split; [apply in_cell_list; auto|]. apply in_map_iff. exists (a, b). auto. }
    destruct (pairs_all _ _ v w Hv Hw E) as [P|P]; eapply G; eauto. }
  assert (D : direct r x (decode x)).
  { intros c v Hc Hv. destruct (A c Hc) as [A1 A2]. destruct (N.eqb_spec (decode x c) v) as [<-|E]; auto.
    apply not_true_iff_false. intros T. apply E. eapply B; eauto. }
  split; auto. split; [|split; [|split]]; [| | |rewrite unconstrained; intros c []].
  - intros c Hc. apply in_value_list, A; auto.
  - intros u c d Hu Hc Hd Hn E. pose proof (unit_in u c Hu Hc) as Cc. pose proof (unit_in u d Hu Hd) as Cd.
    destruct (A c Cc) as [A1 A2]. destruct (A d Cd) as [A3 A4]. rewrite <- E in A4.
    assert (G : forall a b, In (a, b) (pairs u) -> x (variable r a (decode x c)) = true ->
      x (variable r b (decode x c)) = true -> False).
    { intros a b P. apply not_both. eapply part; [exact H|]. rewrite !in_app_iff. do 2 right; left. apply in_flat_map. exists u.
      split; auto. apply in_flat_map. exists (decode x c). split; auto. apply in_app_iff. right.
      apply in_map_iff. exists (a, b). auto. }
    destruct (pairs_all _ _ c d Hc Hd Hn) as [P|P]; eapply G; eauto.
  - intros c vs Ha. destruct (allowed_in c vs Ha) as [Hc Hvs]. destruct (A c Hc) as [A1 A2].
    assert (I : forall C, In C (allowed_clauses given r (c, vs)) -> satisfies x [C]).
    { intros C HC. eapply part; [exact H|]. rewrite !in_app_iff. do 3 right. apply in_flat_map. exists (c, vs). auto. }
    assert (M : (forall C, In C (map (fun v => [is_not r c v]) (filter (fun v => negb (member vs v)) (value_list r))) ->
        satisfies x [C]) -> In (decode x c) vs).
    { intros I'. apply member_spec. destruct (member vs (decode x c)) eqn:E; auto. exfalso.
      assert (N : satisfies x [[is_not r c (decode x c)]]).
      { apply I', in_map_iff. exists (decode x c). split; auto. apply filter_In. rewrite E. auto. }
      destruct (N _ (or_introl eq_refl)) as [l [[<-|[]] E']]. simpl in E'. congruence. }
    unfold allowed_clauses in I. cbn [fst snd] in I. destruct (given c); auto. destruct vs as [|v [|w vs]]; auto.
    assert (E : satisfies x [[is r c v]]) by (apply I; simpl; auto).
    destruct (E _ (or_introl eq_refl)) as [l [[<-|[]] E']]. simpl in E'. left. apply (B c); auto. apply Hvs. simpl; auto.
Qed.

(* n cells of a unit with different values, 1 to n, take every value. *)
Lemma unit_takes_all : forall f u v, solution r f -> In u (units r) -> N.of_nat (List.length u) = values r -> In v (value_list r) ->
  In v (map f u).
Proof.
  intros f u v [F1 [F2 _]] Hu L Hv.
  assert (ND : NoDup (map f u)).
  { assert (G : forall c d, In c u -> In d u -> c <> d -> f c <> f d) by (intros; eauto).
    pose proof (unit_once u Hu) as O. clear - G O. induction O as [|c u Hc O IH]; simpl; constructor.
    - intros I. apply in_map_iff in I. destruct I as [d [E I]]. apply (G d c); simpl; auto. intros ->; auto.
    - apply IH. intros; apply G; simpl; auto. }
  apply (NoDup_length_incl ND (l' := value_list r)); auto.
  - unfold value_list. rewrite !map_length, below_length. lia.
  - intros w Hw. apply in_map_iff in Hw. destruct Hw as [c [<- Hc]]. apply in_value_list, F1. eapply unit_in; eauto.
Qed.

Lemma direct_satisfied : forall x f, solution r f -> direct r x f -> satisfies x (clauses given r).
Proof.
  intros x f Hf D C HC. pose proof Hf as [F1 [F2 [F3 _]]]. unfold clauses in HC. rewrite !in_app_iff in HC.
  assert (T : forall c, is_cell r c -> x (variable r c (f c)) = true).
  { intros c Hc. rewrite D; [apply N.eqb_refl|auto|]. apply in_value_list; auto. }
  assert (U : forall c v, is_cell r c -> In v (value_list r) -> f c <> v -> x (variable r c v) = false).
  { intros c v Hc Hv Hn. rewrite D by auto. apply N.eqb_neq; auto. }
  destruct HC as [HC|[HC|[HC|HC]]].
  - apply in_map_iff in HC. destruct HC as [c [<- Hc]]. apply in_cell_list in Hc. exists (is r c (f c)). split.
    + apply in_map, in_value_list; auto.
    + simpl; auto.
  - apply in_flat_map in HC. destruct HC as [c [Hc HC]]. apply in_cell_list in Hc.
    apply in_map_iff in HC. destruct HC as [[v w] [<- P]]. cbn [fst snd].
    pose proof (pairs_differ _ _ _ _ (value_list_NoDup r) P) as Hn. apply pairs_in in P. destruct P as [Pv Pw].
    destruct (N.eq_dec (f c) v) as [E|E].
    + exists (is_not r c w). split; simpl; auto. apply U; auto. congruence.
    + exists (is_not r c v). split; simpl; auto.
  - apply in_flat_map in HC. destruct HC as [u [Hu HC]]. apply in_flat_map in HC. destruct HC as [v [Hv HC]].
    apply in_app_iff in HC. destruct HC as [HC|HC].
    + destruct (N.eqb_spec (N.of_nat (List.length u)) (values r)) as [L|]; [|destruct HC]. destruct HC as [<-|[]].
      assert (K : In v (map f u)) by (apply unit_takes_all; auto; split; auto).
      apply in_map_iff in K. destruct K as [c [<- Hc]]. exists (is r c (f c)). split.
      * apply in_map_iff. exists c; auto.
      * simpl. apply T. eapply unit_in; eauto.
    + apply in_map_iff in HC. destruct HC as [[c d] [<- P]]. cbn [fst snd].
      pose proof (pairs_differ _ _ _ _ (unit_once u Hu) P) as Hn. apply pairs_in in P. destruct P as [Pc Pd].
      destruct (N.eq_dec (f c) v) as [E|E].
      * exists (is_not r d v). split; simpl; auto. apply U; auto; [eapply unit_in; eauto|].
        intros E'. apply (F2 u c d); auto. congruence.
      * exists (is_not r c v). split; simpl; auto. apply U; auto. eapply unit_in; eauto.
  - apply in_flat_map in HC. destruct HC as [[c vs] [Ha HC]]. unfold allowed_clauses in HC. cbn [fst snd] in HC.
    destruct (allowed_in c vs Ha) as [Hc Hvs]. pose proof (F3 c vs Ha) as Hin.
    assert (M : In C (map (fun v => [is_not r c v]) (filter (fun v => negb (member vs v)) (value_list r))) ->
      exists l, In l C /\ x (snd l) = fst l).
    { intros HM. apply in_map_iff in HM. destruct HM as [v [<- Hv]]. apply filter_In in Hv. destruct Hv as [Hv Hm].
      exists (is_not r c v). split; simpl; auto. apply U; auto. intros E. apply negb_true_iff, not_true_iff_false in Hm.
      apply Hm, member_spec. congruence. }
    destruct (given c); auto. destruct vs as [|v [|w vs]]; auto. destruct HC as [<-|[]].
    exists (is r c v). split; simpl; auto. destruct Hin as [->|[]]. auto.
Qed.

Theorem clauses_correct : forall x, satisfies x (clauses given r) <-> exists f, solution r f /\ direct r x f.
Proof.
  intros x. split.
  - intros H. exists (decode x). apply satisfied_decode; auto.
  - intros [f [Hf D]]. eapply direct_satisfied; eauto.
Qed.

(* ======== models and solutions are equally many ======== *)
Definition is_variable (z : N) : Prop := exists c v, is_cell r c /\ In v (value_list r) /\ z = variable r c v.

Definition encode (f : N -> N) (z : N) : bool := f (N.pred z / values r) =? N.succ (N.pred z mod values r).

Lemma encode_direct : forall f, direct r (encode f) f.
Proof.
  intros f c v _ Hv. apply in_value_list in Hv. unfold encode, variable.
  replace (N.pred (c * values r + v)) with (N.pred v + c * values r) by lia.
  rewrite N.div_add, N.mod_add by lia. rewrite N.div_small, N.mod_small by lia. rewrite N.add_0_l.
  replace (N.succ (N.pred v)) with v by lia. auto.
Qed.

Lemma direct_same : forall x f g, solution r f -> solution r g -> direct r x f -> direct r x g -> forall c, is_cell r c -> f c = g c.
Proof.
  intros x f g [F _] [G _] Df Dg c Hc. assert (V : In (f c) (value_list r)) by (apply in_value_list; auto).
  pose proof (Df c (f c) Hc V) as E. rewrite (Dg c (f c) Hc V), N.eqb_refl in E. apply N.eqb_eq in E. auto.
Qed.

Theorem models : forall m, has_solutions r m <-> exactly m is_variable (fun x => satisfies x (clauses given r)).
Proof.
  intros m. split; unfold has_solutions.
  - apply exactly_transfer with (there := encode) (back := decode).
    + intros f Hf. eapply direct_satisfied; eauto. apply encode_direct.
    + intros f g c Hf Hg Hc Hn. assert (V : In (f c) (value_list r)) by (apply in_value_list, Hf; auto).
      exists (variable r c (f c)). split; [exists c, (f c); auto|]. rewrite !encode_direct by auto. rewrite N.eqb_refl.
      intros E. symmetry in E. apply N.eqb_eq in E. congruence.
    + intros x Hx. apply satisfied_decode; auto.
    + intros x g Hx Hg H z [c [v [Hc [Hv ->]]]]. destruct (satisfied_decode x Hx) as [_ D].
      rewrite D, encode_direct, H by auto. auto.
  - apply exactly_transfer with (there := decode) (back := encode).
    + intros x Hx. apply satisfied_decode; auto.
    + intros x y z Hx Hy [c [v [Hc [Hv ->]]]] Hn. exists c. split; auto. intros E. apply Hn.
      destruct (satisfied_decode x Hx) as [_ Dx]. destruct (satisfied_decode y Hy) as [_ Dy]. rewrite Dx, Dy, E by auto. auto.
    + intros f Hf. eapply direct_satisfied; eauto. apply encode_direct.
    + intros f x Hf Hx H c Hc. destruct (satisfied_decode x Hx) as [S D].
      apply (direct_same (encode f)); auto; [apply encode_direct|].
      intros d v Hd Hv. rewrite H by (exists d, v; auto). auto.
Qed.
End Clauses.
