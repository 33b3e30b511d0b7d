(* The proved program as OCaml.  Numbers become those of zarith (whole.ml is its module Z), and the operations below become
   zarith's; what they compute is believed, as is the rest of extraction. *)
From Coq Require Import NArith ZArith Extraction ExtrOcamlBasic ExtrOcamlString.
From Proved Require Import Rules Recount Clauses Listed.

Extract Inductive positive => "Whole.t"
  [ "(fun p -> Whole.succ (Whole.shift_left p 1))" "(fun p -> Whole.shift_left p 1)" "Whole.one" ]
  "(fun odd even one p ->
      if Whole.equal p Whole.one then one () else
      if Whole.is_odd p then odd (Whole.shift_right p 1) else even (Whole.shift_right p 1))".
Extract Inductive N => "Whole.t" [ "Whole.zero" "" ]
  "(fun zero pos n -> if Whole.equal n Whole.zero then zero () else pos n)".
Extract Inductive Z => "Whole.t" [ "Whole.zero" "" "Whole.neg" ]
  "(fun zero pos neg z -> let s = Whole.sign z in if s = 0 then zero () else if s > 0 then pos z else neg (Whole.neg z))".
Extract Inlined Constant N.succ => "Whole.succ".
Extract Inlined Constant N.mul => "Whole.mul".
Extract Inlined Constant N.add => "Whole.add".
Extract Inlined Constant N.eqb => "Whole.equal".
Extract Inlined Constant N.ltb => "Whole.lt".
Extract Inlined Constant N.leb => "Whole.leq".
Extract Inlined Constant N.land => "Whole.logand".
Extract Inlined Constant N.lor => "Whole.logor".
Extract Constant N.compare => "fun a b -> let c = Whole.compare a b in if c = 0 then Eq else if c < 0 then Lt else Gt".
Extract Constant N.ldiff => "fun a b -> Whole.logand a (Whole.lognot b)".
Extract Constant N.testbit => "fun a n -> Whole.testbit a (Whole.to_int n)".
Extract Constant N.setbit => "fun a n -> Whole.logor a (Whole.shift_left Whole.one (Whole.to_int n))".
Extract Constant N.clearbit => "fun a n -> Whole.logand a (Whole.lognot (Whole.shift_left Whole.one (Whole.to_int n)))".
Extract Constant N.shiftl => "fun a n -> Whole.shift_left a (Whole.to_int n)".
Extract Constant N.shiftr => "fun a n -> Whole.shift_right a (Whole.to_int n)".
Extract Constant N.ones => "fun n -> Whole.pred (Whole.shift_left Whole.one (Whole.to_int n))".
Extract Constant N.pred => "fun n -> if Whole.equal n Whole.zero then n else Whole.pred n".
Extract Constant N.size => "fun n -> Whole.of_int (Whole.numbits n)".
Extract Inlined Constant N.eq_dec => "Whole.equal".
Extract Inlined Constant Z.eq_dec => "Whole.equal".
Extract Inlined Constant Z.eqb => "Whole.equal".
Extract Inlined Constant Z.ltb => "Whole.lt".
Extract Inlined Constant Z.add => "Whole.add".
Extract Inlined Constant Z.sub => "Whole.sub".
Extract Inlined Constant Z.mul => "Whole.mul".
Extract Inlined Constant Z.opp => "Whole.neg".
Extract Inlined Constant Z.of_N => "".
Extract Constant Z.to_N => "fun z -> if Whole.sign z < 0 then Whole.zero else z".
Extract Constant N.log2 => "fun n -> if Whole.equal n Whole.zero then Whole.zero else Whole.of_int (Whole.numbits n - 1)".

Extraction Language OCaml.
Extraction "proved.ml" recount clauses_of check_listed.
