#!/usr/bin/env python3
"""Compiles and runs every case of tables of operations and compares each result with the reference evaluator.

usage: harness.py TABLE.py... --work=DIR [--results=FILE.jsonl] [--only=TEXT] [--every=N] [--share=K/N] [--form=FORM] [--together=N]
                  [--compile-only] [--flags="-O0 ..."] [--list]

A table is a Python file with a function cases() that yields case(...) objects; see elementwise.py. A case is a few lines
of IR on arguments %a, %b, .. with results %r, %s, ..; it is compiled with static shapes and, unless it says otherwise,
once more with dynamic ones, run on the same inputs, and compared by `mica-run --check-reference` with the tolerance of its
element type. --form=turn takes each in one of its forms, in turn. All cases of one op (of N, with --together) are compiled as one program; where that fails, each is compiled alone, so that every
failure has the name of its case.

--results writes one JSON object per line, one line per case and form:
  {"op": "add", "case": "add-f32", "dtype": "f32", "dynamic": false, "target": "cpu", "result": "agrees", "detail": ""}
`result` is "agrees", "differs", "not compared" (most elements are undefined), "not compiled" or "not run". A table also says with refused(...) what an operation does not take;
mica-opt has to refuse that by the constraint that the table names, and `result` is "refused" or "not refused". Exit code 0:
all agree or are refused; 1: not all; 2: a table is wrong.
"""
import argparse
import bisect
import importlib.util
import json
import math
import pathlib
import re
import shlex
import string
import subprocess
import sys

FLOATS = ["f64", "f32", "f16", "bf16", "f8E4M3FN", "f8E5M2"]
INTS = ["i64", "i32", "i16", "i8", "i4"]
BOOL = ["i1"]
NUMBERS = FLOATS + INTS
# The tolerance of what is exact also on floats.
EXACT = "--rtol=0 --atol=0"

GOOD = ("agrees", "refused")

# Inputs unless a case names its own: all of the small integers, so that results wrap around.
RANGES = {"i64": (-1000000, 1000000), "i32": (-100000, 100000), "i16": (-32768, 32768), "i8": (-128, 128), "i4": (-8, 8),
          "i1": (0, 2), "index": (0, 10)}


class Tensor:
    """An argument or result: `shape` is "7x33", "" for a scalar tensor, and "7x=33" where the 33 stays static in the
    dynamic form (as every 1 does). `values` is the right side of --input=TYPE=: "1,2,3", "0.5", "random:SEED:LO:HI"."""

    def __init__(self, shape, dtype=None, values=None):
        self.dims = [(int(text.lstrip("=")), text.startswith("=")) for text in shape.split("x")] if shape else []
        self.dtype = dtype
        self.values = values

    def type(self, dtype, dynamic):
        sizes = "".join(("?" if dynamic and size != 1 and not fixed else str(size)) + "x" for size, fixed in self.dims)
        return f"tensor<{sizes}{self.dtype or dtype}>"

    def input(self, dtype, seed):
        dtype = self.dtype or dtype
        values = self.values
        if values is None:
            low, high = RANGES.get(dtype, (-2, 2))
            values = f"random:{seed}:{low}:{high}"
        return "".join(f"{size}x" for size, _ in self.dims) + f"{dtype}={values}"


def tensor(shape, dtype=None, values=None):
    return Tensor(shape, dtype, values)


class Case:
    def __init__(self, op, dtype, body, args, results, label, forms, tolerance):
        self.op, self.dtype, self.body, self.label, self.forms = op, dtype, body, label, forms
        self.args, self.results = args, results
        self.tolerance = tolerance
        self.constraint = self.why = None
        self.name = "-".join(part for part in (op, label, dtype.replace(" ", "-")) if part)

    def inForm(self, form):
        return Case(self.op, self.dtype, self.body, self.args, self.results, self.label, (form,), self.tolerance)

    def element(self):
        return self.dtype.split()[0]

    def lines(self, number, dynamic):
        """The body with types put in and every value named after the case."""
        body = self.body(dynamic) if callable(self.body) else self.body
        types = {name: t.type(self.element(), dynamic) for name, t in (self.args | self.results).items()}
        types["element"] = self.element()
        body = string.Template(body).substitute(types)
        return re.sub(r"%([A-Za-z_]\w*)", rf"%c{number}_\1", body)


def case(op, dtype, body, args, results, label="", forms=("static", "dynamic"), tolerance=None):
    """One case. `op` is the mnemonic, `dtype` the element type of what has none of its own (and the column of the table;
    "f32 to i8" for a cast). `body` is IR with $a, $r for the types of %a, %r and $element for the element type, or a
    function of `dynamic` that gives it. `args` and `results` map names to a shape or a tensor(...). `tolerance`, flags of
    mica-run such as "--atol=1e-3", needs a comment that says why."""
    made = lambda given: {name: t if isinstance(t, Tensor) else Tensor(t) for name, t in given.items()}
    return Case(op, dtype, body, made(args), made(results), label, forms, tolerance)


