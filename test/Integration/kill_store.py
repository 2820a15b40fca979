#!/usr/bin/env python3
"""Kills mica-run at random moments of compile, run, rebuild and eviction; each time a normal run right after it succeeds.

usage: kill_store.py MICA_RUN MICA_COMPILE WORK COUNT [SEED]

COUNT kills in all, a quarter of each kind. Most are by SIGKILL, the rest by SIGTERM, SIGINT and SIGHUP, always to mica-run alone: its
compiler ends with it. After the last kill nothing temporary is left once a run and --clean have passed.
"""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

RUN, COMPILE, WORK, COUNT = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]).absolute(), int(sys.argv[4])
SEED = int(sys.argv[5]) if len(sys.argv) > 5 else 20261123
rng = random.Random(SEED)
shutil.rmtree(WORK, ignore_errors=True)
WORK.mkdir(parents=True)
cache = WORK / "cache"
ENVIRONMENT = os.environ | {"MICA_CACHE_DIR": str(cache)}
SIGNALS = [signal.SIGKILL] * 5 + [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]


def write_model(number):
    path = WORK / f"m{number}.mlir"
    path.write_text(f"func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{\n  %c = arith.constant dense<{number}.0> : tensor<4xf32>\n  %r = arith.addf %x, %c : tensor<4xf32>\n  return %r : tensor<4xf32>\n}}\n")
    return path


models = [write_model(number) for number in range(2, 6)]


def fail(what):
    sys.exit(f"{what} (seed {SEED})")


def normal(arguments, number, what, environment=ENVIRONMENT):
    done = subprocess.run([RUN, *map(str, arguments), "--input=4xf32=1"], env=environment, capture_output=True, text=True)
    if done.returncode != 0 or f"{number + 1}." not in done.stdout:
        fail(f"{what}: the next run: exit code {done.returncode}, expected {number + 1}\n{done.stdout}{done.stderr}")


def compilers():
    """Processes of mica-compile that work in our folder."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes()
                state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
            except OSError:
                continue
            if b"mica-compile" in command.split(b"\0")[0] and str(WORK).encode() in command and state != "Z":
                found.append(int(entry.name))
    return found


def kill_during(arguments, length, what, environment=ENVIRONMENT):
    child = subprocess.Popen([RUN, *map(str, arguments), "--input=4xf32=1"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(rng.uniform(0, 1.1 * length))
    child.send_signal(rng.choice(SIGNALS))
    child.wait()
    end = time.monotonic() + 20
    while compilers():
        if time.monotonic() > end:
            fail(f"{what}: the compiler outlives its mica-run")
        time.sleep(0.01)


def timed(arguments, number, what, environment=ENVIRONMENT):
    start = time.monotonic()
    normal(arguments, number, what, environment)
    return time.monotonic() - start


def compile_kills(count):
    length = timed([models[0], "--no-cache"], 2, "first compile")
    for i in range(count):
        # A new artifact, one that replaces another, and one in a folder of the user's.
        flags = ([], ["--no-cache"], ["-o", WORK / "own", "--force"])[i % 3]
        if i % 3 == 0:
            shutil.rmtree(cache / "artifacts", ignore_errors=True)
        kill_during([models[0], *flags], length, "compile")
        normal([models[0], *flags], 2, f"kill {i} of a compile with {flags}")


def run_kills(count):
    folder = WORK / "artifact"
    subprocess.run([COMPILE, str(models[1]), "-o", str(folder)], check=True, capture_output=True)
    length = timed([folder, "--repeat=500"], 3, "first run")
    for i in range(count):
        kill_during([folder, "--repeat=500"], length, "run")
        normal([folder], 3, f"kill {i} of a run")


def rebuild_kills(count):
    folder = WORK / "edited"
    subprocess.run([COMPILE, str(models[2]), "-o", str(folder)], check=True, capture_output=True)
    text = next(folder.glob("kernels/*/kernel.ll"))
    original = text.read_text()
    text.write_text(original + "; a comment\n")
    length = timed([folder], 4, "first rebuild")
    for i in range(count):
        if i % 5 == 4:
            kill_during([folder, "--reset"], length, "reset")
            normal([folder, "--reset"], 4, f"kill {i} of a reset")
        else:
            text.write_text(original + f"; edit {i}\n")
            kill_during([folder], length, "rebuild")
            normal([folder], 4, f"kill {i} of a rebuild")
    # What a killed build left the next one removes.
    text.write_text(original + "; the last\n")
    normal([folder], 4, "the last rebuild")
    if subprocess.run(["mica-report", "--verify", str(folder)], capture_output=True).returncode != 0:
        fail("after the rebuilds files are not as recorded")


def eviction_kills(count):
    small = ENVIRONMENT | {"MICA_CACHE_SIZE": "1K"}
    length = timed([models[3]], 5, "first eviction", small)
    for i in range(count):
        number = 2 + i % 4
        kill_during([models[number - 2]], length, "eviction", small)
        normal([models[number - 2]], number, f"kill {i} of an eviction", small)
        normal([models[(number - 1) % 4]], 2 + (number - 1) % 4, f"kill {i} of an eviction, another program")


parts = [compile_kills, run_kills, rebuild_kills, eviction_kills]
for index, part in enumerate(parts):
    part(COUNT * (index + 1) // len(parts) - COUNT * index // len(parts))
    print(part.__name__, "done", flush=True)
subprocess.run([RUN, "--clean"], env=ENVIRONMENT, check=True, capture_output=True)
left = [str(path) for path in [*WORK.rglob("*.tmp-*"), *(cache / "artifacts").glob("*")]]
left = [path for path in left if "/runs/" not in path and not path.endswith("statistics.txt") and "/own" not in path]
if left:
    fail(f"after --clean there is more: {left[:5]}")
print(f"{COUNT} kills: every next run gave its own numbers")
