"""Mutants of right kernels: is every one that reads or writes outside its tensors reported, and none of the others?

usage: mutants.py WORK [--seed=N] [--count=N]
A kernel is a loop nest whose accesses are linear in its loops, or go through an array of positions, or a slice; a mutant changes
an index, the bound of a loop, the offset, size or step of a slice. What a mutant touches is enumerated here, independently of
the compiler. Prints recall and false alarms, with proofs and without.
"""
import argparse
import copy
import itertools
import pathlib
import random
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("work", type=pathlib.Path)
parser.add_argument("--seed", type=int, default=5)
parser.add_argument("--count", type=int, default=200)
parser.add_argument("--every", type=int, default=1, help="of the right kernels, each Nth alone")
args = parser.parse_args()

N, POSITIONS = 8, [3, 0, 7, 1, 6, 2, 5, 4]


def index(constant=0, **coefficients):
    return {"constant": constant, **coefficients}


I, J, K = index(i=1), index(j=1), index(k=1)


def kernel(name, arrays, loops, store, *loads, dynamic=False, positions=None):
    """`positions`: the load whose first index goes through the array of positions."""
    return dict(name=name, arrays=arrays, loops=loops, store=store, loads=list(loads), dynamic=dynamic, positions=positions)


KERNELS = [
    kernel("transpose", {"a": (6, 8), "r": (8, 6)}, {"i": (0, 6), "j": (0, 8)}, ("r", [J, I]), ("a", [I, J])),
    kernel("reverse", {"a": (8,), "r": (8,)}, {"i": (0, 8)}, ("r", [I]), ("a", [index(7, i=-1)])),
    kernel("stride", {"a": (16,), "r": (8,)}, {"i": (0, 8)}, ("r", [I]), ("a", [index(i=2)])),
    kernel("stencil", {"a": (20,), "r": (20,)}, {"i": (1, 19)}, ("r", [I]), ("a", [index(-1, i=1)]), ("a", [I]), ("a", [index(1, i=1)])),
    kernel("cross", {"a": (7, 9), "r": (7, 9)}, {"i": (1, 6), "j": (1, 8)}, ("r", [I, J]), ("a", [index(-1, i=1), J]),
           ("a", [index(1, i=1), J]), ("a", [I, index(-1, j=1)]), ("a", [I, index(1, j=1)])),
    kernel("matmul", {"a": (4, 5), "b": (5, 6), "r": (4, 6)}, {"i": (0, 4), "j": (0, 6), "k": (0, 5)}, ("r", [I, J]),
           ("r", [I, J]), ("a", [I, K]), ("b", [K, J])),
    kernel("convolution", {"a": (12,), "w": (3,), "r": (10,)}, {"i": (0, 10), "k": (0, 3)}, ("r", [I]), ("r", [I]),
           ("a", [index(i=1, k=1)]), ("w", [K])),
    kernel("pooling", {"a": (16,), "r": (8,)}, {"i": (0, 8), "k": (0, 2)}, ("r", [I]), ("a", [index(i=2, k=1)])),
    kernel("window", {"a": (8, 10), "r": (4, 5)}, {"i": (0, 4), "j": (0, 5)}, ("r", [I, J]), ("a", [index(2, i=1), index(3, j=1)])),
    kernel("permute", {"a": (3, 4, 5), "r": (5, 3, 4)}, {"i": (0, 3), "j": (0, 4), "k": (0, 5)}, ("r", [K, I, J]), ("a", [I, J, K])),
    kernel("gather", {"a": (8,), "r": (8,)}, {"i": (0, 8)}, ("r", [I]), ("a", [I]), positions=0),
    kernel("gather_rows", {"a": (8, 3), "r": (8, 3)}, {"i": (0, 8), "j": (0, 3)}, ("r", [I, J]), ("a", [I, J]), positions=0),
]
KERNELS += [dict(copy.deepcopy(each), name=each["name"] + "_dynamic", dynamic=True) for each in KERNELS]
SLICES = [dict(name="slice", extent=extent, dynamic=dynamic, offset=offset, size=size, step=step)
          for extent, offset, size, step in [(32, 4, 20, 1), (33, 1, 10, 3)] for dynamic in (False, True)]


