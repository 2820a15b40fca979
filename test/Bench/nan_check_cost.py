"""Instructions that nan-check adds to kernels of a device: of their PTX as it stands, and of what the simulator runs. No times.
usage: nan_check_cost.py BIN_DIR [--ptx]

Prints a table as JSON, for a product, a softmax and a sum of f32, without and with the switch: `ptx`, all instructions of the kernel's
entries; `ptx in loops`, those between the target of a branch backwards and the branch; `registers`, where ptxas is installed;
`simulated`, where valgrind is: instructions that the simulator's code of the kernels executes on the CPU (x86-64-v3, sim-check=none, sizes
of 128x128), with all values finite. With --ptx without the last."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = """
func.func @matmul(%a: tensor<NxNxf32>, %b: tensor<NxNxf32>) -> tensor<NxNxf32> {
  %r = mica.matmul %a, %b : tensor<NxNxf32>
  return %r : tensor<NxNxf32>
}
func.func @softmax(%a: tensor<NxNxf32>) -> tensor<NxNxf32> {
  %r = mica.softmax %a axis = 1 : tensor<NxNxf32>
  return %r : tensor<NxNxf32>
}
func.func @add(%a: tensor<NxNxf32>, %b: tensor<NxNxf32>) -> tensor<NxNxf32> {
  %r = mica.add %a, %b : tensor<NxNxf32>
  return %r : tensor<NxNxf32>
}
"""
ENTRIES = {"matmul": 2, "softmax": 1, "add": 2}


def count(text):
    """Instructions, and those in loops, of a PTX text."""
    lines = [line.split("//")[0].strip() for line in text.splitlines()]
    labels = {line[:-1]: i for i, line in enumerate(lines) if re.fullmatch(r"\$\w+:", line)}
    instructions = {i for i, line in enumerate(lines) if line.endswith(";") and not line.startswith(".")}
    looped = set()
    for i in instructions:
        target = re.search(r"\bbra(?:\.uni)?\s+(\$\w+);", lines[i])
        if target and labels[target[1]] < i:
            looped |= {j for j in instructions if labels[target[1]] < j <= i}
    return len(instructions), len(looped)


def compiled(tools, folder, size, name, flags):
    model, out = folder / "model.mlir", folder / name
    model.write_text(PROGRAM.replace("N", str(size)))
    subprocess.run([tools / "mica-compile", model, "-o", out, "--force", *flags], check=True, capture_output=True)
    return out


def simulated(tools, folder, artifact, entry):
    """Instructions of program.so in a run, less those of its host functions, which are few."""
    out = folder / "callgrind"
    subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", tools / "mica-run", "--no-rebuild", artifact,
                    f"--entry={entry}"] + [f"--input=128x128xf32=random:{i}:1:2" for i in range(ENTRIES[entry])],
                   check=True, capture_output=True)
    listing = subprocess.run(["callgrind_annotate", "--threshold=100", out], check=True, capture_output=True, text=True).stdout
    found = [line for line in listing.splitlines() if "mica_sim_kernel" in line and "_region_" in line]
    return sum(int(line.split()[0].replace(",", "")) for line in found)


def main():
    tools = pathlib.Path(sys.argv[1])
    result = {entry: {} for entry in ENTRIES}
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for word, switch in (("without", ""), ("with", ",nan-check")):
            device = compiled(tools, folder, 1024, "cuda", ["--target=cuda:sm_80", "--mica-debug=assert-level=none" + switch])
            sim = compiled(tools, folder, 128, "sim", ["--target=sim", "--host-cpu=x86-64-v3", "--mica-debug=sim-check=none" + switch])
            for kernel in json.loads((device / "manifest.json").read_text())["kernels"]:
                entry = kernel["name"].split("_")[0]
                numbers = result[entry][word] = dict(zip(("ptx", "ptx in loops"), count((device / "kernels" / kernel["name"] / "kernel.ptx").read_text())))
                registers = re.findall(r'"registers": *(\d+)', json.dumps(kernel))
                if registers:
                    numbers["registers"] = max(map(int, registers))
                if shutil.which("valgrind") and "--ptx" not in sys.argv:
                    numbers["simulated"] = simulated(tools, folder, sim, entry)
    print(json.dumps(result, indent=2))


main()
