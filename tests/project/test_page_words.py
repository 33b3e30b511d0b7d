"""The pages, the help and the manual page are written in plain words, as far as a program can check them."""

import re
from pathlib import Path

import page_blocks
import pytest
from page_blocks import HOME

from sudoku_encode.cli.app import load_command, paragraphs, parameters
from sudoku_encode.cli.table import COMMANDS, GROUPS
from tests.helpers.plain_words import MESSAGE_RULES, TEXT_RULES

PAGES = [*page_blocks.pages(), HOME / "CONTRIBUTING.md", HOME / ".github" / "SECURITY.md"]
_FENCE = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_START = r"(?:\A(?:[-*] )?|(?<=[.:;!?] )|(?<=\n\n)|(?<=\n[-*] )|(?<=\| ))"

RULES = (
    *TEXT_RULES,
    # The last of them reads a whole text as one paragraph; a page has its own.
    *MESSAGE_RULES[:-1],
    # A clause as the subject: "What is late weighs nothing." A question may begin so, and so may a short heading.
    (re.compile(rf"{_START}(?:What|Whatever|That which|Who|Whoever)\b(?=[^.?!|\n]*[.|\n])"), "a clause as the subject"),
    (re.compile(r"\b(?:says?|prints?|tells?|shows?|lists?|knows?|gives?) what\b"), "a verb with the object `what ...`"),
    (re.compile(r"\bof (?:your|their|its|our) own\b"), '"of your own": "your own ..."'),
    (re.compile(r"\bof (?:theirs|yours)\b"), '"of yours": "your"'),
    (re.compile(r"\b[Oo]ne (?:can|may|must|has to|wants)\b"), '"one can": "you can"'),
    (re.compile(r"\bcomes? along\b"), '"come along": "are included"'),
    (re.compile(r"\bnothing but\b"), '"nothing but": "only"'),
    (re.compile(r"\bwhatever\b"), '"whatever": name the thing'),
)


def prose(page: str) -> str:
    """Return the text of a page without its code, its comments and the targets of its links."""
    text = re.sub(r"\]\([^)\s]*\)", "]", _COMMENT.sub("", _FENCE.sub("", page)))
    return re.sub(r"`[^`\n]*`", "`code`", text)


def breaches(text: str) -> list[str]:
    """Return the places in a text that break a rule, each with the rule."""
    joined = re.sub(r"(?<!\n)\n(?![\n|#*-])", " ", text)
    return [
        f"{' '.join(joined[max(0, match.start() - 40) : match.end() + 40].split())}: {rule}"
        for pattern, rule in RULES
        for match in pattern.finditer(joined)
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(HOME).as_posix())
def test_page_is_plain(page: Path) -> None:
    """A page breaks no rule."""
    lines = breaches(prose(page.read_text(encoding="utf-8")))
    assert not lines, "\n".join(lines)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_plain(name: str) -> None:
    """The help of a command breaks no rule."""
    command = load_command(name)
    with command.make_context(f"sudoku-encode {name}", [], resilient_parsing=True) as ctx:
        takes = parameters(command, ctx, details=True)
    texts = [text for rows in takes.values() for _, text in rows]
    about, details = paragraphs(command)
    assert [each for text in (*about, *details, *texts) for each in breaches(prose(text))] == []


def test_summaries_are_plain() -> None:
    """So do the summaries of commands and groups."""
    texts = (*GROUPS.values(), *(row.summary for row in COMMANDS.values()))
    assert [each for text in texts for each in breaches(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "What is late weighs nothing.",
        "Some text. What givens decide is left out.",
        "- What was found is kept.",
        "| a | What is refused |",
        "The line says what is wrong.",
        "A method declines by name.",
        "Then it says so.",
        "729 and 4096 are alike.",
        "a solver of your own",
        "One can see it.",
        "It is no value.",
        "500 MB of libraries come along.",
    ],
)
def test_breach_in_page_is_found(text: str) -> None:
    """Each rule is seen to be broken once."""
    assert len(breaches(text)) == 1


@pytest.mark.parametrize(
    "text",
    ["What is an encoding? A translation.", "Use your own solver.", "No solution is left."],
)
def test_plain_page_is_accepted(text: str) -> None:
    """The rules leave plain sentences alone."""
    assert breaches(text) == []
