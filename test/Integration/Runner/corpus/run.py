#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the programs of this folder with mica-run and with stock mlir-opt + mlir-runner, and compares what they print.

usage: run.py WORK [--only=TEXT] [--share=K/N] [--llvm=DIR] [--expect=FILE] [--write=FILE] [--print=NAME] [--plain] [--list] [--jobs=N]

Of each program the verdict is one of
  same      both print the same text
  differs   the texts differ
  refused   mica-run ends with exit code 1 and an error that names an op, a type or a function
  failed    mica-run ends with another exit code
  crash     mica-run or a process of it ends by a signal
  stock     stock tools do not run the program; what Mica makes of it is recorded, and a crash or exit code 2 counts as one
--plain: by the reference lowering (mica-compile --plain). --share=1/4: programs 1, 5, 9, ... --write: a line per program, of
which tools/scripts/generate_support.py makes a part of docs/Support.md. --ods: the folder include/mlir/Dialect; every op that
the .td files there define for a dialect of ODS below must have a program, here or in test/Integration/numpy, or a reason in
WITHOUT. Stock's texts are kept in WORK and reused for the same program.

The exit code is 1 if a verdict is not that of --expect (a file that --write wrote; without it: if a program that stock runs is
not `same`), or if any program ends by a signal or with exit code 2.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import upstream  # noqa: E402

TABLES = ("scalars", "vectors", "buffers", "control", "tensors", "tosa")


# Why texts differ.
WHY = {
    "linalg.elementwise.f32": "exp in kernels is within 1 ulp; that of libm is nearest here",
    "tosa.exp.f32": "exp in kernels is within 1 ulp; that of libm is nearest here",
    **dict.fromkeys(("complex.angle.f32", "complex.atan2.f32", "complex.log.f32", "complex.rsqrt.f32", "complex.sign.f32"),
                    "functions of complex<f32> are computed in f64 and rounded once"),
    "tosa.sigmoid.bf16": "Mica rounds once, stock tools after each step",
}
# Dialects whose ODS is asked, with the files that define their ops.
ODS = {"arith": ["Arith/IR/ArithOps.td"], "math": ["Math/IR/MathOps.td"], "complex": ["Complex/IR/ComplexOps.td"], "index": ["Index/IR/IndexOps.td"],
       "vector": ["Vector/IR/VectorOps.td"], "memref": ["MemRef/IR/MemRefOps.td"], "tensor": ["Tensor/IR/TensorOps.td"], "affine": ["Affine/IR/AffineOps.td"],
       "scf": ["SCF/IR/SCFOps.td"], "cf": ["ControlFlow/IR/ControlFlowOps.td"], "bufferization": ["Bufferization/IR/BufferizationOps.td"],
       "ml_program": ["MLProgram/IR/MLProgramOps.td"], "async": ["Async/IR/AsyncOps.td"],
       "tosa": ["Tosa/IR/TosaOps.td", "Tosa/IR/TosaUtilOps.td"],
       "linalg": ["Linalg/IR/LinalgOps.td", "Linalg/IR/LinalgStructuredOps.td", "Linalg/IR/LinalgRelayoutOps.td",
                  "Linalg/IR/LinalgNamedStructuredOps.yamlgen.td"]}
# Ops without a program, and why.
WITHOUT = {
    "arith.scaling_extf": "refused: block-scaled types have no code here or in stock tools", "arith.scaling_truncf": "as arith.scaling_extf",
    "math.clampf": "stock tools do not lower it; test/Integration/numpy runs it",
    "vector.vscale": "for processors with vectors of unknown length", "vector.scalable.extract": "as vector.vscale",
    "vector.scalable.insert": "as vector.vscale",
    "memref.distinct_objects": "stock tools give it no code", "memref.dma_start": "refused: there is no engine that copies",
    "memref.dma_wait": "as memref.dma_start",
    "tensor.gather": "stock tools do not lower it; test/Integration/gather-scatter.mlir runs it", "tensor.scatter": "as tensor.gather",
    "bufferization.dealloc": "made by upstream's deallocation passes alone",
    "ml_program.func": "stock tools do not lower graphs", "ml_program.subgraph": "as ml_program.func", "ml_program.output": "as ml_program.func",
    "ml_program.return": "as ml_program.func", "ml_program.token": "as ml_program.func", "ml_program.global_load_graph": "as ml_program.func",
    "ml_program.global_store_graph": "as ml_program.func",
    "tosa.custom": "refused: there is no code for it", "tosa.matmul_t_block_scaled": "refused: block-scaled types",
    "tosa.cast_from_block_scaled": "refused: block-scaled types", "tosa.cast_to_block_scaled": "refused: block-scaled types",
    "tosa.apply_scale": "made of tosa.rescale, whose programs run it",
    "linalg.winograd_filter_transform": "stock tools lower it by transform ops alone; test/Integration/ops runs it",
    "linalg.winograd_input_transform": "as linalg.winograd_filter_transform", "linalg.winograd_output_transform": "as linalg.winograd_filter_transform",
}


def missing(programs, ods):
    """Ops of the ODS that no program has and no reason stands for, and reasons that nothing needs."""
    used = set(re.findall(r"\b([a-z_]+\.[a-z0-9_.]+)\b", "\n".join(p.text for p in programs)))
    wanted = set()
    for dialect, files in ODS.items():
        for file in files:
            names = re.findall(r'^def \w+\s*:\s*\w+<\s*"([a-z0-9_.]+)"', (ods / file).read_text(), re.M)
            wanted |= {f"{dialect}.{name}" for name in names}
    # What async is lowered to, and what ends a region.
    wanted = {op for op in wanted if not op.startswith(("async.coro", "async.runtime")) and not op.endswith((".yield", ".return"))}
    for op in sorted(wanted - used - set(WITHOUT)):
        yield f"{op}: no program has it"
    for op in sorted(set(WITHOUT) & used):
        yield f"{op}: has a program, and a reason why it has none"


