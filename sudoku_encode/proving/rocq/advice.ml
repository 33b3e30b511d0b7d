(* Advice on symmetries: which of the given ones a state is moved by, so that states that differ by them become the same.
   Nothing here is believed.  The proved program checks each symmetry, and a bad choice only merges fewer states. *)
open Proved

let most = 20_000 (* products of symmetries that are tried *)

(* All products of some permutations of the places 0 .. k-1, up to `most`. *)
let products k generators =
  let seen = Hashtbl.create 1000 and all = Queue.create () and waiting = Queue.create () in
  let add p = if Hashtbl.length seen < most && not (Hashtbl.mem seen p) then begin
    Hashtbl.add seen p (); Queue.add p all; Queue.add p waiting end in
  add (List.init k Fun.id);
  List.iter (fun g -> add (Array.to_list g)) generators;
  while not (Queue.is_empty waiting) do
    let p = Queue.pop waiting in
    List.iter (fun g -> add (List.map (fun c -> g.(c)) p)) generators
  done;
  Array.map Array.of_list (Array.of_seq (Queue.to_seq all))

(* A permutation as moves: one for the cells that go equally far. *)
let moves p =
  let cells = Hashtbl.create 20 in
  Array.iteri (fun c d ->
    let before = Option.value (Hashtbl.find_opt cells (d - c)) ~default:Whole.zero in
    Hashtbl.replace cells (d - c) (Whole.logor before (Whole.shift_left Whole.one c))) p;
  Hashtbl.fold (fun distance cells rest ->
    let distance, up = Whole.of_int (abs distance), distance >= 0 in
    (if up then Up (cells, distance) else Down (cells, distance)) :: rest) cells []

let rec tree leaves low high =
  if high - low = 1 then Leaf leaves.(low)
  else let middle = (low + high) / 2 in Node (tree leaves low middle, tree leaves middle high)

let rec path i low high =
  if high - low = 1 then []
  else let middle = (low + high) / 2 in
    if i < middle then false :: path i low middle else true :: path i middle high

(* The orbits of the places, from the one of the highest place, as long as all their cells fit in one integer. *)
let orbits k perms =
  let rec next c seen bits =
    if c < 0 then []
    else if List.mem c seen then next (c - 1) seen bits
    else
      let orbit = List.sort_uniq Int.compare (List.map (fun p -> p.(c)) (Array.to_list perms)) in
      let bits = bits + List.length orbit in
      if List.length orbit > 12 || bits > 62 then [] else Array.of_list orbit :: next (c - 1) (orbit @ seen) bits in
  next (k - 1) [] 0

(* For each set of places of one orbit, as bits, its images under all permutations. *)
let orbit_images k perms orbit =
  let bit = Array.make k 0 in
  Array.iteri (fun i c -> bit.(c) <- 1 lsl i) orbit;
  let rec lowest set i = if set lsr i land 1 = 1 then i else lowest set (i + 1) in
  let images = Array.make (1 lsl Array.length orbit) (Array.make (Array.length perms) 0) in
  for set = 1 to Array.length images - 1 do
    let others = images.(set land (set - 1)) and place = orbit.(lowest set 0) in
    images.(set) <- Array.mapi (fun i p -> others.(i) lor bit.(p.(place))) perms
  done;
  images

let sort (a : int array) =
  for i = 1 to Array.length a - 1 do
    let x = a.(i) and j = ref i in
    while !j > 0 && a.(!j - 1) > x do a.(!j) <- a.(!j - 1); decr j done;
    a.(!j) <- x
  done

let rec less (a : int array) (b : int array) i =
  i < Array.length a && (a.(i) < b.(i) || (a.(i) = b.(i) && less a b (i + 1)))

