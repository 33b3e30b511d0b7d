(* zarith, by a name that extraction does not use. *)
include Z
