#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs ops whose types leave sizes open on sizes, positions and numbers that they may not take.

usage: sizes.py [--trials=N] [--seed=S] [--dialects=LIST] [--only=REGEX] [--level=0..3] [--debug=SWITCHES] [--batch=N] [--work=DIR]
                [--keep=DIR]
       sizes.py --one=SEED          one trial: its text, its inputs, and what each way gives

A trial is an op of the pool of generate.py with dynamic sizes, and inputs of other sizes than those it was drawn with. Its static twin has
these sizes in its types. What mlir-opt rejects in the twin, a run must reject too: exit code 1 or 3, and a message that names the line.
What it accepts must run as the twin does, or fail as it fails. Each run that succeeds is repeated with other bytes in fresh memory
(MALLOC_PERTURB_) and must print the same. No run may end by a signal. Prints a line per finding, and the totals.
"""
import argparse
import collections
import copy
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import generate  # noqa: E402
import ods  # noqa: E402
import pool as pools  # noqa: E402

PASSED = {"f32", "f64", "f16", "bf16", "i64", "i32", "i16", "i8", "i4", "i1", "index", "f8E4M3FN", "f8E5M2"}
DIALECTS = "linalg,tensor,tosa,memref,arith,math,bufferization"


class Trial:
    def __init__(self, seed, instances):
        draws = self.draws = random.Random(seed * 6151 + 3)
        self.seed, self.instance = seed, draws.choice(instances)
        op = self.instance.op
        integers, floats = generate.ranges(op.name)
        self.types = list(self.instance.operands)
        self.sizes = [tuple(self.instance.shape_of(i)) for i in range(len(self.types))]
        changed = draws.choice([1, 1, 2, 3])
        dims = [(i, d) for i, t in enumerate(self.types) for d, size in enumerate(t.shape) if size < 0 and t.form in ("tensor", "memref")]
        draws.shuffle(dims)
        for i, d in dims[:changed]:
            old = self.sizes[i][d]
            new = draws.choice([0, 1, old - 1, old + 1, 2 * old, old + 7])
            self.sizes[i] = self.sizes[i][:d] + (max(new, 0),) + self.sizes[i][d + 1:]
        self.inputs, self.results = [], None
        for type_, sizes in zip(self.types, self.sizes):
            if type_.form == "scalar":
                value = draws.choice([-1, 0, 1, 2, 3, 9, 1 << 40]) if type_.element == "index" else generate.literal(draws, type_.element, integers, floats)
                self.inputs.append(f"{type_.element}={ {'true': '1', 'false': '0'}.get(value, value)}")
                continue
            low, high = floats if ods.is_float(type_.element) else integers
            low = max(low, 0) if type_.element in ("index", "i1") else low
            self.inputs.append(f"{''.join(f'{size}x' for size in sizes)}{type_.element}=random:{draws.randint(1, 999)}:{low}:{max(high, low + 1) if type_.element != 'i1' else 2}")

    def function(self, name, static=False):
        made = copy.copy(self.instance)
        if static:
            made.operands = [t if t.form == "scalar" else t.reshaped(s) for t, s in zip(self.types, self.sizes)]
            made.results = list(made.results)
            if made.is_structured() and made.results:
                made.results = [made.operands[-1]]
            for i, type_ in enumerate(self.results or []):
                made.results[i] = type_
        return made.function(name)

    def take_inferred(self, message):
        """Whether `message` says types of results that the dynamic ones admit; the static twin has these then."""
        match = re.search(r"inferred type\(s\) (.*) are incompatible", message)
        types = [ods.parse_type(t) for t in re.findall(r"'([^']+)'", match.group(1))] if match and not self.results else []
        if re.search("same (tensor dimensions|shape)", message) and not self.results:
            types = [t.reshaped(self.sizes[0]) if t.rank == len(self.sizes[0]) else t for t in self.instance.results]
        admits = len(types) == len(self.instance.results) and None not in types and all(
            a.element == b.element and a.rank == b.rank and all(-1 in (d, e) or d == e for d, e in zip(a.shape, b.shape))
            for a, b in zip(types, self.instance.results))
        self.results = types if admits else None
        return admits


def harmless(trial, message):
    """Whether what is rejected is the type alone: tosa has no sizes of 0, and loops without iterations access nothing."""
    isEmpty = any(0 in sizes for sizes in trial.sizes)
    return isEmpty and ("tosa-conformant" in message or trial.instance.op.name.startswith("linalg."))


def agree(a, b, element):
    """Whether two printed results are the same but for the order of sums."""
    x, y = (re.findall(r"-?(?:\d+\.?\d*(?:e[+-]?\d+)?|nan|inf)|\S", text) for text in (a, b))
    unit = {"f64": 1e-9, "f32": 1e-4, "f16": 2e-2, "bf16": 1e-1}.get(element, 0.5 if element.startswith("f8") else 0)
    same = lambda p, q: p == q or (unit and p[-1].isdigit() and q[-1].isdigit() and abs(float(p) - float(q)) <= unit * max(1, abs(float(p))))
    return len(x) == len(y) and all(same(p, q) for p, q in zip(x, y))


def usable(instance):
    """Whether users can call a function of the op, and there is a size to change."""
    types = instance.operands + instance.results
    return generate.is_defined(instance.op) and all(t.form in ("scalar", "tensor", "memref") and t.element in PASSED for t in types) and \
        all(t.form != "memref" for t in instance.results) and all(g == "argument" for g in instance.given) and \
        any(-1 in t.shape for t in instance.operands) and not generate.is_undefined(instance)


class Runner:
    def __init__(self, options):
        self.options, self.findings, self.counts = options, [], collections.Counter()

    def compiled(self, texts, folder, name):
        """(artifact, first line of each) for each text, several in one where that compiles."""
        made, todo = {}, [list(texts)]
        while todo:
            part = todo.pop()
            source, lines, line = folder / f"{name}{part[0]}.mlir", {}, 1
            for key in part:
                lines[key] = line
                line += texts[key].count("\n") + 1
            source.write_text("\n".join(texts[key] for key in part) + "\n")
            artifact = folder / f"{name}{part[0]}"
            command = ["mica-compile", source, "-o", artifact, "--force", "--dump-passes=off", f"-O{self.options.level}"]
            done = subprocess.run(command + ([f"--mica-debug={self.options.debug}"] if self.options.debug else []), capture_output=True, text=True, errors="replace")
            if done.returncode == 0:
                made.update({key: (artifact, lines[key], source.name) for key in part})
            elif len(part) > 1:
                todo += [part[:len(part) // 2], part[len(part) // 2:]]
            else:
                first = next((l for l in done.stderr.splitlines() if "error: " in l), done.stderr[:200])
                made[part[0]] = (None, done.returncode, first)
        return made

    def run(self, trial, artifact, entry, perturb):
        command = ["mica-run", artifact, f"--entry={entry}", "--threads=1", *(f"--input={each}" for each in trial.inputs)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120, env=dict(os.environ, MALLOC_PERTURB_=perturb, NO_COLOR="1"))
        except subprocess.TimeoutExpired:
            return 124, "", "no end in time"
        return done.returncode, done.stdout, done.stderr

    def judge(self, trial, dynamic, static, rejected):
        """What is wrong; "" where nothing is."""
        artifact, line, source = dynamic
        if artifact is None:
            return f"does not compile: {source}" if line not in (0, 1) else ""
        code, text, said = self.run(trial, artifact, f"p{trial.seed}", "85")
        if code not in (0, 1, 3):
            return f"exit code {code}: {said[:300]}"
        if code:
            self.counts["rejected"] += 1
            isNamed = re.search(rf"{re.escape(source)}:({line}|{line + 1}|{line + 2}):", said) or "the input" in said or "argument" in said
            return "" if isNamed else f"names no line: {said[:300]}"
        self.counts["ran"] += 1
        again = self.run(trial, artifact, f"p{trial.seed}", "170")
        if again[:2] != (code, text):
            return f"prints what the memory held: {text[:200]!r} and {again[1][:200]!r}"
        if rejected and not harmless(trial, rejected):
            return f"runs, but of static types mlir-opt says: {rejected}"
        if static and static[0]:
            other = self.run(trial, static[0], f"p{trial.seed}", "85")
            if other[0] == 0 and not agree(other[1], text, trial.instance.operands[0].element):
                return f"prints {text[:200]!r}, with static types {other[1][:200]!r}"
            if other[0] not in (0, 1, 3):
                return f"with static types, exit code {other[0]}: {other[2][:300]}"
            if other[0]:
                return f"runs, but with static types: {other[2][:300]}"
        return ""

    def batch(self, trials, verifier):
        texts = {t.seed: t.function(f"p{t.seed}") for t in trials}
        twins = {t.seed: t.function(f"p{t.seed}", static=True) for t in trials}
        names = [t.instance.op.name for t in trials]
        said = verifier.run(list(twins.values()), names)
        if any([t.take_inferred(message) for t, message in zip(trials, said)]):
            twins = {t.seed: t.function(f"p{t.seed}", static=True) for t in trials}
            said = verifier.run(list(twins.values()), names)
        rejected = {t.seed: message for t, message in zip(trials, said)}
        with tempfile.TemporaryDirectory(dir=self.options.work) as scratch:
            folder = pathlib.Path(scratch)
            dynamic = self.compiled(texts, folder, "dynamic")
            accepted = {seed: text for seed, text in twins.items() if not rejected[seed]}
            static = self.compiled(accepted, folder, "static") if accepted else {}
            for trial in trials:
                self.counts["trials"] += 1
                if wrong := self.judge(trial, dynamic[trial.seed], static.get(trial.seed), rejected[trial.seed]):
                    self.findings.append(trial.seed)
                    print(f"{trial.seed} ({trial.instance.op.name}): {wrong}", flush=True)
                    if self.options.keep:
                        self.options.keep.mkdir(parents=True, exist_ok=True)
                        (self.options.keep / f"{trial.seed}.mlir").write_text(f"// {wrong}\n// {' '.join('--input=' + i for i in trial.inputs)}\n{texts[trial.seed]}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dialects", default=DIALECTS)
    parser.add_argument("--only", default="")
    parser.add_argument("--level", type=int, default=3)
    parser.add_argument("--debug", default="")
    parser.add_argument("--batch", type=int, default=40)
    parser.add_argument("--llvm", default="/usr/lib/llvm-22")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("ods-sizes"))
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--one", type=int)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    pool, _, _ = generate.load_pool(options.work, options.dialects.split(","), options.llvm, f"{options.llvm}/bin/mlir-opt", options.only)
    instances = [i for name in sorted(pool) for i in pool[name] if usable(i)]
    verifier = pools.Verifier(f"{options.llvm}/bin/mlir-opt", options.work)
    runner = Runner(options)
    if options.one is not None:
        trial = Trial(options.one, instances)
        print(trial.function(f"p{options.one}"), " ".join(f"--input={i}" for i in trial.inputs), trial.function(f"p{options.one}", static=True), sep="\n")
        runner.batch([trial], verifier)
        return 1 if runner.findings else 0
    for start in range(options.seed, options.seed + options.trials, options.batch):
        seeds = range(start, min(start + options.batch, options.seed + options.trials))
        runner.batch([Trial(seed, instances) for seed in seeds], verifier)
    counts = runner.counts
    print(f"{counts['trials']} trials of {len({i.op.name for i in instances})} ops, {counts['rejected']} rejected, {counts['ran']} ran, {len(runner.findings)} findings")
    return 1 if runner.findings else 0


if __name__ == "__main__":
    sys.exit(main())
