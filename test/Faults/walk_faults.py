#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes calls of the system fail, one per run, and holds Mica to its promise: an error and exit code 1, or the right result.

usage: walk_faults.py BUILD WORK [--scenario=NAME] [--kind=NAME] [--share=N] [--jobs=N] [--write=FILE] [--show]
       walk_faults.py BUILD WORK --scenario=NAME --kind=NAME --at=N[+]     one fault: what it printed

Scenarios (the program in which faults are injected):
  run      mica-run ARTIFACT on two threads
  model    mica-run MODEL.mlir, which compiles into an empty cache
  cached   mica-run MODEL.mlir, whose artifact is in the cache
  compile  mica-compile MODEL.mlir -o DIR
  replace  the same where DIR has an artifact of another program, which must be that or the new one afterwards
  library  a C program that calls libmica (docs/examples/c/run.c)
Each is run once by InjectFaults.cpp's FAULT_RECORD, which lists for each kind of call the first one from every place of the program.
Each of these (or each N-th: --share) is then made to fail, and of every 16th all later calls too. A run must end within 60 s with
  exit code 0 and the right result, or
  exit code 1 and an error on the standard error stream.
Afterwards the same command without a fault must give the right result: nothing that is half written is trusted.

Prints what did not hold, a table, and "N faults, M failures". --write: the table as a file, of which
tools/scripts/generate_reliability.py makes a part of docs/Reliability.md.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading

LIMIT_S = 60
OUTCOMES = ("result", "error", "known", "failed")
# nlohmann's JSON values allocate in their destructors and where an object grows, and a host program has no handler of
# ours that makes an error of the exception: it ends (docs/Reliability.md).
KNOWN = {"library": "terminate called after throwing an instance of"}
# All later calls fail too: of memory at any place, of the others the first.
FOREVER = 16


def model(scale):
    """A program with kernels, weights in a file of their own and a free size."""
    rows = ", ".join("[" + ", ".join(f"{(3 * i + 5 * j) % 7 - 3}.0" for j in range(16)) + "]" for i in range(16))
    return f"""func.func @main(%x: tensor<?x16xf32>) -> tensor<?x16xf32> {{
  %w = arith.constant dense<[{rows}]> : tensor<16x16xf32>
  %s = arith.constant dense<{scale}.0> : tensor<1x16xf32>
  %0 = mica.matmul %x, %w : (tensor<?x16xf32>, tensor<16x16xf32>) -> tensor<?x16xf32>
  %1 = mica.mul %0, %s : (tensor<?x16xf32>, tensor<1x16xf32>) -> tensor<?x16xf32>
  %2 = mica.softmax %1 axis = 1 : tensor<?x16xf32>
  %3 = mica.reduce sum %2 dims = [0] keep_dims : (tensor<?x16xf32>) -> tensor<1x16xf32>
  %4 = mica.add %0, %3 : (tensor<?x16xf32>, tensor<1x16xf32>) -> tensor<?x16xf32>
  return %4 : tensor<?x16xf32>
}}
"""


