"""Writes files of rank-trace as many ranks would, and checks what mica-report says of them.

usage: rank_report.py FOLDER --tools=DIR

A thousand ranks of which one comes late to each sum; four of which one makes another exchange in place of a sum; damaged
files. Times are whole microseconds, so what has to be found is known.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import time

KERNELS = [{"name": "matmul", "exchange": "", "flops": 64, "hash": "1"}, {"name": "all_reduce_8xf32", "exchange": "all_reduce", "flops": 0, "hash": "2"},
           {"name": "all_gather_8xf32", "exchange": "all_gather", "flops": 0, "hash": "3"}]
SITES = ["mica.matmul [aaaaaaaaaaaa] at m.mlir:3:8", "mica.matmul [aaaaaaaaaaaa] at m.mlir:3:8", "shard.all_gather [bbbbbbbbbbbb] at m.mlir:9:8"]


def write(folder, rank, size, late=0, other=False, steps=3, overlap=False):
    """Kernels of 100 us, then a sum that is over 10 us after the last has come; rank `rank` comes `late` us later."""
    launches, exchanges = [], []
    at = 0
    most = 50 if late is not None else 0
    for step in range(steps):
        launches.append([0, 0, 0, 0, at * 1000, (at + 100 + (late or 0)) * 1000])
        start, end = at + 100 + (late or 0), at + 100 + most + 10
        kernel, site = (2, 2) if other and step == 1 else (1, 1)
        launches.append([kernel, site, 0, 0, start * 1000, end * 1000])
        if overlap:
            launches.append([0, 0, 0, 1, start * 1000, (start + 20) * 1000])
        exchanges.append([kernel, site, 0, 0, -1, step, 4096, start * 1000, end * 1000, 1])
        at = end
    with open(f"{folder}/rank-{rank}.json", "w") as file:
        json.dump({"format": "mica-rank", "schema": "1.0", "rank": rank, "size": size, "library": "Open MPI v4.1.4", "host": "one", "process": 100 + rank,
                   "program": "m.mlir", "lost": 0, "kernels": KERNELS, "sites": SITES, "groups": [list(range(size))], "launches": launches,
                   "exchanges": exchanges}, file)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--tools", required=True)
    options = parser.parse_args()
    shutil.rmtree(options.folder, ignore_errors=True)
    tool = f"{options.tools}/mica-report"

    def make(name):
        os.makedirs(f"{options.folder}/{name}")
        return f"{options.folder}/{name}"

    def report(folder, wanted, *flags, code=0):
        done = subprocess.run([tool, folder, *flags], capture_output=True, text=True)
        text = done.stdout + done.stderr
        missing = [w for w in wanted if w not in text]
        if done.returncode != code or missing:
            sys.exit(f"{folder}: exit code {done.returncode}, not said: {missing}\n{text}")
        return text

    many = make("many")
    for rank in range(1000):
        write(many, rank, 1000, late=50 if rank == 137 else 0)
    start = time.monotonic()
    # 999 ranks wait 50 us in each of 3 sums.
    text = report(many, ["1000 of 1000 ranks, Open MPI v4.1.4: 0.480 ms, 3 exchanges\n",
                         "rank 0-136, 138-999: kernels 0.300 ms, exchanges 0.180 ms, of which it waits for others 0.150 ms",
                         "rank 137 (others wait for it): kernels 0.450 ms, exchanges 0.030 ms, of which it waits for others 0.000 ms",
                         "3 x all_reduce of mica.matmul [aaaaaaaaaaaa] at m.mlir:3:8: 4.0 KiB each, 0.010 ms after the last arrival, which is 0.050 ms after the first"],
                  "-o", f"{options.folder}/many.html")
    seconds = time.monotonic() - start
    if "ranks differ" in text or seconds > 30:
        sys.exit(f"after {seconds:.1f} s: {text}")
    with open(f"{options.folder}/many.perfetto.json") as file:
        events = json.load(file)["traceEvents"]
    processes = {event["pid"] for event in events if event["name"] == "process_name"}
    waits = [event for event in events if event.get("cat") == "exchange" and event["ph"] == "X" and event["args"]["waited for rank"] == 137]
    arrows = [event for event in events if event["ph"] == "s"]
    if len(processes) != 1000 or len(waits) != 3 * 999 or len(arrows) != 3 or any(event["pid"] != 137 for event in arrows):
        sys.exit(f"Perfetto: {len(processes)} processes, {len(waits)} waits for rank 137, {len(arrows)} arrows")

    four = make("four")
    for rank in range(4):
        write(four, rank, 4, late=None, other=rank == 2, overlap=True)
    report(four, ["ranks differ: all_reduce number 2 of its group: rank 0 is in all_reduce of mica.matmul [aaaaaaaaaaaa] at m.mlir:3:8, "
                  "rank 1 is in all_reduce", "rank 2 is in all_gather of shard.all_gather [bbbbbbbbbbbb] at m.mlir:9:8",
                  "computes meanwhile 0.030 ms"], "--text")

    absent = make("absent")
    for rank in (0, 2):
        write(absent, rank, 4)
    if "ranks differ" in report(absent, ["2 of 4 ranks", "no file of rank 1, 3"], "--text"):
        sys.exit("a rank without a file is no divergence")

    script = make("script")
    SITES[0] = "</script><img src=x onerror=alert(1)>"
    write(script, 0, 1)
    report(script, [], "-o", f"{options.folder}/script.html")
    with open(f"{options.folder}/script.html") as file:
        if "<img src=x" in file.read():
            sys.exit("text of a program is markup of the page")

    damaged = make("damaged")
    with open(f"{four}/rank-0.json") as file:
        good = file.read()
    for number, (old, new, wanted) in enumerate([('"rank": 0', '"rank": 9', "rank"), ('"mica-rank"', '"other"', "format"),
                                                 ("[1, 1, 0, 0, -1", "[1, 1, 0, 7, -1", "exchanges[0]"), ("[0, 0, 0, 0,", "[5, 0, 0, 0,", "launches[0]"),
                                                 ('"exchanges": [[', '"exchanges": [[3], [', "exchanges[0]"), ('"lost": 0,', "", "lost")]):
        with open(f"{damaged}/rank-0.json", "w") as file:
            file.write(good.replace(old, new, 1))
        report(damaged, ["rank-0.json", wanted], "--text", code=1)
    print("reports on ranks are right")


if __name__ == "__main__":
    main()
