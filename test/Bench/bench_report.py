#!/usr/bin/env python3
"""How fast mica-report reads a large log, beside md5sum on the same file in the same run.

usage: bench_report.py REPORT_TOOL LOG [--copies=30] [--runs=5] [--folder=DIR] [--json=FILE]

Makes a log of about 100 MB (for --copies=30 of a log of 3.5 MB) by repeating LOG with other frame ids, and measures in turn, so that
all see the same machine: md5sum, mica-report --plain, mica-report. Per command the best wall time of --runs after one run to warm up, and the
highest resident memory; output is counted once per file on the disk. The bounds are checked and decide the exit code:
plain <= 3.5 x md5sum, coloured <= 8 x, memory <= 100 MB, output <= 0.6 of the input.
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time


def records(log):
    """[(prefix and envelope text, payload or None)]"""
    found = []
    for line in log.read_bytes().replace(b"\r\n", b"\n").split(b"\n"):
        if line.startswith(b"\t"):
            found[-1][1] = line[1:] if found[-1][1] is None else found[-1][1] + b"\n" + line[1:]
        elif line:
            found.append([line, None])
    return found


def make_log(log, copies, path):
    source = records(log)
    with path.open("wb") as out:
        for copy in range(copies):
            for line, payload in source:
                if b'] {"str": ' in line and copy:
                    continue  # strings are numbered once
                line = re.sub(rb'"frame_id": (\d+)', lambda m: b'"frame_id": %d' % (int(m.group(1)) + copy), line)
                line = re.sub(rb'"compile_id": "(\d+)/', lambda m: b'"compile_id": "%d/' % (int(m.group(1)) + copy), line)
                if payload is None:
                    out.write(line + b"\n")
                    continue
                payload = re.sub(rb'"compile_id": "(\d+)/', lambda m: b'"compile_id": "%d/' % (int(m.group(1)) + copy), payload)
                line = re.sub(rb'"has_payload": "[0-9a-f]{32}"', b'"has_payload": "%s"' % hashlib.md5(payload).hexdigest().encode(), line)
                out.write(line + b"\n\t" + payload.replace(b"\n", b"\n\t") + b"\n")


def run(command):
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    if status:
        sys.exit(f"failed: {command}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def size_of(folder):
    files = {}
    for path in folder.rglob("*"):
        if path.is_file():
            stat = path.stat()
            files[stat.st_ino] = stat.st_size
    return sum(files.values()), len(files)


def main():
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    options = dict(a[2:].split("=", 1) for a in sys.argv[1:] if a.startswith("--"))
    if len(words) != 2:
        sys.exit(__doc__)
    tool, log = words[0], pathlib.Path(words[1])
    with tempfile.TemporaryDirectory(dir=options.get("folder")) as folder:
        folder = pathlib.Path(folder)
        big = folder / "dedicated_log_torch_trace_large000.log"
        make_log(log, int(options.get("copies", 30)), big)
        commands = {"md5sum": ["md5sum", str(big)],
                    "plain": [tool, "--plain", str(big), "-o", str(folder / "plain")],
                    "coloured": [tool, str(big), "-o", str(folder / "coloured")]}
        results = {name: {"wall_s": 1e9, "cpu_s": 1e9, "peak_bytes": 0} for name in commands}
        for turn in range(int(options.get("runs", 5)) + 1):
            for name, command in commands.items():
                shutil.rmtree(folder / name, ignore_errors=True)
                wall, cpu, memory = run(command)
                result = results[name]
                result["peak_bytes"] = max(result["peak_bytes"], memory)
                if turn:
                    result["wall_s"] = round(min(result["wall_s"], wall), 4)
                    result["cpu_s"] = round(min(result["cpu_s"], cpu), 4)
        size = big.stat().st_size
        for name in ("plain", "coloured"):
            written, files = size_of(folder / name)
            results[name].update(output_bytes=written, output_files=files, output_of_input=round(written / size, 3),
                                 times_md5sum=round(results[name]["wall_s"] / results["md5sum"]["wall_s"], 2),
                                 times_md5sum_cpu=round(results[name]["cpu_s"] / results["md5sum"]["cpu_s"], 2))
        checks = {"plain <= 3.5 x md5sum": results["plain"]["times_md5sum"] <= 3.5,
                  "coloured <= 8 x md5sum": results["coloured"]["times_md5sum"] <= 8,
                  "memory <= 100 MB": max(r["peak_bytes"] for r in results.values()) <= 100e6,
                  "output <= 0.6 of input": max(results[n]["output_of_input"] for n in ("plain", "coloured")) <= 0.6}
        report = {"log": log.name, "input_bytes": size, "cores": os.cpu_count(), "load": os.getloadavg()[0], "results": results, "checks": checks}
        text = json.dumps(report, indent=2)
        print(text)
        if "json" in options:
            pathlib.Path(options["json"]).write_text(text + "\n")
        return 0 if all(checks.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