class Walk:
    def __init__(self, options):
        self.build, self.work, self.options = options.build.resolve(), options.work.resolve(), options
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.library = self.build / "test" / "Faults" / "MicaInjectFaults.so"
        self.run_tool, self.compile_tool = self.build / "bin" / "mica-run", self.build / "bin" / "mica-compile"
        self.local, self.folders = threading.local(), 0
        for name, scale in (("model", 1), ("other", 2)):
            (self.work / f"{name}.mlir").write_text(model(scale))
            self.plain([self.compile_tool, self.work / f"{name}.mlir", "-o", self.work / name])
        self.plain([self.run_tool, self.work / "model", *self.inputs(self.work / "expected.npy")])
        self.expected = (self.work / "expected.npy").read_bytes()
        self.plain([self.run_tool, self.work / "other", *self.inputs(self.work / "other.npy")])
        self.other = (self.work / "other.npy").read_bytes()
        self.client = [self.build / "test" / "Unit" / "CExample", self.work / "model"]
        self.printed = self.plain(self.client)

    def plain(self, command):
        done = subprocess.run(command, capture_output=True, text=True, env=self.environment({}))
        if done.returncode != 0:
            sys.exit(f"walk_faults.py: {command}: exit code {done.returncode}: {done.stderr}")
        return done.stdout

    def environment(self, more):
        own = {k: v for k, v in os.environ.items() if not k.startswith(("FAULT_", "MICA_"))}
        return own | {"TMPDIR": str(self.work), "MALLOC_PERTURB_": "165"} | more

    def inputs(self, output):
        return ["--input=8x16xf32=0.25", f"--output=@{output}", "--threads=2"]

    def folder(self):
        """Where the current thread works: an artifact or a cache of its own."""
        if not hasattr(self.local, "folder"):
            self.folders += 1
            self.local.folder = self.work / f"thread-{self.folders}"
        shutil.rmtree(self.local.folder, ignore_errors=True)
        self.local.folder.mkdir()
        return self.local.folder

    def prepare(self, scenario):
        """(program, command, environment, judge of the result of a run that ended with 0 and its text) for one fault."""
        folder, source = self.folder(), self.work / "model.mlir"
        output = folder / "y.npy"
        def same(_):
            return output.exists() and output.read_bytes() == self.expected
        if scenario == "library":
            return "CExample", self.client, {}, lambda text: text == self.printed
        if scenario == "run":
            shutil.copytree(self.work / "model", folder / "artifact", symlinks=True)
            return "mica-run", [self.run_tool, folder / "artifact", *self.inputs(output)], {}, same
        if scenario in ("model", "cached"):
            cache = {"MICA_CACHE_DIR": str(folder / "cache")}
            command = [self.run_tool, source, *self.inputs(output)]
            if scenario == "cached":
                if not (self.work / "cache").exists():
                    subprocess.run(command, env=self.environment({"MICA_CACHE_DIR": str(self.work / "cache")}), capture_output=True, check=True)
                shutil.copytree(self.work / "cache", folder / "cache", symlinks=True)
                output.unlink(missing_ok=True)
            return "mica-run", command, cache, same
        if scenario == "replace":
            shutil.copytree(self.work / "other", folder / "artifact", symlinks=True)
        command = [self.compile_tool, source, "-o", folder / "artifact", *(["--force"] if scenario == "replace" else [])]
        return "mica-compile", command, {}, lambda _: self.artifact_gives(folder / "artifact", output) == self.expected

    def artifact_gives(self, artifact, output):
        """The bytes of a run of the artifact; None where it has none."""
        output.unlink(missing_ok=True)
        done = subprocess.run([self.run_tool, artifact, "--verify", *self.inputs(output)], capture_output=True, env=self.environment({}))
        return output.read_bytes() if done.returncode == 0 and output.exists() else None

    def run(self, command, more):
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=LIMIT_S,
                                  env=self.environment({"LD_PRELOAD": str(self.library)} | more), stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return None, "", ""
        return done.returncode, done.stdout, done.stderr

    def places(self, scenario):
        """[(kind, index)], the first call of each kind from each place."""
        program, command, more, judge = self.prepare(scenario)
        record = self.work / f"record-{scenario}"
        record.unlink(missing_ok=True)
        code, out, err = self.run(command, more | {"FAULT_PROGRAM": program, "FAULT_RECORD": str(record)})
        if code != 0 or not judge(out):
            sys.exit(f"walk_faults.py: {scenario} without a fault: exit code {code}: {err}")
        found = [line.split() for line in record.read_text().splitlines()]
        return [(kind, int(index)) for kind, index in found]

    def verdict(self, scenario, kind, at):
        """(outcome, why) of one fault."""
        program, command, more, judge = self.prepare(scenario)
        fault = {"FAULT_PROGRAM": program, "FAULT_KIND": kind, "FAULT_AT": at}
        code, out, err = self.run(command, more | fault)
        if self.options.at:
            print(f"exit code {code}\n{out}{err}", end="")
        if code is None:
            return "failed", f"no end within {LIMIT_S} s"
        if code == 0:
            outcome = "result"
            if not judge(out):
                return "failed", "exit code 0 and another result: " + (out + err)[-300:]
        elif code == 1:
            outcome = "error"
            if not re.search(r"error: \S", err):
                return "failed", "exit code 1 and no error: " + err[-300:]
        elif kind == "alloc" and KNOWN.get(scenario, "\0") in err:
            return "known", ""
        else:
            return "failed", f"exit code {code}: {err[-1500:]}"
        folder = self.local.folder
        if scenario == "replace" and outcome == "error" and self.artifact_gives(folder / "artifact", folder / "y.npy") not in (self.other, self.expected):
            return "failed", "the artifact that was to be replaced is neither the old nor the new one"
        if scenario == "compile" and outcome == "error" and (folder / "artifact").exists() and not judge(""):
            return "failed", "an artifact that does not run is left"
        if scenario != "library":
            (folder / "y.npy").unlink(missing_ok=True)
            code, out, err = self.run(command if scenario != "compile" else [*command, "--force"], more)
            if code != 0 or not judge(out):
                return "failed", f"the next run without a fault: exit code {code}: {err[-300:]}"
        return outcome, ""

    def walk(self, scenario):
        counts = collections.defaultdict(collections.Counter)
        todo = []
        taken = collections.Counter()
        for kind, index in self.places(scenario):
            if self.options.kind and kind != self.options.kind:
                continue
            counts[kind]["places"] += 1
            # Memory is asked for from thousands of places, files from some tens.
            if (counts[kind]["places"] - 1) % (self.options.share if kind == "alloc" else self.options.others):
                continue
            taken[kind] += 1
            todo.append((kind, str(index)))
            if taken[kind] % FOREVER == 1:
                todo.append((kind, f"{index}+"))
        failures = collections.Counter()
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for (kind, at), (outcome, why) in zip(todo, pool.map(lambda fault: self.verdict(scenario, *fault), todo)):
                counts[kind]["faults"] += 1
                counts[kind][outcome] += 1
                if outcome != "failed":
                    continue
                # One of each cause is enough to see.
                cause = re.sub(r"0x[0-9a-f]+|\d+", "N", why.strip().splitlines()[0] if why.strip() else "")
                failures[cause] += 1
                if failures[cause] <= 3 or self.options.show:
                    print(f"{scenario}: --kind={kind} --at={at}: {why}", flush=True)
        return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--scenario")
    parser.add_argument("--kind")
    parser.add_argument("--at")
    parser.add_argument("--share", type=int, default=1, help="of the places that ask for memory, every N-th")
    parser.add_argument("--others", type=int, default=1, help="of the places of each other kind, every N-th")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    walk = Walk(options)
    if options.at:
        print(*walk.verdict(options.scenario, options.kind, options.at))
        return 0
    faults = failed = 0
    lines = ["scenario\tkind\tplaces\tfaults\t" + "\t".join(OUTCOMES)]
    for scenario in options.scenario.split(",") if options.scenario else ("run", "model", "cached", "library", "compile", "replace"):
        for kind, count in sorted(walk.walk(scenario).items()):
            faults += count["faults"]
            failed += count["failed"]
            lines.append("\t".join([scenario, kind, *(str(count[k]) for k in ("places", "faults", *OUTCOMES))]))
    print("\n".join(line.expandtabs(10) for line in lines))
    if options.write:
        options.write.write_text("\n".join(lines) + "\n")
    print(f"{faults} faults, {failed} failures")
    return 1 if failed else 0


sys.exit(main())
