#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs on scalars: arithmetic of all widths, casts, structured control flow with carried and repeated values, small buffers.

usage: random_scalars.py WORK [--programs=N] [--seed=S] [--jobs=J]

Folds and canonicalizations decide what such a program computes. Each is compiled at -O0 and -O2 and with --plain and compared with the
reference on inputs at the edges of its types. Programs with undefined behavior on these inputs are counted and left out.
"""
import random
import sys

import random_functions

WIDTH = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}
INTS = ["i8", "i16", "i32", "i64", "index"]
FLOATS = ["f32", "f64"]
SIMPLE = ["addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "maxui", "minsi", "minui"]
DIVISIONS = ["divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi"]
PREDICATES = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]
FLOAT_BINARY = ["addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf"]
FLOAT_UNARY = ["math.absf", "math.floor", "math.ceil", "math.trunc", "math.roundeven", "arith.negf"]
INT_UNARY = ["math.absi", "math.ctlz", "math.cttz", "math.ctpop"]
FLOAT_PREDICATES = ["oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno"]
EDGES_F = ["0.0", "-0.0", "1.0", "-1.0", "0.5", "-0.5", "1.5", "2.5", "-2.5", "3.0e+10", "-7.25", "0x7FC00000:f32", "0x7F800000:f32"]


def edge(rng, width):
    low, high = -(1 << (width - 1)), (1 << (width - 1)) - 1
    return rng.choice([0, 1, -1, 2, 3, 7, -3, low, high, low + 1, high - 1, rng.randint(low, high), rng.randint(max(low, -100), min(high, 100))])


class Function:
    """Writes one function."""

    def __init__(self, seed):
        self.rng, self.lines, self.count, self.depth = random.Random(seed), [], 0, 1
        self.scope = []
        arguments = [self.rng.choice(["i1", *INTS, *INTS, *FLOATS]) for _ in range(self.rng.randint(1, 3))]
        self.arguments = arguments
        for at, type in enumerate(arguments):
            self.scope.append((f"%a{at}", type))
        self.block(self.rng.randint(6, 16))
        results = [self.any() for _ in range(self.rng.randint(1, 4))]
        signature = ", ".join(f"%a{at}: {type}" for at, type in enumerate(arguments))
        types = ", ".join(type for _, type in results)
        self.text = f"func.func @f{seed}({signature}) -> ({types}) {{\n" + "\n".join(self.lines)
        self.text += f"\n  return {', '.join(value for value, _ in results)} : {types}\n}}\n"
        self.inputs = [self.given(type) for type in arguments]

    def given(self, type):
        if type in FLOATS:
            return f"{type}={self.rng.choice(['0.0', '-0.0', '1.5', '-2.5', '3e10', 'nan', 'inf', '0.1', '-1e-40'])}"
        if type == "i1":
            return f"i1={self.rng.randint(0, 1)}"
        return f"{type}={edge(self.rng, WIDTH[type])}"

    def emit(self, text):
        self.lines.append("  " * self.depth + text)

    def name(self):
        self.count += 1
        return f"%{self.count}"

    def define(self, expression, type):
        value = self.name()
        self.emit(f"{value} = {expression}")
        self.scope.append((value, type))
        return value

    def of(self, type):
        """A value of that type."""
        found = [value for value, other in self.scope if other == type]
        if found and self.rng.random() < 0.8:
            return self.rng.choice(found[-6:])
        return self.constant(type)

    def constant(self, type):
        if type == "i1":
            return self.define(f"arith.constant {self.rng.choice(['true', 'false'])}", "i1")
        if type in FLOATS:
            text = self.rng.choice(EDGES_F)
            if ":" in text:
                text = text.split(":")[0] if type == "f32" else {"0x7FC00000": "0x7FF8000000000000", "0x7F800000": "0x7FF0000000000000"}[text.split(":")[0]]
            return self.define(f"arith.constant {text} : {type}", type)
        return self.define(f"arith.constant {edge(self.rng, WIDTH[type])} : {type}", type)

    def any(self):
        return self.rng.choice(self.scope[-8:])

    def block(self, count):
        for _ in range(count):
            self.rng.choice([self.integer, self.integer, self.integer, self.index, self.divide, self.shift, self.compare, self.cast, self.cast, self.cast, self.real,
                             self.select, self.extended, self.branch, self.branch, self.count_loop, self.while_loop, self.switch, self.buffer, self.vector])()

    def integer(self):
        type = self.rng.choice(["i1", *INTS, *INTS])
        if type != "i1" and self.rng.random() < 0.15:
            return self.define(f"{self.rng.choice(INT_UNARY)} {self.of(type)} : {type}", type)
        if type != "i1" and self.rng.random() < 0.15:
            # A chain with constants and flags, and a comparison that folds by them.
            value = first = self.of(type)
            for _ in range(2):
                op, flags = self.rng.choice(["addi", "subi"]), self.rng.choice(["nsw", "nuw", "nsw, nuw"])
                value = self.define(f"arith.{op} {value}, {self.constant(type)} overflow<{flags}> : {type}", type)
            return self.define(f"arith.cmpi {self.rng.choice(PREDICATES)}, {value}, {first} : {type}", "i1")
        op = self.rng.choice(SIMPLE)
        flags = self.rng.choice([" overflow<nsw>", " overflow<nuw>", " overflow<nsw, nuw>"]) if op in ("addi", "subi", "muli") and self.rng.random() < 0.15 else ""
        a, b = self.of(type), self.of(type)
        return self.define(f"arith.{op} {a}, {a if self.rng.random() < 0.1 else b}{flags} : {type}", type)

    def index(self):
        """The dialect index, whose comparisons fold."""
        a, b = self.of("index"), self.of("index")
        if self.rng.random() < 0.4:
            b = self.define(f"index.constant {self.rng.choice([0, 0, 1, -1, 2])}", "index")
        if self.rng.random() < 0.5:
            a = self.define(f"index.{self.rng.choice(['add', 'sub', 'sub', 'mul', 'and', 'or', 'xor', 'maxs', 'maxu', 'mins', 'minu'])} {a}, {self.of('index')}", "index")
        if self.rng.random() < 0.3:
            narrow = self.rng.choice(["i8", "i32", "i64"])
            a = self.define(f"index.{self.rng.choice(['casts', 'castu'])} {a} : index to {narrow}", narrow)
            self.define(f"index.{self.rng.choice(['casts', 'castu'])} {a} : {narrow} to index", "index")
            return
        self.define(f"index.cmp {self.rng.choice(PREDICATES)}({a}, {b})", "i1")

    def divide(self):
        type = self.rng.choice(INTS)
        divisor = self.of(type)
        if self.rng.random() < 0.8:
            divisor = self.define(f"arith.ori {divisor}, {self.define(f'arith.constant {self.rng.choice([1, 3, 5])} : {type}', type)} : {type}", type)
        self.define(f"arith.{self.rng.choice(DIVISIONS)} {self.of(type)}, {divisor} : {type}", type)

    def shift(self):
        type = self.rng.choice(INTS)
        amount = self.of(type)
        if self.rng.random() < 0.9:
            amount = self.define(f"arith.andi {amount}, {self.define(f'arith.constant {WIDTH[type] - 1} : {type}', type)} : {type}", type)
        self.define(f"arith.{self.rng.choice(['shli', 'shrsi', 'shrui'])} {self.of(type)}, {amount} : {type}", type)

    def compare(self):
        if self.rng.random() < 0.3:
            type = self.rng.choice(FLOATS)
            self.define(f"arith.cmpf {self.rng.choice(FLOAT_PREDICATES)}, {self.of(type)}, {self.of(type)} : {type}", "i1")
        else:
            type = self.rng.choice(["i1", *INTS])
            self.define(f"arith.cmpi {self.rng.choice(PREDICATES)}, {self.of(type)}, {self.of(type)} : {type}", "i1")

    def cast(self):
        source = self.rng.choice(["i1", *INTS, *INTS, *FLOATS])
        value = self.of(source)
        if source in FLOATS:
            other = "f64" if source == "f32" else "f32"
            bits = "i32" if source == "f32" else "i64"
            if self.rng.random() < 0.5:
                self.define(f"arith.{'extf' if source == 'f32' else 'truncf'} {value} : {source} to {other}", other)
            else:
                self.define(f"arith.bitcast {value} : {source} to {bits}", bits)
        elif source == "index":
            target = self.rng.choice(["i1", "i8", "i16", "i32", "i64"])
            self.define(f"arith.{self.rng.choice(['index_cast', 'index_castui'])} {value} : index to {target}", target)
        else:
            target = self.rng.choice(["i1", *INTS, "index", *FLOATS])
            if target == source:
                return
            if target == "index":
                self.define(f"arith.{self.rng.choice(['index_cast', 'index_castui'])} {value} : {source} to index", "index")
            elif target in FLOATS:
                self.define(f"arith.{self.rng.choice(['sitofp', 'uitofp'])} {value} : {source} to {target}", target)
            elif WIDTH[target] > WIDTH[source]:
                self.define(f"arith.{self.rng.choice(['extsi', 'extui'])} {value} : {source} to {target}", target)
            else:
                self.define(f"arith.trunci {value} : {source} to {target}", target)

    def real(self):
        type = self.rng.choice(FLOATS)
        if self.rng.random() < 0.3:
            self.define(f"{self.rng.choice(FLOAT_UNARY)} {self.of(type)} : {type}", type)
        elif self.rng.random() < 0.1:
            self.define(f"math.copysign {self.of(type)}, {self.of(type)} : {type}", type)
        else:
            self.define(f"arith.{self.rng.choice(FLOAT_BINARY)} {self.of(type)}, {self.of(type)} : {type}", type)

    def select(self):
        type = self.rng.choice(["i1", *INTS, *FLOATS])
        self.define(f"arith.select {self.of('i1')}, {self.of(type)}, {self.of(type)} : {type}", type)

    def extended(self):
        type = self.rng.choice(INTS)
        op = self.rng.choice(["mulsi_extended", "mului_extended", "addui_extended"])
        low, high = self.name(), self.name()
        second = "i1" if op == "addui_extended" else type
        self.emit(f"{low}, {high} = arith.{op} {self.of(type)}, {self.of(type)} : {type}" + (", i1" if second == "i1" else ""))
        self.scope += [(low, type), (high, second)]

    def inside(self, arguments, write):
        """A region: `write` emits its ops; gives what it returns."""
        outer = list(self.scope)
        self.scope += arguments
        self.depth += 1
        result = write()
        self.depth -= 1
        self.scope = outer
        return result

    def results(self, count):
        """Values of the scope, some of them twice."""
        types = [self.rng.choice(["i1", *INTS, *INTS, *FLOATS]) for _ in range(count)]
        if count > 1 and self.rng.random() < 0.5:
            types[1] = types[0]
        return types

    def repeated(self, types):
        values = [self.of(type) for type in types]
        if len(types) > 1 and types[0] == types[1] and self.rng.random() < 0.5:
            values[1] = values[0]
        return values

    def name_results(self, types):
        base = self.name()
        self.scope += [(f"{base}#{at}" if len(types) > 1 else base, type) for at, type in enumerate(types)]
        return base + (f":{len(types)}" if len(types) > 1 else "")

    def body(self):
        if self.depth < 4:
            self.block(self.rng.randint(1, 4))

    def branch(self):
        if self.depth >= 4:
            return
        types, condition = self.results(self.rng.randint(1, 3)), self.of("i1")
        at = len(self.lines)
        for last in (False, True):

            def write():
                self.body()
                self.emit(f"scf.yield {', '.join(self.repeated(types))} : {', '.join(types)}")

            self.inside([], write)
            if not last:
                self.emit("} else {")
        self.emit("}")
        head = self.name_results(types)
        self.lines.insert(at, "  " * self.depth + f"{head} = scf.if {condition} -> ({', '.join(types)}) {{")

    def counted(self, most):
        """A count from 0 to `most`, from some value."""
        value = self.of("index")
        mask = self.define(f"arith.constant {most} : index", "index")
        return self.define(f"arith.andi {value}, {mask} : index", "index")

    def count_loop(self):
        if self.depth >= 4:
            return
        types = self.results(self.rng.randint(1, 3))
        zero, upper = self.define("arith.constant 0 : index", "index"), self.counted(3)
        step = self.define(f"arith.constant {self.rng.choice([1, 1, 2])} : index", "index")
        initial = self.repeated(types)
        carried = [(self.name(), type) for type in types]
        i = self.name()
        at = len(self.lines)

        def write():
            self.body()
            self.emit(f"scf.yield {', '.join(self.repeated(types))} : {', '.join(types)}")

        self.inside([(i, "index"), *carried], write)
        self.emit("}")
        arguments = ", ".join(f"{name} = {value}" for (name, _), value in zip(carried, initial))
        head = self.name_results(types)
        self.lines.insert(at, "  " * self.depth + f"{head} = scf.for {i} = {zero} to {upper} step {step} iter_args({arguments}) -> ({', '.join(types)}) {{")

    def while_loop(self):
        """A counter ends the loop whatever else its condition says; the forwarded values are in any order, and some of them twice."""
        if self.depth >= 3:
            return
        types = self.results(self.rng.randint(1, 2))
        zero, upper = self.define("arith.constant 0 : index", "index"), self.counted(3)
        initial = self.repeated(types)
        counter, carried = self.name(), [(self.name(), type) for type in types]
        forwarded = ["index", *self.results(self.rng.randint(1, 3))]
        at = len(self.lines)

        def before():
            self.body()
            go = self.define(f"arith.cmpi ult, {counter}, {upper} : index", "i1")
            if self.rng.random() < 0.4:
                go = self.define(f"arith.andi {go}, {self.of('i1')} : i1", "i1")
            values = [counter, *self.repeated(forwarded[1:])]
            if self.rng.random() < 0.5:
                same = self.define(f"scf.if {go} -> {forwarded[1]} {{\n scf.yield {self.of(forwarded[1])} : {forwarded[1]}\n }} else {{\n scf.yield {self.of(forwarded[1])} : {forwarded[1]}\n }}", forwarded[1])
                values[1] = same
                if len(values) > 2 and forwarded[2] == forwarded[1]:
                    values[2] = same
            self.emit(f"scf.condition({go}) {', '.join(values)} : {', '.join(forwarded)}")

        # The text of a nested scf.if needs its operands defined before it.
        self.inside([(counter, "index"), *carried], before)
        self.emit("} do {")
        arguments = [(self.name(), type) for type in forwarded]

        def after():
            self.lines.append("  " * (self.depth - 1) + f"^bb0({', '.join(f'{name}: {type}' for name, type in arguments)}):")
            self.body()
            one = self.define("arith.constant 1 : index", "index")
            following = self.define(f"arith.addi {arguments[0][0]}, {one} : index", "index")
            self.emit(f"scf.yield {', '.join([following, *self.repeated(types)])} : {', '.join(['index', *types])}")

        self.inside(arguments, after)
        self.emit("}")
        given = ", ".join(f"{name} = {value}" for (name, _), value in zip([(counter, "index"), *carried], [zero, *initial]))
        head = self.name_results(forwarded)
        self.lines.insert(at, "  " * self.depth + f"{head} = scf.while ({given}) : ({', '.join(['index', *types])}) -> ({', '.join(forwarded)}) {{")

    def switch(self):
        if self.depth >= 4:
            return
        types, chosen = self.results(self.rng.randint(1, 2)), self.of("index")
        at = len(self.lines)
        for case in ("0", "1", None):
            self.emit(f"case {case} {{" if case else "default {")

            def write():
                self.body()
                self.emit(f"scf.yield {', '.join(self.repeated(types))} : {', '.join(types)}")

            self.inside([], write)
            self.emit("}")
        head = self.name_results(types)
        self.lines.insert(at, "  " * self.depth + f"{head} = scf.index_switch {chosen} -> {', '.join(types)}")

    def buffer(self):
        """Stores and loads in a buffer of four elements, all of them written first."""
        type = self.rng.choice([*INTS, *FLOATS])
        m = self.name()
        self.emit(f"{m} = memref.alloca() : memref<4x{type}>")
        places = [self.define(f"arith.constant {place} : index", "index") for place in range(4)]
        for place in places:
            self.emit(f"memref.store {self.of(type)}, {m}[{place}] : memref<4x{type}>")
        for _ in range(self.rng.randint(1, 3)):
            place = self.counted(3)
            if self.rng.random() < 0.5:
                self.emit(f"memref.store {self.of(type)}, {m}[{place}] : memref<4x{type}>")
            self.define(f"memref.load {m}[{self.rng.choice([*places, place])}] : memref<4x{type}>", type)

    def vector(self):
        type = self.rng.choice(["i8", "i32", "i64", "f32"])
        kind = f"vector<4x{type}>"
        v, w = self.name(), self.name()
        self.emit(f"{v} = vector.from_elements {', '.join(self.of(type) for _ in range(4))} : {kind}")
        op = self.rng.choice(SIMPLE if type != "f32" else FLOAT_BINARY)
        self.emit(f"{w} = arith.{op} {v}, {v} : {kind}")
        if type == "f32" or self.rng.random() < 0.5:
            self.define(f"vector.extract {w}[{self.rng.randrange(4)}] : {type} from {kind}", type)
        else:
            self.define(f"vector.reduction <{self.rng.choice(['add', 'mul', 'and', 'or', 'xor', 'minsi', 'maxui'])}>, {w} : {kind} into {type}", type)


if __name__ == "__main__":
    sys.exit(random_functions.main(Function, ("-O0", "-O2", "--plain"), skips_undefined=True))
