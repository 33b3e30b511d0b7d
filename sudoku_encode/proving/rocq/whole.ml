(* zarith, by a name that extraction does not use. *)
include Z

(* A number that the proved program takes: those of N are not negative. *)
let natural i = if i < 0 then failwith "a negative number" else of_int i
