"""The rules of CONTRIBUTING.md for words, as far as a program can check them.

python -m tests.helpers.plain_words [FILE OR FOLDER...]    # lists what breaks a rule; the whole package by default
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "sudoku_encode"

# Words that say nothing about what they name. They may be the target of a comprehension of one line.
EMPTY_NAMES = {
    "found", "one", "ones", "some", "held", "kept", "made", "known", "at", "here", "there", "left", "said", "told",
    "wanted", "asked", "such", "gone", "worked",
}  # fmt: skip
# A class is named by a noun. These end like a participle, and are nouns or adjectives that the field uses.
PARTICIPLE = re.compile(
    r"_?(Found|Held|Kept|Made|Known|Left|Said|Told|Taken|Given|Gone|Shown|Drawn|Written|Chose|Open|[A-Z][a-z]+ed)\Z"
)
# Eight words for "some of them": a batch of puzzles, a part of a search, a segment of text.
SOME_OF_THEM = re.compile(r"(?:Piece|Parcel|Chunk|Block)s?\Z")

TEXT_RULES = (
    (re.compile(r"(?<![Tt]here )\b(?:is|are) no (?!longer|more\b)"), '"is no ...": write "not a ..." or "has no ..."'),
    (re.compile(r"\b(?:is|are|be) none\b"), '"is none", "are none": name the thing, with "not" or "no"'),
    (re.compile(r"\bof ours\b"), '"of ours": "of this program", "our"'),
    (re.compile(r"\bgo(?:es|ne|ing)? on with\b"), '"gone on with": "resumed", "continued"'),
    (re.compile(r"\b(?:declines?|declined) by\b"), '"declines by name": "rejects ... with a message that names ..."'),
    (re.compile(r"\bof one's own\b"), '"of one\'s own": "your own"'),
    (re.compile(r"\bfor want of\b"), '"for want of": "because there is no ..."'),
)
# Rules for texts that a user reads: all but docstrings and comments.
MESSAGE_RULES = (
    (re.compile(r"\balike\b"), '"alike": "the same", "equally", "in the same way"'),
    (re.compile(r"\bsays? so\b"), '"says so": name the thing that is said'),
    (re.compile(r"\b(?:a person|people)\b"), '"a person", "people": "you"'),
    (re.compile(r"\bgo(?:es)? on\b"), '"goes on": "continues"'),
    (re.compile(r"\bas far as\b"), '"as far as": "up to", "if"'),
    (re.compile(r"\bthere twice\b"), '"is there twice": "appears twice"'),
    (re.compile(r"\b(?:is|are) said\b"), '"is said": name who says it'),
    (re.compile(r"\bnot (?:said|asked)\b"), '"is not said": "the paper does not say"'),
    (re.compile(r"\bmade anew\b"), '"made anew": "made again"'),
    (re.compile(r"\bfor ever\b"), '"for ever": "forever", "without end"'),
    (re.compile(r"\bHeld to\b"), '"Held to": "the verdict requires"'),
    (re.compile(r"\bIt is so\b"), '"It is so": "This holds"'),
    (
        re.compile(r"(?:\A|[.:;] )(?:What|Whatever|That which)\b(?![^.]*\?)"),
        'a sentence with the subject "what ...": name it',
    ),
)
PROSE_RULES = (
    (re.compile(r"\A\s*Say\b"), '"Say ...": write "Return ...", "Check ..."'),
    (
        re.compile(r"(?:\A|[.:;] |\n\n)\s*(?:What|Whatever|That which)\b(?![^.]*\?)"),
        'a sentence with the subject "what ...": name it',
    ),
    (
        re.compile(
            r"\b(?:Return|Yield|Say|Check|Write|Read|Print|Make|Put|Add|Take|Keep|Show|Draw|List|Collect|Tell|Do|Find"
            r"|Count|Get|Give|Leave|Remove|Skip|Join|Send|Note|Remember)s? (?:all |just )?(?:what|whatever)\b"
        ),
        'a verb with the object "what ...": name it',
    ),
)


def docstring_nodes(tree: ast.Module) -> dict[int, ast.AST]:
    """Return the owners of docstrings, by the identity of the constant that is the docstring."""
    owners: dict[int, ast.AST] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            statement = node.body[0]
            assert isinstance(statement, ast.Expr)
            owners[id(statement.value)] = node
    return owners


def prose(text: str) -> str:
    """Return a docstring without its examples and without its code."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith((">>>", "...", "|"))]
    return re.sub(r"`[^`]*`", "`code`", "\n".join(lines))


