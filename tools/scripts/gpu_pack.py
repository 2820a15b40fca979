#!/usr/bin/env python3
"""Makes a folder that runs on a bare machine with a GPU: conformance of the back end, correctness, benchmarks.

usage: gpu_pack.py BUILD_DIR OUT_DIR [--target=cuda] [--program=FILE.mlir[=INPUT,...]]... [--ops=TABLE,...] [--benchmarks=NAME,...]
                   [--faults=TABLE[:PATTERN],...] [--random=N[:SEED]] [--conformance]

OUT_DIR (replaced) gets mica-run with the libraries it needs, an artifact per program, its inputs, the results of the reference
evaluator, and run.sh, which needs a shell and the driver alone: it prints tables and writes results.json. Without any of --program,
--ops, --benchmarks, --faults, --random and --conformance everything is in it: PROGRAMS; of every operation of the tables in test/Integration/ops the first
case of each, with static and dynamic sizes; the benchmarks of gpu_pack_benchmarks.py; the faults of test/Integration/checks that kernels find; RANDOM random
programs; the conformance suite. With some of them, those alone.

A program that cannot be compiled for the target is named in skipped.txt, with the compiler's first line. Fails if the pack is larger
than 60 MB or has no program.
"""
import importlib.util
import os
import pathlib
import platform
import shutil
import subprocess
import sys

import cpu_level
import gpu_pack_benchmarks
import gpu_pack_checks

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPS = ROOT / "test" / "Integration" / "ops"
MOST_BYTES = 60 * 10**6
KEPT = ("manifest.json", "tasks.json", "program.so", "constants.bin", "kernel.ptx")
TOGETHER = 12  # ops in a program
RANDOM = "120"
PROGRAMS = ["docs/examples/classifier/classifier.mlir=@docs/examples/classifier/digits.npy",
            "docs/examples/transformer/block.mlir=@docs/examples/transformer/tokens.npy"] + [
                "test/Bench/cases/%s.mlir" % name for name in ("matmul_512", "mlp_784_512_512_10_b64")]


def copy_tool(tool, out):
    """`tool` and what it is linked with but the C library."""
    (out / "bin").mkdir(parents=True, exist_ok=True)
    (out / "lib").mkdir(exist_ok=True)
    shutil.copy2(tool, out / "bin" / tool.name)
    subprocess.run(["strip", out / "bin" / tool.name], check=True)
    for line in subprocess.run(["ldd", tool], capture_output=True, text=True, check=True).stdout.splitlines():
        words = line.split()
        if "=>" in words and os.path.isabs(words[2]):
            name = words[0]
            if not name.startswith(("libc.so", "libm.so", "libdl.so", "libpthread.so", "librt.so")):
                shutil.copy2(words[2], out / "lib" / name)


