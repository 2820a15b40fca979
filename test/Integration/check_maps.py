#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the ids that maps give to lines of arithmetic are those of the ops that the lines compute.

    check_maps.py [--lines=N] [--seed=N] ARTIFACT...

What is true is taken from the program at the end of phase tensor alone: which ids read which, and which arithmetic each has in its
body. Of all lines of floating point arithmetic in the snapshots of kernels, kernel.ll and kernel.s, N are drawn (500). For each:

    kernel      its ids are listed for its kernel in the manifest
    arithmetic  one of them computes this: an addition is no line of an op that multiplies
    flow        what it reads, followed back to the last arithmetic before (through shuffles, phis and
                registers), comes from an op that its op reads, directly or through others of the kernel, or from its own op;
                and so for the lines that read it

Then each line gets the id of another op of its kernel, and the share found out is printed: a check that found nothing would be none.
A line is a *reader* of what another op computed only where that is known; where the walk ends at an argument or at a label, nothing is
claimed.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys

import snapshot_files

ANY = "any"
# What an op of a body may be once it is compiled: divisions by constants multiply, additions of products are fused.
BECOMES = {"addf": {"add", "sub", "fma"}, "subf": {"sub", "add", "fma"}, "mulf": {"mul", "fma", "add"}, "divf": {"div", "mul"},
           "maximumf": {"max"}, "maxnumf": {"max"}, "minimumf": {"min"}, "minnumf": {"min"}, "negf": {"sub", "mul", "fma"}}
WHOLE_OPS = {"mica.add": BECOMES["addf"], "mica.sub": BECOMES["subf"], "mica.mul": BECOMES["mulf"], "mica.div": BECOMES["divf"],
             "mica.maximum": {"max"}, "mica.minimum": {"min"}, "mica.clamp": {"max", "min"}, "mica.relu": {"max"},
             "mica.matmul": {"mul", "add", "fma"}, "mica.conv2d": {"mul", "add", "fma"}, "mica.max_pool2d": {"max"}}
NO_ARITHMETIC = {"linalg.fill", "linalg.transpose", "linalg.broadcast", "linalg.copy", "tensor.pad", "tensor.empty"}


def read_json(path):
    return json.loads(pathlib.Path(path).read_text())


class Program:
    """The op graph at the end of phase tensor."""

    def __init__(self, artifact):
        passes = read_json(artifact / "passes_dump/index.json")["passes"]
        last = max(p["position"] for p in passes if p["phase"] == "tensor")
        text = subprocess.run(["mica-opt", f"--resume={artifact}:{last}", "--pass-pipeline=builtin.module()", "--mlir-print-op-generic",
                               "--mlir-print-debuginfo", "--mlir-print-local-scope"], check=True, capture_output=True, text=True).stdout
        self.reads, self.computes = collections.defaultdict(set), collections.defaultdict(set)
        sources = {}  # value -> ids that it comes from
        stack = []
        for line in text.splitlines():
            start = re.match(r'\s*(?:(%\w+)(?::\d+)? = )?"([\w.]+)"\(([^)]*)\)', line)
            if start:
                stack.append((start.group(1), start.group(2), re.findall(r"%\w+", start.group(3)), set()))
                if line.rstrip().endswith("({"):
                    continue
            elif not line.lstrip().startswith("})") or not stack:
                continue
            result, kind, operands, body = stack.pop()
            ids = set(re.findall(r'"mica\.op:([0-9a-f]{12})"', line))
            if kind.startswith("arith.") or kind.startswith("math."):
                for outer in stack:
                    outer[3].add(kind)
            if stack and stack[-1][1].startswith("linalg."):
                continue  # part of a body
            read = set().union(*(sources.get(o, set()) for o in operands)) if operands else set()
            sources[result] = ids or read
            for own in ids:
                self.reads[own] |= read
                self.computes[own] |= self.arithmetic(kind, body or {kind})

    @staticmethod
    def arithmetic(kind, body):
        if kind in NO_ARITHMETIC:
            return set()
        result = set()
        if not kind.startswith(("linalg.", "mica.", "tosa.", "arith.", "math.")) or re.search(r"reshape|slice|concat|cast", kind):
            return set()  # views, and what makes no elements
        for inner in body:
            if inner.startswith("math.") or not inner.startswith("arith."):
                return {ANY}
            result |= BECOMES.get(inner.removeprefix("arith."), set())
        return result

    def before(self, start, within):
        """Ids that `start` reads, directly or through ids of `within` and views; itself too."""
        found, todo = set(), [start]
        while todo:
            at = todo.pop()
            if at not in found:
                found.add(at)
                todo += [r for r in self.reads[at] if r in within or not self.computes[r]]
        return found


