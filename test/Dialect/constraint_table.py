#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The labelled constraints of the ops of a dialect, and the negative tests of each, as a table of docs/Dialects/Constraints.md.

usage: constraint_table.py DIALECT FOLDER_OF_TD_FILES FOLDER_OF_TESTS --table=PAGE.md [--write]

A negative test of constraint Cn of an op is a part of a file *invalid*.mlir in which an `expected-error` stands before that op and begins
with the label (Cn), or is in a function `@<op>_cn`: what ODS checks has no label. An error at another op begins with "(Cn) of <op>:". A
constraint without a test is a failure. So is a table between the marks `<DIALECT>:begin` and `<DIALECT>:end` of the page that differs from
what this script makes; --write writes it.
"""
import argparse
import pathlib
import re
import sys


def constraints(folder):
    """(op, label) -> text, in the order of the TableGen files in `folder`."""
    found = {}
    for path in sorted(folder.glob("*Ops.td")):
        for match in re.finditer(r'^def \w+Op\s*:\s*\w+<"(\w+)".*?^}', path.read_text(), re.S | re.M):
            part = re.search(r"Constraints:\n(.*?)\n\s*\n", match.group(0), re.S)
            for item in re.split(r"\n\s*- ", "\n" + part.group(1))[1:] if part else []:
                if labelled := re.match(r"\((C\d+)\) (.*)", " ".join(item.split())):
                    found[match.group(1), labelled.group(1)] = labelled.group(2).rstrip(".;")
    return found


def tests(folder, dialect):
    """(op, label) -> the negative tests, "file: `@function`", or "file:line" where no function is named after the label."""
    found = {}
    for path in sorted(folder.glob("*invalid*.mlir")):
        line = 1
        for chunk in path.read_text().split("// -----\n"):
            for match in re.finditer(r"expected-error ?(?:@[^ ]+)? \{\{(.*)\}\}\n(?:\s*//.*\n)*(.*)", chunk):
                op = re.search(rf"{dialect}\.(\w+)", match.group(2))
                name = re.search(r"@(\w+_c(\d+)\w*)", chunk)
                label = re.match(r"\((C\d+)\)(?: of (\w+):)?", match.group(1))
                owner = label.group(2) if label and label.group(2) else op and op.group(1)
                label = label.group(1) if label else "C" + name.group(2) if name else None
                if owner and label:
                    at = f"`@{name.group(1)}`" if name else "line " + str(line + chunk[:match.start(2)].count("\n"))
                    found.setdefault((owner, label), []).append(f"{path.name}: {at}")
            line += chunk.count("\n") + 1
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dialect")
    parser.add_argument("definitions", type=pathlib.Path)
    parser.add_argument("tests", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path, required=True)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    listed, tested = constraints(options.definitions), tests(options.tests, options.dialect)
    failures = [f"{options.dialect}.{op} ({label}): no negative test" for op, label in listed if (op, label) not in tested]
    rows = ["| op | | constraint | test |", "|---|---|---|---|"]
    rows += [f"| `{options.dialect}.{op}` | {label} | {text} | {'; '.join(dict.fromkeys(tested.get((op, label), [])))} |" for (op, label), text in listed.items()]
    table = "\n".join(rows) + "\n"
    page, begin, end = options.table.read_text(), f"<!-- {options.dialect}:begin -->\n", f"<!-- {options.dialect}:end -->"
    now = page[page.index(begin) + len(begin):page.index(end)]
    if options.write:
        options.table.write_text(page.replace(begin + now + end, begin + table + end))
    elif now != table:
        failures.append(f"{options.table} has another table; constraint_table.py --write writes the right one")
    print("\n".join(failures + [f"{options.dialect}: {len(listed)} constraints, {len(failures)} failures"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
