#!/usr/bin/env python3
"""Plants faults in programs of 20 to 200 ops, and counts how many of them mica-bisect finds.

usage: planted.py --plugin=FILE --llvm-plugin=FILE --work=DIR [--faults=A,B] [--levels=A,B] [--seed=N] [--budget=SECONDS] [--least=N]

For each fault of MicaFaultyPasses a program is drawn that has ops for it. The pass stands between others in a pipeline.
A fault counts where results differ, which is seen without mica-bisect; else another program is drawn. It is found where
the verdict is miscompile, the pass is the one, and the step is the op that was changed. The exit code is 1 if fewer
than --least are found.
"""
import argparse
import os
import random
import re
import shutil
import statistics
import sys

import phases
from phases import run

FLOAT, INT, TENSOR, VECTOR, BUFFER = "f32", "i32", "tensor<4x4xf32>", "vector<4xf32>", "memref<4x4xf32>"
MAX_DEPTH = 3  # of floats, whose sums and products would grow without end
DRAWS = 30


class Program:
    """A function of floats, integers and tensors that returns whatever it does not use."""

    def __init__(self, rng, level):
        self.rng, self.level, self.lines, self.count = rng, level, [], 0
        self.values = {kind: [] for kind in (FLOAT, INT, TENSOR, VECTOR, BUFFER)}
        self.depth, self.used = {}, set()
        for i in range(3):
            self.add_value(FLOAT, f"%x{i}")
            self.add_value(INT, f"%n{i}")
        if level in ("tensor", "vector"):
            for i in range(2):
                self.add_value(TENSOR, f"%t{i}")
        self.inputs = [f"--input={0.75 * i + 0.6}" for i in range(3)] + [f"--input={i}" for i in (13, -5, 6)]
        self.inputs += [f"--input=random:{i + 7}" for i in range(len(self.values[TENSOR]))]
        self.arguments = [f"{name}: {kind}" for kind in (FLOAT, INT, TENSOR) for name in self.values[kind]]
        for i in range(5):
            self.line(f"%c{i} = arith.constant {i} : index")
        self.line("%zero = arith.constant 0.0 : f32")

    def add_value(self, kind, name, depth=0):
        self.values[kind].append(name)
        self.depth[name] = depth

    def line(self, text):
        self.lines.append("  " + text)

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def pick(self, kind):
        value = self.rng.choice([v for v in self.values[kind] if self.depth[v] < MAX_DEPTH][-8:])
        self.used.add(value)
        return value

    def make(self, kind, text, *operands):
        """A value of `kind` by `text`, in which {0}, {1} are operands."""
        result = self.name()
        self.line(f"{result} = " + text.format(*operands))
        self.add_value(kind, result, 1 + max([self.depth.get(o, 0) for o in operands], default=0))
        return result

    def constant(self, kind):
        value = self.rng.randint(1, 7) if kind == INT else self.rng.randint(1, 15) / 8
        return self.make(kind, f"arith.constant {value} : {kind}")

    # Statements

    def scalar(self):
        f, i = self.pick(FLOAT), self.pick(INT)
        choice = self.rng.choice(["f2", "f2", "i2", "i2", "neg", "shift", "compare", "floor", "exp", "cast", "extend", "constant"])
        if choice == "f2":
            op = self.rng.choice(["arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.minimumf"])
            other = self.constant(FLOAT) if op == "arith.divf" else self.pick(FLOAT)
            self.make(FLOAT, op + " {0}, {1} : f32", f, other)
        elif choice == "i2":
            op = self.rng.choice(["arith.addi", "arith.subi", "arith.muli", "arith.minsi", "arith.andi"])
            self.make(INT, op + " {0}, {1} : i32", i, self.pick(INT))
        elif choice == "neg":
            self.make(FLOAT, "arith.negf {0} : f32", f)
        elif choice == "shift":
            small = self.constant(INT)
            op = self.rng.choice(["arith.shli", "arith.shrsi"])
            self.make(INT, op + " {0}, {1} : i32", i, small)
        elif choice == "compare":
            bit = self.name()
            self.line(f"{bit} = arith.cmpi {self.rng.choice(['slt', 'slt', 'sgt'])}, {i}, {self.pick(INT)} : i32")
            kind = self.rng.choice([FLOAT, INT])
            self.make(kind, f"arith.select {bit}, {{0}}, {{1}} : {kind}", self.pick(kind), self.pick(kind))
        elif choice == "floor" and self.level != "lowered":
            self.make(FLOAT, "math.floor {0} : f32", f)
        elif choice == "exp" and self.level != "lowered":
            self.make(FLOAT, "math.exp {0} : f32", self.make(FLOAT, "arith.minimumf {0}, {1} : f32", f, self.constant(FLOAT)))
        elif choice == "cast":
            self.make(INT, "arith.fptosi {0} : f32 to i32", f) if self.rng.random() < 0.5 else self.make(FLOAT, "arith.sitofp {0} : i32 to f32", i)
        elif choice == "extend":
            wide = self.name()
            self.line(f"{wide} = arith.extsi {i} : i32 to i64")
            half = self.name()
            self.line(f"{half} = arith.constant 1 : i64")
            shifted = self.name()
            self.line(f"{shifted} = arith.shrsi {wide}, {half} : i64")
            self.make(INT, "arith.trunci {0} : i64 to i32", shifted)
        else:
            self.constant(self.rng.choice([FLOAT, INT]))

    def tensor(self):
        t = self.pick(TENSOR)
        choice = self.rng.choice(["two", "two", "one", "fill", "reduce", "map", "slice", "insert", "extract"])
        if choice in ("two", "one"):
            op = self.rng.choice(["linalg.sub", "linalg.div", "linalg.add", "linalg.mul"] if choice == "two" else ["linalg.exp", "linalg.abs"])
            into = self.name()
            self.line(f"{into} = tensor.empty() : {TENSOR}")
            operands = [t] + ([self.pick(TENSOR)] if choice == "two" else [])
            ins = ", ".join(f"{{{i}}}" for i in range(len(operands)))
            types = ", ".join([TENSOR] * len(operands))
            self.make(TENSOR, f"{op} ins({ins} : {types}) outs({into} : {TENSOR}) -> {TENSOR}", *operands)
        elif choice == "fill":
            into = self.name()
            self.line(f"{into} = tensor.empty() : {TENSOR}")
            self.make(TENSOR, f"linalg.fill ins({{0}} : f32) outs({into} : {TENSOR}) -> {TENSOR}", self.pick(FLOAT))
        elif choice in ("reduce", "map"):
            empty, into, row = self.name(), self.name(), "tensor<4xf32>"
            out = row if choice == "reduce" else TENSOR
            self.line(f"{empty} = tensor.empty() : {out}")
            self.line(f"{into} = linalg.fill ins(%zero : f32) outs({empty} : {out}) -> {out}")
            target = "(i)" if choice == "reduce" else "(i, j)"
            kind = "reduction" if choice == "reduce" else "parallel"
            got = self.name()
            self.line(f"{got} = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> {target}>], "
                      f'iterator_types = ["parallel", "{kind}"]}} ins({t} : {TENSOR}) outs({into} : {out}) {{')
            self.line("^bb0(%a: f32, %b: f32):")
            self.line("  %s = arith.addf %a, %b : f32")
            self.line("  linalg.yield %s : f32")
            self.line(f"}} -> {out}")
            if choice == "map":
                self.add_value(TENSOR, got, self.depth[t] + 1)
            else:
                self.make(FLOAT, f"tensor.extract {got}[%c{self.rng.randint(0, 3)}] : {out}")
        elif choice == "slice":
            part = self.name()
            self.line(f"{part} = tensor.extract_slice {t}[1, 0] [2, 4] [1, 1] : {TENSOR} to tensor<2x4xf32>")
            other = self.pick(TENSOR)
            self.make(TENSOR, f"tensor.insert_slice {part} into {{0}}[{self.rng.randint(0, 2)}, 0] [2, 4] [1, 1] : tensor<2x4xf32> into {TENSOR}", other)
        elif choice == "insert":
            a, b = self.rng.randint(0, 3), self.rng.randint(0, 3)
            self.make(TENSOR, f"tensor.insert {{1}} into {{0}}[%c{a}, %c{b}] : {TENSOR}", t, self.pick(FLOAT))
        else:
            a, b = self.rng.randint(0, 3), self.rng.randint(0, 3)
            self.make(FLOAT, f"tensor.extract {{0}}[%c{a}, %c{b}] : {TENSOR}", t)

    def loop(self):
        choice = self.rng.choice(["sum", "alloc", "store", "store", "load", "load", "copy", "row"])
        if choice == "alloc" or not self.values[BUFFER]:
            buffer = self.name()
            self.line(f"{buffer} = memref.alloc() : {BUFFER}")
            self.line(f"scf.for %i = %c0 to %c4 step %c1 {{")
            self.line(f"  scf.for %j = %c0 to %c4 step %c1 {{")
            self.line("    %k = arith.muli %i, %c4 : index")
            self.line("    %l = arith.addi %k, %j : index")
            self.line("    %m = arith.index_cast %l : index to i32")
            self.line("    %n = arith.sitofp %m : i32 to f32")
            self.line(f"    %o = arith.addf %n, {self.pick(FLOAT)} : f32")
            self.line(f"    memref.store %o, {buffer}[%i, %j] : {BUFFER}")
            self.line("  }")
            self.line("}")
            self.add_value(BUFFER, buffer)
            return
        buffer = self.pick(BUFFER)
        place = f"[%c{self.rng.randint(0, 3)}, %c{self.rng.randint(0, 3)}]"
        if choice == "store":
            self.line(f"memref.store {self.pick(FLOAT)}, {buffer}{place} : {BUFFER}")
            if self.rng.random() < 0.5:
                self.make(FLOAT, f"memref.load {buffer}{place} : {BUFFER}")
        elif choice == "load":
            self.make(FLOAT, f"memref.load {buffer}{place} : {BUFFER}")
        elif choice == "copy" and len(self.values[BUFFER]) > 1:
            other = self.rng.choice([b for b in self.values[BUFFER] if b != buffer])
            self.line(f"memref.copy {other}, {buffer} : {BUFFER} to {BUFFER}")
        elif choice == "row":
            part, kind = self.name(), "memref<2xf32, strided<[1], offset: 1>>"
            self.line(f"{part} = memref.reinterpret_cast {buffer} to offset: [1], sizes: [2], strides: [1] : {BUFFER} to {kind}")
            self.make(FLOAT, f"memref.load {part}[%c{self.rng.randint(0, 1)}] : {kind}")
        else:
            total = self.name()
            start = self.pick(FLOAT)
            self.line(f"{total} = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = {start}) -> (f32) {{")
            self.line(f"  %e = memref.load {buffer}[%i, %c{self.rng.randint(0, 3)}] : {BUFFER}")
            self.line("  %n = arith.addf %s, %e : f32")
            self.line("  scf.yield %n : f32")
            self.line("}")
            self.add_value(FLOAT, total, 2)

    def vector(self):
        choice = self.rng.choice(["read", "splat", "fma", "shuffle", "reduce", "two", "masked"])
        if choice == "read" or not self.values[VECTOR]:
            a, b = self.rng.randint(0, 3), self.rng.randint(0, 2)
            self.make(VECTOR, f"vector.transfer_read {{0}}[%c{a}, %c{b}], %zero : {TENSOR}, {VECTOR}", self.pick(TENSOR))
        elif choice == "splat":
            self.make(VECTOR, f"vector.broadcast {{0}} : f32 to {VECTOR}", self.pick(FLOAT))
        elif choice == "fma":
            self.make(VECTOR, f"vector.fma {{0}}, {{1}}, {{2}} : {VECTOR}", *[self.pick(VECTOR) for _ in range(3)])
        elif choice == "shuffle":
            mask = [self.rng.randint(0, 7) for _ in range(4)]
            self.make(VECTOR, f"vector.shuffle {{0}}, {{1}} {mask} : {VECTOR}, {VECTOR}", self.pick(VECTOR), self.pick(VECTOR))
        elif choice == "reduce":
            self.make(FLOAT, f"vector.reduction <add>, {{0}} : {VECTOR} into f32", self.pick(VECTOR))
        elif choice == "masked":
            buffer, bits = self.name(), self.name()
            self.line(f"{buffer} = memref.alloc() : memref<8xf32>")
            self.line(f"scf.for %i = %c0 to %c8 step %c1 {{")
            self.line(f"  memref.store {self.pick(FLOAT)}, {buffer}[%i] : memref<8xf32>")
            self.line("}")
            self.line(f"{bits} = vector.create_mask %c{self.rng.randint(1, 3)} : vector<4xi1>")
            self.make(VECTOR, f"vector.maskedload {buffer}[%c{self.rng.randint(0, 3)}], {bits}, {{0}} : memref<8xf32>, vector<4xi1>, {VECTOR} into {VECTOR}", self.pick(VECTOR))
        else:
            op = self.rng.choice(["arith.addf", "arith.subf", "arith.mulf"])
            self.make(VECTOR, op + f" {{0}}, {{1}} : {VECTOR}", self.pick(VECTOR), self.pick(VECTOR))

    def draw(self, ops):
        own = {"scalar": self.scalar, "tensor": self.tensor, "loop": self.loop, "vector": self.vector, "lowered": self.loop}[self.level]
        if self.level == "vector":
            self.line("%c8 = arith.constant 8 : index")
        while self.ops() < ops:
            (own if self.rng.random() < (0.4 if self.level == "lowered" else 0.75) else self.scalar)()
        for vector in self.values[VECTOR]:
            for place in (0, 3):
                self.make(FLOAT, f"vector.extract {vector}[{place}] : f32 from {VECTOR}")
        for buffer in self.values[BUFFER]:
            for place in ("%c0, %c1", "%c1, %c2", "%c3, %c0"):
                self.make(FLOAT, f"memref.load {buffer}[{place}] : {BUFFER}")
        results = [(v, kind) for kind in (FLOAT, INT, TENSOR) for v in self.values[kind] if v.startswith("%v") and v not in self.used]
        if not results:
            results = [(self.values[FLOAT][-1], FLOAT)]
        if self.level == "lowered":
            # A function of the LLVM dialect is run as a program that prints.
            constants = [f"  {name} = arith.constant {value} : {kind}" for (name, kind), value in
                         zip([argument.split(": ") for argument in self.arguments], [i.split("=")[1] for i in self.inputs])]
            self.inputs = []
            prints = [f"  vector.print {v} : {kind}" for v, kind in results]
            return "\n".join(["func.func @main() {", *constants, *self.lines, *prints, "  return", "}", ""])
        kinds = ", ".join(kind for _, kind in results)
        head = f"func.func @f({', '.join(self.arguments)}) -> ({kinds}) {{"
        return "\n".join([head, *self.lines, f"  return {', '.join(v for v, _ in results)} : {kinds}", "}", ""])

    def ops(self):
        return sum(1 for line in self.lines if not re.match(r"\s*(\}|\^)", line))


