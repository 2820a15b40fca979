#!/usr/bin/env python3
"""Compiles programs in two steps, at every phase, and compares what they compute with the whole compile's, byte for byte.

usage: stages.py FOLDER [--every=N] [--target=NAME] [--forms=FORM,...] [--resume] [--phases=P,...] (FILE.mlir | TABLE.py | FOLDER) ...

For each program and phase: mica-compile --compile-to=PHASE, the text taken through a form, mica-compile --compile-from=PHASE, mica-run.
Forms: text, debuginfo (text with locations), stdin, bytecode, generic (through mlir-opt, which does not know Mica's dialects), plugin
(through mlir-opt with Mica's plugin and --canonicalize where the program is upstream's alone, else --mlir-print-op-generic). Of many
programs a pair of forms each, in turn; --forms says which. A table is one of test/Integration/ops: the cases of one op are one program.
--every=N takes the first of every N programs. --resume: each program is resumed after every fourth (--resume-step) pass too.
"""
import argparse
import concurrent.futures
import itertools
import json
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "ops"))
import harness

PHASES = ["input", "tensor", "dispatch", "schedule", "kernel", "lowered", "object"]
FORMS = ["text", "debuginfo", "stdin", "bytecode", "generic", "plugin"]


class Failure(Exception):
    pass


def run(command, **more):
    done = subprocess.run([str(part) for part in command], capture_output=True, **more)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))}: exit code {done.returncode}: {done.stderr.decode(errors='replace')[-700:]}")
    return done


class Program:
    """`inputs`: the values of each entry's arguments, or None where they are to be made up."""

    def __init__(self, name, path, inputs=None):
        self.name, self.path, self.inputs = name, path, inputs or {}


