(* What is counted.  These definitions are all that a reader has to agree with; the rest of the file is about "exactly".

   A puzzle is given in numbers, as rules.txt says it (docs/internals/proved.md): cells are 0, 1, ..., values are
   1, 2, ..., the cells of a unit all differ, a cell may be restricted to a list of allowed values, and constraints may
   hold. *)
From Coq Require Import NArith ZArith List Lia String Decimal DecimalString.
Import ListNotations.
Open Scope N_scope.

Inductive constraint :=
  | Sum (total : Z) (terms : list (N * Z))                      (* cells with coefficients *)
  | Clause (literals : list (N * Z))                            (* (c, v): cell c holds v; (c, -v): it does not *)
  | Pairs (c d : N) (pairs : list (N * N))                      (* cells c and d hold one of these pairs *)
  | Sequence (cells : list N) (moves : list (N * N * N * N)).   (* place, state, value, next state *)

Record rules := Rules {
  cells : N;                       (* the cells are the numbers below this one *)
  values : N;                      (* the values are 1 to this number *)
  units : list (list N);           (* the cells of each list all differ *)
  allowed : list (N * list N);     (* this cell holds one of these values; a given is a cell with one value *)
  constraints : list constraint }.

Definition is_cell (r : rules) (c : N) : Prop := c < cells r.

Definition weighted (f : N -> N) (terms : list (N * Z)) : Z :=
  fold_right (fun t s => Z.of_N (f (fst t)) * snd t + s)%Z 0%Z terms.
Definition agrees (value : N) (v : Z) : bool := if (0 <? v)%Z then (Z.of_N value =? v)%Z else negb (Z.of_N value =? - v)%Z.

(* An automaton reads the cells one after the other: at each place it moves by the value of the cell; it ends in state 0. *)
Fixpoint reads (f : N -> N) (moves : list (N * N * N * N)) (place state : N) (cells : list N) : Prop :=
  match cells with
  | [] => state = 0
  | c :: cells' => exists next, In (place, state, f c, next) moves /\ reads f moves (N.succ place) next cells'
  end.

Definition meets (f : N -> N) (c : constraint) : Prop :=
  match c with
  | Sum total terms => weighted f terms = total
  | Clause literals => exists l, In l literals /\ agrees (f (fst l)) (snd l) = true
  | Pairs c d pairs => In (f c, f d) pairs
  | Sequence cells moves => reads f moves 0 0 cells
  end.

(* A solution gives each cell a value. *)
Definition solution (r : rules) (f : N -> N) : Prop :=
  (forall c, is_cell r c -> 1 <= f c <= values r) /\
  (forall u c d, In u (units r) -> In c u -> In d u -> c <> d -> f c <> f d) /\
  (forall c vs, In (c, vs) (allowed r) -> In (f c) vs) /\
  (forall c, In c (constraints r) -> meets f c).

(* Of the functions with property P there are exactly m, if only their values inside some set are looked at:
   m of them can be listed, any two of the list differ inside, and each function with P agrees inside with a listed one. *)
Definition exactly {A B : Type} (m : N) (inside : A -> Prop) (P : (A -> B) -> Prop) : Prop :=
  exists listed : list (A -> B),
    N.of_nat (List.length listed) = m /\
    (forall f, In f listed -> P f) /\
    ForallOrdPairs (fun f g => exists c, inside c /\ f c <> g c) listed /\
    (forall f, P f -> exists g, In g listed /\ forall c, inside c -> f c = g c).

(* The number of solutions of a puzzle. *)
Definition has_solutions (r : rules) (m : N) : Prop := exactly m (is_cell r) (solution r).

(* rules.txt: the text of a puzzle. *)
Definition number (x : N) : string := NilZero.string_of_uint (N.to_uint x).
Definition integer (z : Z) : string :=
  if (z <? 0)%Z then ("-" ++ number (Z.to_N (- z)))%string else number (Z.to_N z).