def refused(op, dtype, body, args, results, why, constraint="C1"):
    """What the operation does not take: `constraint` is the label in the error of mica-opt, `why` the reason, a phrase."""
    made = case(op, dtype, body, args, results, label="refused", forms=["static"])
    made.constraint, made.why = constraint, why
    return made


def program(cases):
    """One function per form; returns the text and, per form, the cases whose results it has, in order."""
    functions, order = [], {}
    for form in ("static", "dynamic"):
        chosen = [(number, c) for number, c in enumerate(cases) if form in c.forms]
        if not chosen:
            continue
        dynamic = form == "dynamic"
        arguments, types, values, body = [], [], [], []
        order[form] = [c for _, c in chosen]
        for number, c in chosen:
            arguments += [f"%c{number}_{name}: {t.type(c.element(), dynamic)}" for name, t in c.args.items()]
            values += [f"%c{number}_{name}" for name in c.results]
            types += [t.type(c.element(), dynamic) for t in c.results.values()]
            body.append(c.lines(number, dynamic).strip("\n"))
        functions.append(f"func.func @{form}({', '.join(arguments)}) -> ({', '.join(types)}) {{\n" + "\n".join(body) +
                         f"\n  return {', '.join(values)} : {', '.join(types)}\n}}\n")
    return "".join(functions), order


class Harness:
    def __init__(self, work, flags, compileOnly=False):
        self.work, self.flags, self.compileOnly = work, flags, compileOnly
        self.target = next((flag.split("=")[1] for flag in flags if flag.startswith("--target=")), "cpu")
        self.records = []

    def run(self, command):
        return subprocess.run(command, capture_output=True, text=True, errors="replace")

    def record(self, c, form, result, detail=""):
        self.records.append({"op": c.op, "case": c.name, "dtype": c.dtype, "dynamic": form == "dynamic", "target": self.target,
                             "result": result, "detail": detail})
        if result not in GOOD:
            print(f"{c.name} ({form}): {result}: {detail}", flush=True)

    def check(self, name, cases):
        """Compiles `cases` as one program and runs it; on failure each case by itself."""
        text, order = program(cases)
        folder = self.work / name
        folder.mkdir(parents=True, exist_ok=True)
        model = folder / "model.mlir"
        model.write_text(text)
        compiled = self.run(["mica-compile", str(model), "-o", str(folder / "artifact"), "--force", "--dump-passes=off"] +
                            self.flags)
        if compiled.returncode != 0:
            if len(cases) > 1:
                for c in cases:
                    self.check(f"{name}/{c.name}", [c])
                return
            for form in order:
                self.record(cases[0], form, "not compiled", firstError(compiled.stderr))
            return
        # A program that lost its kernels gives right results, on the CPU, whatever the target.
        fallback = [line for line in compiled.stderr.splitlines() if "runs in its host functions" in line]
        if fallback and len(cases) > 1:
            for c in cases:
                self.check(f"{name}/{c.name}", [c])
            return
        if fallback:
            for form in order:
                self.record(cases[0], form, "not in kernels", fallback[0])
            return
        for form, chosen in order.items():
            if self.compileOnly:
                for c in chosen:
                    self.record(c, form, "agrees")
            else:
                self.runForm(name, folder, form, chosen)

    def refuseAll(self, cases):
        """Hands cases that are not valid to mica-opt, all in one file; one that it does not refuse there as the table says, alone."""
        self.work.mkdir(parents=True, exist_ok=True)
        model, text, begins = self.work / "refused.mlir", "", []
        for c in cases:
            begins.append(text.count("\n") + 1)
            text += program([c])[0] + "// -----\n"
        model.write_text(text)
        said = [""] * len(cases)
        for line, rest in re.findall(r"refused\.mlir:(\d+):\d+: error: (.*)", self.run(["mica-opt", str(model), "--split-input-file"]).stderr):
            said[bisect.bisect_right(begins, int(line)) - 1] += rest + "\n"
        for c, errors in zip(cases, said):
            if f"'mica.{c.op}' op ({c.constraint})" in errors:
                self.record(c, "static", "refused")
            else:
                self.refuse(c)

    def refuse(self, c):
        """Hands a case that is not valid to mica-opt."""
        folder = self.work / c.op
        folder.mkdir(parents=True, exist_ok=True)
        model = folder / f"{c.name}.mlir"
        model.write_text(program([c])[0])
        ran = self.run(["mica-opt", str(model)])
        if ran.returncode == 1 and f"'mica.{c.op}' op ({c.constraint})" in ran.stderr:
            return self.record(c, "static", "refused")
        self.record(c, "static", "not refused", firstError(ran.stderr) or "no error")

    def runForm(self, name, folder, form, chosen):
        inputs, seed = [], 0
        for c in chosen:
            for t in c.args.values():
                inputs.append("--input=" + t.input(c.element(), seed))
                seed += 1
        # A tolerance is a flag of the whole run, so cases that differ in it run one by one.
        tolerances = {c.tolerance for c in chosen}
        if len(tolerances) > 1:
            return self.alone(name, form, chosen)
        tolerance = shlex.split(chosen[0].tolerance or "")
        ran = self.run(["mica-run", str(folder / "artifact"), f"--entry={form}", "--check-reference"] + tolerance + inputs)
        verdicts = dict(re.findall(r"^reference: result (\d+) (\([^)]*\): .*)$", ran.stdout, re.M))
        if len(verdicts) != sum(len(c.results) for c in chosen):
            if len(chosen) > 1:
                return self.alone(name, form, chosen)
            return self.record(chosen[0], form, "not run", firstError(ran.stderr) or f"exit code {ran.returncode}")
        position = 0
        for c in chosen:
            texts = [verdicts[str(position + i)] for i in range(len(c.results))]
            position += len(c.results)
            wrong = [text for text in texts if not re.match(r"\([^)]*\): (same|within tolerance|not checked)", text)]
            # Special values and overflows leave some elements open. If a fourth of them is, nothing was compared.
            unknown = [text for text in texts if isMostlyUnknown(text)]
            self.record(c, form, "differs" if wrong else "not compared" if unknown else "agrees", (wrong + unknown + [""])[0])

    def alone(self, name, form, chosen):
        for c in chosen:
            self.check(f"{name}/{c.name}-{form}", [c.inForm(form)])


