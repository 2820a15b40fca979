#!/usr/bin/env python3
"""Lowers the example of every op of mica by the reference lowering, with every element type that the op takes instead of its own.

usage: every_op.py SOURCE_DIR WORK_DIR
"""
import pathlib
import re
import subprocess
import sys

FLOATS = ["f32", "f64", "f16", "bf16", "f8E4M3FN", "f8E5M2"]
INTEGERS = ["i32", "i64", "i16", "i8", "i4", "i1"]
SEPARATOR = "\n// -----\n"


def run(file, *flags):
    """The numbers of the chunks that mica-opt refuses, and what it says."""
    done = subprocess.run(["mica-opt", "--split-input-file", str(file), "-o", "/dev/null", *flags], capture_output=True, text=True)
    lines = file.read_text().split("\n")
    chunkOf, number = {}, 0
    for at, line in enumerate(lines, 1):
        number += line == SEPARATOR.strip()
        chunkOf[at] = number
    bad = {chunkOf[int(at)] for at in re.findall(r"\.mlir:(\d+):\d+: error:", done.stderr)}
    if done.returncode not in (0, 1):
        sys.exit(f"mica-opt ends with {done.returncode}: {done.stderr[-2000:]}")
    return bad, done.stderr


def main():
    source, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    examples = []
    for file in sorted((source / "dialects" / "Mica" / "IR").glob("*Ops.td")):
        examples += re.findall(r"```mlir\n(.*?)```", file.read_text(), re.S)
    examples = ["\n".join(line[4:] for line in text.split("\n")) for text in examples]
    chunks = []
    for text in examples:
        variants = {text}
        for types in (FLOATS, INTEGERS):
            for old in types:
                # Not in `min = 0.0 : f32`, whose number says a type too: those are replaced alike.
                if re.search(rf"(?<![a-zA-Z0-9]){old}(?![a-zA-Z0-9])|x{old}>", text):
                    for new in FLOATS + INTEGERS:
                        variants.add(re.sub(rf"(?<=[x< ]){old}(?![a-zA-Z0-9])", new, text))
        chunks += sorted(variants)
    file = work / "examples.mlir"
    file.write_text(SEPARATOR.join(chunks))
    bad, _ = run(file)
    good = [text for number, text in enumerate(chunks) if number not in bad]
    file.write_text(SEPARATOR.join(good))
    bad, errors = run(file, "--mica-reference-lowering=emulated-floats=f16,bf16")
    names = set(re.findall(r"mica\.(\w+)", "\n".join(good)))
    print(errors[-3000:])
    print(f"{len(names)} ops, {len(good)} programs, {len(bad)} not lowered")
    sys.exit(1 if bad or errors else 0)


main()