def breaches_in_names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield lines and complaints about names that a module binds."""
    short_targets = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.comprehension):
            if node.target.lineno == node.iter.end_lineno:
                short_targets |= {id(child) for child in ast.walk(node.target)}
        elif isinstance(node, ast.Lambda) and node.lineno == node.end_lineno:
            short_targets |= {id(argument) for argument in node.args.args}
    for node in ast.walk(tree):
        name = bound_name(node)
        if name.lstrip("_") in EMPTY_NAMES and id(node) not in short_targets:
            yield getattr(node, "lineno", 0), f"the name `{name}`"
        if isinstance(node, ast.ClassDef):
            if PARTICIPLE.match(node.name):
                yield node.lineno, f"the class `{node.name}` is named by a participle"
            if SOME_OF_THEM.search(node.name):
                yield node.lineno, f"the class `{node.name}`: batch (puzzles), part (search), segment (text)"


def bound_name(node: ast.AST) -> str:
    """Return the name of a variable, parameter or function that a node binds; "" if it binds none."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.FunctionDef(name=name):
            return name
        case ast.ExceptHandler(name=str(name)):
            return name
    return ""


def is_private(owner: ast.AST, path: Path) -> bool:
    """Check whether one sentence is enough to document a function: it is private, or in a kernel."""
    if not isinstance(owner, ast.FunctionDef):
        return False
    in_kernel = path.stem.endswith(("_kernel", "_kernels", "_state"))
    return in_kernel or (owner.name.startswith("_") and not owner.name.startswith("__"))


def breaches_in_texts(tree: ast.Module, path: Path) -> Iterator[tuple[int, str]]:
    """Yield lines and complaints about docstrings and messages."""
    owners = docstring_nodes(tree)
    about_names = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)} - owners.keys()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        text = prose(node.value) if id(node) in owners else node.value
        is_message = id(node) not in owners and id(node) not in about_names
        rules = TEXT_RULES + (MESSAGE_RULES if is_message else PROSE_RULES if id(node) in owners else ())
        yield from ((node.lineno, complaint) for rule, complaint in rules if rule.search(" ".join(text.split(" "))))
        if id(node) in owners and is_private(owners[id(node)], path) and "\n\n" in node.value.strip():
            yield node.lineno, "the docstring of a private function or a kernel is one sentence"


def breaches_in_comments(text: str) -> Iterator[tuple[int, str]]:
    """Yield lines and complaints about comments."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comment = re.sub(r"`[^`]*`", "`code`", token.string.lstrip("# "))
            rules = (*TEXT_RULES, PROSE_RULES[1])
            yield from ((token.start[0], complaint) for rule, complaint in rules if rule.search(comment))


def breaches_in_calls(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield lines and complaints about tuples that are unpacked where they stand."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Starred) and isinstance(node.value, ast.Tuple | ast.List):
            yield node.lineno, "`*(...)`: write the elements themselves"


def breaches(path: Path) -> list[tuple[int, str]]:
    """Return the lines of a module that break a rule, each with the rule."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    return sorted(
        {
            *breaches_in_names(tree),
            *breaches_in_texts(tree, path),
            *breaches_in_comments(text),
            *breaches_in_calls(tree),
        }
    )


def main() -> None:
    places = [Path(name) for name in sys.argv[1:]] or [PACKAGE]
    files = [file for place in places for file in (sorted(place.rglob("*.py")) if place.is_dir() else [place])]
    total = 0
    for file in files:
        for line, complaint in breaches(file):
            print(f"{file}:{line}: {complaint}")
            total += 1
    print(f"{total} breaches in {len(files)} files")


if __name__ == "__main__":
    main()