class Line:
    def __init__(self, kind, ids, file, number):
        self.kind, self.ids, self.file, self.number = kind, ids, file, number
        self.inputs, self.readers = [], []  # lines whose results it reads; those that read its result


def ids_by_line(path):
    table = snapshot_files.read_map(path)
    return {line: frozenset(table["sets"][at]["ids"]) for line, at, _ in snapshot_files.rows(table)}


MLIR = [(r"arith\.addf", "add"), (r"arith\.subf", "sub"), (r"arith\.mulf", "mul"), (r"arith\.divf", "div"),
        (r"(?:vector|math)\.fma", "fma"), (r"vector\.reduction <add>", "add"), (r"arith\.max(?:imum|num)f", "max"),
        (r"arith\.min(?:imum|num)f", "min")]
LLVM = [(r"fadd", "add"), (r"fsub", "sub"), (r"fmul", "mul"), (r"fdiv", "div"), (r"call .*@llvm\.(?:fma|fmuladd)\.", "fma"),
        (r"call .*@llvm\.vector\.reduce\.fadd", "add"), (r"call .*@llvm\.(?:maxnum|maximum)\.", "max"),
        (r"call .*@llvm\.(?:minnum|minimum)\.", "min")]
THROUGH = re.compile(r"vector\.(?:broadcast|shape_cast|extract|insert|shuffle|transpose|reduction)|arith\.select|shufflevector|"
                     r"extractelement|insertelement|select|phi|freeze")


def follow(operands, defined, text_of):
    """The lines of arithmetic that `operands` come from."""
    found, seen, todo = [], set(), list(operands)
    while todo:
        name = todo.pop()
        if name in seen or name not in text_of:
            continue
        seen.add(name)
        if defined.get(name):
            found.append(defined[name])
        elif THROUGH.match(text_of[name][0]):
            todo += text_of[name][1]
    return found


def ssa_lines(path, table):
    """Arithmetic of a file of named values, with what each line reads."""
    ids, result, defined, text_of = ids_by_line(path), [], {}, {}
    has_phis = table is LLVM
    pending = []
    for number, text in enumerate(snapshot_files.read_text(path).splitlines(), 1):
        if re.match(r"\s*(func\.func|llvm\.func|define)\b", text):
            defined, text_of = {}, {}
        match = re.match(r"\s*(%[\w.]+) = (?:(?:tail|musttail|notail) )?(.*)", text)
        if not match:
            continue
        name, rest = match.groups()
        operands = re.findall(r"%[\w.]+", re.split(r" : |, !dbg", rest)[0])
        kind = next((kind for pattern, kind in table if re.match(pattern + r"\b", rest)), None)
        line = Line(kind, ids.get(number, frozenset()), path, number) if kind else None
        if line:
            result.append(line)
            # Regions side by side use the same names; phis name values that come later.
            if has_phis:
                pending.append((line, operands, defined, text_of))
            else:
                line.inputs = follow(operands, defined, text_of)
        text_of[name] = (rest, operands)
        defined[name] = line
    for line, *where in pending:
        line.inputs = follow(*where)
    return result


ASM = re.compile(r"\s+v?(f(?:n)?m(?:add|sub)(?:\d+)?|add|sub|mul|div|max|min)(?:ps|ss|pd|sd)\s+(.*)")
REGISTER = re.compile(r"%[xyz]mm(\d+)")


