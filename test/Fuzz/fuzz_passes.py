#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every pass, and whole tools, on changed programs: each ends well or by an error that names a line.

usage: fuzz_passes.py BUILD [--count=N] [--seed=S] [--minutes=M] [--state=FILE] [--jobs=J] [--work=DIR]     single passes
       fuzz_passes.py BUILD --tools [...]                                                       compiles, records, diffs, ...
       fuzz_passes.py BUILD --replay FOLDER      the .mlir files of FOLDER, whose first lines say what to run; nothing else

passes_corpus.py says what the programs are; Passes/ how they are changed. Of single passes a trial is a fork of mica-fuzz-passes, and
one to three passes in a row. Of tools it is a process: mica-compile for each target, with --plain, with --emit, in two steps; mica-opt
--record and mica-diff of its snapshots; mica-test-gen. Findings are
  a signal; more than 60 s of computing; another exit code than those documented; a failure without an error, or whose errors name no line
One for each cause, by the innermost frames of the stack, is written to WORK/findings, with what was said. IR that does not verify behind a
pass is counted ("invalid IR"): mica-opt says so, and it is mostly the program's fault. So are crashes of MLIR's parser and verifiers before any
pass runs ("upstream's").

With --state the trials so far are counted in FILE, and the same command goes on behind them. Exit code 1 where there is a finding.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import passes_corpus

LIMIT_S = 60
MEMORY = 8 << 30
BATCH = 2000
COUNTED = ("invalid IR",)
# By mica-test-gen.
TESTED = ["func.func(mica-tensor-simplify)", "func.func(canonicalize)", "func.func(convert-mica-to-linalg)", "convert-tosa-to-mica", "cse"]
# Frames that every crash has.
PLUMBING = r"PrintStackTrace|SignalHandler|RunSignal|libc\.so|libc_start|^\(|raise|abort|gsignal|__assert|report_fatal|sanitizer|__asan|__ubsan"

# Crashes of passes of MLIR that ours run (docs/UpstreamFindings.md): (frames, no frame of which is ours; the program).
KNOWN = [
    # canonicalize; compiles rewrite such views before they run it.
    (r"PatternApplicator::matchAndRewrite.*applyPatternsGreedily", r"tensor\.expand_shape .*output_shape \[[\d, ]+\] : .*into tensor<[^>]*\?"),
]


def signature(how, text):
    """What findings of one cause share: the innermost frames in code of ours or MLIR's, or the first error without names and numbers."""
    frames = re.findall(r"^\s*#\d+ 0x[0-9a-f]+ (?:in )?(\S.*)$", text, re.M)
    frames = [re.sub(r"^.*?\(?(_Z\w+|[\w:~<>]+(?=\()).*$", r"\1", f) for f in frames if not re.search(PLUMBING, f)]
    asserted = re.findall(r"Assertion `(.*?)' failed|runtime error: (.*)|ERROR: AddressSanitizer: (\S+)", text)
    errors = [re.sub(r"'[^']*'|\"[^\"]*\"|\d+|%\w+", "_", line) for line in text.splitlines() if re.search(r"error|loc\(", line)]
    what = [" ".join(filter(None, asserted[0]))] if asserted else []
    return f"{how}: " + " < ".join(what + (frames[:4] or errors[:1]))


def is_upstreams(text, program):
    """Whether a crash is one of MLIR's parser or of a verifier of MLIR's ops, before any pass runs, or a known one of a pass of MLIR's."""
    if "mica::fuzz::runTrial" not in text or re.search(r"mica::(?!fuzz::)", text):
        return False
    return "mica::fuzz::runPipeline" not in text or any(re.search(frames, text, re.S) and re.search(ops, program()) for frames, ops in KNOWN)


