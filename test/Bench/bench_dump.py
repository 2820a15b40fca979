#!/usr/bin/env python3
"""What dumps cost a transformer block, and how fast they write: paired runs with and without, and whether anything is lost.

usage: bench_dump.py BUILD [--pairs=25] [--threads=1] [--calls=8] [--work=DIR]      (needs NumPy; 2 GB of /dev/shm)

The block of docs/examples, and one of 128 tokens, width 768, 12 heads (block_s128_d768_h12). Prints JSON, one object per block and case:
ratio: time with the dump over time without, with its 95 % interval (mica-bench-costs); for `everything`, each of `calls` calls has other
inputs, so that all is written: payload bytes over the time that the dump adds, and over the whole time of the calls. The dump is then read
back: it must have all launches, nothing missing, and the hash of every tensor.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("build", type=pathlib.Path, nargs="?", default="build")
parser.add_argument("--pairs", type=int, default=25)
parser.add_argument("--threads", type=int, default=1)
parser.add_argument("--calls", type=int, default=8)
parser.add_argument("--work", type=pathlib.Path, default="/dev/shm/mica-bench-dump")
args = parser.parse_args()
tools = args.build.resolve() / "bin"
source = pathlib.Path(__file__).resolve().parents[2]


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"bench_dump.py: {' '.join(map(str, command))}: {done.stderr[-2000:]}{done.stdout[-2000:]}")
    return done.stdout


def complete(dump, launches):
    """The account of a dump that lost nothing."""
    listed = json.loads(run(tools / "mica-dump", dump, "--json"))
    verified = run(tools / "mica-dump", dump, "--verify").splitlines()[-1]
    tensors = listed["tensors"]
    if not listed["ended"] or listed["missing"] or len({tensor["launch"] for tensor in tensors}) != launches:
        sys.exit(f"bench_dump.py: the dump lacks something: {listed['missing']}, launches of {launches}")
    if not verified.startswith(f"{len(tensors)} tensors verified, 0 differ, 0 have no elements"):
        sys.exit(f"bench_dump.py: {verified}, of {len(tensors)}")
    return {"tensors": len(tensors), "missing": 0}


def main():
    shutil.rmtree(args.work, ignore_errors=True)
    args.work.mkdir(parents=True)
    for name, sizes in {"block": [], "block_s128_d768_h12": ["--seq=128", "--width=768", "--heads=12", "--ffn=3072"]}.items():
        folder, dump = args.work / name, args.work / "dump"
        folder.mkdir()
        run("/usr/bin/python3", source / "docs/examples/transformer/make.py", folder, *sizes)
        run(tools / "mica-compile", folder / "block.mlir", "--dump-passes=off", "-o", folder / "artifact")
        artifact = folder / "artifact"
        common = [tools / "mica-bench-costs", f"--pairs={args.pairs}", f"--threads={args.threads}"]
        measured = json.loads(run(*common, artifact, f"fingerprints,dump-tensors=3+dump-dir={dump}={artifact}"))
        print(json.dumps({"model": name, "threads": args.threads} | measured), flush=True)
        written = json.loads(run(*common, f"--calls={args.calls}", "--new-inputs", artifact, f"everything,dump-tensors=2+dump-dir={dump}={artifact}"))
        payload = (dump / "dump.bin").stat().st_size
        written |= {"payload_bytes": payload, "gb_per_s": round(payload / written["added_s"] / 1e9, 3),
                    "gb_per_s_with_run": round(payload / written["total_s"] / 1e9, 3)}
        print(json.dumps({"model": name, "threads": args.threads} | written | complete(dump, written["launches_run"])), flush=True)
    shutil.rmtree(args.work)


main()
