#!/usr/bin/env python3
"""Makes a folder that runs programs on a bare machine with a GPU and checks what they give.

usage: gpu_pack.py BUILD_DIR OUT_DIR [--target=cuda] [--program=FILE.mlir[=INPUT,...]]...

OUT_DIR (replaced) gets mica-run with the libraries it needs, an artifact per program, its inputs, the results that the
reference evaluator expects, and run.sh, which needs a shell and the driver alone: it prints a table and writes results.json.
A program that cannot be compiled for the target is named in skipped.txt, with the compiler's first line; without --program the
programs are those of PROGRAMS. Fails if the pack is larger than 60 MB or has no program.
"""
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_BYTES = 60 * 10**6
PROGRAMS = ["docs/examples/classifier/classifier.mlir=@docs/examples/classifier/digits.npy",
            "docs/examples/transformer/block.mlir=@docs/examples/transformer/tokens.npy"] + [
                "test/Bench/cases/%s.mlir" % name
                for name in ("matmul_512", "matmul_1024", "softmax_1024x1024", "layer_norm_4096x1024", "gelu_4096x4096",
                             "mlp_784_512_512_10_b64")]


def copy_tool(build, out):
    """mica-run and what it is linked with but the C library."""
    (out / "bin").mkdir(parents=True)
    (out / "lib").mkdir()
    tool = build / "bin" / "mica-run"
    shutil.copy2(tool, out / "bin" / "mica-run")
    subprocess.run(["strip", out / "bin" / "mica-run"], check=True)
    for line in subprocess.run(["ldd", tool], capture_output=True, text=True, check=True).stdout.splitlines():
        words = line.split()
        if "=>" in words and os.path.isabs(words[2]):
            name = words[0]
            if not name.startswith(("libc.so", "libm.so", "libdl.so", "libpthread.so", "librt.so")):
                shutil.copy2(words[2], out / "lib" / name)


def add_program(build, out, target, program):
    """The artifact, and the results of the reference in the form of --golden-data. Gives why it was left out, or None."""
    file, _, given = program.partition("=")
    name = pathlib.Path(file).stem
    place = out / "programs" / name
    compiled = subprocess.run([build / "bin" / "mica-compile", ROOT / file, "-o", place / "artifact", "--force",
                               "--target=" + target, "--dump-passes=off"], capture_output=True, text=True)
    if compiled.returncode != 0:
        shutil.rmtree(place, ignore_errors=True)
        lines = [line for line in compiled.stderr.splitlines() if "error" in line]
        return (lines or ["exit code %d" % compiled.returncode])[0]
    # The run that says what is expected is the reference's, on the inputs that every run here takes.
    inputs = ["--input=" + (("@" + str(ROOT / word[1:])) if word.startswith("@") else word) for word in given.split(",") if word]
    golden = out / "golden"
    run = subprocess.run([build / "bin" / "mica-run", ROOT / file, "--no-cache", "--check-reference", "-o", golden,
                          "--force"] + inputs, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit("gpu_pack.py: %s does not agree with the reference on this CPU:\n%s" % (file, run.stdout + run.stderr))
    shutil.copytree(golden / "runs" / "latest" / "data", place / "data")
    shutil.rmtree(golden)
    return None


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    flags = dict(word[2:].split("=", 1) for word in sys.argv[1:] if word.startswith("--target="))
    programs = [word[len("--program="):] for word in sys.argv[1:] if word.startswith("--program=")] or PROGRAMS
    if len(words) != 2:
        sys.exit(__doc__)
    build, out = pathlib.Path(words[0]).resolve(), pathlib.Path(words[1]).resolve()
    target = flags.get("target", "cuda")
    shutil.rmtree(out, ignore_errors=True)
    copy_tool(build, out)
    skipped = []
    for program in programs:
        why = add_program(build, out, target, program)
        print("%-60s %s" % (program.partition("=")[0], why or "packed"))
        if why:
            skipped.append("%s: %s" % (program.partition("=")[0], why))
    (out / "target").write_text(target + "\n")
    (out / "skipped.txt").write_text("".join(line + "\n" for line in skipped))
    shutil.copy2(ROOT / "tools" / "scripts" / "gpu_pack_run.sh", out / "run.sh")
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    print("%s: %.1f MB, %d programs, %d left out" % (out, size / 1e6, len(programs) - len(skipped), len(skipped)))
    if len(skipped) == len(programs):
        sys.exit("gpu_pack.py: none of the programs can be compiled for --target=%s" % target)
    if size > MOST_BYTES:
        sys.exit("gpu_pack.py: larger than %d MB" % (MOST_BYTES // 10**6))


main()