class Findings:
    """Those of a run, one of each cause, and the counts that --state keeps."""

    def __init__(self, options, kind):
        self.options, self.folder = options, options.work / "findings"
        self.state = {"kind": kind, "seed": options.seed, "done": 0, "seconds": 0, "outcomes": {}, "findings": {}}
        if options.state and options.state.exists():
            self.state = json.loads(options.state.read_text())

    def count(self, outcomes):
        for name, number in outcomes.items():
            self.state["outcomes"][name] = self.state["outcomes"].get(name, 0) + number

    def add(self, how, text, seed, program):
        """`program`: gives what to write down."""
        key = signature(how, text)[:400]
        if is_upstreams(text, program):
            self.count({how: -1, "upstream's": 1})
            known = self.state.setdefault("upstream", {})
            known[key] = known.get(key, 0) + 1
            return
        known = self.state["findings"].setdefault(key, {"count": 0, "seed": seed})
        known["count"] += 1
        if known["count"] > 1:
            return
        name = "pass-" + hashlib.sha1(key.encode()).hexdigest()[:10]
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / f"{name}.mlir").write_text(program())
        (self.folder / f"{name}.log").write_text(f"{key}\nseed {seed}\n{text}")
        if how not in COUNTED:
            print(f"FINDING {name}, seed {seed}: {key[:300]}", flush=True)

    def save(self, done, seconds):
        self.state["done"] += done
        self.state["seconds"] = round(self.state["seconds"] + seconds, 1)
        if self.options.state:
            self.options.state.write_text(json.dumps(self.state, indent=1) + "\n")

    def failures(self):
        return [key for key in self.state["findings"] if not key.startswith(COUNTED)]


