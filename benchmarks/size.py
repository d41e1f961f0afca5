"""How large the product is, how its modules hang together, and which names the glossary bans.

The product is `bridge_arena/` and the rooms that it has links to: no tests, benchmarks, research or
documents.

Run: python -m benchmarks.size [--names]
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.figures import table

_HOUSE = Path(__file__).resolve().parent.parent
_FACE = _HOUSE / "bridge_arena"
_GLOSSARY = _HOUSE / "docs" / "glossary.md"


@dataclass(frozen=True)
class Module:
    """A module of the product."""

    name: str  # with dots
    room: str
    path: Path
    text: str

    @property
    def package(self) -> str:
        return self.name if self.path.stem == "__init__" else self.name.rpartition(".")[0]


def main() -> int:
    parser = argparse.ArgumentParser(description="How large the product is, and how connected.")
    parser.add_argument(
        "--names",
        action="store_true",
        help="list names with banned words; fail if any is",
    )
    modules = _modules()
    banned = list(banned_names(modules))
    if parser.parse_args().names:
        print(*banned, f"{len(banned)} names have words that the glossary bans", sep="\n")
        return int(bool(banned))
    _print_sizes(modules)
    imports = {module.name: _imports(module, modules) for module in modules.values()}
    print(f"\nlongest chain of imports: {_longest_chain(imports)} modules")
    print(f"modules that only one module imports, a sibling: {_for_one_sibling(imports)}")
    print(f"names with words that the glossary bans: {len(banned)}")
    return 0


def _modules() -> dict[str, Module]:
    """Read all modules of the product, by their dotted names."""
    rooms = [_FACE, *(_HOUSE / link.name for link in sorted(_FACE.iterdir()) if link.is_symlink())]
    modules = {}
    for room in rooms:
        for path in sorted(room.rglob("*.py")):
            parts = list(path.relative_to(_HOUSE).with_suffix("").parts)
            if room != _FACE:
                parts.insert(0, _FACE.name)
            if parts[-1] == "__init__":
                parts.pop()
            name = ".".join(parts)
            modules[name] = Module(name, room.name, path, path.read_text(encoding="utf-8"))
    return modules


def _print_sizes(modules: Mapping[str, Module]) -> None:
    files, lines = Counter[str](), Counter[str]()
    for module in modules.values():
        files[module.room] += 1
        lines[module.room] += module.text.count("\n")
    rows = [[room, f"{files[room]:,}", f"{lines[room]:,}"] for room in sorted(files)]
    rows.append(["all", f"{files.total():,}", f"{lines.total():,}"])
    print(table(["room", "files", "lines"], rows))


def _imports(module: Module, modules: Mapping[str, Module]) -> set[str]:
    """Collect the modules of the product that `module` imports as it is loaded."""
    imported = set[str]()
    for node in _loaded_statements(ast.parse(module.text)):
        if isinstance(node, ast.Import):
            imported.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                imported.add(submodule if submodule in modules else node.module)
    return (imported & modules.keys()) - {module.name}


def _loaded_statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Walk through what runs when a module is loaded: not functions or what type checkers need."""
    for node in ast.iter_child_nodes(tree):
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if is_function or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            continue
        yield node
        yield from _loaded_statements(node)


def _longest_chain(imports: Mapping[str, set[str]]) -> int:
    """Count the modules of the longest chain in which each imports the next."""
    open_modules = set[str]()

    @cache
    def length(name: str) -> int:
        open_modules.add(name)
        # A package and its module may import each other: the chain ends where it would go round.
        longest = max((length(other) for other in imports[name] - open_modules), default=0)
        open_modules.remove(name)
        return 1 + longest

    return max(map(length, imports))


def _for_one_sibling(imports: Mapping[str, set[str]]) -> int:
    """Count the modules that only one module imports, which is in the same folder."""
    users = defaultdict[str, list[str]](list)
    for user, names in imports.items():
        for name in names:
            users[name].append(user)
    return sum(
        len(others) == 1 and others[0].rpartition(".")[0] == name.rpartition(".")[0]
        for name, others in users.items()
    )


def banned_names(modules: Mapping[str, Module]) -> Iterator[str]:
    """Tell where names are bound that have a word which the glossary bans, and the words."""
    words, allowed = _read_glossary()
    for module in modules.values():
        file = module.path.relative_to(_HOUSE).as_posix()
        bound = [(part, 1) for part in module.name.split(".")] + list(_bound_names(module.text))
        for name, line in bound:
            parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)
            banned = words.intersection(map(str.lower, parts))
            if banned and (name, file) not in allowed:
                yield f"{file}:{line}: {name} ({', '.join(sorted(banned))})"


def _read_glossary() -> tuple[set[str], set[tuple[str, str]]]:
    """Read which words names may not have, and which names have them nevertheless, and where."""
    text = _GLOSSARY.read_text(encoding="utf-8")
    banned, _, exceptions = text.partition("## Words that names do not have")[2].partition("\n### ")
    words = {word for first, *_ in _rows(banned) for word in first}
    return words, {
        (name, file) for names, files, *_ in _rows(exceptions) for name in names for file in files
    }


def _rows(text: str) -> Iterator[list[list[str]]]:
    """Yield the rows of tables: what stands as code in each cell."""
    for row in re.findall(r"^\| (`.*) \|$", text, re.MULTILINE):
        yield [re.findall(r"`([^`]+)`", cell) for cell in row.split(" | ")]


def _bound_names(text: str) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name, node.lineno
            case ast.Name(ctx=ast.Store()):
                yield node.id, node.lineno
            case ast.Attribute(ctx=ast.Store()):
                yield node.attr, node.lineno
            case ast.arg():
                yield node.arg, node.lineno
            case ast.alias(asname=str(name)):
                yield name, node.lineno
            case _:
                pass


if __name__ == "__main__":
    sys.exit(main())