def isMostlyUnknown(verdict):
    """Whether a fourth of the elements of "(2x3xf32): same (..., 2 not checked: ...)" may be any number."""
    unknown = re.search(r"(\d+) not checked|not checked: all (\d+)", verdict)
    elements = math.prod(int(size) for size in re.findall(r"(\d+)x", verdict[:verdict.index(")")]))
    return unknown is not None and 4 * int(unknown[1] or unknown[2]) >= elements


def firstError(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if "error" in line), lines[0] if lines else "")


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return list(module.cases())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for models and artifacts")
    parser.add_argument("--results", type=pathlib.Path, help="JSON lines, one per case and form")
    parser.add_argument("--only", default="", help="run the cases whose name holds this")
    parser.add_argument("--every", type=int, default=1, help="run the first of every N cases of an op")
    parser.add_argument("--share", default="0/1", help="of every N ops of a table, run the cases of op K")
    parser.add_argument("--together", type=int, default=1, help="compile the cases of so many ops as one program")
    parser.add_argument("--form", choices=("turn", "static", "dynamic"), help="run cases in this form alone; turn: each in one of its own, in turn")
    parser.add_argument("--compile-only", action="store_true", help="run nothing: what compiles agrees")
    parser.add_argument("--flags", default="", help="flags handed to mica-compile")
    parser.add_argument("--list", action="store_true", help="print the names of the cases")
    options = parser.parse_args()

    cases = [c for table in options.tables for c in load(table) if options.only in c.name]
    names = [c.name for c in cases]
    repeated = {name for name in names if names.count(name) > 1}
    if repeated or not cases:
        print(f"harness.py: cases of the same name: {sorted(repeated)}" if repeated else "harness.py: no case", file=sys.stderr)
        return 2
    if options.list:
        print("\n".join(names))
        return 0

    harness = Harness(options.work, shlex.split(options.flags), options.compile_only)
    harness.refuseAll([c for c in cases if c.constraint])
    valid = [c for c in cases if not c.constraint]
    ops = list(dict.fromkeys(c.op for c in valid))
    place, of = map(int, options.share.split("/"))
    ops = ops[place::of]
    count = 0
    for first in range(0, len(ops), options.together):
        chosen = ops[first:first + options.together]
        taken = [c for op in chosen for c in [c for c in valid if c.op == op][::options.every]]
        if options.form:
            taken = [c.inForm(c.forms[(count + at) % len(c.forms)] if options.form == "turn" else options.form) for at, c in enumerate(taken)
                     if options.form == "turn" or options.form in c.forms]
            count += len(taken)
        if taken:
            harness.check(chosen[0], taken)
    if options.results:
        options.results.parent.mkdir(parents=True, exist_ok=True)
        options.results.write_text("".join(json.dumps(record) + "\n" for record in harness.records))
    agree = sum(record["result"] in GOOD for record in harness.records)
    print(f"{agree} agree, {len(harness.records) - agree} do not")
    return 0 if agree == len(harness.records) else 1


if __name__ == "__main__":
    # Tables say `from harness import ...`: they get this module, not a second copy of it.
    sys.modules["harness"] = sys.modules["__main__"]
    sys.exit(main())
