#!/usr/bin/env python3
"""Runs the ONNX test cases of Debian's libonnx-testdata: models with inputs and the results that the standard asks for.

usage: check.py BUILD WORK [--data=DIR] [--only=REGEX] [--share=K/N] [--compiled=K/N] [--jobs=N] [--write=results.tsv]

Each case is imported and evaluated by the reference evaluator (mica-onnx-cases, all in one call). A share of them is also
compiled and run: `mica-compile model.onnx`, `mica-run --golden-data=test_data_set_0`. A case is

  right      every result is within the tolerance of ONNX's own runner (rtol 1e-3, atol 1e-7; integers exact), both ways
  refused    the import names a node or value and the reason
  data       the inputs do not fit the model, or the results do not follow from it
  wrong, failed, crash

The verdicts are compared with results.tsv beside this file; the exit code is 1 where one differs. --write replaces them.
--share=0/4 takes every fourth case, --compiled=0/4 compiles every fourth of these (default: all).
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# Data that do not follow from the model.
DATA = {
    "node/test_adam_multiple": "the data were made with epsilon = 0.01; the model has none, which is 1e-6",
}


def tolerance(case):
    """As ONNX's own runner compares; its bf16 are rounded toward zero."""
    return [f"--rtol={1e-2 if 'TO_BFLOAT16' in case.name or 'to_BFLOAT16' in case.name else 1e-3}", "--atol=1e-7"]


def option(name, default):
    return next((a.split("=", 1)[1] for a in sys.argv[3:] if a.startswith(f"--{name}=")), default)


def share(items, text):
    first, step = map(int, text.split("/"))
    return items[first::step]


def first_error(text):
    match = re.search(r"error: (.*)", text)
    return match.group(1) if match else (text.strip().splitlines() or [""])[-1]


def run(command, folder):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=folder, errors="replace")
    except subprocess.TimeoutExpired:
        return "failed", "took more than 300 s"
    if done.returncode == 0:
        return "right", ""
    if done.returncode == 3:
        return "wrong", next((l for l in done.stdout.splitlines() if "golden" in l), first_error(done.stderr))
    if done.returncode < 0 or done.returncode == 2:
        return "crash", first_error(done.stderr)
    return "failed", first_error(done.stderr)


def compiled(build, work, case):
    """Compiles the model and runs it on its first set of inputs."""
    name = f"{case.parent.name}-{case.name}"
    artifact = work / name
    word, reason = run([build / "bin/mica-compile", case / "model.onnx", "-o", artifact, "-O1", "--dump-passes=off", "--force"], work)
    for data in sorted(case.glob("test_data_set_*")) if word == "right" else []:
        word, reason = run([build / "bin/mica-run", artifact, f"--golden-data={data}", f"--run-dir={work / (name + '-run')}", *tolerance(case)], work)
        if word != "right":
            break
    shutil.rmtree(artifact, ignore_errors=True)
    shutil.rmtree(work / (name + "-run"), ignore_errors=True)
    shutil.rmtree(work / (name + ".failed"), ignore_errors=True)
    return ("right", "") if word == "right" else (word, "compiled: " + reason)


def read_results(file):
    lines = [line.rstrip("\n").split("\t") for line in open(file) if not line.startswith("#")]
    return {case: (verdict, reason) for case, verdict, reason in lines}


def main():
    build, work = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    data = pathlib.Path(option("data", "/usr/share/libonnx-testdata/data"))
    cases = sorted(model.parent for model in data.glob("*/*/model.onnx"))
    if not cases:
        sys.exit(f"no cases in {data}: install libonnx-testdata (tools/scripts/bootstrap.sh onnx)")
    cases = [c for c in cases if re.search(option("only", ""), f"{c.parent.name}/{c.name}")]
    cases = share(cases, option("share", "0/1"))
    work.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ, LD_LIBRARY_PATH=f"{build}/lib")
    lines = subprocess.run([build / "test/Onnx/mica-onnx-cases", *cases], capture_output=True, text=True, errors="replace",
                           env=environment, check=True).stdout.splitlines()
    results = {}
    for line in lines:
        verdict, case, reason = line.split("\t", 2)
        results[case] = ("data", DATA[case]) if verdict == "wrong" and case in DATA else (verdict, reason)
    right = [c for c in cases if results[f"{c.parent.name}/{c.name}"][0] == "right"]
    chosen = share(right, option("compiled", "0/1")) if option("compiled", "") != "none" else []
    with concurrent.futures.ThreadPoolExecutor(int(option("jobs", "1"))) as pool:
        for case, result in zip(chosen, pool.map(lambda c: compiled(build, work, c), chosen)):
            results[f"{case.parent.name}/{case.name}"] = result
    if option("write", ""):
        with open(option("write", ""), "w") as file:
            file.write("# case, verdict, reason: written by test/Onnx/check.py\n")
            for case, (verdict, reason) in sorted(results.items()):
                file.write(f"{case}\t{verdict}\t{reason}\n")
    known = read_results(HERE / "results.tsv") if (HERE / "results.tsv").exists() else {}
    differing = [c for c in sorted(results) if results[c] != known.get(c)]
    for case in differing:
        print(f"{case}: {' '.join(results[case])}; results.tsv has {' '.join(known.get(case, ('nothing',)))}")
    counts = {}
    for verdict, _ in results.values():
        counts[verdict] = counts.get(verdict, 0) + 1
    print(f"{len(results)} cases, {len(chosen)} compiled: " + ", ".join(f"{n} {v}" for v, n in sorted(counts.items())))
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
