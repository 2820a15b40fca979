#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mica beside ONNX Runtime and PyTorch: the same ONNX models, in turns in one process.

usage: bench_peers.py BUILD [--onnxruntime=LIB] [--threads=1] [--pairs=25] [--only=TEXT] [--flags='-O3'] [--json=FILE]

Prints a table: microseconds of each contender, the rate, and Mica's time over that of the fastest other contender (median of the samples in
turns, and of the fastest samples). Results are compared before anything is timed. PyTorch takes part where python3-torch is installed,
ONNX Runtime by default as tools/scripts/npm_packages.sh installs it.
"""
import argparse
import ctypes
import json
import os
import pathlib
import statistics
import subprocess
import sys

for variable in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    if os.environ.pop(variable, None) is not None:  # read when the library is loaded
        os.execv(sys.executable, [sys.executable, *sys.argv])

import numpy as np  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parents[2] / "python")]
import cases  # noqa: E402
import ort  # noqa: E402
from turns import turns  # noqa: E402

NPM = "npm/node_modules/onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1"


def mica_run(options, file, work, inputs, name):
    import mica
    from mica import _capi
    artifact = work / name
    subprocess.run([str(options.build / "bin/mica-compile"), str(file), "-o", str(artifact), "--force", "--dump-passes=off",
                    *options.flags.split()], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    mica.use_library(str(options.build / "lib/libmica.so.2"))
    context = mica.load(str(artifact)).context(threads=options.threads)
    given = []
    for array in inputs.values():
        given.append(mica.empty(array.shape, array.dtype))
        given[-1][...] = array
    result = context.run(*given)[0].numpy().copy()
    # As ONNX Runtime below: the call of the C interface, with arguments that are made once.
    entry, pointers, alive = context._prepare("", given)
    results = (ctypes.POINTER(_capi.Managed) * 1)()
    invoke = _capi.library().mica_invoke

    def run():
        invoke(context._open(), entry._index, pointers, len(alive), results, 1)
        results[0].contents.deleter(ctypes.cast(results[0], ctypes.c_void_p).value)
    return run, result


def ort_run(options, runtime, file, inputs, case):
    result = np.zeros(case.result, case.dtype)
    session = ort.Session(runtime, file, options.threads, inputs, {"y": result})
    return session.run, result.copy()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--onnxruntime", type=pathlib.Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=25)
    parser.add_argument("--only", default="")
    parser.add_argument("--flags", default="-O3")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    work = (options.build / "bench" / "peers").resolve()
    work.mkdir(parents=True, exist_ok=True)
    library = options.onnxruntime or options.build / NPM
    if not library.exists():
        sys.exit(f"bench_peers.py: there is no {library}; tools/scripts/npm_packages.sh {options.build} installs it")
    runtime = ort.Runtime(library)
    try:
        import torch_ops
    except ImportError:
        torch_ops = None
    records, ratios = [], []
    print("| case | rate | Mica us | ONNX Runtime us | PyTorch us | Mica / best | of the fastest |\n|---|---|---|---|---|---|---|")
    for name, make in cases.CASES.items():
        if options.only not in name:
            continue
        case = make()
        file = work / f"{name}.onnx"
        file.write_bytes(case.model())
        inputs = case.arrays()
        contenders, results = {}, {}
        contenders["mica"], results["mica"] = mica_run(options, file, work, inputs, name)
        contenders["onnxruntime"], results["onnxruntime"] = ort_run(options, runtime, file, inputs, case)
        if torch_ops and name in torch_ops.OPS:
            contenders["torch"], results["torch"] = torch_ops.prepare(name, inputs, case, options.threads)
        for peer, result in results.items():
            expected = results["onnxruntime"].astype(np.float64)
            error = np.linalg.norm(result.reshape(case.result).astype(np.float64) - expected) / np.linalg.norm(expected)
            if not error < 1e-4:
                sys.exit(f"{name}: the result of {peer} differs from that of ONNX Runtime by rel-L2 {error}")
        samples = turns(contenders, options.pairs, options.threads)
        medians = {peer: statistics.median(times) for peer, times in samples.items()}
        best = min((peer for peer in medians if peer != "mica"), key=medians.get)
        ratio = statistics.median(ours / theirs for ours, theirs in zip(samples["mica"], samples[best]))
        fastest = min(samples["mica"]) / min(samples[best])
        ratios.append(fastest)
        rate = f"{case.work / medians['mica'] / 1e3:.0f} GFLOP/s" if case.work else f"{case.traffic() / medians['mica'] / 1e3:.1f} GB/s"
        show = lambda peer: f"{medians[peer]:.0f}" if peer in medians else ""
        print(f"| {name} | {rate} | {show('mica')} | {show('onnxruntime')} | {show('torch')} | {ratio:.2f} | {fastest:.2f} |", flush=True)
        records.append({"case": name, "threads": options.threads, "samples_us": samples, "ratio": ratio, "fastest": fastest})
    if ratios:
        print(f"\nGeometric mean of the last column: {statistics.geometric_mean(ratios):.2f}")
    if options.json:
        options.json.write_text(json.dumps({"format": "mica-peers", "threads": options.threads, "cases": records}))


if __name__ == "__main__":
    main()
