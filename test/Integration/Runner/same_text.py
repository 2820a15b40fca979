"""same_text.py mica-run FILE: runs FILE with mica-run and with upstream's mlir-opt and mlir-runner, prints the text, and fails
where the two differ. Addresses, which no run repeats, are put as 0x0."""

import os
import re
import shutil
import subprocess
import sys

PIPELINE = (
    "builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},"
    "func.func(convert-linalg-to-loops,scf-forall-to-for),convert-vector-to-scf,expand-strided-metadata,lower-affine,"
    "convert-scf-to-cf,func.func(arith-expand,math-expand-ops),convert-vector-to-llvm,convert-math-to-llvm,convert-math-to-libm,"
    "finalize-memref-to-llvm,convert-func-to-llvm,convert-arith-to-llvm,convert-cf-to-llvm,convert-index-to-llvm,convert-ub-to-llvm,"
    "reconcile-unrealized-casts)"
)


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    return re.sub(r"base@ = 0x[0-9a-f]+", "base@ = 0x0", done.stdout)


def main():
    tool, file = sys.argv[1:3]
    runner = shutil.which("mlir-runner")
    if not runner:
        sys.exit("mlir-runner is not on PATH: nothing to compare with (package mlir-22-tools)")
    lib = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(runner))), "lib")
    llvm = run(["mlir-opt", file, f"--pass-pipeline={PIPELINE}"])
    libraries = ",".join(f"{lib}/libmlir_{name}.so" for name in ("runner_utils", "c_runner_utils", "float16_utils"))
    theirs = run([runner, "-e", "main", "-entry-point-result=void", f"-shared-libs={libraries}"], input=llvm)
    ours = run([tool, file, "--entry=main", "--no-cache"])
    sys.stdout.write(ours)
    if ours != theirs:
        sys.exit(f"mlir-runner prints another text:\n{theirs}")


if __name__ == "__main__":
    main()