class Pack:
    def __init__(self, build, out, target):
        self.build, self.out, self.target, self.skipped, self.count = build, out, target, [], 0
        # The machine that runs it need not have all that this one has.
        self.host = [] if platform.machine() != "x86_64" else [f"--host-cpu=x86-64-v{cpu_level.level_up_to_3()}"]

    def compile(self, file, place, flags=()):
        """None, or why it cannot be compiled."""
        compiled = subprocess.run([self.build / "bin" / "mica-compile", file, "-o", place, "--force", "--target=" + self.target,
                                   "--dump-passes=off", *self.host, *flags], capture_output=True, text=True)
        if compiled.returncode == 0:
            # What runs; the rest is for building edits and for reading.
            for path in sorted(place.rglob("*"), reverse=True):
                if path.is_dir() and not any(path.iterdir()):
                    path.rmdir()
                elif path.is_file() and path.name not in KEPT:
                    path.unlink()
            return None
        shutil.rmtree(place, ignore_errors=True)
        lines = [line for line in compiled.stderr.splitlines() if "error" in line]
        return (lines or ["exit code %d" % compiled.returncode])[0]

    def tell(self, name, why):
        print("%-60s %s" % (name, why or "packed"), flush=True)
        if why:
            self.skipped.append("%s: %s" % (name, why))
        else:
            self.count += 1

    def add_data(self, file, place, inputs, entry=None, tolerance=()):
        """Inputs and the reference's results, in the form of --golden-data. The CPU has to agree with them. `file`: a program, or an artifact
        for the CPU."""
        isArtifact = file.is_dir()
        golden = file if isArtifact else self.out / "golden"
        command = [self.build / "bin" / "mica-run", file, "--check-reference"]
        command += [] if isArtifact else ["--no-cache", "-o", golden, "--force"]
        # One run, whose tensors are kept.
        command += inputs or ["--input-sets=random"]
        run = subprocess.run(command + (["--entry=" + entry] if entry else []) + list(tolerance), capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit("gpu_pack.py: %s does not agree with the reference on this CPU:\n%s" % (file, run.stdout + run.stderr))
        data = golden / "runs" / "latest" / "data"
        place.mkdir(parents=True)
        shutil.copytree(data / "in", place / "in") if (data / "in").exists() else (place / "in").mkdir()
        shutil.copytree(data / "reference", place / "out")
        (place / "flags").write_text("\n".join((["--entry=" + entry] if entry else []) + list(tolerance)) + "\n")
        shutil.rmtree(golden / "runs" if isArtifact else golden)

    def add_program(self, program):
        file, _, given = program.partition("=")
        place = self.out / "programs" / pathlib.Path(file).stem
        why = self.compile(ROOT / file, place / "artifact")
        if not why:
            inputs = ["--input=" + (("@" + str(ROOT / word[1:])) if word.startswith("@") else word) for word in given.split(",") if word]
            self.add_data(ROOT / file, place / "data", inputs)
        self.tell(file, why)

    def add_cases(self, harness, name, cases):
        """Cases of a table as one program, whose entries are `static` and `dynamic`; each alone where they do not compile together."""
        text, order = harness.program(cases)
        place = self.out / "programs" / name
        model = self.out / "model.mlir"
        model.write_text(text)
        why = self.compile(model, place / "artifact")
        if why and len(cases) > 1:
            for case in cases:
                self.add_cases(harness, "ops_" + case.name.replace(" ", "_"), [case])
            return
        for form, chosen in order.items() if not why else ():
            inputs = [t.input(case.element(), seed)
                      for seed, (case, t) in enumerate((case, t) for case in chosen for t in case.args.values())]
            self.add_data(model, place / ("data_" + form), ["--input=" + word for word in inputs], form, (cases[0].tolerance or "").split())
        model.unlink()
        self.tell(name, why)

    def add_ops(self, tables):
        spec = importlib.util.spec_from_file_location("harness", OPS / "harness.py")
        harness = importlib.util.module_from_spec(spec)
        sys.modules["harness"] = harness
        spec.loader.exec_module(harness)
        sys.path.insert(0, str(OPS))
        for table in tables:
            first = {}
            for case in harness.load(OPS / table):
                if not case.constraint:
                    first.setdefault(case.op, case)
            # A tolerance is one of a whole run.
            for tolerance in dict.fromkeys(case.tolerance for case in first.values()):
                cases = [case for case in first.values() if case.tolerance == tolerance]
                for at in range(0, len(cases), TOGETHER):
                    self.add_cases(harness, "ops_%s_%s" % (table.removesuffix(".py"), cases[at].op), cases[at:at + TOGETHER])

    def add_conformance(self):
        """The suite, and what it runs on a device."""
        place = self.build / "test" / "Unit"
        if not (place / "RuntimeTests").exists():
            return self.tell("conformance suite", "the tests are not built")
        copy_tool(place / "RuntimeTests", self.out)
        (self.out / "tests").mkdir()
        for name in ("libRuntimeGpuKernels.so", "libRuntimeTestKernels.so"):
            shutil.copy2(self.build / "lib" / name, self.out / "tests" / name)
        if (place / "Runtime" / "GpuKernels.ptx").exists():
            shutil.copy2(place / "Runtime" / "GpuKernels.ptx", self.out / "tests" / "GpuKernels.ptx")
        print("%-60s packed" % "conformance suite")


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    flags = [word[2:].partition("=")[::2] for word in sys.argv[1:] if word.startswith("--")]
    if len(words) != 2 or any(name not in ("target", "program", "ops", "benchmarks", "faults", "random", "conformance") for name, _ in flags):
        sys.exit(__doc__)
    given = lambda name: [value for flag, value in flags if flag == name]
    build, out = pathlib.Path(words[0]).resolve(), pathlib.Path(words[1]).resolve()
    pack = Pack(build, out, (given("target") or ["cuda"])[-1])
    everything = all(name == "target" for name, _ in flags)
    shutil.rmtree(out, ignore_errors=True)
    copy_tool(build / "bin" / "mica-run", out)
    for program in PROGRAMS if everything else given("program"):
        pack.add_program(program)
    tables = sorted(path.name for path in OPS.glob("*.py") if path.name != "harness.py") if everything else [
        table for tables in given("ops") for table in tables.split(",")]
    pack.add_ops(tables)
    names = None if everything else [name for names in given("benchmarks") for name in names.split(",")]
    if everything or names:
        copy_tool(build / "bin" / "mica-bench-gpu", out)
        shutil.copy2(ROOT / "tools" / "scripts" / "gpu_pack_beside.py", out / "beside.py")
        gpu_pack_benchmarks.add(pack, names)
    gpu_pack_checks.add_faults(pack, gpu_pack_checks.TABLES if everything else [t for tables in given("faults") for t in tables.split(",")])
    gpu_pack_checks.add_random(pack, *(int(word) for word in (given("random") or [RANDOM if everything else "0"])[-1].split(":")))
    if everything or given("conformance"):
        pack.add_conformance()
    (out / "target").write_text(pack.target + "\n")
    (out / "skipped.txt").write_text("".join(line + "\n" for line in pack.skipped))
    shutil.copy2(ROOT / "tools" / "scripts" / "gpu_pack_run.sh", out / "run.sh")
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    print("%s: %.1f MB, %d programs, %d left out" % (out, size / 1e6, pack.count, len(pack.skipped)))
    if pack.count == 0:
        sys.exit("gpu_pack.py: none of the programs can be compiled for --target=%s" % pack.target)
    if size > MOST_BYTES:
        sys.exit("gpu_pack.py: larger than %d MB" % (MOST_BYTES // 10**6))


main()
