#!/usr/bin/env python3
"""Writes how each operation of Mica's dialects is written, for errors about text that does not parse.

usage: op_grammar.py SOURCE_DIR OUTPUT.inc --mlir-tblgen PATH --mlir-include DIR

One line per operation, {"mica.argmax", GRAMMAR, EXAMPLE}: the grammar as the pages in docs/Dialects have it, without the marks of literals and
without the braces around clauses that go in any order, which is said instead; the first line of the page's example that has the operation, or "".
An operation with a parser of its own has no line.
"""
import argparse
import pathlib
import re
import subprocess

import assembly_format

LISTING = re.compile(r"^operation ::= (`(mica[\w.]*)`.*?)^```(.*?)(?=^### |\Z)", re.M | re.S)


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def example_of(op, page):
    """The first use of `op` in an example of `page`, if it is on one line."""
    for block in re.findall(r"^```mlir\n(.*?)^```", page, re.M | re.S):
        for line in re.sub(r"\n\s*:", " :", block).splitlines():
            if re.search(re.escape(op) + r"(?![\w.])", line.split("//")[0]):
                line = line.split(" //")[0].strip()
                return line if not line.endswith(("{", ",", "(")) and line.count("(") == line.count(")") and line.count("{") == line.count("}") else ""
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--mlir-tblgen", required=True)
    parser.add_argument("--mlir-include", required=True)
    options = parser.parse_args()
    lines = []
    for file in sorted(options.source.glob("dialects/*/IR/*Ops.td")):
        if file.stem != file.parent.parent.name + "Ops":
            continue # part of another file
        text = subprocess.run([options.mlir_tblgen, "-gen-op-doc", f"-I{options.source}", f"-I{options.mlir_include}", str(file)],
                              check=True, capture_output=True, text=True).stdout
        for grammar, op, page in LISTING.findall(assembly_format.readable(text)):
            grammar, any_order = re.subn(r"(?<!`)\{ (.*?) \}(?!`)", r"\1", grammar, flags=re.S)
            shown = re.sub(r"\s+", " ", grammar.replace("`", "").replace("^", "")).strip()
            shown = re.sub(r" ([,)\]>])", r"\1", re.sub(r"([(\[<]) ", r"\1", shown))
            shown += " (clauses in any order)" if any_order else ""
            lines.append("{%s},\n" % ", ".join(map(quoted, (op, shown, example_of(op, page)))))
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text("".join(sorted(lines)))


if __name__ == "__main__":
    main()