Definition words (l : list string) : string := fold_right (fun w rest => (" " ++ w ++ rest)%string) EmptyString l.
Definition statement (word : string) (l : list string) : string :=
  (word ++ words l ++ String (Ascii.ascii_of_nat 10) EmptyString)%string.
Definition line (word : string) (l : list N) : string := statement word (map number l).
Definition cells_and_integers (l : list (N * Z)) : list string := flat_map (fun t => [number (fst t); integer (snd t)]) l.
Definition constraint_text (c : constraint) : string :=
  match c with
  | Sum total terms => statement "sum" (integer total :: cells_and_integers terms)
  | Clause literals => statement "clause" (cells_and_integers literals)
  | Pairs c d pairs => line "pairs" (c :: d :: flat_map (fun p => [fst p; snd p]) pairs)
  | Sequence cells moves =>
      line "sequence" (N.of_nat (List.length cells) :: cells
        ++ flat_map (fun m => match m with (place, state, value, next) => [place; state; value; next] end) moves)
  end.
Definition text (r : rules) : string :=
  String.concat EmptyString
    ([line "cells" [cells r]; line "values" [values r]]
     ++ map (line "unit") (units r)
     ++ map (fun a => line "allowed" (fst a :: snd a)) (allowed r)
     ++ map constraint_text (constraints r)).

(* ---- "exactly" determines the number ---- *)
Lemma exactly_at_most : forall (A B : Type) (inside : A -> Prop) (K L : list (A -> B)),
  ForallOrdPairs (fun f g => exists c, inside c /\ f c <> g c) L ->
  (forall f, In f L -> exists g, In g K /\ forall c, inside c -> f c = g c) ->
  (List.length L <= List.length K)%nat.
Proof.
  intros A B inside K L D. revert K. induction D as [|f L Hf D IH]; intros K H; simpl; [lia|].
  destruct (H f (or_introl eq_refl)) as [g [Hg Eg]].
  destruct (in_split _ _ Hg) as [K1 [K2 ->]].
  assert (List.length L <= List.length (K1 ++ K2))%nat.
  { apply IH. intros h Hh. destruct (H h (or_intror Hh)) as [g' [Hg' Eg']].
    apply in_app_or in Hg'. destruct Hg' as [Hg'|[<-|Hg']]; [exists g'|exfalso|exists g']; try (rewrite in_app_iff; auto).
    rewrite Forall_forall in Hf. destruct (Hf h Hh) as [c [Hc Hn]]. apply Hn. rewrite Eg, Eg'; auto. }
  rewrite app_length in *. simpl. lia.
Qed.

Theorem exactly_unique : forall (A B : Type) m k (inside : A -> Prop) (P : (A -> B) -> Prop),
  exactly m inside P -> exactly k inside P -> m = k.
Proof.
  intros A B m k inside P [L [HL [LP [LD LA]]]] [K [HK [KP [KD KA]]]].
  assert (List.length L <= List.length K)%nat by (apply exactly_at_most with (inside := inside); auto).
  assert (List.length K <= List.length L)%nat by (apply exactly_at_most with (inside := inside); auto).
  lia.
Qed.

(* ---- as many in another form: `there` and `back` translate ---- *)
Lemma exactly_transfer : forall (A B A' B' : Type) m (inside : A -> Prop) (inside' : A' -> Prop) (P : (A -> B) -> Prop) (P' : (A' -> B') -> Prop)
  (there : (A -> B) -> (A' -> B')) (back : (A' -> B') -> (A -> B)),
  (forall f, P f -> P' (there f)) ->
  (forall f g c, P f -> P g -> inside c -> f c <> g c -> exists c', inside' c' /\ there f c' <> there g c') ->
  (forall f', P' f' -> P (back f')) ->
  (forall f' g, P' f' -> P g -> (forall c, inside c -> back f' c = g c) -> forall c, inside' c -> f' c = there g c) ->
  exactly m inside P -> exactly m inside' P'.
Proof.
  intros A B A' B' m inside inside' P P' there back H1 H2 H3 H4 [L [HL [LP [LD LA]]]].
  exists (map there L). rewrite map_length. split; [auto|]. split; [|split].
  - intros f' Hf. apply in_map_iff in Hf. destruct Hf as [f [<- Hf]]. auto.
  - clear - LP LD H2. induction LD as [|f L Hf D IH]; simpl; constructor.
    + rewrite Forall_forall in *. intros g' Hg. apply in_map_iff in Hg. destruct Hg as [g [<- Hg]].
      destruct (Hf g Hg) as [c [Hc Hn]]. apply (H2 f g c); auto; apply LP; simpl; auto.
    + apply IH. intros; apply LP; simpl; auto.
  - intros f' Hf. destruct (LA (back f')) as [g [Hg E]]; auto. exists (there g). split; [apply in_map; auto|].
    intros c Hc. apply H4; auto.
