#!/usr/bin/env python3
"""Follows a page that adds something step by step, on a copy of the tree, and builds and runs what it says.

usage: follow_walk.py PAGE.md SOURCE_DIR COPY_DIR COMMAND...

"Create `FILE`" before a listing makes the file. "In `FILE`" or "to ... in `FILE`" before one edits it: lines of the listing that the file
has already say where the others go, behind the line before them or in front of the line after them; a definition that the file has with another
value is changed; without any such line the listing goes before the file's last #endif, or at the end of a test. Lists of names in a table of contents or a CMakeLists.txt are
edited the same way. A diff replaces its "-" lines, which the file has once, by its "+" lines. Then each COMMAND runs in the copy, in a shell; one
that fails fails the walk. Listings that say nothing of a file are skipped, and counted.
"""
import pathlib
import re
import shutil
import subprocess
import sys


def listings(page):
    """(text before, language, lines) of every fenced listing."""
    before, found, inside = [], [], None
    for line in page.read_text().splitlines():
        if line.startswith("```"):
            if inside is None:
                inside = (line[3:], [])
            else:
                found.append((" ".join(before), *inside))
                before, inside = [], None
        elif inside is not None:
            inside[1].append(line)
        elif line.startswith("#"):
            before = []
        elif line.strip():
            before.append(line.strip())
    return found


def insert(file, new):
    """Puts the lines of `new` that `file` lacks where the others are."""
    lines = file.read_text().splitlines()
    # A line that says where: long enough to be no brace, and in the file once.
    known = [k for k, line in enumerate(new) if len(line.strip()) > 8 and lines.count(line) == 1]
    if file.suffix == ".td":
        known = []
    # A definition that the file has with another value is changed.
    for k, line in enumerate(new):
        name = line.partition(" = ")[0] + " = "
        same = [i for i, other in enumerate(lines) if other.startswith(name)]
        if k not in known and " = " in line and len(same) == 1 and file.suffix != ".td" and not line.startswith("    "):
            lines[same[0]] = line
            known = sorted([*known, k])
    fresh = [k for k in range(len(new)) if k not in known]
    if not known and file.suffix == ".mlir":
        lines += ["", *new]
    elif not known:
        at = max(k for k, line in enumerate(lines) if line.startswith("#endif"))
        lines[at:at] = [*new, ""]
    elif all(k > known[0] for k in fresh):
        at = lines.index(new[known[0]]) + 1
        lines[at:at] = [new[k] for k in fresh]
    else:
        at = lines.index(new[known[-1]])
        lines[at:at] = [new[k] for k in fresh]
    file.write_text("\n".join(lines) + "\n")


def replace(file, diff):
    """Replaces the "-" lines of `diff` in `file` by its "+" lines."""
    old = "\n".join(line[1:] for line in diff if line[0] != "+") + "\n"
    new = "\n".join(line[1:] for line in diff if line[0] != "-") + "\n"
    text = file.read_text()
    if text.count(old) != 1:
        sys.exit(f"{file}: has {text.count(old)} times, expected once:\n{old}")
    file.write_text(text.replace(old, new))


def main():
    page, source, copy = (pathlib.Path(argument) for argument in sys.argv[1:4])
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(source, copy, symlinks=True, ignore=lambda folder, names: [n for n in names if n.startswith(("build", ".git"))])
    created = edited = skipped = 0
    for before, language, lines in listings(page):
        # The last file that the text names; whether it is new.
        files = re.findall(r"`([\w./-]+\.(?:cpp|h|td|txt|mlir|test|c|py))`", before)
        files = [name for name in files if "/" in name]
        if not files:
            skipped += 1
            continue
        # "Create `x`", or the last one that is edited.
        new = re.search(r"[Cc]reate `([^`]+)`", before)
        file = copy / (new[1] if new else files[-1])
        if new:
            if file.exists():
                sys.exit(f"{page.name}: creates {file.relative_to(copy)}, which exists")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("\n".join(lines) + "\n")
            created += 1
        elif file.exists():
            (replace if language == "diff" else insert)(file, lines)
            edited += 1
        else:
            sys.exit(f"{page.name}: edits {file.relative_to(copy)}, which does not exist")
    print(f"{page.name}: {created} files created, {edited} edited, {skipped} listings without a file", flush=True)
    for command in sys.argv[4:]:
        print(f"$ {command}", flush=True)
        done = subprocess.run(command, shell=True, cwd=copy, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{done.stdout[-4000:]}{done.stderr[-4000:]}\nexit code {done.returncode}")
    print("followed")


main()
