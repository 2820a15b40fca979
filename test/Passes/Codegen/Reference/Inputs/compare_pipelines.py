#!/usr/bin/env python3
"""Compares the passes of the reference lowering with those of the optimizing pipelines, and with docs/UpstreamFindings.md.

usage: compare_pipelines.py SOURCE_DIR

A pass of ours in both is an error, and so is a file of the reference lowering that includes one of another area's passes. Upstream's
may be in both; those that the page names are not in the reference lowering, or behind the pass that is the page's remedy.
"""
import pathlib
import re
import subprocess
import sys

PLAIN = ["--mica-reference-lowering=emulated-floats=f16,bf16"]
PIPELINES = [["--mica-pipeline=opt-level=0"], ["--mica-pipeline=opt-level=3 emulated-floats=f16,bf16"],
             ["--mica-pipeline=target=sim opt-level=3"], ["--mica-pipeline=target=cuda opt-level=3"],
             ["--mica-pipeline=assert-level=all opt-level=3 uninitialized-read-check=true"]]
FAULTY = {"canonicalize", "linalg-fuse-elementwise-ops", "linalg-fold-unit-extent-dims", "arith-expand"}
REMEDIES = {"convert-math-to-llvm": "convert-math-to-libm", "one-shot-bufferize": "mica-reference-place-on-buffers"}
# Headers of other areas that hold no pass of ours: constants of the ABI, the tables of task lists, calls of helpers
# that print, functions without kernels, upstream's conversions of tosa, what checks ask of an access, a division and
# a loop, and forms of ops that upstream's lowerings get right.
HEADERS = {"passes/Check/CeilDivisions.h", "passes/Check/ExposeDivisions.h", "passes/Check/IntegerPowers.h", "passes/Check/LoopSteps.h", "passes/Check/MemoryAccess.h",
           "passes/Codegen/Common/DynamicPack.h", "passes/Codegen/Common/Passes.h", "passes/Codegen/Common/UnrolledVectors.h", "passes/Schedule/HostFunctions.h",
           "passes/Schedule/RuntimeHelpers.h", "passes/Schedule/TaskLists.h", "passes/Tensor/Arctangents.h", "passes/Tensor/ArgumentNames.h",
           "passes/Tensor/BlockViewFolds.h", "passes/Tensor/IndexSwitches.h", "passes/Tensor/InlineMasks.h", "passes/Tensor/SoftmaxSizes.h",
           "passes/Tensor/TosaConversions.h", "passes/Tensor/WrappingLoops.h"}


def passesOf(flags):
    """The names of the passes, in order."""
    done = subprocess.run(["mica-opt", "-", "--dump-pass-pipeline", *flags], input="module {}", capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"mica-opt {' '.join(flags)}: {done.stderr}")
    text = re.sub(r"\{[^{}]*\}", "", done.stderr[done.stderr.index("builtin.module("):])
    while "{" in text:
        text = re.sub(r"\{[^{}]*\}", "", text)
    return [name for name in re.findall(r"[a-z][a-z0-9-]+(?=[,)\s(]|$)", text) if name not in ("builtin", "func", "gpu")]


def main():
    plain = passesOf(PLAIN)
    errors = []
    optimized = set().union(*(passesOf(flags) for flags in PIPELINES))
    for name in sorted(set(plain) & optimized):
        if "mica" in name:
            errors.append(f"{name} is a pass of both")
    errors += [f"{name} is named in docs/UpstreamFindings.md" for name in sorted(FAULTY & set(plain))]
    for name, remedy in REMEDIES.items():
        if name in plain and (remedy not in plain or plain.index(remedy) > plain.index(name)):
            errors.append(f"{name} runs without {remedy} in front of it")
    for file in sorted((pathlib.Path(sys.argv[1]) / "passes" / "Codegen" / "Reference").rglob("*.*")):
        for header in re.findall(r'#include "(passes/[^"]+)"', file.read_text()):
            if not header.startswith("passes/Codegen/Reference/") and header not in HEADERS:
                errors.append(f"{file.name} includes {header}")
    print("\n".join(errors))
    print(f"{len(plain)} passes, {len(optimized)} of the optimizing pipelines, {len(errors)} errors")
    sys.exit(1 if errors else 0)


main()