def load():
    programs = []
    for table in TABLES:
        programs += list(__import__(table).programs())
    names = collections.Counter(p.name for p in programs)
    doubled = [name for name, count in names.items() if count > 1]
    assert not doubled, f"two programs are called {doubled[0]}"
    return programs


def stock_text(program, work, llvm):
    key = hashlib.sha256((program.text + upstream.PIPELINES[program.pipeline] + upstream.SCRIPT).encode()).hexdigest()[:24]
    kept = work / f"{key}.stock"
    if kept.exists():
        text = json.loads(kept.read_text())
    else:
        with tempfile.TemporaryDirectory() as scratch:
            text = upstream.Stock(llvm, scratch).run(program)
        kept.write_text(json.dumps(text))
    return text


def run_mica(program, work, plain):
    """(text, exit code, standard error)."""
    with tempfile.TemporaryDirectory(dir=work) as scratch:
        source = pathlib.Path(scratch) / "program.mlir"
        source.write_text(program.text)
        flags = ["--transform"] if program.pipeline == "transform" else []
        command = ["mica-run", source, "--entry=main", "--no-cache", *flags]
        if plain:
            made = pathlib.Path(scratch) / "made"
            done = subprocess.run(["mica-compile", "--plain", source, "-o", made, *flags], capture_output=True, timeout=120, cwd=scratch)
            if done.returncode:
                return "", done.returncode, done.stderr.decode(errors="replace").replace(str(source), "program.mlir")
            command = ["mica-run", made, "--entry=main"]
        try:
            done = subprocess.run(command, capture_output=True, timeout=120, cwd=scratch)
        except subprocess.TimeoutExpired:
            return "", 124, "took more than two minutes"
        return (upstream.normalized(done.stdout.decode(errors="replace")), done.returncode,
                done.stderr.decode(errors="replace").replace(str(source), "program.mlir"))


def judge(program, work, llvm, plain=False):
    expected, why = stock_text(program, work, llvm)
    text, code, said = run_mica(program, work, plain)
    signal = code < 0 or code >= 128 or "signal" in said and code
    if signal:
        verdict = "crash"
    elif code not in (0, 1):
        verdict = "failed"
    elif expected is None:
        verdict = "stock"
    elif code:
        verdict = "refused"
    else:
        verdict = "same" if text == expected else "differs"
    note = re.sub(r"\S*stock\.mlir", "program.mlir", why) if expected is None else ""
    if code:
        note = (note + "; " if note else "") + "mica-run: " + upstream.first_line(said)
    elif verdict == "differs":
        lines = [(a, b) for a, b in zip(expected.splitlines() + [""] * 99, text.splitlines() + [""] * 99) if a != b]
        note = f"mlir-runner prints {lines[0][0]!r}, mica-run {lines[0][1]!r}" if lines else "the ends of the texts"
        note += f" ({WHY[program.name]})" if program.name in WHY else ""
    hints = [l for l in said.splitlines() if "warning: the whole program runs in its host functions" in l]
    return {"program": program.name, "op": program.op, "kind": program.kind, "verdict": verdict, "code": code, "note": note,
            "where": "host" if hints else "pipeline"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--share", default="1/1")
    parser.add_argument("--llvm", type=pathlib.Path, default=pathlib.Path("/usr/lib/llvm-22"))
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--expect", type=pathlib.Path)
    parser.add_argument("--ods", type=pathlib.Path)
    parser.add_argument("--print", dest="shown", default="")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    programs = load()
    if options.shown:
        for p in programs:
            if p.name == options.shown:
                print(p.text, end="")
        return 0
    first, every = (int(x) for x in options.share.split("/"))
    programs = [p for i, p in enumerate(programs) if (i + 1) % every == first % every and options.only in p.name]
    if options.list:
        print("\n".join(p.name for p in programs))
        return 0
    options.work.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda p: judge(p, options.work, options.llvm, options.plain), programs))
    if options.write:
        options.write.write_text("".join("\t".join((r["program"], r["verdict"], r["where"], r["note"])).rstrip() + "\n" for r in results))
    verdicts = ("same", "differs", "refused", "failed", "crash", "stock")
    counts = collections.defaultdict(collections.Counter)
    for r in results:
        counts[r["op"].split(".")[0]][r["verdict"]] += 1
        if r["verdict"] not in ("same", "stock") or r["code"] not in (0, 1):
            print(f"{r['verdict']:8} {r['program']}: {r['note']}")
    print(f"{'dialect':16}" + "".join(f"{v:>9}" for v in verdicts))
    for dialect, row in sorted(counts.items()):
        print(f"{dialect:16}" + "".join(f"{row[v]:9}" for v in verdicts))
    expected = {}
    if options.expect:
        expected = dict(line.split("\t")[:2] for line in options.expect.read_text().splitlines())
    wrong = [r for r in results if r["code"] not in (0, 1) or
             r["verdict"] != (expected.get(r["program"], "same") if options.expect or r["verdict"] != "stock" else "stock")]
    if options.ods:
        gaps = list(missing(load(), options.ods))
        print("\n".join(gaps))
        wrong += gaps
    total = collections.Counter(r["verdict"] for r in results)
    print(f"{'all':16}" + "".join(f"{total[v]:9}" for v in verdicts))
    for r in wrong:
        print(f"unexpected: {r if isinstance(r, str) else r['program'] + ': ' + r['verdict']}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