def asm_lines(path):
    """Arithmetic of an assembly file; registers are followed to the label before."""
    ids, result, holds = ids_by_line(path), [], {}
    for number, text in enumerate(snapshot_files.read_text(path).splitlines(), 1):
        text = text.split("#")[0].rstrip()
        if re.match(r"\S+:", text) or re.match(r"\s+(j\w+|call\w*|ret\w*)\b", text):
            holds = {}
            continue
        registers = REGISTER.findall(text)
        if not registers or text.lstrip().startswith("."):
            continue
        writes = bool(re.search(r"%[xyz]mm\d+\S*(?:\s*\{[^}]*\})*\s*$", text))
        match = ASM.match(text)
        if match:
            fused = match.group(1).startswith("f")
            line = Line("fma" if fused else match.group(1), ids.get(number, frozenset()), path, number)
            reads = registers if fused or (writes and text.lstrip()[0] != "v") else registers[:-1]
            line.inputs = [other for r in reads for other in holds.get(r, [])]
            result.append(line)
            if writes:
                holds[registers[-1]] = [line]
        elif writes:
            moved = [other for r in registers[:-1] for other in holds.get(r, [])]
            loads = "(" in text
            holds[registers[-1]] = [] if loads and not moved else moved
    return result


class Kernel:
    def __init__(self, artifact, record):
        self.ids = set(record["op_ids"])
        folder = artifact / "kernels" / record["name"]
        index = read_json(artifact / "passes_dump/index.json")
        phase = {p["position"]: p["phase"] for p in index["passes"]}
        self.lines = []
        for entry in index["records"]:
            if entry.get("file") and entry["op"] == record["name"] and phase[entry["position"]] == "kernel":
                self.lines += ssa_lines(artifact / "passes_dump" / entry["file"], MLIR)
        self.lines += ssa_lines(folder / "kernel.ll", LLVM) + asm_lines(folder / "kernel.s")
        for line in self.lines:
            for other in line.inputs:
                other.readers.append(line)
        self.known = {}

    def before(self, program, ids):
        """What any of `ids` reads."""
        if ids not in self.known:
            self.known[ids] = set().union(*(program.before(i, self.ids) for i in ids))
        return self.known[ids]


def problem(line, ids, kernel, program):
    """What is wrong with `line` carrying `ids`; None if nothing."""
    if not ids <= kernel.ids:
        return f"ids {sorted(ids - kernel.ids)} are not of the kernel"
    if not any(line.kind in program.computes[i] or ANY in program.computes[i] for i in ids):
        return f"no {line.kind} in {sorted(ids)}"
    for other in line.inputs:
        if other.ids and not other.ids & kernel.before(program, ids):
            return f"reads line {other.number} of {sorted(other.ids)}, which {sorted(ids)} do not read"
    for other in line.readers:
        if other.ids and not ids & kernel.before(program, other.ids):
            return f"line {other.number} of {sorted(other.ids)} reads it, which do not read {sorted(ids)}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("artifacts", nargs="+", type=pathlib.Path)
    parser.add_argument("--lines", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    draw = random.Random(arguments.seed)
    population, bare = [], 0
    for artifact in arguments.artifacts:
        program = Program(artifact)
        for record in read_json(artifact / "manifest.json")["kernels"]:
            kernel = Kernel(artifact, record)
            bare += sum(not line.ids for line in kernel.lines)
            population += [(line, kernel, program) for line in kernel.lines if line.ids]
    sample = draw.sample(population, min(arguments.lines, len(population)))
    wrong, found, changed, flows = 0, 0, 0, 0
    kinds = collections.Counter()
    for line, kernel, program in sample:
        kinds[{".mlir": "snapshots", ".ll": ".ll", ".s": ".s"}[line.file.suffix]] += 1
        flows += any(other.ids for other in line.inputs)
        if said := problem(line, line.ids, kernel, program):
            print(f"FAIL {line.file}:{line.number}: {said}")
            wrong += 1
        others = sorted(i for i in kernel.ids if i not in line.ids and program.computes[i])
        if others:
            changed += 1
            found += problem(line, frozenset([draw.choice(others)]), kernel, program) is not None
    print(f"seed {arguments.seed}: {len(sample)} of {len(population)} lines with ids ({bare} without): "
          + ", ".join(f"{count} in {kind}" for kind, count in sorted(kinds.items()))
          + f"; {flows} read what another line computed; {wrong} wrong")
    share = 100 * found // max(1, changed)
    print(f"with an id of another op of the kernel: {found} of {changed} found ({share} %)")
    return 1 if wrong or len(sample) < arguments.lines or share < 45 else 0


if __name__ == "__main__":
    sys.exit(main())