TO_LLVM = ("convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-vector-to-llvm,func.func(convert-arith-to-llvm),finalize-memref-to-llvm,convert-cf-to-llvm,"
           "convert-func-to-llvm,reconcile-unrealized-casts,")
PIPELINES = {
    "scalar": "func.func(cse,{0}),canonicalize,sccp",
    "tensor": "func.func(cse,{0},canonicalize),one-shot-bufferize{{bufferize-function-boundaries=true}},func.func(convert-linalg-to-loops)",
    "loop": "func.func(loop-invariant-code-motion,{0},cse),canonicalize",
    "vector": "func.func(cse,{0}),canonicalize,func.func(cse)",
    "lowered": TO_LLVM + "llvm.func({0}),canonicalize",
}
LEVELS = {
    "scalar": ["swap-subf", "swap-divf", "swap-subi", "swap-shift", "swap-select", "add-to-sub", "mul-to-add", "min-to-max", "and-to-or",
               "wrong-sign", "other-function", "wrong-constant", "wrong-integer", "wrong-compare", "lost-negation", "lost-factor", "wrong-rounding"],
    "tensor": ["swap-inputs", "wrong-fill", "missing-accumulate", "transposed-map", "slice-offset", "lost-insert", "lost-map", "swap-extract"],
    "loop": ["short-loop", "late-loop", "lost-iteration", "lost-store", "lost-copy", "swap-indices", "subview-offset", "lost-dependency"],
    "vector": ["wrong-padding", "dropped-mask", "rotated-shuffle", "reduction-kind", "dropped-addend"],
    "lowered": ["swap-llvm", "rename-llvm", "erase-llvm", "select-llvm", "move-llvm"],
}
# An upstream pass that does something to such programs, and then the fault.
WRAPPED = [("canonicalize", "scalar", "swap-subf"), ("canonicalize", "tensor", "wrong-fill"), ("cse", "scalar", "min-to-max"),
           ("cse", "vector", "dropped-addend"), ("sccp", "scalar", "swap-subi"), ("canonicalize", "loop", "short-loop"),
           ("loop-invariant-code-motion", "loop", "lost-store"), ("canonicalize", "vector", "rotated-shuffle"),
           ("linalg-fuse-elementwise-ops", "tensor", "missing-accumulate"), ("canonicalize", "scalar", "wrong-sign")]


