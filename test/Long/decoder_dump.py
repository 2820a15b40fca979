"""decoder_dump.py BIN MODEL WORK: dumps of a decoder's step, with 7.2 GB of made-up arguments.

The time of a step with dump-tensors=3 over that without, in pairs (mica-bench-costs), is at most 1.2. Both levels of optimization agree in all
tensors that have consequences. Then one operation of the -O3 artifact is edited, and one call of mica-dump has to name it.
"""
import json
import pathlib
import subprocess
import sys

TOOLS, MODEL, WORK = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])


def run(*command, codes=(0,)):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode not in codes:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def dump(artifact):
    run("mica-run", artifact, f"--mica-debug=dump-tensors=3,dump-dir={WORK}/{artifact.name}.dump", f"--run-dir={WORK}/runs")
    subprocess.run(["rm", "-rf", WORK / "runs"], check=True)
    return WORK / f"{artifact.name}.dump"


def edit(artifact):
    """Makes a kernel take square roots for their reciprocals; returns the ids of the operations that are its first launch."""
    for site in json.loads((artifact / "manifest.json").read_text())["sites"]:
        kernel = artifact / "kernels" / site["kernel"] / "kernel.mlir"
        if kernel.exists() and "math.rsqrt" in kernel.read_text():
            kernel.write_text(kernel.read_text().replace("math.rsqrt", "math.sqrt"))
            return site["op_ids"]
    sys.exit("no kernel has a reciprocal square root")


for level in (0, 3):
    run("mica-compile", MODEL, f"-O{level}", "--dump-passes=off", "-o", WORK / f"O{level}")
plain, fast = WORK / "O0", WORK / "O3"
measured = json.loads(run(TOOLS / "mica-bench-costs", "--pairs=20", fast, f"statistics,dump-tensors=3+dump-dir={WORK}/costs={fast}"))
print(f"statistics of everything: {measured['ratio']} times, {measured['low']} to {measured['high']}, of {measured['base_us'] / 1000:.0f} ms")
if measured["low"] > 1.2:
    sys.exit("more than 1.2 times")
before, after = dump(plain), dump(fast)
report = json.loads(run("mica-dump", before, after, "--json", codes=(0, 3)))
different = [pair for pair in report["pairs"] if pair["verdict"] == "different"]
with_consequence = [pair for pair in different if not pair["without_consequence"]]
print(f"-O0 and -O3: {len(report['pairs']):,} tensors compared, {'none differs with consequence' if not with_consequence else with_consequence[0]}; "
      f"{len(different)} differ in elements that no kernel had written")
ids = edit(fast)
report = json.loads(run("mica-dump", before, dump(fast), "--json", codes=(3,)))
first = report["first_difference"]
# No result of the kernel that was edited need have a counterpart: its operations are then behind the first difference.
named = [first["op"], *first["operations"]]
print("a fault in -O3: " + ("found among the operations of the first difference" if any(op in text for op in ids for text in named)
                            and len(named) <= 8 else f"not found: {first}"))
