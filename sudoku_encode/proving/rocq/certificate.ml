(* Reads the files of a listed certificate.  Nothing here is believed: what does not fit the puzzle is refused. *)
open Proved

let lines path =
  let channel = open_in_bin path in
  let rec read before = match input_line channel with line -> read (line :: before) | exception End_of_file -> List.rev before in
  Fun.protect ~finally:(fun () -> close_in channel) (fun () -> read [])

let words line = List.filter (( <> ) "") (String.split_on_char ' ' (String.trim line))

(* The grids of solutions.txt, ascending. *)
let grids path =
  let value = function
    | '1' .. '9' as c -> Char.code c - Char.code '0'
    | 'A' .. 'Z' as c -> Char.code c - Char.code 'A' + 10
    | 'a' .. 'z' as c -> Char.code c - Char.code 'a' + 10
    | c -> failwith (Printf.sprintf "not a value: %c" c) in
  let grid line =
    if String.contains line ',' then List.map int_of_string (String.split_on_char ',' line)
    else List.map value (List.init (String.length line) (String.get line)) in
  let values = List.map grid (List.filter (( <> ) "") (List.map String.trim (lines path))) in
  List.map (List.map Whole.natural) (List.sort compare values)

module Clauses = Hashtbl.Make (struct
  type t = int list
  let equal = ( = )
  let hash = List.fold_left (fun h literal -> (31 * h) + literal) 7
end)

(* The number that a CNF gives a clause, whose literals may be in another order; 0 for one that it does not contain. *)
let number path =
  let numbers = Clauses.create 100_000 in
  let clause = ref [] and last = ref 0 in
  let add word =
    match int_of_string word with
    | 0 -> incr last; Clauses.replace numbers (List.sort compare !clause) !last; clause := []
    | literal -> clause := literal :: !clause in
  List.iter (fun line -> match words line with ("c" | "p") :: _ -> () | found -> List.iter add found) (lines path);
  fun clause ->
    let literal (sign, variable) = if sign then Whole.to_int variable else - (Whole.to_int variable) in
    Whole.natural (Option.value (Clauses.find_opt numbers (List.sort compare (List.map literal clause))) ~default:0)

(* The steps of an LRAT proof that derive clauses. *)
let steps path =
  let rec until_zero before = function
    | "0" :: rest -> List.rev before, rest
    | word :: rest -> until_zero (int_of_string word :: before) rest
    | [] -> failwith "the last 0 is missing" in
  let literal i = i > 0, Whole.natural (abs i) in
  let rec read before = function
    | _ :: "d" :: rest -> read before (snd (until_zero [] rest))
    | name :: rest ->
        let clause, rest = until_zero [] rest in
        let hints, rest = until_zero [] rest in
        let name = Whole.natural (int_of_string name) in
        read ({ name; derived = List.map literal clause; hints = List.map Whole.natural hints } :: before) rest
    | [] -> List.rev before in
  let uncommented = List.filter (function "c" :: _ -> false | _ -> true) (List.map words (lines path)) in
  read [] (List.concat uncommented)