Qed.

Lemma exactly_same : forall (A B : Type) m (inside : A -> Prop) (P Q : (A -> B) -> Prop),
  (forall f, P f <-> Q f) -> exactly m inside P -> exactly m inside Q.
Proof.
  intros A B m inside P Q H. apply exactly_transfer with (there := fun f => f) (back := fun f => f); try firstorder.
Qed.

(* ---- the sum over the values of one argument ---- *)
Definition sum : list N -> N := fold_right N.add 0.

Lemma sum_app : forall l m, sum (l ++ m) = sum l + sum m.
Proof. unfold sum. induction l; simpl; intros; auto. rewrite IHl. lia. Qed.

Lemma exactly_none : forall (A B : Type) (inside : A -> Prop) (P : (A -> B) -> Prop), (forall f, ~ P f) -> exactly 0 inside P.
Proof. intros A B inside P H. exists []. repeat split; simpl; try tauto; [constructor|]. intros f Hf. destruct (H f Hf). Qed.

Lemma exactly_sum : forall (A B : Type) (inside : A -> Prop) (P : (A -> B) -> Prop) c (vs : list B) (m : B -> N),
  inside c -> NoDup vs -> (forall f, P f -> In (f c) vs) ->
  (forall v, In v vs -> exactly (m v) inside (fun f => P f /\ f c = v)) ->
  exactly (sum (map m vs)) inside P.
Proof.
  intros A B inside P c vs m Hc ND. revert P. induction ND as [|v vs Hv ND IH]; intros P HP H; simpl.
  - apply exactly_none. intros f Hf. destruct (HP f Hf).
  - destruct (H v (or_introl eq_refl)) as [L [HL [LP [LD LA]]]].
    destruct (IH (fun f => P f /\ In (f c) vs)) as [K [HK [KP [KD KA]]]].
    + tauto.
    + intros w Hw. apply exactly_same with (P := fun f => P f /\ f c = w); [|apply H; simpl; auto].
      intros f. split; [intros [? <-]; auto|tauto].
    + exists (L ++ K). split; [rewrite app_length; lia|]. split; [|split].
      * intros f Hf. apply in_app_or in Hf. destruct Hf as [Hf|Hf]; [apply LP in Hf|apply KP in Hf]; tauto.
      * clear - Hc Hv LP KP LD KD. induction LD as [|f L Hf D IH]; simpl; auto. constructor.
        -- rewrite Forall_app. split; auto. apply Forall_forall. intros g Hg. exists c. split; auto.
           destruct (LP f (or_introl eq_refl)) as [_ ->]. intros ->. apply Hv. apply KP; auto.
        -- apply IH. intros; apply LP; simpl; auto.
      * intros f Hf. destruct (HP f Hf) as [E|Hw].
        -- destruct (LA f) as [g [Hg Eg]]; auto. exists g. rewrite in_app_iff. auto.
        -- destruct (KA f) as [g [Hg Eg]]; auto. exists g. rewrite in_app_iff. auto.
Qed.
