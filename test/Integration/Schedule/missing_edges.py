#!/usr/bin/env python3
"""Removes dependencies from the schedules of artifacts, one at a time, and looks whether mica-run --deps names each, and mica-compile too.

usage: missing_edges.py ARTIFACT... [--count=30]

An edge is removed where mica-run says that it is needed and does not follow from others; the artifacts take turns. Prints how many were named; the
schedules are left as they were. So are they from the text of the schedule, which mica-compile --compile-from=schedule then has to refuse with the same words:
it lies beside the artifact, as ARTIFACT.mlir, which `mica-compile --compile-to=schedule` made.
"""
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile


def deps(artifact, *flags):
    return subprocess.run(["mica-run", artifact, "--deps" + "".join(flags)], capture_output=True, text=True)


def edges_of(artifact):
    """(list, before, after) of the edges that nothing can do without, in an order that is drawn."""
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/deps.json"
        whole = deps(artifact, f"={out}")
        if whole.returncode != 0:
            sys.exit(f"the schedule of {artifact} as compiled: {whole.stdout}{whole.stderr}")
        lists = json.loads(pathlib.Path(out).read_text())["lists"]
    edges = [(number, edge["before"], edge["after"]) for number, made in enumerate(lists) for edge in made["edges"]
             if edge["needed"] and not edge["implied"]]
    random.Random(1).shuffle(edges)
    return edges


def without(lines, number, before, after):
    """The text of a schedule in which task `after` of list `number` does not wait for task `before`; their lines, from 1."""
    starts = [i for i, line in enumerate(lines) if "mica_sched.task_list @" in line] + [len(lines)]
    tasks = [i for i in range(starts[number], starts[number + 1]) if "= mica_sched.task @" in lines[i]]
    token = lines[tasks[before]].split(" = ")[0].strip()
    head, tokens, tail = re.fullmatch(r"(.*) after\((.*?)\)(.*)", lines[tasks[after]]).groups()
    kept = [name for name in tokens.split(", ") if name != token]
    edited = list(lines)
    edited[tasks[after]] = head + (f" after({', '.join(kept)})" if kept else "") + tail
    return "\n".join(edited), tasks[before] + 1, tasks[after] + 1, token


def compile_without(artifact, number, before, after):
    """Whether mica-compile refuses the schedule, at the lines of both tasks, and says what to add."""
    lines = pathlib.Path(f"{artifact}.mlir").read_text().splitlines()
    text, first, second, token = without(lines, number, before, after)
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/edited.mlir"
        pathlib.Path(file).write_text(text + "\n")
        done = subprocess.run(["mica-compile", file, "--compile-from=schedule", "--compile-to=kernel", "-o", f"{folder}/out"],
                              capture_output=True, text=True)
    wanted = [f"edited.mlir:{second}:", f"edited.mlir:{first}:", f": add {token}, the token of task {before}, to `after` of task {after}\n"]
    if done.returncode == 1 and all(words in done.stderr for words in wanted) and done.stderr.count(": error: 'mica_sched.task'") == 1:
        return True
    print(f"{artifact}: edge {before} to {after}: mica-compile: exit code {done.returncode}\n{done.stderr}")
    return False


def main():
    artifacts = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    count = next((int(argument.split("=")[1]) for argument in sys.argv if argument.startswith("--count=")), 30)
    edges = {artifact: edges_of(artifact) for artifact in artifacts}
    chosen = []
    while len(chosen) < count and any(edges.values()):
        chosen += [(artifact, edges[artifact].pop()) for artifact in artifacts if edges[artifact]]
    chosen = chosen[:count]
    named = compiled = 0
    for artifact, (number, before, after) in chosen:
        file = pathlib.Path(artifact) / "host" / "tasks.json"
        text = file.read_text()
        tasks = json.loads(text)
        tasks["lists"][number]["tasks"][after]["deps"].remove(before)
        file.write_text(json.dumps(tasks))
        done = deps(artifact)
        file.write_text(text)
        wanted = f"add {before} to the `deps` of task {after} in host/tasks.json"
        if done.returncode == 3 and wanted in done.stdout and f"missing: task {after} (" in done.stdout:
            named += 1
        else:
            print(f"{artifact}: edge {before} to {after}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        compiled += compile_without(artifact, number, before, after)
    print(f"{named} of {len(chosen)} removed dependencies named, {compiled} by the compiler")


main()
