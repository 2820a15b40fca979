#!/usr/bin/env python3
"""Writes what hovering over the name of an operation shows: summary, constraints, types.

usage: op_pages.py SOURCE_DIR OUTPUT.inc --mlir-tblgen PATH --mlir-include DIR

One line per operation, {"mica.argmax", PAGE}, in the order of names: those of Mica's dialects, and of the dialects of MLIR that programs are written
in. PAGE is markdown, made of the documentation in TableGen: the summary, the constraints (C1) ... of the description, else its first paragraph, and
a line for each attribute, operand and result.
"""
import argparse
import pathlib
import re
import subprocess

from op_grammar import quoted

OF_STABLEHLO = ("CHLOOps", "CheckOps", "SdyOps", "StableHLOProgramOps")  # dialects of their own, or parts of one
UPSTREAM = ("Affine/IR/AffineOps", "Arith/IR/ArithOps", "Bufferization/IR/BufferizationOps", "Complex/IR/ComplexOps", "ControlFlow/IR/ControlFlowOps",
            "Func/IR/FuncOps", "GPU/IR/GPUOps", "Linalg/IR/LinalgOps", "Linalg/IR/LinalgStructuredOps", "Linalg/IR/LinalgRelayoutOps", "Math/IR/MathOps",
            "MemRef/IR/MemRefOps", "SCF/IR/SCFOps", "Tensor/IR/TensorOps", "Tosa/IR/TosaOps", "Vector/IR/VectorOps")
OP = re.compile(r"^### `([\w.$]+)` \(.*?\)\n(.*?)(?=^### |^## |\Z)", re.M | re.S)
ROW = re.compile(r"^\| `(\w+)` \| (.*?) \|$", re.M)
ATTRIBUTE = re.compile(r"<tr><td><code>(\w+)</code></td><td>.*?</td><td>(.*?)</td></tr>", re.S)


def page_of(op, text):
    head, *tables = re.split(r"^#### (\w+):\n", text, flags=re.M)
    summary = re.search(r"^_(.*?)_$", head, re.M | re.S)
    lines = [f"**`{op}`**" + (": " + " ".join(summary.group(1).split()) if summary else "")]
    # Without the syntax, and the lists of traits at the end.
    body = re.sub(r"^Syntax:\n\n```.*?^```\n", "", head, flags=re.M | re.S).replace(summary.group(0) if summary else "", "")
    body = re.split(r"^(?:Traits|Interfaces|Effects): ", body, maxsplit=1, flags=re.M)[0]
    constraints = re.search(r"^Constraints:\n((?:- .*\n(?:  .*\n)*)+)", body, re.M)
    if constraints:
        lines += ["", constraints.group(0).strip()]
    elif paragraphs := [p for p in body.strip().split("\n\n") if p and not p.startswith(("```", "#", "<"))]:
        lines += ["", " ".join(paragraphs[0].split())]
    for kind, table in zip(tables[::2], tables[1::2]):
        rows = ATTRIBUTE.findall(table) if kind == "Attributes" else ROW.findall(table)
        if rows:
            lines += ["", f"{kind}:"] + [f"- `{name}`: {' '.join(re.sub('<.*?>', ' ', what).split())}" for name, what in rows]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--mlir-tblgen", required=True)
    parser.add_argument("--mlir-include", required=True)
    options = parser.parse_args()
    own = sorted(options.source.glob("dialects/*/IR/*Ops.td"))
    files = [f for f in own if f.stem == f.parent.parent.name + "Ops" or f.stem in OF_STABLEHLO]
    files += [pathlib.Path(options.mlir_include) / "mlir" / "Dialect" / f"{name}.td" for name in UPSTREAM]
    pages = {}
    for file in files:
        if not file.exists():
            continue # of another version of MLIR
        text = subprocess.run([options.mlir_tblgen, "-gen-op-doc", f"-I{options.source}", f"-I{options.mlir_include}", f"-I{file.parent}", str(file)],
                              check=True, capture_output=True, text=True).stdout
        for op, page in OP.findall(text):
            pages.setdefault(op, page_of(op, page))
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text("".join("{%s, %s},\n" % (quoted(op), quoted(page).replace("\n", "\\n")) for op, page in sorted(pages.items())))


if __name__ == "__main__":
    main()
