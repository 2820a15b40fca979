#!/usr/bin/env python3
"""Compiles small programs, runs them, and compares each result with what NumPy gives for the op's specification.

usage: check.py WORK [TABLE.py ...] [--levels=0,3] [--every=N] [--only=TEXT] [--together=N] [--ods=FOLDER] [--list]

A table is a file of this folder with a function cases() that yields case(...). What is expected is computed by NumPy from the text of the
specification (ODS of MLIR, TOSA, the pages of docs/Dialects); nothing of Mica's own reference takes part. Programs are compiled
--together (one function each) at each of --levels and run in this process by the C API. --every=N takes the first of each N
programs, at one of the levels in turn. --ods: the folder include/mlir/Dialect of LLVM; every op that its .td files define for the
dialects of COVERED, and every op of mica, has to occur in a program, or in WITHOUT with a reason.
Exit code 1 where a result disagrees or an op is missing.
"""
import argparse
import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(ROOT / "python"), str(HERE)]
np.seterr(all="ignore")

MLIR = {"float64": "f64", "float32": "f32", "float16": "f16", "int64": "i64", "int32": "i32", "int16": "i16", "int8": "i8",
        "bool": "i1", "uint8": "ui8", "uint16": "ui16", "uint32": "ui32", "uint64": "ui64"}

# Dialects whose ODS is asked, with the files that define their ops.
COVERED = {"tosa": ["Tosa/IR/TosaOps.td", "Tosa/IR/TosaUtilOps.td", "Tosa/IR/TosaShapeOps.td"], "math": ["Math/IR/MathOps.td"],
           "arith": ["Arith/IR/ArithOps.td"], "index": ["Index/IR/IndexOps.td"], "tensor": ["Tensor/IR/TensorOps.td"],
           "scf": ["SCF/IR/SCFOps.td"], "complex": ["Complex/IR/ComplexOps.td"],
           "linalg": ["Linalg/IR/LinalgOps.td", "Linalg/IR/LinalgStructuredOps.td", "Linalg/IR/LinalgRelayoutOps.td",
                      "Linalg/IR/LinalgNamedStructuredOps.yamlgen.td"]}


class Case:
    """`text`: a func.func called @NAME. `inputs` and `expected`: arrays. A result agrees where |got - expected| is at most atol +
    rtol * |expected|; without either it has to be the same number (any NaN for NaN, -0 is not +0). `top`: what stands beside the function."""

    def __init__(self, name, text, inputs, expected, rtol, atol, top):
        self.name, self.text, self.top = name, text, top
        self.inputs = [np.asarray(array) for array in inputs]
        self.expected = [np.asarray(array) for array in expected]
        self.rtol, self.atol = rtol, atol


def case(name, text, inputs, expected, rtol=0.0, atol=0.0, top=""):
    return Case(name, text, inputs, expected, rtol, atol, top)


def element(array, dtype=None):
    return dtype or MLIR[np.asarray(array).dtype.name]


def tensor(array, dtype=None, dynamic=False):
    """The tensor type of an array; `dynamic`: all sizes unknown."""
    sizes = "".join(("?" if dynamic else str(size)) + "x" for size in np.asarray(array).shape)
    return f"tensor<{sizes}{element(array, dtype)}>"


def function(arguments, results, body, dynamic=False):
    """A function of %a, %b, ... with the types of the arrays `arguments`; `body` ends with a return. $a, $b and $r, $s, ... in it are
    the types of arguments and results."""
    names = "abcdefgh"
    outs = "rstuvw"
    types = {names[i]: a if isinstance(a, str) else tensor(a, dynamic=dynamic) for i, a in enumerate(arguments)}
    gives = {outs[i]: a if isinstance(a, str) else tensor(a, dynamic=dynamic) for i, a in enumerate(results)}
    for key, value in (types | gives).items():
        body = re.sub(rf"\${key}\b", lambda _: value, body)
    head = ", ".join(f"%{name}: {kind}" for name, kind in types.items())
    return f"func.func @NAME({head}) -> ({', '.join(gives.values())}) {{\n{body}\n}}\n"


def same(got, expected, rtol, atol):
    """None, or what is wrong first."""
    if got.shape != expected.shape:
        return f"got shape {got.shape}, expected {expected.shape}"
    if got.dtype != expected.dtype:
        return f"got {got.dtype}, expected {expected.dtype}"
    if got.dtype.kind == "f":
        good = (np.isnan(got) & np.isnan(expected)) | ((got == expected) & (np.signbit(got) == np.signbit(expected)))
        if rtol or atol:
            g, e = got.astype(np.float64), expected.astype(np.float64)
            good |= np.isfinite(g) & np.isfinite(e) & (np.abs(g - e) <= atol + rtol * np.abs(e))
    else:
        good = got == expected
    if good.all():
        return None
    at = tuple(int(i) for i in np.argwhere(~good)[0]) if got.ndim else ()
    return f"{int((~good).sum())} of {got.size} elements differ, first at {list(at)}: got {got[at]!r}, expected {expected[at]!r}"


