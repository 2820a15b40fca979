#!/usr/bin/env python3
"""What a trace costs a compile: time with MICA_TRACE over time without, of the processor and on the wall, as JSON.

usage: bench_trace.py MICA_COMPILE MODEL [PAIRS] [CPUS]
Each pair runs both in random order, on CPUS CPUs (default 1), so that what else runs on the machine meets both alike. The ratio is the
median over the pairs; the interval holds it with 95 % confidence (order statistics).
"""
import json
import os
import pathlib
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time


def times_of(command, env):
    """Seconds of the processor, seconds on the wall."""
    started = time.perf_counter()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.perf_counter() - started


def interval(values):
    """The order statistics between which the median lies with 95 % confidence."""
    values, n = sorted(values), len(values)
    skipped = max(0, int(n / 2 - 0.98 * n ** 0.5))
    return values[skipped], values[n - 1 - skipped]


def summary(pairs, clock):
    off, on = ([pair[name][clock] for pair in pairs] for name in ("off", "on"))
    ratios = [b / a for a, b in zip(off, on)]
    low, high = interval(ratios)
    return {"seconds_off": round(statistics.median(off), 4), "seconds_on": round(statistics.median(on), 4),
            "ratio": round(statistics.median(ratios), 4), "interval": [round(low, 4), round(high, 4)]}


def main():
    compiler, model = sys.argv[1], sys.argv[2]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 21
    cpus = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-cpus:])
    folder = pathlib.Path(tempfile.mkdtemp())
    plain = {key: value for key, value in os.environ.items() if not key.startswith("MICA_")}
    traced = dict(plain, MICA_TRACE=str(folder / "trace"))
    command = [compiler, model, "-o", str(folder / "artifact")]
    times_of(command, plain)
    try:
        pairs = [{name: times_of(command, traced if name == "on" else plain) for name in random.sample(["off", "on"], 2)} for _ in range(count)]
        traces = [log.stat().st_size for log in (folder / "trace").glob("*.log")]
    finally:
        shutil.rmtree(folder)
    print(json.dumps({"model": model, "pairs": count, "cpus": cpus, "processor": summary(pairs, 0), "wall": summary(pairs, 1),
                      "trace_bytes": int(statistics.median(traces))}, indent=1))


if __name__ == "__main__":
    main()
