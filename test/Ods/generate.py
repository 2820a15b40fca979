#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes small valid programs of ops drawn from the dialects' ODS.

usage: generate.py WORK [--seed=S] [--count=N] [--dialects=LIST] [--only=REGEX] [--coverage] [--llvm=DIR] [--opt=FILE]

Prints N programs, of the seeds S, S + 1, .., as one module: functions @p<seed>, a printing @m<seed> that calls each, and a @main that
calls all. Lines `// run {..}` are those of mica-differential. The same arguments give the same text. With --coverage it prints instead,
for each op of the dialects, how many valid instances there are, and for the others the last error of the verifier.

As a module: `pool = load_pool(work, ..)`, then `Program(seed, pool).text()`.
"""
import argparse
import hashlib
import json
import pathlib
import pickle
import random
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import ods  # noqa: E402
import pool as pools  # noqa: E402
from ods import Type, is_float, is_integer  # noqa: E402

POOL_SEED = 20
SUFFIX = {"i16": "I16", "i32": "I32", "i64": "I64", "index": "Ind", "f16": "F16", "bf16": "BF16", "f32": "F32", "f64": "F64"}
# The verifiers of tosa leave to this pass which types an op takes.
TOSA_TYPES = ("--pass-pipeline=builtin.module(tosa-attach-target{specification_version=1.1.draft profiles=pro_int,pro_fp "
              "extensions=int16,int4,int64,bf16,fp8e4m3,fp8e5m2,fft,doubleround,inexactround,dynamic,shape},tosa-validate)")
# Operands of these ops have values for which the result is defined: the ranges of integers, and of floats.
RANGES = [
    (r"div|rem", (1, 5), None),
    (r"shl|shr|shift|ashr|lshr", (0, 3), None),
    (r"fptou|cast|fptos|to_int", (0, 5), (0.0, 5.0)),
    (r"gather|scatter|\.table|extract|insert|load|store|subview|slice|dim$|rank$|mask|expand|compress|reshape|dynamic", (0, 1), None),
    (r"log|sqrt|cbrt|pow|reciprocal", (1, 3), (0.25, 4.0)),
    (r"acosh", None, (1.0, 4.0)),
    (r"asin|acos|atanh", None, (-0.75, 0.75)),
    (r"ipowi|powi|fpowi", (0, 3), (0.25, 2.0)),
    (r"conv|matmul|dot|contract|mmt4d|matvec|vecmat|pool", (-2, 2), (-2.0, 2.0)),
]
# What these give nobody defines, or only for operands that agree with each other, or nothing is made of it here.
UNDEFINED = {"memref.alloc", "memref.alloca", "memref.realloc", "memref.view", "tensor.empty", "bufferization.alloc_tensor", "ub.poison",
             "llvm.mlir.undef", "llvm.mlir.poison", "vector.print", "memref.extract_aligned_pointer_as_index", "memref.dealloc",
             "bufferization.dealloc_tensor", "bufferization.dealloc", "memref.dma_start", "memref.dma_wait", "affine.dma_start", "affine.dma_wait",
             "memref.assume_alignment", "memref.distinct_objects", "memref.prefetch", "ub.unreachable", "tosa.custom", "tosa.variable",
             "memref.memory_space_cast", "vector.type_cast", "vector.vscale", "tosa.yield", "tensor.reshape", "memref.reshape",
             "arith.scaling_extf", "arith.scaling_truncf", "tosa.table"}
UNDEFINED_PATTERN = r"^tosa\.(\w+_shape|dim)$|^llvm\.(call|invoke|alloca|load|store|getelementptr|inttoptr|ptrtoint|cmpxchg|atomicrmw|fence|return|unreachable|resume|va_arg)"


def ranges(name):
    integers, floats = (-5, 7), (-4.0, 4.0)
    for pattern, whole, real in RANGES:
        if re.search(pattern, name):
            integers, floats = whole or integers, real or floats
    return integers, floats


def is_defined(op):
    return op.name not in UNDEFINED and not re.search(UNDEFINED_PATTERN, op.name)


def literal(draws, element, integers, floats):
    """A constant of `element`."""
    if element == "i1":
        return draws.choice(["true", "false"]) if integers[1] > 0 else "false"
    if element.startswith("complex"):
        return f"({literal(draws, 'f32', integers, floats)}, {literal(draws, 'f32', integers, floats)})"
    if is_float(element):
        steps = int((floats[1] - floats[0]) * 4)
        return str(floats[0] + draws.randint(0, steps) / 4)
    low, high = integers
    if element in ("index", "ui8"):
        low = max(low, 0)
        high = max(high, low)
    if element == "i4":
        low, high = max(low, -7), min(high, 7)
    return str(draws.randint(low, high))


def dense(draws, shape, element, integers, floats):
    if not shape:
        return literal(draws, element, integers, floats)
    return "[" + ", ".join(dense(draws, shape[1:], element, integers, floats) for _ in range(shape[0])) + "]"


def stored(op):
    """The names of the operands that ODS says the op writes to."""
    names = set()
    for argument, name in op.record["arguments"]["args"]:
        record = op.records[argument]
        for decorator in record.get("decorators", []):
            effect = op.records[decorator]
            if "Write" in effect.get("!name", "") or "Write" in str(effect.get("effect", "")) or "Write" in str(effect.get("!superclasses", "")):
                names.add(name)
    return names


def elementwise(instance):
    """Whether the op is one of scalars, without effects, that has a value per element of a tensor."""
    return bool(instance.results) and all(t.form == "scalar" for t in instance.operands + instance.results) and \
        all(given == "argument" for given in instance.given) and re.match(r"arith\.|math\.|complex\.|index\.", instance.op.name)


def filler(type_):
    """The text of an op that makes a value of `type_`, of zeros; None where no constant does."""
    if type_.form not in ("scalar", "tensor", "vector") or -1 in type_.shape or type_.element.startswith(("complex", "ui")):
        return None
    if type_.form == "scalar":
        return f"arith.constant {zero_of(type_.element)}" + (f" : {type_.element}" if type_.element != "i1" else "")
    return f"arith.constant dense<{zero_of(type_.element) if 0 not in type_.shape else ''}> : {type_}"


def placed(program, instance, k, operands, results, picky):
    """The lines of the op: as it is, or inside a branch, a loop or a function that is called."""
    draws, types = program.draws, instance.results
    plain = [instance.text(operands, results)]
    place = draws.choice(["", "", "", "", "", "if", "affine.if", "cf", "for", "affine.for", "call", "global"])
    isValue = results and all(t.form in ("scalar", "tensor", "vector") for t in types)
    if not place or not isValue or instance.op.name.startswith("tosa.") and any(t.form == "shape" for t in instance.operands):
        return plain
    inner = [f"{r}_in" for r in results]
    made = ", ".join(map(str, types))
    assigned = ", ".join(results)
    if place in ("if", "affine.if", "cf"):
        fills = [filler(t) for t in types]
        if None in fills:
            return plain
        zeros = [f"%z{k}_{i}" for i in range(len(types))]
        lines = [f"{z} = {text}" for z, text in zip(zeros, fills)]
        if place == "affine.if" and any(t.form == "tensor" for t in types):
            place = "if"  # Stock passes give no buffers to tensors of affine.if.
        if place == "affine.if":
            listed = made if len(types) == 1 else f"({made})"
            chosen = program.argument(Type("scalar", (), "index"), (), ((0, 3), (0.0, 1.0)), k, 90, False)
            program.ops.append("affine.if")
            return lines + [f"{assigned} = affine.if affine_set<(d0)[s0] : (s0 mod 2 == 0, d0 >= 0)>(%zero)[{chosen}] -> {listed} {{",
                            instance.text(operands, inner), f"affine.yield {', '.join(inner)} : {made}", "} else {",
                            f"affine.yield {', '.join(zeros)} : {made}", "}"]
        chosen = program.argument(Type("scalar", (), "i1"), (), ((0, 1), (0.0, 1.0)), k, 90, False)
        if place == "if":
            program.ops.append("scf.if")
            return lines + [f"{assigned} = scf.if {chosen} -> ({made}) {{", instance.text(operands, inner),
                            f"scf.yield {', '.join(inner)} : {made}", "} else {", f"scf.yield {', '.join(zeros)} : {made}", "}"]
        program.ops.append("cf.cond_br")
        return lines + [f"cf.cond_br {chosen}, ^then{k}, ^join{k}({', '.join(zeros)} : {made})", f"^then{k}:", instance.text(operands, inner),
                        f"cf.br ^join{k}({', '.join(inner)} : {made})", f"^join{k}({', '.join(f'{r}: {t}' for r, t in zip(results, types))}):"]
    if place in ("for", "affine.for"):
        # A loop that carries the value: the op takes what it gave.
        carried = next((i for i, t in enumerate(instance.operands) if t == types[0] and instance.given[i] == "argument"), None)
        if carried is None or picky or len(types) > 1 or instance.sizes or not re.match("arith|math|linalg|tosa|vector|index|mica", instance.op.name):
            return plain
        inside = [f"%x{k}" if i == carried else value for i, value in enumerate(operands)]
        body = [instance.text(inside, inner)]
        if place == "affine.for" and types[0].form != "tensor":
            program.ops.append("affine.for")
            return [f"{assigned} = affine.for %n{k} = 0 to {draws.choice([0, 1, 2, 3])} iter_args(%x{k} = {operands[carried]}) -> ({made}) {{", *body,
                    f"affine.yield {inner[0]} : {made}", "}"]
        program.ops.append("scf.for")
        end = program.argument(Type("scalar", (), "index"), (), ((0, 3), (0.0, 1.0)), k, 90, False)
        return [f"%one{k} = arith.constant 1 : index",
                f"{assigned} = scf.for %n{k} = %zero to {end} step %one{k} iter_args(%x{k} = {operands[carried]}) -> ({made}) {{", *body,
                f"scf.yield {inner[0]} : {made}", "}"]
    if place == "call":
        given = [i for i in range(len(operands)) if instance.given[i] == "argument"]
        if len(given) != len(operands):
            return plain
        program.ops.append("func.call")
        name = f"@q{program.seed}_{k}"
        listed = ", ".join(f"%b{i}: {t}" for i, t in enumerate(instance.operands))
        program.callees.append(f"func.func private {name}({listed}) -> ({made}) {{\n  {instance.text([f'%b{i}' for i in range(len(operands))], inner)}\n"
                               f"  return {', '.join(inner)} : {made}\n}}")
        return [f"{assigned} = func.call {name}({', '.join(operands)}) : ({', '.join(map(str, instance.operands))}) -> ({made})"]
    if len(types) > 1 or types[0].form != "tensor" or not (text := filler(types[0])):
        return plain
    program.ops.append("ml_program.global_store")
    name = f"@h{program.seed}_{k}"
    program.callees.append(f"ml_program.global private mutable {name}({text.split('constant ')[1]}) : {types[0]}")
    return [instance.text(operands, inner), f"ml_program.global_store {name} = {inner[0]} : {types[0]}",
            f"{assigned} = ml_program.global_load {name} : {types[0]}"]


class Program:
    """One to four ops, of which the first is about an op that the seed picks in turn; an op may use what one before it gives."""

    def __init__(self, seed, pool):
        self.seed = seed
        self.draws = random.Random(seed * 7919 + 13)
        names = [name for name in sorted(pool) if pool[name] and is_defined(pool[name][0].op)]
        self.names = names
        self.arguments = []  # (Type of the value, sizes, (integers, floats))
        self.outs = []       # vectors that are stored: (value, Type)
        self.lines, self.results, self.ops = [], [], []
        self.values = []     # (name, Type, sizes)
        self.callees = []    # functions and globals that @p uses
        main = names[seed % len(names)]
        for k in range(self.draws.choice([1, 1, 2, 3, 4])):
            instance = self.draws.choice(pool[main if k == 0 else self.draws.choice(names)])
            for _ in range(8):
                if not contradicts(instance):
                    break
                instance = self.draws.choice(pool[instance.op.name])
            self.add(instance, k)

    def add(self, instance, k):
        op = instance.op
        self.ops.append(op.name)
        integers, floats = ranges(op.name)
        if any(t.element == "i1" for t in instance.operands) and re.search("sh[lr]|shift", op.name):
            integers = (0, 0)
        if re.search("gather|scatter", op.name) and any(1 in instance.shape_of(i) for i in range(len(instance.operands))):
            integers = (0, 0)
        if any(t.element == "i1" for t in instance.results) and re.search("fpto", op.name):
            floats = (0.0, 0.75)
        picky = (integers, floats) != ((-5, 7), (-4.0, 4.0))
        if elementwise(instance) and self.draws.random() < 0.5:
            self.add_generic(instance, k, (integers, floats))
            return
        operands = []
        writes = stored(op)
        for i, type_ in enumerate(instance.operands):
            if instance.given[i] != "argument":
                self.lines.append(f"%k{k}_{i} = {instance.given[i]}")
                operands.append(f"%k{k}_{i}")
                continue
            sizes = tuple(instance.shape_of(i))
            same = [v for v in self.values if v[1] == type_ and v[2] == sizes]
            if same and not picky and self.draws.random() < 0.7:
                value = self.draws.choice(same)
                operands.append(value[0])
                if (match := re.fullmatch(r"%a(\d+)", value[0])) and self.is_stored(op, instance, i, writes):
                    held = self.arguments[int(match.group(1))]
                    self.arguments[int(match.group(1))] = (*held[:3], True)
                if value in self.results:
                    self.results.remove(value)
                continue
            if op.name.startswith(("memref.", "vector.", "tensor.", "affine.")) and type_.form == "scalar" and type_.element == "index":
                spans = [d for j, t in enumerate(instance.operands) if t.form in ("tensor", "memref", "vector") for d in instance.shape_of(j)]
                # An access of a vector may be of all that its buffer has.
                is_vector = re.search(r"vector_(load|store)|^vector\..*(load|store|transfer|gather|scatter)", op.name)
                operands.append(self.argument(type_, sizes, ((0, 1 if spans and min(spans) > 1 and not is_vector else 0), floats), k, i, False))
                continue
            operands.append(self.argument(type_, sizes, (integers, floats), k, i, self.is_stored(op, instance, i, writes)))
        results = [f"%r{k}_{i}" for i in range(len(instance.results))]
        self.lines += placed(self, instance, k, operands, results, picky)
        self.give(results, instance.results)

    def give(self, names, types):
        """Further ops may use these values; the last of them is returned."""
        for name, type_ in zip(names, types):
            value = (name, type_, tuple(type_.shape) if -1 not in type_.shape else None)
            self.values.append(value)
            self.results.append(value)

    def add_generic(self, instance, k, span):
        """The op, which is one of scalars, in the body of a linalg.generic."""
        self.ops.append("linalg.generic")
        size = self.draws.choice([1, 5, 16, 37])
        lifted = [Type("tensor", (size,), t.element) for t in instance.operands]
        values = [self.argument(t, (size,), span, k, i, False) for i, t in enumerate(lifted)]
        types = [Type("tensor", (size,), t.element) for t in instance.results]
        names = [f"%r{k}_{i}" for i in range(len(types))]
        empties = [f"%e{k}_{i}" for i in range(len(types))]
        self.lines += [f"{e} = tensor.empty() : {t}" for e, t in zip(empties, types)]
        inside, given = [f"%i{k}_{i}" for i in range(len(values))], [f"%y{k}_{i}" for i in range(len(types))]
        maps = ", ".join(["affine_map<(d0) -> (d0)>"] * (len(values) + len(types)))
        block = [f"{n}: {t.element}" for n, t in zip(inside, lifted)] + [f"%o{k}_{i}: {t.element}" for i, t in enumerate(types)]
        ins = f"ins({', '.join(values)} : {', '.join(map(str, lifted))}) " if values else ""
        outs = f"outs({', '.join(empties)} : {', '.join(map(str, types))})"
        made = str(types[0]) if len(types) == 1 else f"({', '.join(map(str, types))})"
        self.lines += [f"{', '.join(names)} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [\"parallel\"]}} {ins}{outs} {{",
                       f"^bb0({', '.join(block)}):", instance.text(inside, given),
                       f"linalg.yield {', '.join(given)} : {', '.join(t.element for t in types)}", f"}} -> {made}"]
        self.give(names, types)

    def is_stored(self, op, instance, i, writes):
        if instance.op.name.startswith("linalg."):
            return i == len(instance.operands) - 1
        if instance.op.name == "bufferization.materialize_in_destination":
            return i == 1
        if len(op.operands) == len(instance.operands):
            return op.operands[i].name in writes
        return bool(writes)

    def argument(self, type_, sizes, span, k, i, is_stored):
        name = f"%a{len(self.arguments)}"
        self.arguments.append((type_, sizes, span, is_stored))
        value = name
        if type_.form == "vector":
            value = f"%v{k}_{i}"
            zero = ", ".join(["%zero"] * type_.rank)
            pad = f"%pad{k}_{i}"
            self.lines.append(f"{pad} = arith.constant {zero_of(type_.element)}" + (f" : {type_.element}" if type_.element != "i1" else ""))
            bounds = f" {{in_bounds = [{', '.join(['true'] * type_.rank)}]}}" if type_.rank else ""
            self.lines.append(f"{value} = vector.transfer_read {name}[{zero}], {pad}{bounds} : {passed(type_)}, {type_}")
        self.values.append((value, type_, sizes))
        return value

    def is_public(self):
        """Whether users can call @p: its arguments and results are tensors, buffers and scalars of the types that these may have."""
        return all(t.element in SUFFIX or t.element in ("i8", "i1", "i4", "f8E4M3FN", "f8E5M2") for t, *_ in self.arguments) and \
            all(v[1].form != "memref" and (v[1].element in SUFFIX or v[1].element in ("i8", "i1", "i4", "f8E4M3FN", "f8E5M2")) for v in self.results)

    def is_packed(self):
        """Whether a vector of i1 or i4 lies in memory: stock tools pack its elements, and buffers have bytes."""
        return any(t.form == "vector" and t.element in ("i1", "i4") for t in [a[0] for a in self.arguments] + [v[1] for v in self.results])

    def function(self):
        vectors = [v for v in self.results if v[1].form == "vector"]
        rest = [v for v in self.results if v[1].form not in ("vector", "shape")]
        arguments = [f"%a{i}: {passed(t)}" for i, (t, *_) in enumerate(self.arguments)]
        arguments += [f"%o{i}: {passed(v[1])}" for i, v in enumerate(vectors)]
        made = ", ".join(str(v[1]) for v in rest)
        lines = ["%zero = arith.constant 0 : index", *self.lines]
        for i, (name, type_, _) in enumerate(vectors):
            zero = ", ".join(["%zero"] * type_.rank)
            bounds = f" {{in_bounds = [{', '.join(['true'] * type_.rank)}]}}" if type_.rank else ""
            lines.append(f"vector.transfer_write {name}, %o{i}[{zero}]{bounds} : {type_}, {passed(type_)}")
        lines.append(f"return {', '.join(v[0] for v in rest)} : {made}" if rest else "return")
        visibility = "" if self.is_public() else "private "
        return "".join(text + "\n" for text in self.callees) + (f"func.func {visibility}@p{self.seed}({', '.join(arguments)}) -> ({made}) {{\n" +
                "\n".join("  " + l for l in lines) + "\n}")

    def main(self):
        """The printing function, and the data that it passes."""
        draws = random.Random(self.seed * 104729 + 7)
        top, lines, passing = [], ["%zero = arith.constant 0 : index"], []
        for i, (type_, sizes, span, _) in enumerate(self.arguments):
            element = type_.element
            holder = Type("memref", sizes, element)
            if element.startswith("complex") and all(d == 1 for d in sizes):
                # Of a constant of one complex number, stock passes lose the imaginary part.
                globals_, made = complex_number(f"c{i}", f"g{self.seed}_{i}", type_, sizes, literal(draws, element, *span))
                top, lines = top + globals_, lines + made
                lines.append(f"%x{i} = {type_.form}.cast %c{i} : {Type(type_.form, sizes, element)} to {type_}" if sizes != type_.shape else "")
                passing.append((f"%x{i}" if sizes != type_.shape else f"%c{i}", type_))
                continue
            if type_.form == "tensor":
                lines.append(f"%c{i} = arith.constant dense<{dense(draws, sizes, element, *span) if 0 not in sizes else ''}> : {Type('tensor', sizes, element)}")
                lines.append(f"%x{i} = tensor.cast %c{i} : {Type('tensor', sizes, element)} to {type_}" if sizes != type_.shape else "")
                passing.append((f"%x{i}" if sizes != type_.shape else f"%c{i}", type_))
                continue
            top.append(f"memref.global \"private\" @g{self.seed}_{i} : {holder} = dense<{dense(draws, sizes, element, *span) if 0 not in sizes else ''}>")
            lines.append(f"%g{i} = memref.get_global @g{self.seed}_{i} : {holder}")
            if type_.form == "scalar":
                lines.append(f"%c{i} = memref.load %g{i}[] : {holder}")
                passing.append((f"%c{i}", type_))
                continue
            lines += [f"%c{i} = memref.alloc() : {holder}", f"memref.copy %g{i}, %c{i} : {holder} to {holder}"]
            if sizes != type_.shape:
                lines.append(f"%x{i} = memref.cast %c{i} : {holder} to {type_}")
            passing.append((f"%x{i}" if sizes != type_.shape else f"%c{i}", passed(type_)))
        vectors = [v for v in self.results if v[1].form == "vector"]
        rest = [v for v in self.results if v[1].form not in ("vector", "shape")]
        for i, (_, type_, _) in enumerate(vectors):
            lines.append(f"%o{i} = memref.alloc() : {passed(type_)}")
            passing.append((f"%o{i}", passed(type_)))
        results = [f"%r{i}" for i in range(len(rest))]
        lines.append(f"{', '.join(results)}{' = ' if results else ''}call @p{self.seed}({', '.join(p[0] for p in passing)}) : "
                     f"({', '.join(str(p[1]) for p in passing)}) -> ({', '.join(str(v[1]) for v in rest)})")
        shown = [(name, v[1]) for name, v in zip(results, rest)] + [(f"%o{i}", passed(v[1])) for i, v in enumerate(vectors)]
        shown += [p for p, (type_, *_) in zip(passing, self.arguments) if type_.form == "memref"]
        lines.append(f"%mark = arith.constant 1000{self.seed:07d} : index\nvector.print %mark : index")
        for i, (name, type_) in enumerate(shown):
            lines += show(name, type_, f"s{i}")
        body = "\n".join("  " + l for l in "\n".join(lines).splitlines() if l)
        return "\n".join(top + [f"func.func private @m{self.seed}() {{\n{body}\n  return\n}}"])

    def run_line(self):
        """How mica-differential runs @p; "" where it is private."""
        if not self.is_public():
            return ""
        draws, inputs, stores = random.Random(self.seed * 31 + 5), [], []
        for i, (type_, sizes, (integers, floats), is_stored) in enumerate(self.arguments):
            low, high = floats if is_float(type_.element) else integers
            if type_.element in ("index", "i1"):
                low, high = max(low, 0), min(high + 1, 2) if type_.element == "i1" else max(high, 1)
            high = max(high, low + 1)  # the end of a range is not in it
            if type_.form == "scalar":
                value = literal(draws, type_.element, integers, floats)
                inputs.append(f"{type_.element}={ {'true': '1', 'false': '0'}.get(value, value)}")
            else:
                inputs.append(f"{''.join(f'{d}x' for d in sizes)}{type_.element}=random:{draws.randint(1, 999)}:{low}:{high}")
            if is_stored and type_.form == "memref":
                stores.append(i)
        for _, type_, _ in (v for v in self.results if v[1].form == "vector"):
            stores.append(len(inputs))
            inputs.append(f"{''.join(f'{d}x' for d in type_.shape)}{type_.element}=0")
        return "// run " + json.dumps({"entry": f"p{self.seed}", "inputs": inputs, "relative": True, "stores": stores})

    def text(self):
        return "\n".join(part for part in (self.run_line(), self.function(), self.main()) if part)


def complex_number(name, label, type_, sizes, text):
    """Lines that make %`name`, a complex number `text`, "(re, im)": alone, or as the element of a tensor or a buffer. Globals come first."""
    element, parts = type_.element, re.findall(r"[-\d.]+", text)
    # Of constants, also stored ones, stock passes make a complex.constant and lose the imaginary part.
    of, lines = element[8:-1], []
    top = [f"memref.global \"private\" @{label}_{k} : memref<{of}> = dense<{part}>" for k, part in enumerate(parts)]
    for k in range(len(parts)):
        lines += [f"%{name}m{k} = memref.get_global @{label}_{k} : memref<{of}>", f"%{name}p{k} = memref.load %{name}m{k}[] : memref<{of}>"]
    scalar = name if type_.form == "scalar" else name + "n"
    lines.append(f"%{scalar} = complex.create %{name}p0, %{name}p1 : {element}")
    if type_.form == "tensor":
        lines.append(f"%{name} = tensor.from_elements %{scalar} : {Type('tensor', sizes, element)}")
    elif type_.form == "memref":
        first = ", ".join(["%zero"] * len(sizes))
        lines += [f"%{name} = memref.alloc() : {Type('memref', sizes, element)}",
                  f"memref.store %{scalar}, %{name}[{first}] : {Type('memref', sizes, element)}"]
    return top, lines


def zero_of(element):
    return "false" if element == "i1" else "0.0" if is_float(element) else "0"


def passed(type_):
    """What a value of `type_` is passed as: vectors in buffers."""
    return Type("memref", type_.shape, type_.element) if type_.form == "vector" else type_


def show(name, type_, tag):
    """Lines that print a value."""
    element = type_.element
    if element.startswith("complex"):
        part = element[8:-1]
        if type_.form == "scalar":
            return [f"%{tag}{p} = complex.{p} {name} : {element}\nvector.print %{tag}{p} : {part}" for p in ("re", "im")]
        dims = ", ".join(f"d{d}" for d in range(type_.rank))
        same = f"affine_map<({dims}) -> ({dims})>"
        loops = ", ".join(['"parallel"'] * type_.rank)
        lines = []
        if type_.form == "memref":
            lines.append(f"%{tag}t = bufferization.to_tensor {name} restrict : {type_} to {Type('tensor', type_.shape, element)}")
            name, type_ = f"%{tag}t", Type("tensor", type_.shape, element)
        sizes = []
        for d, size in enumerate(type_.shape):
            if size < 0:
                lines += [f"%{tag}i{d} = arith.constant {d} : index", f"%{tag}d{d} = tensor.dim {name}, %{tag}i{d} : {type_}"]
                sizes.append(f"%{tag}d{d}")
        for p in ("re", "im"):
            lines += [f"%{tag}{p}e = tensor.empty({', '.join(sizes)}) : {type_.of(part)}",
                      f"%{tag}{p} = linalg.generic {{indexing_maps = [{same}, {same}], iterator_types = [{loops}]}} ins({name} : {type_}) "
                      f"outs(%{tag}{p}e : {type_.of(part)}) {{\n^bb0(%in: {element}, %out: {part}):\n  %x = complex.{p} %in : {element}\n"
                      f"  linalg.yield %x : {part}\n}} -> {type_.of(part)}"] + show(f"%{tag}{p}", type_.of(part), tag + p)
        return lines
    wide = "i32" if element in ("i1", "i4", "i8") else "f32" if element.startswith("f8") else ""
    extend = "arith.extui" if element == "i1" else "arith.extf" if element.startswith("f8") else "arith.extsi"
    if wide:
        lines = []
        if type_.form == "memref":
            tensor = Type("tensor", type_.shape, element)
            lines.append(f"%{tag}t = bufferization.to_tensor {name} restrict : {type_} to {tensor}")
            name, type_ = f"%{tag}t", tensor
        lines.append(f"%{tag}w = {extend} {name} : {type_} to {type_.of(wide)}")
        return lines + show(f"%{tag}w", type_.of(wide), tag + "w")
    if element not in SUFFIX:
        return []
    if type_.form == "scalar" and element in ("f16", "bf16"):
        # mlir-runner hands these on as numbers of another type.
        return [f"%{tag}w = arith.extf {name} : {element} to f32\nvector.print %{tag}w : f32"]
    if type_.form == "scalar":
        return [f"vector.print {name} : {element}"]
    lines, unranked = [], f"memref<*x{element}>"
    if type_.form == "tensor":
        lines.append(f"%{tag}b = bufferization.to_buffer {name} read_only : {type_} to {Type('memref', type_.shape, element)}")
        name, type_ = f"%{tag}b", Type("memref", type_.shape, element)
    return lines + [f"%{tag}u = memref.cast {name} : {type_} to {unranked}",
                    f"func.call @printMemref{SUFFIX[element]}(%{tag}u) : ({unranked}) -> ()"]


def joined(programs, entries=False):
    """One module of `programs`, with a main that runs them all; with `entries` of the functions @p alone."""
    if entries:
        return "\n".join(p.run_line() + "\n" + p.function() for p in programs) + "\n"
    body = "\n".join(p.text() for p in programs)
    helpers = sorted(set(re.findall(r"@printMemref(\w+)\(", body)))
    kinds = {v: k for k, v in SUFFIX.items()}
    lines = [f"func.func private @printMemref{h}(memref<*x{kinds[h]}>) attributes {{llvm.emit_c_interface}}" for h in helpers]
    calls = "\n".join(f"  call @m{p.seed}() : () -> ()" for p in programs)
    return "\n".join(lines + [body, f"func.func @main() {{\n{calls}\n  return\n}}"]) + "\n"


def load_pool(work, dialects, llvm="/usr/lib/llvm-22", opt="mlir-opt", only="", log=None, mica=None):
    """The pool of valid instances of the ops of `dialects`; made once and kept in `work`."""
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    ops = ods.read(dialects, llvm, mica or HERE.parent.parent, work / "ods")
    ops = {name: op for name, op in ops.items() if re.search(only, name)}
    files = b"".join((HERE / f).read_bytes() for f in ("ods.py", "pool.py", "attributes.py"))
    pool, reasons = {}, {}
    for dialect in sorted(dialects):
        made = hashlib.sha256(files + repr((dialect, str(llvm), only)).encode()).hexdigest()[:16]
        kept = work / f"pool-{dialect}-{made}.pickle"
        if not kept.exists():
            part = {name: op for name, op in ops.items() if name.startswith(dialect + ".")}
            verifier = pools.Verifier("mica-opt" if dialect == "mica" else opt, work, [TOSA_TYPES] if dialect == "tosa" else [], piece=3 if dialect == "linalg" else 16)
            found, why = pools.fill(part, verifier, POOL_SEED, log=log)
            flat = {name: [(i.operands, i.results, i.attrs, i.segments, i.given, i.sizes) for i in each] for name, each in found.items()}
            kept.write_bytes(pickle.dumps((flat, why)))
        flat, why = pickle.loads(kept.read_bytes())
        pool.update({name: [i for i in (rebuilt(ops[name], parts) for parts in each) if not is_undefined(i)] for name, each in flat.items()})
        reasons.update(why)
    return pool, reasons, ops


def is_undefined(instance):
    """Whether the result is defined for some operands only: by flags that promise something of them, by sizes that are operands and have to
    agree with the others, or by sizes that the verifier does not compare."""
    flags = " ".join(list(instance.attrs) + list(instance.attrs.values()))
    if re.search(r"isExact|nonNeg|\bnsw\b|\bnuw\b|\bnneg\b|disjoint|\bnnan\b|\bninf\b|\bnsz\b|fastmath<fast>", flags):
        return True
    name, operands = instance.op.name, instance.operands
    # More sizes of tiles or positions than the attribute leaves open: verifiers accept them, custom forms lose them.
    given = re.fullmatch(r"linalg\.(?:un)?pack|vector\.(?:insert|extract)", name) and {"linalg": "static_inner_tiles", "vector": "static_position"}[name.split(".")[0]]
    if given and any(t.element == "index" and t.form == "scalar" for t in operands[1:]) and str(-2**63) not in instance.attrs.get(given, ""):
        return True
    if any(-1 in instance.shape_of(i) for i in range(len(operands))):
        return True  # Nobody says what the sizes are in a run.
    if re.search(r"div|rem|ipowi", name) and any(t.element == "i1" for t in operands):
        return True  # Of i1, true is -1, by which no signed division is defined, and no power of 0.
    if re.fullmatch(r"(memref|tensor)\.dim", name) and len(instance.shape_of(0)) < 2:
        return True  # The dimension is 0 or 1.
    if re.search(r"^vector\..*(load|store)$|^affine\.vector_", name):
        # The verifier compares the ranks alone.
        buffer = next(instance.shape_of(i) for i, t in enumerate(operands) if t.form == "memref")
        vectors = [t.shape for t in [*operands, *instance.results] if t.form == "vector"]
        if any(len(v) > len(buffer) or any(n > d for n, d in zip(v[::-1], buffer[::-1])) for v in vectors):
            return True
    if name == "math.clampf":
        return True  # Stock passes swap the bounds (docs/UpstreamFindings.md).
    if name == "tosa.resize" or re.fullmatch(r"tosa\..*pool2d", name):
        (a, *_, b), (c, *_, d) = instance.shape_of(0), instance.results[0].shape
        if c not in (a, -1) or d not in (b, -1):
            return True
    if re.search(r"^linalg\..*(conv|pool)", name) and any(0 in instance.shape_of(i) for i in range(len(operands))):
        return True  # The verifier compares windows with no empty operand.
    if re.fullmatch(r"tosa\.(conv2d|conv3d|depthwise_conv2d)", name):
        channels = instance.shape_of(1)[-2 if "depthwise" in name else -1]
        if instance.shape_of(0)[-1] != channels:
            return True
    if name == "tosa.slice":
        first, count = ([int(d) for d in re.findall(r"-?\d+", text.split("dense<")[1].split(">")[0])] for text in instance.given[1:3])
        return any(a + n > d for a, n, d in zip(first, count, operands[0].shape)) or any(r not in (n, -1) for r, n in zip(instance.results[0].shape, count))
    if name == "vector.multi_reduction":
        # The verifier takes minsi of floats, which nothing lowers. Stock passes drop it in a loop without iterations.
        kind = re.search(r"kind<(\w+)>", instance.attrs["kind"]).group(1)
        if kind not in ("add", "mul") and kind.endswith("f") != ("f" in operands[0].element):
            return True
        return any(int(d) >= instance.operands[0].rank for d in re.findall(r"\d+", instance.attrs.get("reduction_dims", "").split(":")[-1]))
    if name == "vector.contract":
        # No accumulator has the dimensions that are summed; the verifier takes it.
        kinds = re.findall(r"iterator_type<(\w+)>", instance.attrs["iterator_types"])
        held = instance.attrs["indexing_maps"].split("affine_map<")[-1].split("->")[-1]
        return any(f"d{d}" in re.findall(r"d\d+", held) for d, kind in enumerate(kinds) if kind == "reduction")
    if name == "tosa.matmul":
        (a, b, c), (d, e, f) = instance.shape_of(0), instance.shape_of(1)
        return a != d or c != e or tuple(instance.results[0].shape) not in ((a, b, f), (-1, -1, -1)) and -1 not in instance.results[0].shape
    if name.endswith(".expand_shape"):
        given = re.findall(r"-?\d+", instance.attrs.get("static_output_shape", "").partition(":")[2])
        return len(operands) > 1 or [int(d) for d in given] != list(instance.results[0].shape)
    return name == "tosa.tile"


def contradicts(instance):
    """Whether the result has sizes that those of the operands, known when the program runs, would have to give."""
    return re.search(r"^tosa\..*pool2d", instance.op.name) and any(-1 in t.shape for t in instance.operands) and \
        any(d != -1 for d in instance.results[0].shape)


def rebuilt(op, parts):
    instance = pools.Instance(op, *parts[:4])
    instance.given, instance.sizes = parts[4], parts[5]
    return instance


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--dialects", default=ods.DEFAULT_DIALECTS)
    parser.add_argument("--only", default="")
    parser.add_argument("--coverage", action="store_true")
    parser.add_argument("--llvm", default="/usr/lib/llvm-22")
    parser.add_argument("--opt", default="mlir-opt")
    options = parser.parse_args()
    log = (lambda text: print(text, file=sys.stderr)) if options.coverage else None
    pool, reasons, ops = load_pool(options.work, options.dialects.split(","), options.llvm, options.opt, options.only, log)
    if options.coverage:
        for name in sorted(ops):
            print(f"{len(pool.get(name, [])):4} {name}{'' if pool.get(name) else ': ' + str(reasons.get(name))}")
        return 0
    print(joined([Program(seed, pool) for seed in range(options.seed, options.seed + options.count)]), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