(* Those of some permutations that make the sorted list of `key i v`, for v below n, least. *)
let least n key perms =
  let best = ref [||] and chosen = ref [] in
  List.iter (fun i ->
    (* Most permutations are excluded by their first number alone. *)
    let first = ref max_int in
    for v = 0 to n - 1 do
      let number : int = key i v in
      if number < !first then first := number
    done;
    if !chosen = [] || n = 0 || !first <= !best.(0) then begin
      let keys = Array.init n (key i) in
      sort keys;
      if !chosen = [] || less keys !best 0 then (best := keys; chosen := [i])
      else if not (less !best keys 0) then chosen := i :: !chosen
    end) perms;
  !chosen

module Sets = Hashtbl.Make (struct type t = int array let equal = ( = ) let hash a = Hashtbl.hash_param 100 100 a end)

(* What is known of an orbit: its places, the images of their sets, for each set its least image and the permutations that
   lead to it, and for lists of sets the permutations that make them least.  Orbits on which the permutations act alike
   share all but the places. *)
type orbit = {
  places : int array;
  images : int array array;
  firsts : (int * int list) array;
  known : int list Sets.t;
}

let first images =
  let best = Array.fold_left Int.min max_int images in
  best, List.filter (fun i -> images.(i) = best) (List.init (Array.length images) Fun.id)

let known_orbits k perms =
  let add orbits places =
    let images = orbit_images k perms places in
    match List.find_opt (fun orbit -> orbit.images = images) orbits with
    | Some orbit -> orbits @ [{ orbit with places }]
    | None -> orbits @ [{ places; images; firsts = Array.map first images; known = Sets.create 1000 }] in
  List.fold_left add [] (orbits k perms)

let distinct sets = List.length (List.sort_uniq Int.compare (Array.to_list sets))

(* The table of a layer with k open cells, and how a state's symmetry is chosen: of those that make the sets of the orbit
   with the most different ones least, one that makes the sets of all orbits least. *)
let layer k generators =
  let perms = products k generators in
  let n = Array.length perms in
  let orbits = known_orbits k perms in
  let all = List.init n Fun.id in
  let among (orbit, sets) =
    let sorted = Array.copy sets in
    sort sorted;
    match Sets.find_opt orbit.known sorted with
    | Some chosen -> chosen
    | None ->
        let images = Array.map (fun set -> orbit.images.(set)) sorted in
        (* The first set of the least list is the least image of any set. *)
        let different = List.sort_uniq Int.compare (Array.to_list sorted) in
        let best = List.fold_left (fun best set -> Int.min best (fst orbit.firsts.(set))) max_int different in
        let leading set = if fst orbit.firsts.(set) = best then snd orbit.firsts.(set) else [] in
        let leaders = List.sort_uniq Int.compare (List.concat_map leading different) in
        let chosen = least (Array.length sets) (fun i v -> images.(v).(i)) leaders in
        Sets.add orbit.known sorted chosen;
        chosen in
  let choose state =
    let state = Array.of_list state in
    let bits places s = Array.fold_right (fun c bits -> 2 * bits + if Whole.testbit s c then 1 else 0) places 0 in
    (* Orbits that tell no more than one before are left out. *)
    let add telling orbit =
      let sets = Array.map (bits orbit.places) state in
      if List.exists (fun (other, known) -> other.images == orbit.images && known = sets) telling then telling
      else (orbit, sets) :: telling in
    let telling = List.rev (List.fold_left add [] orbits) in
    let more (best, most) candidate =
      let number = distinct (snd candidate) in
      if number > most then (Some candidate, number) else (best, most) in
    let several = match List.fold_left more (None, 0) telling with Some orbit, _ -> among orbit | None, _ -> all in
    match several with
    | [i] -> path i 0 n
    | _ ->
        let join i v key (orbit, sets) = key lsl Array.length orbit.places lor orbit.images.(sets.(v)).(i) in
        let key i v = List.fold_left (join i v) 0 telling in
        path (List.hd (least (Array.length state) key several)) 0 n in
  tree (Array.map moves perms) 0 n, choose
