(* Reads rules.txt, and after it what the command needs:
     count:    a line "order c c c ...", and perhaps lines "symmetry i c c c ..."; prints the number of solutions
     clauses:  a line "given c c c ..."; prints the clauses of the puzzle in DIMACS
     listed SOLUTIONS BLOCKED PROOF:  the same line; prints how many solutions the files list and prove to be all
   The proved program compares the rules that are read here with the text, so that this file is believed only in what it
   passes on and prints. *)
open Proved

exception Refused of string

let rec nat i = if i = 0 then O else S (nat (i - 1))
let rec int_of_nat = function O -> 0 | S n -> 1 + int_of_nat n
let characters s = List.init (String.length s) (String.get s)
let words line = String.split_on_char ' ' line
let lines text = List.filter (( <> ) "") (String.split_on_char '\n' text)

let integers line numbers =
  try List.map int_of_string numbers with Failure _ -> raise (Refused ("not numbers with single blanks: " ^ line))

let rec couples = function
  | a :: b :: rest -> (a, b) :: couples rest
  | [] -> []
  | [_] -> raise (Refused "an odd number of numbers")

(* Cells with whole numbers, which may be negative. *)
let terms numbers = List.map (fun (c, k) -> Whole.natural c, Whole.of_int k) (couples numbers)
let naturals = List.map Whole.natural

let rec moves = function
  | (place, state) :: (value, next) :: rest -> (((place, state), value), next) :: moves rest
  | [] -> []
  | [_] -> raise (Refused "not moves of four numbers")

let sequence = function
  | length :: rest ->
      let cells = List.filteri (fun i _ -> i < length) rest and rest = List.filteri (fun i _ -> i >= length) rest in
      Sequence (naturals cells, moves (couples (naturals rest)))
  | [] -> raise (Refused "a sequence without its length")

let read_rules text =
  let read rules line =
    match words line with
    | word :: rest ->
        let constrained c = { rules with constraints = c :: rules.constraints } in
        (match word, integers line rest with
         | "cells", [m] -> { rules with cells = Whole.natural m }
         | "values", [n] -> { rules with values = Whole.natural n }
         | "unit", u -> { rules with units = naturals u :: rules.units }
         | "allowed", c :: vs -> { rules with allowed = (Whole.natural c, naturals vs) :: rules.allowed }
         | "sum", total :: rest -> constrained (Sum (Whole.of_int total, terms rest))
         | "clause", literals -> constrained (Clause (terms literals))
         | "pairs", c :: d :: rest -> constrained (Pairs (Whole.natural c, Whole.natural d, couples (naturals rest)))
         | "sequence", rest -> constrained (sequence rest)
         | _ -> raise (Refused ("not a line of rules: " ^ line)))
    | [] -> rules in
  let none = { cells = Whole.zero; values = Whole.zero; units = []; allowed = []; constraints = [] } in
  let rules = List.fold_left read none (lines text) in
  { rules with units = List.rev rules.units; allowed = List.rev rules.allowed; constraints = List.rev rules.constraints }

(* The symmetries after each layer, by the number of open cells: permutations of places from the end of the order. *)
let read_symmetries order lines =
  let m = Array.length order in
  let place = Hashtbl.create m and layers = Hashtbl.create 10 in
  Array.iteri (fun j c -> Hashtbl.replace place c (m - 1 - j)) order;
  let read line =
    match words line with
    | "symmetry" :: rest ->
        (match integers line rest with
         | i :: images when i >= 0 && List.length images = m - i && List.for_all (Hashtbl.mem place) images ->
             let p = Array.of_list (List.rev_map (Hashtbl.find place) images) in
             if Array.exists (fun c -> c >= m - i) p then raise (Refused ("not images of open cells: " ^ line));
             Hashtbl.replace layers (m - i) (p :: Option.value (Hashtbl.find_opt layers (m - i)) ~default:[])
         | _ -> raise (Refused ("not a layer and the images of its open cells: " ^ line)))
    | _ -> raise (Refused ("not a symmetry: " ^ line)) in
  List.iter read lines;
  layers

let count text rules order symmetries =
  let advice = Hashtbl.create 10 in
  Hashtbl.iter (fun k generators -> Hashtbl.add advice k (Advice.layer k generators)) symmetries;
  let tables k = Option.map fst (Hashtbl.find_opt advice (int_of_nat k)) in
  let choose k = snd (Hashtbl.find advice (Whole.to_int k)) in
  match recount (characters text) rules (List.map Whole.natural order) tables choose with
  | Some m -> print_endline (Whole.to_string m)
  | None -> raise (Refused "rules in another form, an order without each cell once, or a symmetry that does not hold")

let is_one_of cells c = List.mem (Whole.to_int c) cells

let print_clauses text rules given =
  match clauses_of (characters text) (is_one_of given) rules with
  | Some clauses ->
      let literal (sign, variable) = (if sign then "" else "-") ^ Whole.to_string variable in
      List.iter (fun clause -> print_endline (String.concat " " (List.map literal clause @ ["0"]))) clauses
  | None -> raise (Refused "rules in another form")

let count_listed text rules given solutions blocked proof =
  let number = Certificate.number blocked and grids = Certificate.grids solutions in
  match check_listed (characters text) rules (is_one_of given) grids number (Certificate.steps proof) with
  | Some m -> print_endline (Whole.to_string m)
  | None -> raise (Refused "rules in another form, a grid that is not a solution or is listed twice, or a step that does not follow")

(* The text before the line that begins with a word, the numbers of that line, and the lines after it. *)
let split word text =
  let n = String.length word in
  let rec find i =
    if i + n > String.length text then raise (Refused ("no line: " ^ word ^ " c c c ..."))
    else if String.sub text i n = word then i
    else match String.index_from_opt text i '\n' with Some j -> find (j + 1) | None -> find (String.length text) in
  let i = find 0 in
  match lines (String.sub text i (String.length text - i)) with
  | line :: rest -> String.sub text 0 i, integers line (List.tl (words line)), rest
  | [] -> raise (Refused "no line")

let () =
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 20 };
  let input = Buffer.create 65536 in
  (try while true do Buffer.add_channel input stdin 1 done with End_of_file -> ());
  try
    match Sys.argv with
    | [| _; "count" |] ->
        let text, order, rest = split "order" (Buffer.contents input) in
        let symmetries = read_symmetries (Array.of_list order) rest in
        count text (read_rules text) order symmetries
    | [| _; "clauses" |] ->
        let text, given, _ = split "given" (Buffer.contents input) in
        print_clauses text (read_rules text) given
    | [| _; "listed"; solutions; blocked; proof |] ->
        let text, given, _ = split "given" (Buffer.contents input) in
        count_listed text (read_rules text) given solutions blocked proof
    | _ -> raise (Refused "expected a command: count, clauses or listed")
  with Refused why | Failure why | Sys_error why -> prerr_endline why; exit 1
