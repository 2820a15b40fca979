#!/usr/bin/env python3
"""What looking for undefined behavior costs: CPU seconds of `mica-compile --evaluate --check-ub` over those of `mica-compile --evaluate`,
on every entry of the given programs that the reference evaluator takes, and what is found in them.

    python3 test/Bench/bench_check_ub.py build FILE|FOLDER... [--minimum=0.05] [--timeout=60] [--json]

What it takes to read the program (`mica-compile --list`) is subtracted from both. Entries below the minimum count in the total alone.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import tempfile


def run(command, timeout):
    """Exit code, CPU seconds and text of a command."""
    before = os.times()
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout)
    except subprocess.TimeoutExpired:
        return None, 0, ""
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return done.returncode, seconds, done.stdout.decode(errors="replace")


def entries(text):
    return [match[1] for match in re.finditer(r"^(\w[\w.$-]*)\(", text, re.MULTILINE)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    parser.add_argument("--minimum", type=float, default=0.05, help="seconds of an evaluation below which no ratio is taken")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    tool = str(arguments.build / "bin" / "mica-compile")
    files = []
    for program in arguments.programs:
        files += sorted(program.rglob("*.mlir")) if program.is_dir() else [program]
    rows, findings, skipped = [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            code, reading, text = run([tool, "--list", str(file)], arguments.timeout)
            if code != 0:
                skipped += 1
                continue
            for entry in entries(text):
                common = [tool, "--evaluate", str(file), f"--entry={entry}"]
                code, plain, _ = run(common + [f"--printed={folder}/printed"], arguments.timeout)
                if code != 0:
                    skipped += 1
                    continue
                code, strict, text = run(common + ["--check-ub"], arguments.timeout * 4)
                if code != 0:
                    findings.append({"file": str(file), "entry": entry, "code": code, "text": text})
                    continue
                rows.append({"file": str(file), "entry": entry, "evaluate": max(plain - reading, 0),
                             "check_ub": max(strict - reading, 0)})
    total = {key: round(sum(row[key] for row in rows), 3) for key in ("evaluate", "check_ub")}
    long = [row for row in rows if row["evaluate"] >= arguments.minimum]
    ratios = sorted(((row["check_ub"] / row["evaluate"], row) for row in long), key=lambda pair: -pair[0])
    result = {"entries": len(rows), "skipped": skipped, "total": total,
              "ratio": round(total["check_ub"] / total["evaluate"], 2) if total["evaluate"] else None,
              "largest": [{"ratio": round(ratio, 2), **row} for ratio, row in ratios[:10]], "findings": findings}
    if arguments.json:
        print(json.dumps(result, indent=2))
        return
    print(f"{len(rows)} entries, {skipped} not taken; {total['evaluate']} s, with --check-ub {total['check_ub']} s: {result['ratio']}")
    for ratio, row in ratios[:10]:
        print(f"  {ratio:.2f}  {row['evaluate']:.2f} s  {row['file']} {row['entry']}")
    for finding in findings:
        print(f"{finding['file']} {finding['entry']}: exit code {finding['code']}\n{finding['text']}")


if __name__ == "__main__":
    main()