def mutate(draw, base):
    mutant = copy.deepcopy(base)
    if base["name"] == "slice":
        what = draw.choice(["offset", "size", "step"])
        mutant[what] = max(mutant[what] + draw.choice([-6, -2, -1, 1, 2, 6, 12]), {"offset": -9, "size": 0, "step": 1}[what])
        return mutant
    if draw.random() < 0.35:
        variable = draw.choice(list(mutant["loops"]))
        low, high = mutant["loops"][variable]
        mutant["loops"][variable] = draw.choice([(low, high + draw.choice([-1, 1, 2])), (low + draw.choice([-1, 1]), high)])
        return mutant
    _, indices = draw.choice([mutant["store"], *mutant["loads"]])
    place = draw.randrange(len(indices))
    changed = dict(indices[place])
    kind = draw.random()
    if kind < 0.6:
        changed["constant"] += draw.choice([-3, -2, -1, 1, 2, 3])
    elif kind < 0.8:
        variable = draw.choice(list(mutant["loops"]))
        changed[variable] = changed.get(variable, 0) + draw.choice([-1, 1])
    else:
        other = draw.randrange(len(indices))
        changed = dict(indices[other])
    indices[place] = changed
    return mutant


def value(expression, at):
    return expression["constant"] + sum(c * at[v] for v, c in expression.items() if v != "constant")


def leaves(mutant):
    """Whether it touches anything outside."""
    if mutant["name"] == "slice":
        last = mutant["offset"] + (mutant["size"] - 1) * mutant["step"]
        return mutant["size"] > 0 and (mutant["offset"] < 0 or last >= mutant["extent"])
    for point in itertools.product(*(range(*bounds) for bounds in mutant["loops"].values())):
        at = dict(zip(mutant["loops"], point))
        for number, (array, indices) in enumerate(mutant["loads"] + [mutant["store"]]):
            places = [value(each, at) for each in indices]
            if number == mutant["positions"]:
                if not 0 <= places[0] < N:
                    return True
                places[0] = POSITIONS[places[0]]
            if any(not 0 <= place < extent for place, extent in zip(places, mutant["arrays"][array])):
                return True
    return False


def expression_text(expression):
    terms = [f"{c} * %{v}" for v, c in expression.items() if v != "constant" and c] + [str(expression["constant"])]
    return " + ".join(terms)


def text(mutant, name):
    """(function, inputs)."""
    if mutant["name"] == "slice":
        type = "tensor<?xf32>" if mutant["dynamic"] else f"tensor<{mutant['extent']}xf32>"
        return f"""func.func @{name}(%x: {type}, %zero: index) -> tensor<?xf32> {{
  %o = affine.apply affine_map<()[s] -> (s + {mutant['offset']})>()[%zero]
  %n = affine.apply affine_map<()[s] -> (s + {mutant['size']})>()[%zero]
  %s = tensor.extract_slice %x[%o] [%n] [{mutant['step']}] : {type} to tensor<?xf32>
  %r = mica.neg %s : tensor<?xf32>
  return %r : tensor<?xf32>
}}
""", [f"{mutant['extent']}xf32=1", "index=0"]
    dims = lambda shape: "x".join("?" if mutant["dynamic"] else str(size) for size in shape)
    types = {array: f"memref<{dims(shape)}xf32>" for array, shape in mutant["arrays"].items()}
    lines = [f"func.func @{name}(" + ", ".join(f"%{a}: {t}" for a, t in types.items()) + f", %p: memref<{N}xindex>) {{"]
    for variable, (low, high) in mutant["loops"].items():
        lines.append(f"affine.for %{variable} = {low} to {max(high, low)} {{")
    sum_ = ""
    for number, (array, indices) in enumerate(mutant["loads"]):
        places = [expression_text(each) for each in indices]
        if number == mutant["positions"]:
            lines.append(f"%at = affine.load %p[{places[0]}] : memref<{N}xindex>")
            lines += [f"%q{d} = affine.apply affine_map<({', '.join(mutant['loops'])}) -> ({expression_text(each).replace('%', '')})>({', '.join('%' + v for v in mutant['loops'])})"
                      for d, each in enumerate(indices) if d]
            places = ["%at"] + [f"%q{d}" for d in range(1, len(indices))]
            lines.append(f"%v{number} = memref.load %{array}[{', '.join(places)}] : {types[array]}")
        else:
            lines.append(f"%v{number} = affine.load %{array}[{', '.join(places)}] : {types[array]}")
        if sum_:
            lines.append(f"%s{number} = arith.addf {sum_}, %v{number} : f32")
        sum_ = f"%s{number}" if sum_ else f"%v{number}"
    array, indices = mutant["store"]
    lines.append(f"affine.store {sum_}, %{array}[{', '.join(map(expression_text, indices))}] : {types[array]}")
    lines += ["}"] * len(mutant["loops"]) + ["return", "}", ""]
    inputs = ["x".join(map(str, shape)) + "xf32=1" for shape in mutant["arrays"].values()]
    return "\n".join(lines), inputs + [f"{N}xindex=" + ",".join(map(str, POSITIONS))]


