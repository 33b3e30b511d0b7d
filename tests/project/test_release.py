"""What is published: its version, who may use it, what is in the archives, and that the wheel works by itself."""

import importlib.metadata
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

import sudoku_encode
from tests.helpers import paper_findings

HOME = Path(__file__).parents[2]
PROJECT = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((HOME / ".github" / "workflows").glob("*.yml"))
CITATION = yaml.safe_load((HOME / "CITATION.cff").read_text(encoding="utf-8"))


def tracked() -> set[str]:
    """Return the files that the project consists of."""
    listed = subprocess.run(["git", "ls-files"], cwd=HOME, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is no checkout of git")
    return {name for name in listed.stdout.splitlines() if (HOME / name).exists()}


def words(text: str) -> str:
    return " ".join(text.split())


def test_version() -> None:
    """The version is written once and read by all others."""
    version = sudoku_encode.__version__
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "sudoku_encode/__init__.py"
    assert CITATION["version"] == version
    headings = re.findall(r"^## \[(.+?)\]", (HOME / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[:2] == ["Unreleased", version]


def test_licence() -> None:
    """The licence is there and named alike everywhere."""
    text = (HOME / "LICENSE").read_text(encoding="utf-8")
    assert PROJECT["project"]["license"] == CITATION["license"] == "Apache-2.0"
    assert words(text).startswith("Apache License Version 2.0, January 2004")
    assert "END OF TERMS AND CONDITIONS" in text
    assert "Copyright 2026 the sudoku_encode authors" in text


def test_cited_papers() -> None:
    """The papers that are cited are those of the references."""
    references = words((HOME / "docs" / "methods.md").read_text(encoding="utf-8")).partition("## Sudoku")[0]
    assert len(CITATION["references"]) == 5
    for reference in CITATION["references"]:
        known = reference["title"].removeprefix("A faster ")
        assert known in references, known
        assert [a["family-names"] for a in reference["authors"] if a.get("family-names", "") not in references] == []
        assert str(reference.get("year", "")) in references


def test_top_level() -> None:
    """Nothing else lies at the top."""
    tops = {name.partition("/")[0] for name in tracked()}
    wanted = {"CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "README.md", "pyproject.toml"}
    assert {top for top in tops if not top.startswith(".")} == wanted | {
        *("docs", "instances", "scripts", "sudoku_encode", "tests")
    }


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows(path: Path) -> None:
    """A workflow pins what it uses and may do no more than it needs."""
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        assert job["timeout-minutes"] <= 90, name
        assert job.get("permissions", {}) == ({"id-token": "write"} if name == "publish" else {}), name
        used = [step["uses"] for step in job["steps"] if "uses" in step]
        assert [action for action in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action)] == [], name
    versions = re.findall(r"uses: \S+ # (\S+)", path.read_text(encoding="utf-8"))
    assert len(versions) == path.read_text(encoding="utf-8").count("uses: ")
    assert all(re.fullmatch(r"v\d+\.\d+\.\d+", version) for version in versions)


def test_tried_is_published() -> None:
    """What is tried is what is published."""
    workflow = yaml.safe_load((HOME / ".github" / "workflows" / "publish.yml").read_text(encoding="utf-8"))
    build, publish = workflow["jobs"]["build"], workflow["jobs"]["publish"]
    # YAML takes the key `on` for true.
    assert workflow[True] == {"push": {"tags": ["v*"]}}
    assert any("scripts/release dist" in step.get("run", "") for step in build["steps"])
    assert publish["needs"] == "build"
    assert publish["environment"] == {"name": "pypi"}
    assert [step["uses"].partition("@")[0] for step in publish["steps"]] == [
        "actions/download-artifact",
        "pypa/gh-action-pypi-publish",
    ]


def test_python_versions() -> None:
    """The versions of Python are the same in the classifiers and in ci."""
    workflow = yaml.safe_load((HOME / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    classifiers = PROJECT["project"]["classifiers"]
    said = [text.rpartition(" ")[2] for text in classifiers if re.fullmatch(r".* :: 3\.\d+", text)]
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["python"] == said
    assert PROJECT["project"]["requires-python"] == f">={said[0]}"


@pytest.mark.parametrize("name", ["lowest", "newest"])
def test_constraints_file(name: str) -> None:
    """Constraints name one version of each dependency."""
    text = (HOME / ".github" / "constraints" / f"{name}.txt").read_text(encoding="utf-8")
    exact = dict(re.findall(r"^([\w-]+)==(\S+)$", text, re.MULTILINE))
    extras = PROJECT["project"]["optional-dependencies"]
    asked = [
        *PROJECT["project"]["dependencies"],
        *(one for extra in extras if extra not in ("all", "fuzz") for one in extras[extra]),
    ]
    for requirement in asked:
        package = re.split(r"[^\w-]", requirement)[0]
        assert package in exact, package
        least = re.search(r">=([\w.]+)", requirement)
        if name == "lowest" and least:
            assert exact[package].startswith(least[1]), package


def required(requirements: list[str]) -> dict[str, importlib.metadata.Distribution]:
    """Return the installed packages that some requirements need, by their names: those that these need among them."""
    packages: dict[str, importlib.metadata.Distribution] = {}
    todo = [Requirement(text) for text in requirements]
    while todo:
        requirement = todo.pop()
        if requirement.name not in packages and (not requirement.marker or requirement.marker.evaluate({"extra": ""})):
            packages[requirement.name] = package = importlib.metadata.distribution(requirement.name)
            todo += map(Requirement, package.requires or ())
    return packages


def link_packages(requirements: list[str], folder: Path) -> None:
    """Link what some requirements need into a folder, and nothing else: a new environment has them at once."""
    folder.mkdir()
    for package in required(requirements).values():
        tops = {(file.parts[0], Path(str(package.locate_file(file.parts[0])))) for file in package.files or ()}
        for name, place in tops:
            if name not in ("..", "__pycache__") and not (folder / name).is_symlink():
                (folder / name).symlink_to(place.resolve())


@pytest.fixture(scope="module")
def built() -> tuple[Path, str]:
    """Run scripts/release, once for all workers; return the folder of the archives and what was said."""
    dist, packages = (paper_findings.run_folder() / name for name in ("dist", "packages"))
    environment: dict[str, Any] = {
        **os.environ,
        "VIRTUAL_ENV": sys.prefix,
        # What is installed for a moment is not compiled, but for the modules that run.
        "PIP_NO_COMPILE": "1",
        # Nor are 500 MB unpacked once more. That an index has them is seen where the release is published.
        "DEPENDENCIES": str(packages),
    }

    def release() -> tuple[int, str, str]:
        link_packages(PROJECT["project"]["dependencies"], packages)
        command = [HOME / "scripts" / "release", dist]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900, check=False)
        return done.returncode, done.stdout, done.stderr

    status, said, errors = paper_findings.once("released", release)
    assert status == 0, said + errors
    return dist, said


@pytest.mark.slow
def test_wheel_works(built: tuple[Path, str]) -> None:
    """The wheel works in an environment of its own."""
    dist, said = built
    version = sudoku_encode.__version__
    assert said.count("PASSED") == 2
    assert f"\nsudoku-encode {version}\n" in said
    assert {path.name for path in dist.iterdir()} == {
        f"sudoku_encode-{version}-py3-none-any.whl",
        f"sudoku_encode-{version}.tar.gz",
    }


@pytest.mark.slow
def test_wheel_contents(built: tuple[Path, str]) -> None:
    """The wheel holds the package the puzzles and nothing else."""
    (wheel,) = built[0].glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    sources = {path.relative_to(HOME).as_posix() for path in (HOME / "sudoku_encode").rglob("*") if path.is_file()}
    puzzles = {f"sudoku_encode/{path.relative_to(HOME)}" for path in (HOME / "instances").rglob("*") if path.is_file()}
    own = {name for name in names if not re.match(r"sudoku_encode-[\d.]+\.(dist-info|data)/", name)}
    assert own == {name for name in sources | puzzles if "__pycache__" not in name}
    assert "sudoku_encode/py.typed" in own


@pytest.mark.slow
def test_source_archive(built: tuple[Path, str]) -> None:
    """The source archive holds what is needed and nothing else."""
    (archive,) = built[0].glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    files = tracked()
    assert names - files == {"PKG-INFO"}
    assert files - names == set()