class Driver:
    def __init__(self, options):
        self.options = options
        self.tool = options.build / "test" / "Fuzz" / "mica-fuzz-passes"
        self.corpus = None

    def load(self):
        self.corpus, count = passes_corpus.write(self.options.build, self.options.work, self.options.ods, records=not self.options.no_records,
                                                  folder=self.options.programs)
        print(f"{count} programs, seed {self.options.seed}", flush=True)

    def program(self, seed):
        return subprocess.run([self.tool, self.corpus, f"--seed={seed}", "--print"], capture_output=True, text=True, errors="replace").stdout

    def memory(self):
        # Address sanitizers reserve terabytes.
        built = (self.options.build / "CMakeCache.txt").read_text()
        return 0 if re.search(r"^MICA_SANITIZE\b.*address", built, re.M) else MEMORY

    def passes(self, seed, count, findings):
        done = subprocess.run([self.tool, self.corpus, f"--seed={seed}", f"--count={count}", f"--jobs={self.options.jobs}", f"--limit={LIMIT_S}",
                               f"--memory={self.memory()}"], capture_output=True, text=True, errors="replace")
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        if done.returncode not in (0, 3) or not lines:
            sys.exit(f"fuzz_passes.py: mica-fuzz-passes: exit code {done.returncode}: {done.stderr[-500:]}")
        findings.count(lines.pop())
        for line in lines:
            findings.add(line["how"], line["text"], line["seed"], lambda: self.program(line["seed"]))

    # Whole tools.

    def commands(self, rng, folder, program):
        """The steps of one trial: (exit codes that are right, command)."""
        tools = self.options.build / "bin"
        out = folder / "out"
        compile_ = [tools / "mica-compile", program, "-o", out, "--force"]
        target = f"--target={rng.choice(['cpu', 'sim', 'cuda', 'cuda:sm_90', 'rocm', 'spirv'])}"
        level = f"-O{rng.randrange(4)}"
        kind = rng.randrange(8)
        if kind < 3:
            switches = rng.choice(["", "assert-level=all", "assert-level=safe", "nan-check", "uninitialized-read-check"])
            return [((0, 1), [*compile_, target, level, f"--dump-passes={rng.choice(['off', 'passes', 'phases', 'patterns'])}",
                              *([f"--mica-debug={switches}"] if switches else [])])]
        if kind == 3:
            return [((0, 1), [*compile_, "--plain"])]
        if kind == 4:
            form = rng.choice(["mlir", "llvm", "asm", "ptx"])
            return [((0, 1), [tools / "mica-compile", program, f"--emit={form}", "-o", "-", "--target=cuda" if form == "ptx" else target])]
        if kind == 5:
            phase = rng.choice(["input", "tensor", "dispatch", "schedule", "kernel", "lowered"])
            return [((0, 1), [tools / "mica-compile", program, f"--compile-to={phase}", "-o", folder / "phase.mlir"]),
                    ((0, 1), [tools / "mica-compile", folder / "phase.mlir", f"--compile-from={phase}", "-o", out, "--force"])]
        if kind == 6:
            phase = rng.choice(["tensor", "dispatch", "schedule"])
            return [((0, 1), [tools / "mica-opt", program, "--allow-unregistered-dialect", f"--mica-phase-{phase}", f"--record={out}", "-o", folder / "after.mlir"]),
                    ((0, 1, 3), [tools / "mica-diff", program, folder / "after.mlir"])]
        return [((0, 1), [tools / "mica-test-gen", program, "--budget=10", f"--pass-pipeline=builtin.module({rng.choice(TESTED)})", "-o", folder / "test.mlir"])]

    def tools_trial(self, seed):
        """(outcome, how, what was said, command) of one trial."""
        rng = random.Random(seed)
        text = self.program(seed)
        if not text:
            return "no program", None, "", None
        with tempfile.TemporaryDirectory(dir=self.options.work) as scratch:
            folder = pathlib.Path(scratch)
            program = folder / "program.mlir"
            program.write_text(text)
            outcome = "done"
            for right, command in self.commands(rng, folder, program):
                limited = ["/bin/sh", "-c", f'ulimit -c 0; ulimit -t {LIMIT_S}; exec "$0" "$@"', *map(str, command)]
                done = subprocess.run(limited, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
                                      env=os.environ | {"MICA_CACHE_DIR": str(folder / "cache")})
                said = done.stderr
                shown = " ".join(map(str, command)).replace(str(folder), "DIR")
                if done.returncode < 0 or done.returncode > 128:
                    number = -done.returncode if done.returncode < 0 else done.returncode - 128
                    return "finding", "hang" if number in (9, 24) else f"signal {number}", said, shown
                if done.returncode not in right:
                    return "finding", f"exit code {done.returncode}", said, shown
                if done.returncode == 1:
                    if not re.search(r"error: \S", said):
                        return "finding", "no error", said, shown
                    outcome = "refused"
                    break
            return outcome, None, "", None

    def tools_batch(self, seed, count, findings):
        outcomes = collections.Counter()
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for offset, (outcome, how, said, command) in enumerate(pool.map(self.tools_trial, range(seed, seed + count))):
                outcomes[outcome] += 1
                if how:
                    number = seed + offset
                    findings.add(how, said, number, lambda: f"// COMMAND: {command}\n" + self.program(number))
        findings.count(outcomes)

    def replay(self, folder):
        files = sorted(folder.glob("*.mlir"))
        done = subprocess.run([self.tool, "--replay", *files], capture_output=True, text=True, errors="replace")
        for line in done.stdout.splitlines()[:-1]:
            finding = json.loads(line)
            print(f"{files[finding['seed']]}: {finding['how']}: {finding['text'][:2000]}")
        counts = json.loads(done.stdout.splitlines()[-1])
        print(f"{len(files)} programs, {'no finding' if done.returncode == 0 else 'FINDINGS'}: {counts}")
        return 0 if files and done.returncode == 0 and counts.get("done") and counts.get("refused") else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--state", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--ods", type=int, default=300, help="how many programs are drawn from ODS")
    parser.add_argument("--no-records", action="store_true", help="without the snapshots of compiles, which take a minute")
    parser.add_argument("--programs", type=pathlib.Path, help="change the kept programs of this folder, not those of the tests: draws stay the same")
    parser.add_argument("--tools", action="store_true")
    parser.add_argument("--replay", type=pathlib.Path)
    options = parser.parse_args()
    options.build = options.build.resolve()
    options.work = (options.work or options.build / "fuzz" / "passes").resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    driver = Driver(options)
    if options.replay:
        return driver.replay(options.replay)
    driver.load()
    findings = Findings(options, "tools" if options.tools else "passes")
    start = time.monotonic()
    batch = driver.tools_batch if options.tools else driver.passes
    size = 20 if options.tools else BATCH
    while findings.state["done"] < options.count and (not options.minutes or time.monotonic() - start < 60 * options.minutes):
        before = time.monotonic()
        count = min(size, options.count - findings.state["done"])
        batch(options.seed + findings.state["done"], count, findings)
        findings.save(count, time.monotonic() - before)
    outcomes = ", ".join(f"{number} {name}" for name, number in sorted(findings.state["outcomes"].items()))
    print(f"{outcomes}\n{findings.state['done']} trials in {findings.state['seconds']:.0f} s, {len(findings.failures())} findings")
    return 1 if findings.failures() else 0


if __name__ == "__main__":
    sys.exit(main())
