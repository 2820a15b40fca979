# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws programs on buffers: views of views that are written, buffers that loops, conditions and calls pass on, structured ops on parts of one
buffer, vectors with masks, globals. NumPy runs each step on windows of the same bytes."""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from buffer_operations import Ops  # noqa: E402
from buffer_values import TYPES, Buffer, any_layout, holding  # noqa: E402


class Program(Ops):
    """One function. What it defines is computed by `steps`, in order, on an environment of names."""

    def __init__(self, rng, element, name="NAME", functions=None, globals=None):
        super().__init__()
        self.rng, self.element, self.dtype, self.title = rng, element, TYPES[element], name
        self.functions = [] if functions is None else functions
        self.globals = [] if globals is None else globals
        self.lines, self.count, self.depth, self.steps = [], 0, 1, []
        self.buffers, self.ints = [], []
        self.written, self.local = set(), []

    def block(self, count):
        kinds = [self.view] * 5 + [self.alloc, self.copy, self.store, self.store, self.nest, self.nest, self.nest, self.generic, self.generic,
                                   self.fill, self.named, self.named, self.transfer, self.transfer, self.vector, self.sizes, self.select, self.part,
                                   self.atomic, self.get_global]
        deeper = [self.loop, self.loop, self.affine_loop, self.condition, self.ping_pong, self.while_loop, self.call]
        for _ in range(count):
            choices = kinds + (deeper if self.depth < 3 else [])
            choices[int(self.rng.integers(len(choices)))]()

    # Regions.

    def region(self, count, ints=(), buffers=()):
        """Draws the steps of a region; gives them, and what was in scope at its end to `last`."""
        kept = list(self.buffers), list(self.ints), self.steps, self.local
        self.steps, self.local = [], []
        self.buffers += buffers
        self.ints += ints
        self.depth += 1
        self.block(count)
        return kept

    def leave(self, kept, passed=()):
        """Ends a region: buffers that it has allocated and does not pass on are deallocated, or not."""
        out = set().union(*(each.roots for each in passed))
        for buffer in self.local:
            if not buffer.roots & out and self.chance(0.5):
                self.emit(f"memref.dealloc {buffer.name} : {buffer.type}")
        inner = self.steps
        self.buffers, self.ints, self.steps, self.local = kept
        self.depth -= 1
        return inner

    def bounds(self):
        """Lower bound, step and number of turns of a loop, and the values that give them."""
        turns, low, step = int(self.rng.integers(0, 4)), int(self.rng.integers(0, 2)), int(self.rng.integers(1, 3))
        return low, step, turns, low + step * (turns - 1) + 1 if turns else low

    def loop(self):
        low, step, turns, high = self.bounds()
        variable = self.name()
        first, last, by = self.scalar(low), self.scalar(high), self.scalar(step)
        self.emit(f"scf.for {variable} = {first} to {last} step {by} {{")
        top = low + step * max(turns - 1, 0)
        kept = self.region(int(self.rng.integers(1, 4)), [(variable, low, top, lambda env: env[variable], False)])
        inner = self.leave(kept)
        self.emit("}")

        def compute(env):
            for turn in range(low, high, step):
                run(inner, dict(env, **{variable: turn}))

        self.steps.append(compute)

    def affine_loop(self):
        low, step, turns, high = self.bounds()
        variable = self.name()
        upper = str(high)
        fitting = [each for each in self.ints if each[4] and each[1] == each[2] and each[1] <= high]
        if fitting and self.chance(0.5):
            name, value, _, _, _ = fitting[0]
            upper = f"affine_map<(d0) -> (d0 + {high - value})>({name})"
        elif self.chance(0.3):
            upper = f"min affine_map<() -> ({high}, {high + 2})>()"
        self.emit(f"affine.for {variable} = {low} to {upper} step {step} {{")
        top = low + step * max(turns - 1, 0)
        kept = self.region(int(self.rng.integers(1, 4)), [(variable, low, top, lambda env: env[variable], True)])
        inner = self.leave(kept)
        self.emit("}")

        def compute(env):
            for turn in range(low, high, step):
                run(inner, dict(env, **{variable: turn}))

        self.steps.append(compute)

    def flag(self):
        value, give = self.value()
        zero, name = self.name(), self.name()
        self.emit(f"{zero} = arith.constant 0 : {self.element}")
        self.emit(f"{name} = arith.cmpi slt, {value}, {zero} : {self.element}")
        return name, lambda env: give(env) < 0

    def condition(self):
        """Branches with effects, which pass on one of two buffers, or nothing."""
        flag, holds = self.flag()
        self.steps.append(lambda env: env.update({flag: holds(env)}))
        passes = self.chance(0.6)
        like = self.buffer()
        kind = any_layout(like.rank, self.element)
        result = self.name()
        self.emit(f"{result} = scf.if {flag} -> ({kind}) {{" if passes else f"scf.if {flag} {{")
        branches, roots, strides = [], set(), None
        for last in (False, True):
            kept = self.region(int(self.rng.integers(0, 3)))
            passed = []
            if passes:
                given = self.loose(self.lasting(like))
                passed = [given]
                roots |= given.roots
                strides = given.strides if strides in (None, given.strides) else (None,) * like.rank
            inner = self.leave(kept, passed)
            if passes:
                self.emit(f"scf.yield {given.name} : {kind}")
            branches.append((inner, passed))
            self.emit("}" if last else "} else {")

        def compute(env):
            inner, passed = branches[0 if env[flag] else 1]
            local = dict(env)
            run(inner, local)
            if passed:
                env[result] = local[passed[0].name]

        self.steps.append(compute)
        if passes:
            self.define(Buffer(result, self.element, like.shape, [None] * like.rank, roots, False, [None] * like.rank, None, strides))

    def lasting(self, like):
        """A buffer of this shape whose memory does not end with the region."""
        fitting = [each for each in self.buffers if each.shape == like.shape and lasts(each)]
        return self.pick(fitting) if fitting else like

    def ping_pong(self):
        """A loop that carries two buffers and swaps them, or passes on others."""
        a = self.buffer()
        b = self.buffer(a.shape)
        one, two = self.loose(a), self.loose(b)
        kind = any_layout(a.rank, self.element)
        low, step, turns, high = self.bounds()
        first, last, by = self.scalar(low), self.scalar(high), self.scalar(step)
        variable, p, q, result = (self.name() for _ in range(4))
        self.emit(f"{result}:2 = scf.for {variable} = {first} to {last} step {by} iter_args({p} = {one.name}, {q} = {two.name}) -> ({kind}, {kind}) {{")
        fresh = [b for b in self.buffers if b.shape == a.shape]
        roots = set().union(*(each.roots for each in fresh))
        carried = [Buffer(name, self.element, a.shape, [None] * a.rank, roots, False, [None] * a.rank, None, (None,) * a.rank) for name in (p, q)]
        top = low + step * max(turns - 1, 0)
        kept = self.region(int(self.rng.integers(1, 4)), [(variable, low, top, lambda env: env[variable], False)], carried)
        # Only buffers whose allocations the carried ones are known to be of.
        may = [each for each in self.buffers if each.shape == a.shape and each.roots <= roots and lasts(each)]
        passed = [carried[1], carried[0]] if self.chance(0.5) else [self.loose(may[int(self.rng.integers(len(may)))]) for _ in range(2)]
        inner = self.leave(kept, passed)
        self.emit(f"scf.yield {passed[0].name}, {passed[1].name} : {kind}, {kind}")
        self.emit("}")

        def compute(env):
            values = [env[one.name], env[two.name]]
            for turn in range(low, high, step):
                local = dict(env, **{variable: turn, p: values[0], q: values[1]})
                run(inner, local)
                values = [local[each.name] for each in passed]
            env[f"{result}#0"], env[f"{result}#1"] = values

        self.steps.append(compute)
        for k in range(2):
            self.define(Buffer(f"{result}#{k}", self.element, a.shape, [None] * a.rank, roots, False, [None] * a.rank, None, (None,) * a.rank))

    def while_loop(self):
        """Counts down an element of a buffer."""
        buffer = self.buffer()
        turns = int(self.rng.integers(0, 4))
        places = [self.scalar(int(self.rng.integers(size))) for size in buffer.shape]
        spot = tuple(self.known[place] for place in places)
        at = ", ".join(places)
        start, one, zero, value, more, left = (self.name() for _ in range(6))
        counter = self.alloc_counter()
        self.emit(f"{start} = arith.constant {turns} : {self.element}")
        self.emit(f"{one} = arith.constant 1 : {self.element}\n    {zero} = arith.constant 0 : {self.element}")
        self.emit(f"memref.store {start}, {counter}[] : memref<{self.element}>")
        self.emit("scf.while : () -> () {")
        self.emit(f"  {value} = memref.load {counter}[] : memref<{self.element}>")
        self.emit(f"  {more} = arith.cmpi sgt, {value}, {zero} : {self.element}")
        self.emit(f"  scf.condition({more})\n    }} do {{")
        kept = self.region(int(self.rng.integers(1, 3)))
        inner = self.leave(kept)
        again, less = self.name(), self.name()
        self.emit(f"  {again} = memref.load {counter}[] : memref<{self.element}>")
        self.emit(f"  {less} = arith.subi {again}, {one} : {self.element}")
        self.emit(f"  memref.store {less}, {counter}[] : memref<{self.element}>")
        self.emit(f"  memref.store {less}, {buffer.name}[{at}] : {buffer.type}")
        self.emit("  scf.yield\n    }")
        self.wrote(buffer)

        def compute(env):
            for turn in range(turns):
                run(inner, dict(env))
                env[buffer.name].array[spot] = turns - 1 - turn

        self.steps.append(compute)

    # Functions.

    def call(self):
        """A function that writes its arguments, and gives one of them, a part of one, or a buffer of its own."""
        if len(self.functions) >= 3:
            return
        arguments = [self.buffer() for _ in range(int(self.rng.integers(1, 3)))]
        callee = Program(self.rng, self.element, f"NAME_{len(self.functions)}", self.functions, self.globals)
        self.functions.append(None)
        place = len(self.functions) - 1
        callee.depth, callee.inner = 1, True
        names, parameters = [], []
        for k, argument in enumerate(arguments):
            given = argument if argument.plain and self.chance(0.5) else self.loose(argument)
            names.append(given)
            parameters.append(Buffer(f"%x{k}", self.element, given.shape, given.sizes, {("parameter", k)}, given.plain, given.steps, given.offset,
                                     given.strides))
        callee.buffers = list(parameters)
        callee.block(int(self.rng.integers(1, 5)))
        result = None
        if self.chance(0.6):
            result = callee.lasting(parameters[0])
        for buffer in callee.local:
            if not (result and buffer.roots & result.roots) and self.chance(0.5):
                callee.emit(f"memref.dealloc {buffer.name} : {buffer.type}")
        kinds = ", ".join(f"{each.name}: {each.type}" for each in parameters)
        gives = f" -> {result.type}" if result else ""
        ends = f"  return {result.name} : {result.type}" if result else "  return"
        self.functions[place] = f"func.func private @{callee.title}({kinds}){gives} {{\n" + "\n".join(callee.lines) + f"\n{ends}\n}}\n"
        name = self.name()
        types = ", ".join(given.type for given in names)
        back = result.type if result else "()"
        self.emit(f"{name + ' = ' if result else ''}func.call @{callee.title}({', '.join(given.name for given in names)}) : ({types}) -> {back}")

        def compute(env):
            local = {f"%x{k}": env[given.name] for k, given in enumerate(names)}
            local.update({each: env[each] for each in env if each.startswith("@")})
            run(callee.steps, local)
            if result:
                env[name] = local[result.name]

        self.steps.append(compute)

        def outer(roots):
            found = set()
            for root in roots:
                if isinstance(root, tuple) and root[0] == "parameter":
                    found |= names[root[1]].roots
                else:
                    found.add(root if isinstance(root, str) else ("call", name, self.title, root))
            return found

        self.written |= outer(callee.written)
        if result:
            self.define(Buffer(name, self.element, result.shape, result.sizes, outer(result.roots), result.plain, result.steps, result.offset, result.strides))


def lasts(buffer):
    return not any(root[0] == "stack" for root in buffer.roots)


def run(steps, env):
    for step in steps:
        step(env)


def draw(rng):
    element = str(rng.choice(list(TYPES)))
    program = Program(rng, element)
    env, inputs, arguments = {}, [], []
    main_shapes = [tuple(int(rng.integers(1, 6)) for _ in range(int(rng.integers(1, 4)))) for _ in range(2)]
    for at, shape in enumerate([main_shapes[0], main_shapes[0], main_shapes[1]]):
        array = rng.integers(-20, 20, shape).astype(program.dtype)
        sizes = [None if rng.random() < 0.3 else size for size in shape]
        buffer = Buffer(f"%x{at}", element, shape, sizes, {("argument", at)}, whole=True)
        inputs.append(array)
        arguments.append(f"%x{at}: {buffer.type}")
        env[buffer.name] = holding(array)
        program.buffers.append(buffer)
    for at in range(2):
        value = int(rng.integers(1, 5))
        inputs.append(np.array(value))
        arguments.append(f"%n{at}: index")
        env[f"%n{at}"] = value
        program.ints.append((f"%n{at}", value, value, lambda env, at=at: env[f"%n{at}"], True))
    program.block(int(rng.integers(4, 12)))
    returned = [each for each in program.buffers if each.plain and lasts(each) and not any(root[0] == "argument" for root in each.roots)]
    returned = [returned[int(k)] for k in sorted(rng.permutation(len(returned))[:3])]
    kinds = ", ".join(each.type for each in returned)
    gives = f" -> ({kinds})" if returned else ""
    ends = f"  return {', '.join(each.name for each in returned)} : {kinds}" if returned else "  return"
    text = ("".join(program.globals_text()) + "".join(program.functions) + f"func.func @NAME({', '.join(arguments)}){gives} {{\n" +
            "\n".join(program.lines) + f"\n{ends}\n}}\n")
    for name, array, _ in program.globals:
        env[name] = holding(array)
    run(program.steps, env)
    expected = [env[each.name].array.copy() for each in returned]
    finals = [env[f"%x{at}"].array.copy() for at in range(3)] + inputs[3:]
    for at in range(3):
        assert ("argument", at) in program.written or np.array_equal(finals[at], inputs[at])
    return text, inputs, expected, finals
