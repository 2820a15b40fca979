"""Generates a test for each pass named and tries it: it must pass as written, and fail with its passes taken out.

    try_tests.py OUT RECORD PASS...        PASS by name, NAME:2 for the second of that name; prints a line per pass
"""
import json
import pathlib
import re
import subprocess
import sys


def run_line(file):
    """The command of the RUN lines, as lit joins them."""
    lines = [line[len("// RUN:"):].strip(" \n") for line in file.read_text().splitlines() if line.startswith("// RUN:")]
    command = ""
    for line in lines:
        command = command[:-1] + line if command.endswith("\\") else line
    return command


def passes(command, file):
    shell = command.replace("%s", f"'{file}'")
    return subprocess.run(["bash", "-o", "pipefail", "-c", shell], capture_output=True).returncode == 0


def position(record, name):
    """Of the pass in the record, as text."""
    name, _, number = name.partition(":")
    passes = json.loads((pathlib.Path(record) / "passes_dump/index.json").read_text())["passes"]
    return str([p["position"] for p in passes if p["pass"] == name][int(number or 1) - 1])


def try_pass(out, record, name):
    file = out / f"{name}.mlir"
    made = subprocess.run(["mica-test-gen", record, position(record, name), "-o", str(file), "--budget=20"], capture_output=True, text=True)
    if made.returncode:
        return made.stderr.strip()
    command = run_line(file)
    without = re.sub(r"""--pass-pipeline='[^']*'|--(?!mlir-print|allow)[a-z0-9-]+(="[^"]*")?""", "", command, count=1)
    if without == command:
        return "no pass in the RUN line: " + command
    if not passes(command, file):
        return "fails as written: " + command
    if passes(without, file):
        return "passes without the pass: " + without
    return None


def main():
    out, record, names = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    out.mkdir(parents=True, exist_ok=True)
    bad = 0
    for name in names:
        problem = try_pass(out, record, name)
        bad += problem is not None
        print(f"{name}: {problem or 'passes, and fails without the pass'}")
    print(f"{len(names) - bad} of {len(names)} tests hold")
    return 1 if bad else 0


sys.exit(main())
