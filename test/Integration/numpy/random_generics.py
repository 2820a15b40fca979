# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws chains of linalg.generic on integers with unusual maps: reversed, strided, shifted, diagonal and broadcast accesses, outputs written in part,
several outputs, linalg.index, reductions, and dimensions of size 0 and 1. NumPy computes each as loops over the points of the op."""
import itertools

import numpy as np

np.seterr(all="ignore")
TYPES = {"i32": np.int32, "i64": np.int64, "i8": np.int8}
OPS = ["addi", "subi", "muli", "maxsi", "minui", "xori"]


def apply(op, a, b, dtype):
    """One op of arith on scalars of `dtype`."""
    a, b = dtype(a), dtype(b)
    if op == "minui":
        unsigned = np.dtype(f"u{np.dtype(dtype).name}")
        return a if a.astype(unsigned) <= b.astype(unsigned) else b
    return dtype({"addi": lambda: a + b, "subi": lambda: a - b, "muli": lambda: a * b, "maxsi": lambda: max(a, b), "xori": lambda: a ^ b}[op]())


class Expression:
    """An index: factor * loop + shift, the sum of two loops, or a number."""

    def __init__(self, rng, sizes, loop=None):
        self.terms, self.shift = {}, 0
        if loop is None:
            self.shift = int(rng.integers(0, 3))
            return
        factor = int(rng.choice([1, 1, 1, 1, 2, -1]))
        self.terms[loop] = factor
        if len(sizes) > 1 and rng.random() < 0.1:
            other = int(rng.integers(len(sizes)))
            self.terms[other] = self.terms.get(other, 0) + 1
        self.shift = int(rng.integers(0, 2)) if rng.random() < 0.3 else 0
        least = sum(factor * (max(sizes[d], 1) - 1) for d, factor in self.terms.items() if factor < 0)
        self.shift -= least

    def at(self, point):
        return sum(factor * point[d] for d, factor in self.terms.items()) + self.shift

    def size(self, sizes):
        """The least size of a dimension that this indexes."""
        return max(self.at(point) for point in itertools.product(*(range(max(size, 1)) for size in sizes))) + 1

    def __str__(self):
        parts = [f"d{d} * {factor}" if factor != 1 else f"d{d}" for d, factor in self.terms.items()]
        return " + ".join(parts + ([str(self.shift)] if self.shift or not parts else []))


def access(rng, sizes, loops):
    return [Expression(rng, sizes, loop) for loop in loops]


def shape_of(rng, expressions, sizes):
    """Of an operand: the verifier wants plain loops to have their own size, others to stay below the size."""
    shape = []
    for e in expressions:
        plain = list(e.terms.values()) == [1] and e.shift == 0
        shape.append(sizes[list(e.terms)[0]] if plain else e.size(sizes) + int(rng.integers(0, 2)))
    return tuple(shape)


def type_of(shape, element):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def draw(rng):
    element = str(rng.choice(list(TYPES)))
    dtype = TYPES[element]
    lines, inputs, arguments = [], [], []
    made = []  # (name, array) of tensors so far

    def argument(shape):
        array = rng.integers(-50, 50, shape).astype(dtype)
        arguments.append(f"%x{len(inputs)}: {type_of(shape, element)}")
        inputs.append(array)
        made.append((f"%x{len(inputs) - 1}", array))
        return made[-1]

    def operand(shape):
        """A tensor of that shape: one that there is, a constant, or an argument."""
        fitting = [each for each in made if each[1].shape == shape]
        if fitting and rng.random() < 0.6:
            return fitting[int(rng.integers(len(fitting)))]
        if rng.random() < 0.2:
            number = int(rng.integers(-9, 9))
            name = f"%c{len(lines)}"
            lines.append(f"  {name} = arith.constant dense<{number}> : {type_of(shape, element)}")
            made.append((name, np.full(shape, number, dtype)))
            return made[-1]
        return argument(shape)

    for at in range(int(rng.integers(1, 4))):
        rank = int(rng.integers(1, 4))
        sizes = [int(rng.choice([1, 2, 3, 4, 5, 0], p=[.2, .2, .25, .2, .1, .05])) for _ in range(rank)]
        odd = all(sizes)  # The verifier takes the last point of an empty loop for -1.
        # Each output has an access that no two points share: all loops of it once, or the rest are reductions.
        kept = sorted(rng.permutation(rank)[:int(rng.integers(0, rank + 1))].tolist())
        kinds = ["parallel" if d in kept else "reduction" for d in range(rank)]
        operands = [[Expression(rng, sizes, d) for d in range(rank)]]  # gives each loop its size
        for e, d in zip(operands[0], range(rank)):
            e.terms, e.shift = {d: 1}, 0
        for _ in range(int(rng.integers(0, 3))):
            loops = rng.permutation(rank)[:int(rng.integers(0, rank + 1))].tolist()
            if loops and rng.random() < 0.25:
                loops.append(loops[0])  # a diagonal
            operands.append(access(rng, sizes, loops))
            if not odd:
                for e, d in zip(operands[-1], loops):
                    e.terms, e.shift = {int(d): 1}, 0
            if rng.random() < 0.2:
                operands[-1].insert(int(rng.integers(len(operands[-1]) + 1)), Expression(rng, sizes))
        outputs = []
        for _ in range(int(rng.integers(1, 3))):
            order = rng.permutation(kept).tolist() if kept else []
            expressions = []
            for d in order:
                e = Expression(rng, sizes, int(d))
                e.terms = {int(d): e.terms.get(int(d), 1) if len(e.terms) == 1 and odd else 1}
                e.shift = 0
                expressions.append(e)
            for e in expressions:
                (d, factor), = e.terms.items()
                e.shift = int(rng.integers(0, 2)) * (odd and rng.random() < 0.3) + (-factor * (max(sizes[d], 1) - 1) if factor < 0 else 0)
            if expressions and rng.random() < 0.15:
                expressions.append(Expression(rng, sizes))
            elif expressions and rng.random() < 0.1:
                expressions.append(expressions[0])  # writes a diagonal
            outputs.append(expressions)
        shapes = [shape_of(rng, each, sizes) for each in operands + outputs]
        values = [operand(shape) for shape in shapes]
        ins, inits = values[:len(operands)], values[len(operands):]
        # The body: a chain of ops on the elements, an index, and a number.
        names = [f"%i{k}" for k in range(len(ins))] + [f"%o{k}" for k in range(len(inits))]
        body, steps, pool = [], [], list(range(len(names)))
        index = None
        if rng.random() < 0.4:
            index = int(rng.integers(rank))
            cast = f"arith.index_cast %index : index to {element}"
            body += [f"    %index = linalg.index {index} : index", f"    %n = {cast}"]
            names.append("%n")
            pool.append(len(names) - 1)
        for k in range(int(rng.integers(1, 4))):
            op, a, b = str(rng.choice(OPS)), int(rng.choice(pool)), int(rng.choice(pool))
            body.append(f"    %v{k} = arith.{op} {names[a]}, {names[b]} : {element}")
            steps.append((op, a, b))
            names.append(f"%v{k}")
            pool.append(len(names) - 1)
        yields = []
        for k in range(len(inits)):
            last = int(rng.choice(pool))
            if len(kept) < rank:  # a reduction: the result so far and something else
                body.append(f"    %r{k} = arith.addi %o{k}, {names[last]} : {element}")
                steps.append(("addi", len(ins) + k, last))
                names.append(f"%r{k}")
                last = len(names) - 1
            yields.append(last)
        dims = ", ".join(f"d{d}" for d in range(rank))
        maps = ", ".join(f"affine_map<({dims}) -> ({', '.join(map(str, each))})>" for each in operands + outputs)
        results = [np.array(array) for _, array in inits]
        for point in itertools.product(*(range(size) for size in sizes)):
            places = [tuple(e.at(point) for e in each) for each in operands + outputs]
            scalars = [array[place] for (_, array), place in zip(ins, places)]
            scalars += [array[place] for array, place in zip(results, places[len(ins):])]
            if index is not None:
                scalars.append(dtype(point[index]))
            for op, a, b in steps:
                scalars.append(apply(op, scalars[a], scalars[b], dtype))
            for k, last in enumerate(yields):
                results[k][places[len(ins) + k]] = scalars[last]
        kinds_text = ", ".join(f'"{kind}"' for kind in kinds)
        listed = lambda tensors: f"{', '.join(name for name, _ in tensors)} : {', '.join(type_of(a.shape, element) for _, a in tensors)}"
        block = ", ".join(f"{name}: {element}" for name in names[:len(ins) + len(inits)])
        gives = ", ".join(type_of(array.shape, element) for array in results)
        lines.append(f"  %g{at}{':2' if len(results) == 2 else ''} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds_text}]}} "
                     f"ins({listed(ins)}) outs({listed(inits)}) {{\n  ^bb0({block}):\n" + "\n".join(body) +
                     f"\n    linalg.yield {', '.join(names[k] for k in yields)} : {', '.join([element] * len(yields))}\n  }} -> "
                     + (f"({gives})" if len(results) == 2 else gives))
        made += [(f"%g{at}#{k}" if len(results) == 2 else f"%g{at}", array) for k, array in enumerate(results)]
    returned = [each for each in made if each[0].startswith("%g")] + [each for each in made[:2] if not each[0].startswith("%g")]
    gives = ", ".join(type_of(array.shape, element) for _, array in returned)
    text = (f"func.func @NAME({', '.join(arguments)}) -> ({gives}) {{\n" + "\n".join(lines) +
            f"\n  return {', '.join(name for name, _ in returned)} : {gives}\n}}\n")
    return text, inputs, [array for _, array in returned]