class Planted:
    """A fault in a program, of which it is known that it can be seen."""

    faulty_pass, op = "test-fault", ""

    def __init__(self, options, fault, level, how, after, seed):
        self.fault, self.level, self.how, self.after = fault, level, how, after
        rng = random.Random(f"{seed} {fault} {level} {how} {after}")
        for draw in range(DRAWS):
            self.folder = os.path.join(options.work, f"{fault}-{how}-{after or 'alone'}")
            shutil.rmtree(self.folder, ignore_errors=True)
            os.makedirs(self.folder)
            self.file = os.path.join(self.folder, "program.mlir")
            program = Program(rng, level)
            text = program.draw(int(20 * 10 ** rng.random()))
            with open(self.file, "w") as file:
                file.write(text)
            self.ops, self.inputs = program.ops(), [*program.inputs, "--entry=" + ("main" if level == "lowered" else "f")]
            if self.plant_somewhere(options, rng) and self.is_visible(options):
                self.drawn = draw + 1
                return
        self.drawn = 0

    def plant_somewhere(self, options, rng):
        """In the Nth op that it can be made in, or in all that have an operand of some op."""
        if self.how == "walk":
            near = ["arith.addf", "arith.constant", "arith.mulf", "linalg.fill", "tensor.empty", "memref.alloc", "memref.load", "vector.transfer_read",
                    "vector.broadcast", "llvm.load", "llvm.fadd", "llvm.mul", "arith.addi", "tensor.insert", "arith.sitofp", "llvm.getelementptr"]
            rng.shuffle(near)
            if any(self.plant(options, f"near={op}") for op in near):
                return True
        at = rng.randint(1, 6)
        while at > 0 and not self.plant(options, f"at={at}"):
            at //= 2
        return at > 0

    def pipeline(self, where, log=False):
        wrapped = f" after={self.after}" if self.after else ""
        fault = f"test-fault{{fault={self.fault} {where} how={self.how}{wrapped}{' log=true' if log else ''}}}"
        return "builtin.module(" + PIPELINES[self.level].format(fault) + ")"

    def plant(self, options, where):
        self.text = self.pipeline(where)
        done = run(["mica-opt", self.file, "--load-pass-plugin=" + options.plugin, "--pass-pipeline=" + self.pipeline(where, log=True), "-o",
                    os.path.join(self.folder, "wrong.mlir")])
        self.said = done.stderr
        self.lines = re.findall(r"planted in \S+ at .*?program.mlir\"?:(\d+)", done.stderr)
        return done.returncode == 0 and bool(self.lines)

    @staticmethod
    def make_callable(program):
        with open(program) as file:
            text = file.read().replace("llvm.func @main", "llvm.func @inner").rstrip()
        with open(program, "w") as file:
            file.write(text[:-1] + "func.func @main() {\n  llvm.call @inner() : () -> ()\n  return\n}\n}\n")

    def is_visible(self, options):
        printed = []
        run(["mica-opt", self.file, "--load-pass-plugin=" + options.plugin, "--pass-pipeline=" + self.pipeline("at=1000000"), "-o",
             os.path.join(self.folder, "right.mlir")])
        for name in ("right.mlir", "wrong.mlir"):
            program, artifact = os.path.join(self.folder, name), os.path.join(self.folder, "artifact")
            if self.level == "lowered":
                self.make_callable(program)
            done = run(["mica-compile", "--evaluate", program, *self.inputs])
            if done.returncode != 0:
                compiled = run(["mica-compile", "--plain", "-O0", "--dump-passes=off", program, "-o", artifact])
                done = run(["mica-run", artifact, *self.inputs])
                self.said = done.stderr + compiled.stderr
                shutil.rmtree(artifact, ignore_errors=True)
            printed.append(done.stdout)
        return printed[0] != printed[1] and printed[0] != ""

    def has_step_of(self, step):
        return phases.is_step_at(self, step)

    def bisect(self, options):
        phases.bisect(self, options, [self.file, "--pipeline=" + self.text, "--load-pass-plugin=" + options.plugin, *self.inputs])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--llvm-plugin", default="", help="MicaMiscompilingLLVMPasses; without it none of its faults is planted")
    parser.add_argument("--work", required=True)
    parser.add_argument("--faults", default="")
    parser.add_argument("--levels", default="", help="scalar, tensor, loop, vector, lowered, wrapped, cpu-tensor, sim-kernel, cpu-llvm and so on (default: all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=int, default=20)
    parser.add_argument("--least", type=int, default=0)
    options = parser.parse_args()
    wanted = [name for name in options.faults.split(",") if name]
    plan = [(fault, level, "walk" if i % 2 else "pattern", "") for level, faults in LEVELS.items() for i, fault in enumerate(faults)]
    plan += [(fault, level, "pattern" if i % 2 else "walk", after) for i, (after, level, fault) in enumerate(WRAPPED)]
    if wanted:
        plan = [entry for entry in plan if entry[0] in wanted and not entry[3]]
    plan = [(*entry, "") for entry in plan]
    for phase, (cpu, sim) in phases.PHASES.items():
        plan += [(fault, phase, "pattern", "", target) for target, faults in (("cpu", cpu), ("sim", sim)) for fault in faults if not wanted]
    plan += [(fault, "llvm", "pattern", "", "cpu") for fault in phases.LLVM_FAULTS if options.llvm_plugin and not wanted]
    levels = [name for name in options.levels.split(",") if name]
    if levels:
        plan = [entry for entry in plan if ("wrapped" if entry[3] else entry[4] + "-" + entry[1] if entry[4] else entry[1]) in levels]
    print(f"{'fault':20} {'level':8} {'how':8} {'after':28} {'ops':>4} {'pass':5} {'step':5} {'by':20} {'left':>4} {'s':>5} {'cpu':>5}")
    done, hidden = [], 0
    for fault, level, how, after, target in plan:
        if target:
            planted = (phases.PlantedCode if level == "llvm" else phases.PlantedPhase)(options, fault, level, target, options.seed)
        else:
            planted = Planted(options, fault, level, how, after, options.seed)
        after = after or (target and f"{target}, phase {level}")
        if not planted.drawn:
            print(f"{fault:20} {level:8} {how:8} {after:28} no program of {DRAWS} shows it")
            hidden += 1
            continue
        planted.bisect(options)
        print(f"{fault:20} {level:8} {how:8} {after:28} {planted.ops:4} {'yes' if planted.has_pass else 'NO':5} "
              f"{'yes' if planted.has_step else 'NO':5} {planted.step or planted.verdict:20} {planted.reduced:4} {planted.seconds:5.1f} {planted.processor:5.1f}", flush=True)
        done.append(planted)
    steps = sum(planted.has_step for planted in done)
    reduced = [p.reduced for p in done if p.reduced] or [0]  # an artifact may be bisected without a reduction
    print(f"{len(done)} faults: {sum(planted.has_pass for planted in done)} found at the pass, {steps} at the step; "
          f"median of {statistics.median(p.ops for p in done):g} ops, reduced to {statistics.median(reduced):g}, "
          f"in {statistics.median(p.seconds for p in done):.1f} s, {statistics.median(p.processor for p in done):.1f} s of processor time")
    return 0 if steps >= (options.least or len(done) + hidden) else 1


if __name__ == "__main__":
    sys.exit(main())
