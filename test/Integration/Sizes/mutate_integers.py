#!/usr/bin/env python3
"""mutate_integers.py BUILD WORK [--share=N] [--seed=S] MODEL[:FLAGS]...: whatever an integer of an artifact's JSON files is changed to, the
program runs as before, computes something else from memory it has, or is refused with a message; it never crashes.

Each integer of manifest.json, host/tasks.json and the kernels' launch.json becomes each of VALUES in turn. With --share=N about one in N of these
edits is tried. An edit that gives other numbers is only accepted for KEYS whose every value in range names memory that is there.
"""
import argparse
import collections
import json
import os
import random
import shutil
import subprocess
import sys

VALUES = [-1, 0, 1, 2, 64, 2**31, 2**32, 2**53, 2**63 - 1, -2**63, 1e300, "7", None, [3]]
# Which weights, which part of an arena, what waits for what: another choice among those there are.
CHOICES = {"offset", "index", "buffers", "deps", "arena_bytes", "site", "device", "related_sizes", "updates", "scalars", "view_of",
           "size_scalar", "fills", "ops", "writers", "share_elements"}
TIMEOUT = 60


def integers(value, path=()):
    """Paths to all integers in a JSON value."""
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        yield path
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from integers(item, path + (key,))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from integers(item, path + (index,))


def changed(document, path, value):
    copy = json.loads(json.dumps(document))
    place = copy
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return copy


class Artifact:
    def __init__(self, tool, folder, inputs):
        self.tool, self.folder, self.inputs = tool, folder, inputs
        self.whole = folder + ".whole"
        shutil.rmtree(self.whole, ignore_errors=True)
        shutil.copytree(folder, self.whole)

    def restore(self):
        shutil.rmtree(self.folder)
        shutil.copytree(self.whole, self.folder)

    def run(self):
        """Exit code, results as bytes, the text of errors."""
        out = os.path.join(self.folder, "..", "out.npy")
        if os.path.exists(out):
            os.remove(out)
        done = subprocess.run([self.tool, self.folder, "--output=@" + out, "--run-dir=" + self.folder + ".runs",
                               "--mica-debug=memory-limit=8G"] + self.inputs,
                              capture_output=True, timeout=TIMEOUT)
        data = open(out, "rb").read() if os.path.exists(out) else b""
        return done.returncode, data, done.stderr.decode(errors="replace")


def try_edits(artifact, name, files, share, rng, counts):
    code, expected, text = artifact.run()
    if code != 0 or not expected:
        sys.exit(f"{name}: does not run before any edit: {code}\n{text}")
    failures = []
    for file in files:
        path = os.path.join(artifact.folder, file)
        original = open(path).read()
        document = json.loads(original)
        for place in integers(document):
            for value in VALUES:
                if share > 1 and rng.randrange(share):
                    continue
                with open(path, "w") as stream:
                    json.dump(changed(document, place, value), stream)
                try:
                    code, data, text = artifact.run()
                except subprocess.TimeoutExpired:
                    code, data, text = "hang", b"", ""
                keys = {step for step in place if isinstance(step, str)}
                if code == 0 and data == expected:
                    outcome = "same"
                elif code == 0 and keys & CHOICES:
                    outcome = "other numbers"
                elif code in (1, 3) and "error" in text:
                    outcome = "refused"
                else:
                    outcome = "failed"
                    failures.append(f"{name}: {file}: {'.'.join(map(str, place))} = {value!r}: exit {code}"
                                    f"{', other numbers' if code == 0 else ''}\n    {text.strip()[:400]}")
                counts[outcome] += 1
                artifact.restore()
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("work")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--seed", type=int, default=20261123)
    options = parser.parse_args()
    print("seed", options.seed)
    rng = random.Random(options.seed)
    counts, failures = collections.Counter(), []
    bin = os.path.join(options.build, "bin")
    for number, model in enumerate(options.models):
        file, *flags = model.split(":")
        # A line "// inputs: --input=..." says what the program is run with.
        inputs = next((line.split(":", 1)[1].split() for line in open(file) if line.startswith("// inputs:")), [])
        folder = os.path.join(options.work, f"mutated_{number}")
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([os.path.join(bin, "mica-compile"), file, "-o", folder, "--dump-passes=off"] + flags, check=True)
        files = ["manifest.json", "host/tasks.json"]
        if options.share == 1:
            files += [os.path.join("kernels", kernel, "launch.json") for kernel in sorted(os.listdir(folder + "/kernels"))]
        failures += try_edits(Artifact(os.path.join(bin, "mica-run"), folder, inputs), model, files, options.share, rng, counts)
        if failures:
            break
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))
    for failure in failures[:20]:
        print(failure)
    if failures or counts["refused"] == 0 or counts["same"] == 0:
        sys.exit(f"{len(failures)} edits failed")


main()
