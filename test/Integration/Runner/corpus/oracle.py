#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every program of this folder that mica-run runs can be compared with the reference evaluator, and agrees with it.

usage: oracle.py WORK [--only=TEXT] [--share=K/N] [--jobs=N]

Runs mica-run --check-reference on each. Verdicts: `agrees`; `fails`: it does not agree, or the evaluator does not take the
program; `refused`: results.tsv says that mica-run does not run it. The exit code is 1 if a program fails.
"""
import argparse
import collections
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import run  # noqa: E402

VERDICTS = dict(line.split("\t")[:2] for line in (HERE / "results.tsv").read_text().splitlines())


def judge(program, work):
    with tempfile.TemporaryDirectory(dir=work) as scratch:
        source = pathlib.Path(scratch) / "program.mlir"
        source.write_text(program.text)
        flags = ["--transform"] if program.pipeline == "transform" else []
        command = ["mica-run", source, "--entry=main", "--no-cache", *flags]
        done = subprocess.run([*command, "--check-reference"], capture_output=True, timeout=120, cwd=scratch)
        said = (done.stdout + done.stderr).decode(errors="replace").replace(str(source), "program.mlir")
        if done.returncode == 0:
            return program, "agrees", ""
        if VERDICTS.get(program.name) in ("refused", "stock"):
            return program, "refused", ""
        return program, "fails", said.strip()[-600:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--share", default="1/1")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    first, every = (int(x) for x in options.share.split("/"))
    programs = [p for i, p in enumerate(run.load()) if (i + 1) % every == first % every and options.only in p.name]
    options.work.mkdir(parents=True, exist_ok=True)
    counts, wrong = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for program, verdict, note in pool.map(lambda p: judge(p, options.work), programs):
            counts[verdict] += 1
            wrong += verdict == "fails"
            if verdict == "fails":
                print(f"{verdict:8} {program.name}: {note}")
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
