#!/usr/bin/env python3
"""Compiles the benchmark cases, runs each with 1 and 2 threads beside OpenBLAS and oneDNN, and writes JSON.

usage: run_bench.py BUILD_DIR [--case=NAME]... [--threads=1,2] [--rounds=15] [--markdown]

Writes BUILD_DIR/bench/results.json: {"context": {...}, "results": [one object per case, thread count and contender]}.
`mica_speed` is the peer's time over Mica's, sample by sample (median): above 1 Mica is faster. --markdown also prints
the table of docs/Performance.md. The transformer block is made by docs/examples/transformer/make.py (needs NumPy).
"""
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent


def environment():
    """OpenBLAS obeys variables that pick a kernel for another CPU; a comparison must not inherit them."""
    env = dict(os.environ)
    for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        env.pop(name, None)
    return env


def python_with_numpy():
    """NumPy comes from the system's package; the interpreter running this may be another one."""
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode == 0:
            return python
    sys.exit("run_bench.py: the transformer block is made with NumPy: apt-get install python3-numpy")


def artifact(build, case):
    folder = build / "bench" / case
    source = SOURCE / "cases" / f"{case}.mlir"
    if case.startswith("block_"):
        seq, width, heads = (int(part[1:]) for part in case.split("_")[1:])
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = build / "bench" / "block"
        made.mkdir(exist_ok=True)
        source = made / "block.mlir"
        if not source.exists():
            subprocess.run([python_with_numpy(), str(SOURCE.parents[1] / "docs/examples/transformer/make.py"), str(made),
                            f"--seq={seq}", f"--width={width}", f"--heads={heads}", f"--ffn={4 * width}"], check=True)
    subprocess.run([str(build / "bin" / "mica-compile"), str(source), "-o", str(folder), "--force"], check=True,
                   stdout=subprocess.DEVNULL)
    return folder


def context():
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    return {"date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "cpu": cpu,
            "cpus": os.cpu_count(), "system": platform.platform(), "load": os.getloadavg()[0]}


def main():
    options = {"threads": "1,2", "rounds": "15"}
    chosen, build, markdown = [], None, False
    for arg in sys.argv[1:]:
        if arg == "--markdown":
            markdown = True
        elif arg.startswith("--case="):
            chosen.append(arg.split("=", 1)[1])
        elif arg.startswith("--") and arg[2:].split("=")[0] in options:
            key, value = arg[2:].split("=", 1)
            options[key] = value
        elif arg.startswith("-") or build:
            print(__doc__)
            return 2
        else:
            build = pathlib.Path(arg).resolve()
    if not build:
        print(__doc__)
        return 2
    runner = str(build / "bin" / "mica-bench-cases")
    cases = subprocess.run([runner, "--list"], check=True, capture_output=True, text=True).stdout.split()
    results, failed = [], False
    head = context()
    for case in cases:
        if chosen and case not in chosen:
            continue
        folder = artifact(build, case)
        for threads in options["threads"].split(","):
            run = subprocess.run([runner, case, str(folder), threads, options["rounds"]], env=environment(),
                                 capture_output=True, text=True)
            sys.stderr.write(run.stderr)
            failed |= run.returncode != 0
            results += [json.loads(line) for line in run.stdout.splitlines()]
            for line in run.stdout.splitlines():
                r = json.loads(line)
                print(f"{r['case']:28} threads {r['threads']}  {r['peer']:22} {r['median_us']:11.1f} us  "
                      f"{r['gflops']:7.1f} GF/s {r['gbps']:6.1f} GB/s  mica {r['mica_speed']:.2f}x", file=sys.stderr)
    (build / "bench").mkdir(exist_ok=True)
    json.dump({"context": head, "results": results}, open(build / "bench" / "results.json", "w"), indent=1)
    if markdown:
        print("| case | threads | Mica us | OpenBLAS us | oneDNN us | Mica against the better |")
        print("|---|---|---|---|---|---|")
        for case in cases:
            for threads in map(int, options["threads"].split(",")):
                rows = {r["peer"]: r for r in results if r["case"] == case and r["threads"] == threads}
                if "mica" not in rows:
                    continue
                peers = [r for name, r in rows.items() if name != "mica"]
                blas = next((r for r in peers if r["peer"].startswith("openblas")), None)
                dnn = rows.get("onednn")
                cell = lambda r: "" if r is None else f"{r['median_us']:.0f}" + (" (products only)" if "only" in r["peer"] else "")
                best = min(r["mica_speed"] for r in peers) if peers else None
                print(f"| {case} | {threads} | {rows['mica']['median_us']:.0f} | {cell(blas)} | {cell(dnn)} | "
                      f"{'' if best is None else f'{best:.2f}'} |")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
