#!/usr/bin/env python3
"""Holds the JSON files of folders against the table of include/mica/Support/Schemas.h.

usage: schemas.py SOURCE_DIR FOLDER...
Each file whose name is in the table must have its format, its version and its members, no others. Prints what is wrong, and which rows were
met by no file.
"""
import json
import pathlib
import re
import sys

ROW = re.compile(r'\{Schema::(\w+), "([^"]+)", "([^"]*)", (\d+), (\d+),\s+"([^"]*)"\}')


def wrong_in(head, row):
    name, file, form, major, minor, members = row
    if form.startswith("mica."):
        expected = {"schema": form, "version": int(major)}
    elif form:
        expected = {"format": form, "schema": f"{major}.{minor}"}
    else:
        expected = {"schema": int(major)}
    for key, value in expected.items():
        if head.get(key) != value:
            yield f"{key} is {head.get(key)!r}, expected {value!r}"
    known = {member.rstrip("?"): member.endswith("?") for member in members.split()}
    for key in head.keys() - known.keys() - expected.keys():
        yield f"member {key} is not in the table"
    for key in (key for key, optional in known.items() if not optional and key not in head):
        yield f"member {key} is missing"


def main():
    rows = ROW.findall((pathlib.Path(sys.argv[1]) / "include/mica/Support/Schemas.h").read_text())
    met, wrong = set(), 0
    for folder in sys.argv[2:]:
        for file in sorted(pathlib.Path(folder).rglob("*.json*")):
            row = next((row for row in rows if file.name == row[1] or (row[1].startswith(".") and file.name.endswith(row[1]))), None)
            if not row:
                continue
            met.add(row[0])
            text = file.read_text()
            head = json.loads(text.split("\n", 1)[0] if file.suffix == ".jsonl" else text)
            for what in wrong_in(head, row):
                wrong += 1
                print(f"{file.name}: {what}")
    print(f"{len(rows)} rows, not met: " + (", ".join(row[0] for row in rows if row[0] not in met) or "none"))
    sys.exit(1 if wrong else 0)


main()
