# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws programs on tensors whose values are easily written in place by mistake: elements and slices that are inserted into a tensor which is read
later, into arguments, constants and what calls return; loops, while loops, conditions and calls that carry tensors. NumPy copies each value."""
import numpy as np

TYPES = {"i32": np.int32, "i64": np.int64, "i16": np.int16}


class Program:
    def __init__(self, rng):
        self.rng = rng
        self.element = str(rng.choice(list(TYPES)))
        self.dtype = TYPES[self.element]
        self.lines, self.count, self.depth, self.functions = [], 0, 1, []
        self.scope = []  # (name, function of the environment that gives the array)
        self.shapes = [tuple(int(rng.integers(1, 5)) for _ in range(int(rng.integers(1, 3)))) for _ in range(2)]

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text):
        self.lines.append("  " * self.depth + text)

    def type(self, shape):
        return f"tensor<{''.join(f'{size}x' for size in shape)}{self.element}>"

    def index(self, number):
        name = self.name()
        self.emit(f"{name} = arith.constant {number} : index")
        return name

    def number(self):
        """A scalar: a constant, or an element of a tensor."""
        if self.rng.random() < 0.4:
            value = int(self.rng.integers(-20, 20))
            name = self.name()
            self.emit(f"{name} = arith.constant {value} : {self.element}")
            return name, lambda env: self.dtype(value)
        tensor, shape, give = self.tensor()
        place = tuple(int(self.rng.integers(size)) for size in shape)
        places = [self.place(at, size) for at, size in zip(place, shape)]
        name = self.name()
        self.emit(f"{name} = tensor.extract {tensor}[{', '.join(p for p, _ in places)}] : {self.type(shape)}")
        return name, lambda env: give(env)[tuple(p(env) for _, p in places)]

    def place(self, at, size):
        """A position below `size`: a constant, or the variable of a loop."""
        loops = [each for each in self.scope if each[1] is None and each[3] <= size]
        if loops and self.rng.random() < 0.6:
            name, _, give, _ = loops[int(self.rng.integers(len(loops)))]
            return name, give
        return self.index(at), lambda env: at

    def tensor(self, shape=None):
        fitting = [each for each in self.scope if each[1] is not None and (shape is None or each[1] == shape)]
        name, found, give, _ = fitting[-1 - int(self.rng.integers(min(len(fitting), 6)))]
        return name, found, give

    def define(self, name, shape, give):
        """A value is computed once for each turn of the loops around it: `run` fills the environment in order."""
        self.steps.append((name, give))
        self.scope.append((name, shape, lambda env: env[name], 0))

    def block(self, count):
        kinds = [self.insert, self.insert, self.insert_slice, self.slice, self.add, self.add, self.constant, self.fill]
        for _ in range(count):
            deeper = [self.loop, self.loop, self.condition, self.while_loop] if self.depth < 3 else []
            step = (kinds + deeper + [self.call])[int(self.rng.integers(len(kinds) + len(deeper) + 1))]
            step()

    def insert(self):
        value, scalar = self.number()
        tensor, shape, give = self.tensor()
        places = [self.place(int(self.rng.integers(size)), size) for size in shape]
        name = self.name()
        self.emit(f"{name} = tensor.insert {value} into {tensor}[{', '.join(p for p, _ in places)}] : {self.type(shape)}")

        def compute(env):
            array = give(env).copy()
            array[tuple(p(env) for _, p in places)] = scalar(env)
            return array

        self.define(name, shape, compute)

    def insert_slice(self):
        """A part of one tensor into another one, or into itself at another place."""
        source, shape, give = self.tensor()
        target, whole, into = self.tensor()
        if len(shape) != len(whole):
            return
        sizes = [int(self.rng.integers(1, min(a, b) + 1)) for a, b in zip(shape, whole)]
        first = [int(self.rng.integers(a - s + 1)) for a, s in zip(shape, sizes)]
        second = [int(self.rng.integers(b - s + 1)) for b, s in zip(whole, sizes)]
        ones = [1] * len(sizes)
        part, name = self.name(), self.name()
        self.emit(f"{part} = tensor.extract_slice {source}{first} {sizes} {ones} : {self.type(shape)} to {self.type(sizes)}")
        self.emit(f"{name} = tensor.insert_slice {part} into {target}{second} {sizes} {ones} : {self.type(sizes)} into {self.type(whole)}")

        def compute(env):
            array = into(env).copy()
            array[tuple(slice(b, b + s) for b, s in zip(second, sizes))] = give(env)[tuple(slice(a, a + s) for a, s in zip(first, sizes))]
            return array

        self.define(name, whole, compute)

    def slice(self):
        """A row, without its dimension, and back to the shape: a view that is written."""
        tensor, shape, give = self.tensor()
        if len(shape) != 2:
            return
        at, place = self.place(int(self.rng.integers(shape[0])), shape[0])
        value, scalar = self.number()
        row, changed, name, zero = self.name(), self.name(), self.name(), self.index(int(self.rng.integers(shape[1])))
        column = int(self.lines[-1].split("constant ")[1].split(" ")[0])
        self.emit(f"{row} = tensor.extract_slice {tensor}[{at}, 0] [1, {shape[1]}] [1, 1] : {self.type(shape)} to {self.type(shape[1:])}")
        self.emit(f"{changed} = tensor.insert {value} into {row}[{zero}] : {self.type(shape[1:])}")
        target, into = tensor, give
        if self.rng.random() < 0.5:
            target, _, into = self.tensor(shape)
        self.emit(f"{name} = tensor.insert_slice {changed} into {target}[{at}, 0] [1, {shape[1]}] [1, 1] : {self.type(shape[1:])} into {self.type(shape)}")

        def compute(env):
            array, line = into(env).copy(), give(env)[place(env)].copy()
            line[column] = scalar(env)
            array[place(env)] = line
            return array

        self.define(name, shape, compute)

    def add(self):
        a, shape, first = self.tensor()
        b, _, second = self.tensor(shape)
        op, compute = [("addi", np.add), ("subi", np.subtract), ("xori", np.bitwise_xor)][int(self.rng.integers(3))]
        out, _, _ = self.tensor(shape)
        name = self.name()
        if self.rng.random() < 0.5:
            self.emit(f"{name} = arith.{op} {a}, {b} : {self.type(shape)}")
        else:
            dims = ", ".join(f"d{d}" for d in range(len(shape)))
            map, kinds = f"affine_map<({dims}) -> ({dims})>", ", ".join(['"parallel"'] * len(shape))
            kind = self.type(shape)
            self.emit(f"{name} = linalg.generic {{indexing_maps = [{map}, {map}, {map}], iterator_types = [{kinds}]}} ins({a}, {b} : {kind}, {kind}) outs({out} : {kind}) {{")
            self.emit(f"^bb0(%p: {self.element}, %q: {self.element}, %o: {self.element}):")
            self.emit(f"  %s = arith.{op} %p, %q : {self.element}\n    linalg.yield %s : {self.element}")
            self.emit(f"}} -> {kind}")
        self.define(name, shape, lambda env: compute(first(env), second(env)))

    def constant(self):
        shape = self.shapes[int(self.rng.integers(len(self.shapes)))]
        array = self.rng.integers(-9, 9, shape).astype(self.dtype)
        name = self.name()
        self.emit(f"{name} = arith.constant dense<{array.tolist()}> : {self.type(shape)}")
        self.define(name, shape, lambda env: array)

    def fill(self):
        value, scalar = self.number()
        shape = self.shapes[int(self.rng.integers(len(self.shapes)))]
        name = self.name()
        if self.rng.random() < 0.5:
            self.emit(f"{name} = tensor.from_elements {', '.join([value] * int(np.prod(shape)))} : {self.type(shape)}")
        else:
            self.emit(f"{name} = tensor.splat {value} : {self.type(shape)}")
        self.define(name, shape, lambda env: np.full(shape, scalar(env), self.dtype))

    def nested(self, arguments, count):
        """A region: its steps, and what it passes on."""
        scope, steps = list(self.scope), self.steps
        self.steps = []
        self.scope += arguments
        self.depth += 1
        self.block(count)
        return scope, steps

    def leave(self, scope, steps):
        inner, self.steps, self.scope = self.steps, steps, scope
        self.depth -= 1
        return inner

    def loop(self):
        carried = [self.tensor() for _ in range(int(self.rng.integers(1, 3)))]
        turns = int(self.rng.integers(0, 4))
        zero, upper, one = self.index(0), self.index(turns), self.index(1)
        variable, names, results = self.name(), [self.name() for _ in carried], self.name()
        types = ", ".join(self.type(shape) for _, shape, _ in carried)
        head = f"{results}{':2' if len(carried) == 2 else ''} = scf.for {variable} = {zero} to {upper} step {one} iter_args("
        self.emit(head + ", ".join(f"{name} = {init}" for name, (init, _, _) in zip(names, carried)) + f") -> ({types}) {{")
        arguments = [(name, shape, lambda env, name=name: env[name], 0) for name, (_, shape, _) in zip(names, carried)]
        arguments.append((variable, None, lambda env: env[variable], max(turns, 1)))
        scope, steps = self.nested(arguments, int(self.rng.integers(1, 4)))
        passed = [self.tensor(shape) for _, shape, _ in carried]
        self.emit(f"scf.yield {', '.join(name for name, _, _ in passed)} : {types}")
        inner = self.leave(scope, steps)
        self.emit("}")

        def compute(env):
            values = [give(env) for _, _, give in carried]
            for turn in range(turns):
                local = dict(env)
                local[variable] = turn
                local.update(zip(names, values))
                run(inner, local)
                values = [give(local) for _, _, give in passed]
            return values

        self.several(results, [shape for _, shape, _ in carried], compute)

    def several(self, results, shapes, compute):
        names = [results] if len(shapes) == 1 else [f"{results}#{k}" for k in range(len(shapes))]
        self.steps.append((tuple(names), compute))
        self.scope += [(name, shape, lambda env, name=name: env[name], 0) for name, shape in zip(names, shapes)]

    def flag(self):
        """A condition that is not known: an element of an argument is negative."""
        value, scalar = self.number()
        zero, name = self.name(), self.name()
        self.emit(f"{zero} = arith.constant 0 : {self.element}")
        self.emit(f"{name} = arith.cmpi slt, {value}, {zero} : {self.element}")
        return name, lambda env: scalar(env) < 0

    def condition(self):
        condition, holds = self.flag()
        shape = self.tensor()[1]
        results = self.name()
        self.emit(f"{results} = scf.if {condition} -> ({self.type(shape)}) {{")
        branches = []
        for last in (False, True):
            scope, steps = self.nested([], int(self.rng.integers(0, 3)))
            name, _, give = self.tensor(shape)
            self.emit(f"scf.yield {name} : {self.type(shape)}")
            branches.append((self.leave(scope, steps), give))
            self.emit("}" if last else "} else {")

        def compute(env):
            inner, give = branches[0 if holds(env) else 1]
            local = dict(env)
            run(inner, local)
            return give(local)

        self.define(results, shape, compute)

    def while_loop(self):
        init, shape, give = self.tensor()
        turns = int(self.rng.integers(0, 4))
        zero, upper, one = self.index(0), self.index(turns), self.index(1)
        count, before, later, after, more, following, results = (self.name() for _ in range(7))
        kind = self.type(shape)
        self.emit(f"{results}:2 = scf.while ({count} = {zero}, {before} = {init}) : (index, {kind}) -> (index, {kind}) {{")
        scope, steps = self.nested([(before, shape, lambda env: env[before], 0)], int(self.rng.integers(0, 2)))
        name, _, passed = self.tensor(shape)
        self.emit(f"{more} = arith.cmpi ult, {count}, {upper} : index")
        self.emit(f"scf.condition({more}) {count}, {name} : index, {kind}")
        first = self.leave(scope, steps)
        self.emit("} do {")
        self.emit(f"^bb0({later}: index, {after}: {kind}):")
        scope, steps = self.nested([(after, shape, lambda env: env[after], 0)], int(self.rng.integers(0, 3)))
        name, _, again = self.tensor(shape)
        self.emit(f"{following} = arith.addi {later}, {one} : index")
        self.emit(f"scf.yield {following}, {name} : index, {kind}")
        second = self.leave(scope, steps)
        self.emit("}")

        def compute(env):
            value, turn = give(env), 0
            while True:
                local = dict(env)
                local[before] = value
                run(first, local)
                value = passed(local)
                if turn >= turns:
                    return value
                local = dict(env)
                local[after] = value
                run(second, local)
                value, turn = again(local), turn + 1

        self.steps.append((f"{results}#1", compute))
        self.scope.append((f"{results}#1", shape, lambda env: env[f"{results}#1"], 0))

    def call(self):
        """A function that gives its argument, another tensor, or a constant."""
        tensor, shape, give = self.tensor()
        at = tuple(int(self.rng.integers(size)) for size in shape)
        array = self.rng.integers(-9, 9, shape).astype(self.dtype)
        how, kind, number = int(self.rng.integers(3)), self.type(shape), len(self.functions)
        places = "".join(f"  %c{d} = arith.constant {place} : index\n" for d, place in enumerate(at))
        value = f"  %k = arith.constant 77 : {self.element}\n"
        body = {0: "  return %x", 1: f"  %y = arith.constant dense<{array.tolist()}> : {kind}\n  return %y",
                2: places + value + f"  %y = tensor.insert %k into %x[{', '.join(f'%c{d}' for d in range(len(at)))}] : {kind}\n  return %y"}[how]
        self.functions.append(f"func.func private @NAME_{number}(%x: {kind}) -> {kind} {{\n{body} : {kind}\n}}\n")
        name = self.name()
        self.emit(f"{name} = func.call @NAME_{number}({tensor}) : ({kind}) -> {kind}")

        def compute(env):
            if how == 1:
                return array
            result = give(env).copy()
            if how == 2:
                result[at] = 77
            return result

        self.define(name, shape, compute)


def run(steps, env):
    for name, give in steps:
        value = give(env)
        if isinstance(name, tuple):
            env.update(zip(name, value))
        else:
            env[name] = value


def draw(rng):
    program = Program(rng)
    program.steps = []
    inputs, arguments, env = [], [], {}
    for at, shape in enumerate(program.shapes + [program.shapes[0]]):
        array = rng.integers(-20, 20, shape).astype(program.dtype)
        inputs.append(array)
        arguments.append(f"%x{at}: {program.type(shape)}")
        env[f"%x{at}"] = array
        program.scope.append((f"%x{at}", shape, lambda env, at=at: env[f"%x{at}"], 0))
    program.block(int(rng.integers(4, 12)))
    returned = [each for each in program.scope if each[1] is not None]
    returned = [returned[int(k)] for k in sorted(rng.permutation(len(returned))[:6])]
    kinds = ", ".join(program.type(shape) for _, shape, _, _ in returned)
    text = ("".join(program.functions) + f"func.func @NAME({', '.join(arguments)}) -> ({kinds}) {{\n" + "\n".join(program.lines) +
            f"\n  return {', '.join(name for name, _, _, _ in returned)} : {kinds}\n}}\n")
    run(program.steps, env)
    return text, inputs, [np.array(give(env), dtype=program.dtype) for _, _, give, _ in returned]
