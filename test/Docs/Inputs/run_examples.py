"""Runs each ```mlir block of the pages through a command that reads standard input.

usage: run_examples.py [--every=N] PAGE_OR_FOLDER COMMAND [ARGUMENT ...]
In a folder every page must have an example. --every=N: one of N examples.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

arguments = sys.argv[1:]
every = int(arguments.pop(0).split("=")[1]) if arguments[0].startswith("--every=") else 1
place, command = pathlib.Path(arguments[0]), arguments[1:]
examples = []
for page in sorted(place.glob("*.md")) if place.is_dir() else [place]:
    found = re.findall(r"```mlir\n(.*?)```", page.read_text(), re.S)
    if not found:
        sys.exit(f"{page.name} has no example")
    examples += [(page.name, example) for example in found]
examples = examples[::every]


def run(entry):
    done = subprocess.run(command, input=entry[1], capture_output=True, text=True)
    return entry, done


failed = 0
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for (name, example), done in pool.map(run, examples):
        if done.returncode:
            failed += 1
            print(f"{name}:\n{example}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
print(f"{len(examples) - failed} examples ran, {failed} failed")
sys.exit(failed != 0)
