#!/usr/bin/env python3
"""What a trace costs a compile: processor time with MICA_TRACE over processor time without, as JSON.

usage: bench_trace.py MICA_COMPILE MODEL [PAIRS]
Each pair runs both in random order, on one CPU, so that what else runs on the machine meets both alike. The ratio is the median over the
pairs; the interval holds it with 95 % confidence (order statistics).
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


def processor_time(command, env):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def interval(values):
    """The order statistics between which the median lies with 95 % confidence."""
    values, n = sorted(values), len(values)
    skipped = max(0, int(n / 2 - 0.98 * n ** 0.5))
    return values[skipped], values[n - 1 - skipped]


def main():
    compiler, model = sys.argv[1], sys.argv[2]
    pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 21
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[-1]})
    folder = pathlib.Path(tempfile.mkdtemp())
    plain = {key: value for key, value in os.environ.items() if not key.startswith("MICA_")}
    traced = dict(plain, MICA_TRACE=str(folder / "trace"))
    command = [compiler, model, "-o", str(folder / "artifact")]
    processor_time(command, plain)
    ratios, times = [], {"off": [], "on": []}
    try:
        for _ in range(pairs):
            pair = {}
            for name in random.sample(["off", "on"], 2):
                pair[name] = processor_time(command, traced if name == "on" else plain)
                times[name].append(pair[name])
            ratios.append(pair["on"] / pair["off"])
        traces = [log.stat().st_size for log in (folder / "trace").glob("*.log")]
    finally:
        shutil.rmtree(folder)
    low, high = interval(ratios)
    print(json.dumps({"model": model, "pairs": pairs, "seconds_off": round(statistics.median(times["off"]), 4),
                      "seconds_on": round(statistics.median(times["on"]), 4), "ratio": round(statistics.median(ratios), 4),
                      "interval": [round(low, 4), round(high, 4)], "trace_bytes": int(statistics.median(traces))}, indent=1))


if __name__ == "__main__":
    main()
