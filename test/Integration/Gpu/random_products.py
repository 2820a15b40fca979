"""Products drawn at random, in the simulator with all its checks, beside the reference: types, sizes about those of tiles, batches, layouts,
sizes known at run time, what is done to inputs before and to results behind, convolutions.

usage: random_products.py WORK --programs=N --seed=S
"""

import argparse
import pathlib
import random
import subprocess
import sys

SUMS = {"f16": "f32", "bf16": "f32", "f32": "f32", "f64": "f64", "i8": "i32"}
BATCH = 8  # programs in one module


def tensor(shape, element):
    return "tensor<" + "".join(f"{s}x" for s in shape) + element + ">"


def affine(loops, results):
    return f"affine_map<({', '.join(f'd{i}' for i in range(loops))}) -> ({', '.join(results)})>"


class Program:
    """One function, text and inputs. Types of arguments may have `?` where inputs have numbers."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.name, self.seed = f"p{seed}", seed
        self.arguments, self.inputs, self.body, self.count = [], [], [], 0
        self.element = self.draw.choice(["f16", "f16", "bf16", "f32", "f32", "f64", "i8"])
        if self.draw.random() < 0.3:
            self.convolution()
        else:
            self.product()

    def value(self):
        self.count += 1
        return f"%v{self.count}"

    def argument(self, shape, element, known=None):
        name = f"%a{len(self.arguments)}"
        kind = tensor([s if known is None or known[i] else "?" for i, s in enumerate(shape)], element)
        self.arguments.append(f"{name}: {kind}")
        self.inputs.append(f"{'x'.join(map(str, shape))}x{element}=random:{self.draw.randrange(1000)}")
        return name, kind

    def size(self):
        near = self.draw.choice([16, 24, 32, 48, 64, 96, 128])
        return near if self.draw.random() < 0.5 else max(1, near + self.draw.randrange(-9, 10))

    def empty(self, shape, element):
        name = self.value()
        self.body.append(f"{name} = tensor.empty() : {tensor(shape, element)}")
        return name

    def generic(self, maps, loops, inputs, output, kind, lines):
        """`lines` compute %r of %x0, %x1, ... and %o."""
        name = self.value()
        operands = ", ".join(i for i, _ in inputs)
        types = ", ".join(t for _, t in inputs)
        arguments = [f"%x{i}: {t.rstrip('>').split('x')[-1].replace('tensor<', '')}" for i, (_, t) in enumerate(inputs)]
        arguments.append(f"%o: {kind.rstrip('>').split('x')[-1]}")
        self.body.append(f"{name} = linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = [{loops}]}} "
                         f"ins({operands} : {types}) outs({output} : {kind}) {{\n  ^bb0({', '.join(arguments)}):")
        self.body.extend("  " + line for line in lines)
        self.body.append(f"  linalg.yield %r : {kind.rstrip('>').split('x')[-1]}\n  }} -> {kind}")
        return name, kind

    def elementwise(self, source, shape, element, lines, extra=(), maps=()):
        rank = len(shape)
        identity = affine(rank, [f"d{i}" for i in range(rank)])
        return self.generic([identity, *maps, identity], ", ".join(['"parallel"'] * rank), [source, *extra],
                            self.empty(shape, element), tensor(shape, element), lines)

    def input(self, shape, sides):
        """What is multiplied: an argument, or something made of one. `sides`: dimensions that a scale may follow."""
        element = self.element
        way = self.draw.choice(["plain", "plain", "weights", "activation"])
        if way == "activation":
            given = self.argument(shape, element)
            rectify = "arith.maxsi" if element == "i8" else "arith.maximumf"
            zero = "0" if element == "i8" else "0.0"
            return self.elementwise(given, shape, element, [f"%z = arith.constant {zero} : {element}",
                                                            f"%m = {rectify} %x0, %z : {element}",
                                                            f"%r = {'arith.subi' if element == 'i8' else 'arith.subf'} %m, %x0 : {element}"])
        if way == "weights" and element != "i8":
            side = self.draw.choice(sides)
            given = self.argument(shape, "i8")
            scale = self.argument([shape[side]], element)
            lines = [f"%f = arith.sitofp %x0 : i8 to {element}", f"%r = arith.mulf %f, %x1 : {element}"]
            if self.draw.random() < 0.5:
                lines[-1:] = [f"%c = arith.constant 3.0 : {element}", f"%p = arith.subf %f, %c : {element}",
                              f"%r = arith.mulf %p, %x1 : {element}"]
            return self.elementwise(given, shape, element, lines, [scale], [affine(len(shape), [f"d{side}"])])
        return None

    def multiply(self, lhs, rhs):
        element, total = self.element, SUMS[self.element]
        if element == "i8":
            return ["%w0 = arith.extsi %x0 : i8 to i32", "%w1 = arith.extsi %x1 : i8 to i32",
                    "%p = arith.muli %w0, %w1 : i32", "%r = arith.addi %o, %p : i32"]
        widen = [f"%w{i} = arith.extf %x{i} : {element} to {total}" for i in (0, 1)] if element != total else []
        a, b = ("%w0", "%w1") if widen else ("%x0", "%x1")
        return [*widen, f"%p = arith.mulf {a}, {b} : {total}", f"%r = arith.addf %o, %p : {total}"]

    def start(self, shape, total, known):
        """What sums begin with."""
        zero = self.value()
        self.body.append(f"{zero} = arith.constant {'0' if total == 'i32' else '0.0'} : {total}")
        kind = tensor([s if known[i] else "?" for i, s in enumerate(shape)], total)
        place, made = self.value(), self.value()
        sizes = ", ".join(self.dims[i] for i in range(len(shape)) if not known[i])
        self.body.append(f"{place} = tensor.empty({sizes}) : {kind}")
        self.body.append(f"{made} = linalg.fill ins({zero} : {total}) outs({place} : {kind}) -> {kind}")
        return made, kind

    def finish(self, result, shape, known):
        if all(known) and self.draw.random() < 0.6:
            total = SUMS[self.element]
            bias = self.argument([shape[-1]], total)
            integer = total == "i32"
            lines = [f"%s = arith.{'addi' if integer else 'addf'} %x0, %x1 : {total}",
                     f"%z = arith.constant {'0' if integer else '0.0'} : {total}",
                     f"%r = arith.{'maxsi' if integer else 'maximumf'} %s, %z : {total}"]
            result = self.elementwise(result, shape, total, lines, [bias], [affine(len(shape), [f"d{len(shape) - 1}"])])
        self.result = result

    def product(self):
        batches = self.draw.choice([0, 0, 1, 2])
        batch = [self.draw.randrange(1, 4) for _ in range(batches)]
        m, n, k = self.size(), self.size(), self.size()
        loops = batches + 3  # batches, m, n, k
        M, N, K = batches, batches + 1, batches + 2
        names = [f"d{i}" for i in range(batches)]
        sizes = {M: m, N: n, K: k}
        operands, maps = [], []
        dynamic = self.draw.random() < 0.25
        self.dims = {}
        for side, number in ((M, 0), (N, 1)):
            order = [side, K] if self.draw.random() < 0.5 else [K, side]
            own = [i for i in range(batches) if self.draw.random() < 0.8] if number == 1 else list(range(batches))
            shape = [batch[i] for i in own] + [sizes[i] for i in order]
            known = [True] * len(shape)
            if dynamic and number == 0:
                known[len(own) + order.index(M)] = False
            made = self.input(shape, [len(own), len(own) + 1]) if all(known) else None
            operands.append(made or self.argument(shape, self.element, known))
            maps.append(affine(loops, [names[i] for i in own] + [f"d{i}" for i in order]))
            if dynamic and number == 0:
                at, size = self.value(), self.value()
                self.body.append(f"{at} = arith.constant {len(own) + order.index(M)} : index")
                self.body.append(f"{size} = tensor.dim {operands[0][0]}, {at} : {operands[0][1]}")
                self.dims[batches] = size
        shape = batch + [m, n]
        known = [i != batches or not dynamic for i in range(len(shape))]
        start, kind = self.start(shape, SUMS[self.element], known)
        maps.append(affine(loops, [f"d{i}" for i in range(batches + 2)]))
        iterators = ", ".join(['"parallel"'] * (batches + 2) + ['"reduction"'])
        self.finish(self.generic(maps, iterators, operands, start, kind, self.multiply(*operands)), shape, known)

    def convolution(self):
        batch, height, width = self.draw.randrange(1, 3), self.draw.randrange(2, 12), self.draw.randrange(2, 12)
        channels, filters = self.draw.choice([3, 8, 16, 20, 32]), self.draw.choice([16, 24, 32, 40])
        kh, kw, stride, dilation = (self.draw.randrange(1, 4) for _ in range(4))
        rows, columns = (height - 1) * stride + (kh - 1) * dilation + 1, (width - 1) * stride + (kw - 1) * dilation + 1
        last = self.draw.random() < 0.7  # channels last
        image = [batch, rows, columns, channels] if last else [batch, channels, rows, columns]
        window = [kh, kw, channels, filters] if last else [filters, channels, kh, kw]
        self.dims = {}
        operands = [self.argument(image, self.element), self.argument(window, self.element)]
        h, w = f"d1 * {stride} + d4 * {dilation}", f"d2 * {stride} + d5 * {dilation}"
        if last:  # n, oh, ow, f, kh, kw, c
            maps = [affine(7, ["d0", h, w, "d6"]), affine(7, ["d4", "d5", "d6", "d3"]), affine(7, ["d0", "d1", "d2", "d3"])]
            shape = [batch, height, width, filters]
        else:
            maps = [affine(7, ["d0", "d6", h, w]), affine(7, ["d3", "d6", "d4", "d5"]), affine(7, ["d0", "d3", "d1", "d2"])]
            shape = [batch, filters, height, width]
        start, kind = self.start(shape, SUMS[self.element], [True] * 4)
        iterators = ", ".join(['"parallel"'] * 4 + ['"reduction"'] * 3)
        self.finish(self.generic(maps, iterators, operands, start, kind, self.multiply(*operands)), shape, [True] * 4)

    def text(self):
        name, kind = self.result
        lines = "\n  ".join(self.body)
        return f"func.func @{self.name}({', '.join(self.arguments)}) -> {kind} {{\n  {lines}\n  return {name} : {kind}\n}}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--programs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    bad = tiled = 0
    for first in range(options.seed, options.seed + options.programs, BATCH):
        programs = [Program(seed) for seed in range(first, min(first + BATCH, options.seed + options.programs))]
        file, folder = options.work / f"{first}.mlir", options.work / str(first)
        file.write_text("\n".join(program.text() for program in programs))
        done = subprocess.run(["mica-compile", "--target=sim", str(file), "-o", str(folder), "--force"], capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{file}: {done.stderr[:2000]}")
            return 1
        tiled += (folder / "report" / "remarks.json").read_text().count('"planned","message":"tensor_cores') + \
            (folder / "report" / "remarks.json").read_text().count('"planned","message":"workgroup_tiles')
        for program in programs:
            command = ["mica-run", str(folder), f"--entry={program.name}", "--check-reference",
                       *(f"--input={each}" for each in program.inputs)]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                bad += 1
                print(f"{' '.join(command)}\n{done.stdout[-1500:]}{done.stderr[-1500:]}\n{program.text()}")
    print(f"{options.programs} products, {tiled} of them by tiles, {bad} disagree")
    return 1 if bad else 0


sys.exit(main())
