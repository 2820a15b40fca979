#!/usr/bin/env python3
"""Runs clang-tidy with the checks of .clang-tidy over the files that a build compiles, and prints each finding once.

usage: tidy.py BUILD_DIR [--changed[=COMMIT]] [--together=N] [--jobs=N] [FILE ...]

FILE are source files or folders; without any, the whole tree. --changed takes the files that differ from COMMIT (HEAD).
The last line is "N files, N findings". Exit code 1 where there are findings.

Precompiled headers are left out: clang-tidy would look at all of what is in them. So it also finds what a file should
include.
--together=N puts N files into one, which takes half of the time or less: their headers are read once. Names of one file
are those of another there, so errors say nothing, and what only holds for a file by itself is not found.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PRECOMPILED = re.compile(r"-Winvalid-pch|-Xclang -include(?:-pch)? -Xclang \S+|-Xclang -fno-pch-timestamp")
FINDING = re.compile(r"^(/[^:\n]+):(\d+):(\d+): (?:warning|error): (.*) \[([\w.,-]+)\]$", re.M)


def run(tidy, folder, file):
    """The findings in `file`, by the command that `folder` has for it, as (path, line, column, message, check)."""
    done = subprocess.run([tidy, "-p", folder, "--quiet", "--extra-arg=-ferror-limit=0", file], capture_output=True,
                          text=True)
    found = [match.groups() for match in FINDING.finditer(done.stdout)]
    if done.returncode and not found:
        found = [(file, "1", "1", (done.stderr.strip() or "clang-tidy failed").splitlines()[-1], "clang-tidy")]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--changed", nargs="?", const="HEAD")
    parser.add_argument("--together", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--tidy", default="clang-tidy-22")
    options = parser.parse_intermixed_args()
    source = pathlib.Path(__file__).resolve().parents[2]
    build = options.build.resolve()
    commands = {c["file"]: c for c in json.loads((build / "compile_commands.json").read_text())
                if c["file"].endswith(".cpp") and pathlib.Path(c["file"]).is_relative_to(source)
                and not pathlib.Path(c["file"]).is_relative_to(build)}
    wanted = [path.resolve() for path in options.files] or [source]
    files = [f for f in sorted(commands) if any(pathlib.Path(f).is_relative_to(w) for w in wanted)]
    if options.changed:
        changed = subprocess.run(["git", "-C", source, "diff", "--name-only", options.changed], capture_output=True,
                                 text=True, check=True).stdout.split()
        files = [f for f in files if os.path.relpath(f, source) in changed]

    # Files that are compiled alike can be compiled together.
    alike = collections.defaultdict(list)
    for file in files:
        command = PRECOMPILED.sub("", commands[file]["command"].split(" -o ")[0])
        alike[command, commands[file]["directory"]].append(file)
    findings = set()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        database = []
        for (command, directory), members in alike.items():
            for first in range(0, len(members), options.together):
                path = members[first]
                if options.together > 1:
                    path = f"{folder}/together{len(database)}.cpp"
                    pathlib.Path(path).write_text("".join(
                        f'#include "{f}"\n#undef DEBUG_TYPE\n' for f in members[first:first + options.together]))
                database.append({"directory": directory, "file": path, "command": f"{command} -c {path}"})
        (pathlib.Path(folder) / "compile_commands.json").write_text(json.dumps(database))
        (pathlib.Path(folder) / ".clang-tidy").write_text((source / ".clang-tidy").read_text())
        for found in pool.map(lambda entry: run(options.tidy, folder, entry["file"]), database):
            for finding in found:
                path, line, column, message, check = finding
                if path.startswith(folder) or (options.together > 1 and check == "clang-diagnostic-error"):
                    continue
                if finding not in findings:
                    print(f"{os.path.relpath(path, source)}:{line}:{column}: {message} [{check}]", flush=True)
                findings.add(finding)
    print(f"{len(files)} files, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