def verdict(folder, entry, inputs):
    done = subprocess.run(["mica-run", str(folder), "--entry=" + entry, "--threads=1"] + ["--input=" + each for each in inputs],
                          capture_output=True, text=True)
    said = done.stdout + done.stderr
    # A slice of dynamic size is checked before its kernel.
    if (done.returncode == 3 and "check failed" in said) or (done.returncode == 1 and "shape mismatch" in said):
        return True
    if done.returncode == 0 and "check failed" not in said:
        return False
    sys.exit(f"{folder} {entry}: exit code {done.returncode}\n{said}")


draw = random.Random(args.seed)
originals = [(each, False) for each in (KERNELS + SLICES)[::args.every]]
assert not any(leaves(each) for each, _ in originals)
mutants = [mutate(draw, draw.choice(KERNELS if draw.random() < 0.8 else SLICES)) for _ in range(args.count)]
programs = [(each, leaves(each)) for each, _ in originals] + [(each, leaves(each)) for each in mutants]
args.work.mkdir(parents=True, exist_ok=True)
verdicts = {"on": [], "off": []}
for begin in range(0, len(programs), 25):
    part = programs[begin:begin + 25]
    texts = [text(each, f"f{number}") for number, (each, _) in enumerate(part)]
    file = args.work / f"part{begin}.mlir"
    file.write_text("".join(each for each, _ in texts))
    for proofs in verdicts:
        folder = args.work / f"part{begin}_{proofs}"
        subprocess.run(["mica-compile", str(file), "-o", str(folder), "--force", "--dump-passes=off",
                        f"--mica-debug=assert-level=all,check-proofs={proofs}"], check=True, capture_output=True)
        verdicts[proofs] += [verdict(folder, f"f{number}", inputs) for number, (_, inputs) in enumerate(texts)]

bad = 0
for proofs, reported in verdicts.items():
    outside = [said for (_, leaving), said in zip(programs, reported) if leaving]
    inside = [said for (_, leaving), said in zip(programs, reported) if not leaving]
    bad += outside.count(False) + inside.count(True)
    for (each, leaving), said in zip(programs, reported):
        if leaving != said:
            print(("missed: " if leaving else "false alarm: ") + text(each, "f")[0])
    print(f"proofs {proofs}: of {len(mutants)} mutants and {len(originals)} right kernels {len(outside)} leave their tensors, "
          f"{outside.count(True)} reported; {len(inside)} do not, {inside.count(True)} reported")
print("the same verdicts" if verdicts["on"] == verdicts["off"] else "the verdicts differ")
sys.exit(bad != 0)