class Checker:
    def __init__(self, work, mica):
        self.work, self.mica = work, mica
        self.failures, self.agree = [], 0
        self.on_host = []  # cases that are not in kernels

    def compile(self, cases, level, name):
        text = "".join((c.top + c.text).replace("@NAME", f"@p{i}") for i, c in enumerate(cases))
        model, artifact = self.work / f"{name}.mlir", self.work / name
        model.write_text(text)
        shutil.rmtree(artifact, ignore_errors=True)
        try:
            done = subprocess.run(["mica-compile", str(model), "-o", str(artifact), f"-O{level}", "--dump-passes=off"], capture_output=True,
                                  text=True, timeout=300)
        except subprocess.TimeoutExpired:
            return None, "mica-compile does not end"
        errors = [line for line in done.stderr.splitlines() if "error" in line] or [done.stderr[-200:]]
        if done.returncode == 0 and "runs in its host functions" in done.stderr:
            if len(cases) > 1:
                return None, "not in kernels"
            self.on_host.append(f"{cases[0].name} -O{level}")
        return (artifact, "") if done.returncode == 0 else (None, errors[0])

    def run(self, cases, level, name):
        artifact, error = self.compile(cases, level, name)
        if artifact is None and len(cases) > 1:
            for c in cases:
                self.run([c], level, name)
            return
        if artifact is None:
            return self.failures.append(f"{cases[0].name} -O{level}: not compiled: {error}")
        program = self.mica.load(artifact)
        with program, program.context(threads=2) as context:
            for i, c in enumerate(cases):
                try:
                    results = [np.array(self.array(result)) for result in context.run(*c.inputs, entry=f"p{i}")]
                    got = [part for result in results for part in ((result.real, result.imag) if np.iscomplexobj(result) else (result,))]
                except (self.mica.Error, TypeError, ValueError) as failure:
                    self.failures.append(f"{c.name} -O{level}: not run: {failure}")
                    continue
                wrong = [f"result {k}: {said}" for k, (g, e) in enumerate(zip(got, c.expected)) if (said := same(g, e, c.rtol, c.atol))]
                if len(got) != len(c.expected):
                    wrong.append(f"{len(got)} results, expected {len(c.expected)}")
                self.agree += not wrong
                if wrong:
                    self.failures.append(f"{c.name} -O{level}: {wrong[0]}")
        shutil.rmtree(artifact, ignore_errors=True)

    @staticmethod
    def array(result):
        return result.bits().astype(bool) if result.dtype == "bool" else result.numpy()


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def missing(modules, cases, ods):
    """Ops that ODS defines and no program has."""
    text = "\n".join(c.text + c.top for c in cases)
    used = set(re.findall(r"\b([a-z_]+\.[a-z0-9_.]+)\b", text))
    without = {}
    for module in modules:
        without.update(getattr(module, "WITHOUT", {}))
    wanted = {f"mica.{page.stem}" for page in (ROOT / "docs/Dialects/Mica").glob("*.md")}
    for dialect, files in COVERED.items():
        for file in files:
            td = (ods / file).read_text()
            wanted |= {f"{dialect}.{name}" for name in re.findall(r'^def \w+\s*:\s*\w+<\s*"([a-z0-9_.]+)"', td, re.M)}
    for op in sorted(wanted - used - set(without)):
        yield f"{op}: no program has it"
    for op in sorted(set(without) & used):
        yield f"{op}: has a program, and a reason why it has none"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("tables", nargs="*", type=pathlib.Path)
    parser.add_argument("--levels", default="0,3")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--together", type=int, default=24)
    parser.add_argument("--ods", type=pathlib.Path)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    tables = options.tables or sorted(path for path in HERE.glob("*_ops.py"))
    modules = [load(path) for path in tables]
    cases = [c for module in modules for c in module.cases() if options.only in c.name]
    names = [c.name for c in cases]
    twice = sorted({name for name in names if names.count(name) > 1})
    texts = [c.text for c in cases]
    if twice or not cases:
        print(f"check.py: cases of the same name: {twice}" if twice else "check.py: no case")
        return 2
    if options.list:
        print("\n".join(names))
        return 0
    gaps = list(missing(modules, cases, options.ods)) if options.ods else []
    import mica
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    checker = Checker(options.work, mica)
    levels = [int(level) for level in options.levels.split(",")]
    for at, level in enumerate(levels):
        chosen = cases if options.every == 1 else cases[at % options.every::options.every]
        for first in range(0, len(chosen), options.together):
            checker.run(chosen[first:first + options.together], level, f"p{first}_{level}")
    for line in gaps + checker.failures:
        print(line)
    print(f"{len(cases)} programs, {len(set(texts))} different; {checker.agree} runs agree with NumPy, {len(checker.failures)} do not, {len(gaps)} ops missing, "
          f"{len(checker.on_host)} not in kernels{': ' if checker.on_host else ''}{', '.join(checker.on_host)}")
    return 1 if checker.failures or gaps else 0


if __name__ == "__main__":
    # Tables say `from check import ...`: they get this module, not a second copy of it.
    sys.modules["check"] = sys.modules["__main__"]
    sys.exit(main())
