"""Compares the ops that the scanner finds in a file with the lines that begin with "dialect.name": one op each, and all lines are read.

usage: check_lines.py SCAN_OPS FILE
"""
import collections
import re
import subprocess
import sys

OP = re.compile(r'\s*(?:(?:%[\w.$]+(?::\d+)?,? ?)+= )?"?([a-z_]\w*\.[\w.]+|module\b|return\b)')


def main():
    scan_ops, path = sys.argv[1:]
    found, unparsed = collections.defaultdict(list), []
    for line in subprocess.run([scan_ops, path], capture_output=True, text=True, check=True).stdout.split("\n")[1:-1]:
        first, name = line.split(" ", 1)
        unparsed.append(line) if first == "unparsed" else found[int(first)].append(name)
    ops = 0
    for number, line in enumerate(open(path), 1):
        match = OP.match(line)
        want = [match.group(1)] if match else []
        ops += len(want)
        if found[number] != want:
            print(f"FAILED: line {number}, {line.strip()[:80]}: {found[number]}, expected {want}")
    print(f"{ops} ops" + "".join(f", {line}" for line in unparsed))


main()
