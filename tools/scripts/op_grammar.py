#!/usr/bin/env python3
"""Writes how each operation of Mica's dialects is written, for errors about text that does not parse.

usage: op_grammar.py SOURCE_DIR OUTPUT.inc --mlir-tblgen PATH --mlir-include DIR

One line per operation: {"mica.add", "mica.add $lhs, $rhs attr-dict : (type | functional-type(operands, results))"}, as the pages in docs/Dialects
have it, without the marks of literals: clauses in braces go in any order. An operation with a parser of its own has no line.
"""
import argparse
import pathlib
import re
import subprocess

import assembly_format

LISTING = re.compile(r"^operation ::= (`(mica[\w.]*)`.*?)^```", re.M | re.S)


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
        for grammar, op in LISTING.findall(assembly_format.readable(text)):
            shown = re.sub(r"\s+", " ", grammar.replace("`", "").replace("^", "")).strip()
            shown = re.sub(r" ([,)\]>])", r"\1", re.sub(r"([(\[<]) ", r"\1", shown))
            lines.append('{"%s", "%s"},\n' % (op, shown.replace("\\", "\\\\").replace('"', '\\"')))
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text("".join(sorted(lines)))


main()