def tables(path, work, most):
    """One program per op of a table, with the inputs of its cases, of which it takes at most `most` from all over the table."""
    cases = [c for c in harness.load(path) if not c.constraint]
    for op in dict.fromkeys(c.op for c in cases):
        chosen = [c for c in cases if c.op == op]
        chosen = chosen[::-(-len(chosen) // most)]
        text, order = harness.program(chosen)
        file = work / "programs" / f"{path.stem}-{op}.mlir"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        inputs = {}
        for form, of in order.items():
            seeds = itertools.count()
            inputs[form] = [t.input(c.element(), next(seeds)) for c in of for t in c.args.values()]
        yield Program(file.stem, file, inputs)


def made_up(path):
    """Arguments and numbers of results of each entry, from what --list says of it."""
    entries = {}
    for line in run(["mica-compile", "--list", path]).stdout.decode().splitlines():
        name, arguments, results = re.fullmatch(r"(.*?)\((.*)\) -> \((.*)\)", line).groups()
        values = []
        for i, spec in enumerate(a for a in arguments.split(", ") if a):
            kind = spec.split(": ")[-1].replace("?", "3")
            element = kind.split("x")[-1]
            bounds = "-2:2" if re.match(r"b?f\d|tf32", element) else "0:1" if element == "i1" else "1:3"
            values.append(f"{kind}=random:{i + 1}:{bounds}" if not element.startswith("complex") else f"{kind}=1")
        entries[name] = (values, len([r for r in results.split(", ") if r]))
    return entries


class Tester:
    def __init__(self, work, options):
        self.work, self.options = work, options
        self.compared, self.on_host, self.failures = 0, 0, []
        self.target = [f"--target={options.target}"] if options.target else []

    def outcome(self, artifact, entries):
        """What running `artifact` gives: the bytes of every result of every entry, and what it printed."""
        found = []
        for name, (values, results) in entries.items():
            folder = self.work / "results"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            done = subprocess.run(["mica-run", artifact, f"--entry={name}", "--threads=2", f"--run-dir={self.work}/runs"] +
                                  [f"--input={v}" for v in values] + [f"--output=@{folder}/{i}.npy" for i in range(results)],
                                  capture_output=True)
            files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
            # A program may fail, as asserts do: then both forms do.
            error = re.findall(rb"error: .*", done.stderr) if done.returncode else []
            # Text without locations has lost where ops are, and what the ops of simulated kernels were.
            error = [re.sub(rb"\b[a-z]+\.[a-z_]+\b", b"an operation", re.sub(rb"(at|in) \S+", b"", line)) for line in error]
            printed = re.sub(rb"base@ = 0x[0-9a-f]+", b"", done.stdout.replace(str(folder).encode(), b""))
            found.append((name, done.returncode, printed, files, error))
        shutil.rmtree(self.work / "runs", ignore_errors=True)
        return found

    def fail(self, text):
        self.failures.append(text)
        print(text, flush=True)

    def compare(self, artifact, entries, expected):
        for found, whole in zip(self.outcome(artifact, entries), expected):
            for what, one, other in zip(("entry", "exit code", "output", "results", "errors"), found, whole):
                if one != other:
                    wrong = sorted(k for k in one | other if one.get(k) != other.get(k)) if what == "results" else f"{one}, not {other}"
                    raise Failure(f"entry {whole[0]}: other {what}: {str(wrong)[:400]} {found[4]}")

    def through(self, form, staged):
        """The staged program in `form`: arguments for mica-compile, and its standard input."""
        if form in ("text", "debuginfo"):
            return [staged], None
        if form == "stdin":
            return ["-"], staged.read_bytes()
        other = staged.with_suffix(".mlirbc" if form == "bytecode" else ".other.mlir")
        if form == "bytecode":
            run(["mica-opt", staged, "--emit-bytecode", "-o", other])
        elif form == "generic":
            generic = run(["mica-opt", staged, "--mlir-print-op-generic", "--mlir-print-debuginfo"]).stdout
            # MLIR looks for a callee no further out than an op that it does not know.
            calls = b'"mica_sched.buffer_region"' in generic
            known = [f"--load-dialect-plugin={self.options.plugin}"] if calls else ["--allow-unregistered-dialect"]
            text = run([self.options.mlir_opt, "--mlir-print-op-generic", "--mlir-print-debuginfo"] + known, input=generic).stdout
            other.write_bytes(text)
        else:
            run([self.options.mlir_opt, f"--load-dialect-plugin={self.options.plugin}", f"--load-pass-plugin={self.options.plugin}",
                 "--mlir-print-debuginfo", "--cse", staged, "-o", other])
        return [other], None

    def step(self, program, entries, expected, phase, form):
        staged, artifact = self.work / "staged.mlir", self.work / "staged"
        for path in (staged, artifact):
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
        debug = ["--mlir-print-debuginfo"] if form in ("debuginfo", "bytecode") else []
        run(["mica-compile", program.path, f"--compile-to={phase}", "-o", staged] + debug + self.target)
        arguments, given = ([staged], None) if phase == "object" else self.through(form, staged)
        run(["mica-compile", f"--compile-from={phase}", "-o", artifact, "--dump-passes=off"] + arguments, input=given)
        self.compare(artifact, entries, expected)
        self.compared += 1

    def refuse(self, program):
        """Host functions have no phases: asking for one is an error that names what no kernel takes."""
        self.on_host += 1
        for phase in self.options.phases:
            shutil.rmtree(self.work / "staged", ignore_errors=True)
            done = subprocess.run(["mica-compile", program.path, f"--compile-to={phase}", "-o", self.work / "staged"] + self.target, capture_output=True)
            if done.returncode != 1 or not re.search(rb"\.mlir:\d+:\d+: error: ", done.stderr):
                self.fail(f"{program.name}, phase {phase}: exit code {done.returncode} for a program in host functions: {done.stderr[-300:]}")

    def resume(self, program, entries, expected, whole):
        count = len(json.loads((whole / "passes_dump/index.json").read_text())["passes"])
        for position in range(0, count + 1, self.options.resume_step):
            again = self.work / "resumed"
            shutil.rmtree(again, ignore_errors=True)
            run(["mica-compile", f"--resume={whole}:{position}", "-o", again, "--dump-passes=off"] + self.target)
            try:
                self.compare(again, entries, expected)
            except Failure as failure:
                raise Failure(f"resumed after pass {position}: {failure}") from None
            self.compared += 1

    def test(self, number, program):
        whole = self.work / "whole"
        shutil.rmtree(whole, ignore_errors=True)
        try:
            entries = made_up(program.path)
            for name, values in program.inputs.items():
                if name in entries:
                    entries[name] = (values, entries[name][1])
            said = run(["mica-compile", program.path, "-o", whole] + self.target).stderr
        except Failure as failure:
            if self.options.strict:
                self.fail(f"{program.name}: {failure}")
            return False
        if re.search(rb"runs? in (its|a)? ?host function", said):
            self.refuse(program)
            return True
        expected = self.outcome(whole, entries)
        for at, phase in enumerate(self.options.phases):
            count = self.options.forms_per_phase
            forms = self.options.forms or [FORMS[(number + at + k * 3) % len(FORMS)] for k in range(count)]
            for form in forms[:1] if phase == "object" else forms:
                try:
                    self.step(program, entries, expected, phase, form)
                except Failure as failure:
                    self.fail(f"{program.name}, phase {phase}, {form}: {failure}")
        if self.options.resume:
            try:
                self.resume(program, entries, expected, whole)
            except Failure as failure:
                self.fail(f"{program.name}: {failure}")
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--target", default="")
    parser.add_argument("--forms", type=lambda text: text.split(","))
    parser.add_argument("--phases", type=lambda text: text.split(","), default=PHASES)
    parser.add_argument("--resume-step", type=int, default=4)
    parser.add_argument("--forms-per-phase", type=int, default=2, help="without --forms: of the forms, each program takes others in turn")
    parser.add_argument("--cases", type=int, default=1000, help="of each op of a table at most so many cases")
    parser.add_argument("--workers", type=int, default=1, help="programs that are tested at a time")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begins no program after so long")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--strict", action="store_true", help="programs that do not compile in one go are failures too")
    parser.add_argument("--mlir-opt", default="mlir-opt")
    parser.add_argument("--plugin", default="")
    options = parser.parse_args()
    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    if not options.plugin:
        FORMS.remove("plugin")
    programs = []
    for given in options.programs:
        if given.is_dir():
            programs += [Program(path.stem, path) for path in sorted(given.rglob("*.mlir"))]
        elif given.suffix == ".py":
            programs += tables(given, options.folder, options.cases)
        else:
            programs.append(Program(given.stem, given))
    programs = programs[::options.every]
    testers = queue.SimpleQueue()
    for worker in range(options.workers):
        folder = options.folder / f"worker{worker}"
        folder.mkdir()
        testers.put(Tester(folder, options))
    end = time.monotonic() + options.seconds

    def test(number):
        if time.monotonic() > end:
            return None
        tester = testers.get()
        compiles, failures, on_host = tester.compared, len(tester.failures), tester.on_host
        done = tester.test(number, programs[number])
        compiles, failures, on_host = tester.compared - compiles, len(tester.failures) - failures, tester.on_host - on_host
        testers.put(tester)
        return done, compiles, failures, on_host

    with concurrent.futures.ThreadPoolExecutor(options.workers) as pool:
        found = list(pool.map(test, range(len(programs))))
    if late := found.count(None):
        print(f"{late} of {len(programs)} programs were not begun in time")
    found = [outcome for outcome in found if outcome]
    failures = sum(outcome[2] for outcome in found)
    if on_host := sum(outcome[3] for outcome in found):
        print(f"{on_host} programs run in host functions, and are refused where a phase is asked for")
    print(f"{sum(outcome[0] for outcome in found)} programs, {sum(outcome[1] for outcome in found)} compiles in steps, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
