#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs on vectors and views of buffers: transfers with permutations, broadcasts, masks and positions beyond the end.

usage: random_transfers.py WORK [--programs=N] [--seed=S] [--jobs=J]

Each reads a vector through a chain of views (subviews with strides, rank reductions, collapsed, expanded and transposed buffers), computes
with it, and writes it through another chain. Compiled at -O0 and -O2, with --plain and for sim, and compared with the reference.
"""
import random
import sys

import random_functions

TYPES = ["f32", "f32", "f64", "i8", "i16", "i32", "i64"]
BINARY = {True: ["addf", "mulf", "subf", "maximumf"], False: ["addi", "muli", "subi", "xori", "andi", "maxsi", "minui"]}


def product(sizes):
    result = 1
    for size in sizes:
        result *= size
    return result


class Function:
    """Writes one function: arguments are a buffer to read and one to update."""

    def __init__(self, seed):
        self.rng, self.lines, self.count = random.Random(seed), [], 0
        self.element = self.rng.choice(TYPES)
        source, target = self.shape(), self.shape()
        self.define_index(0)
        result = self.vector(*self.views("%x", source))
        self.write(result, *self.views("%y", target))
        extra = ""
        if self.rng.random() < 0.4:
            kind = self.rng.choice(["add", "maximumf", "minimumf"] if self.real() else ["add", "xor", "maxsi", "minui", "and"])
            value, shape = result
            if shape:
                dims = sorted(self.rng.sample(range(len(shape)), self.rng.randint(1, len(shape))))
                left = [size for dim, size in enumerate(shape) if dim not in dims]
                kept = f"vector<{'x'.join(map(str, left))}x{self.element}>" if left else self.element
                zero = self.define(f"arith.constant {'0.0' if self.real() else '0'} : {self.element}" if not left else f"arith.constant dense<{'0.0' if self.real() else '0'}> : {kept}")
                reduced = self.define(f"vector.multi_reduction <{kind}>, {value}, {zero} {dims} : {self.of(shape)} to {kept}")
                if left:
                    reduced = self.define(f"vector.extract {reduced}[{', '.join('0' for _ in left)}] : {self.element} from {kept}")
                extra = reduced
        head = f"func.func @f{seed}(%x: {self.buffer(source)}, %y: {self.buffer(target)})"
        end = f"  return {extra} : {self.element}\n}}\n" if extra else "  return\n}\n"
        self.text = head + (f" -> {self.element}" if extra else "") + " {\n" + "\n".join(self.lines) + "\n" + end
        low = "-8:8" if self.real() else "-100:100"
        self.inputs = [f"{'x'.join(map(str, shape))}x{self.element}=random:{seed + at}:{low}" for at, shape in enumerate((source, target))]

    def real(self):
        return self.element.startswith("f")

    def shape(self):
        return [self.rng.choice([1, 2, 3, 4, 6, 8, 12]) for _ in range(self.rng.randint(1, 3))]

    def buffer(self, shape):
        return f"memref<{''.join(f'{size}x' for size in shape)}{self.element}>"

    def of(self, shape):
        return f"vector<{''.join(f'{size}x' for size in shape)}{self.element}>"

    def define(self, expression):
        self.count += 1
        self.lines.append(f"  %{self.count} = {expression}")
        return f"%{self.count}"

    def define_index(self, number):
        return self.define(f"arith.constant {number} : index")

    def view_type(self, shape, strides, offset):
        whole, step = [], 1
        for size in reversed(shape):
            whole.insert(0, step)
            step *= size
        if strides == whole and offset == 0:
            return self.buffer(shape)
        body = "".join(f"{size}x" for size in shape)
        return f"memref<{body}{self.element}, strided<{strides}{f', offset: {offset}' if offset else ''}>>"

    def views(self, name, shape):
        """(buffer, sizes, type) behind up to three views."""
        strides, step = [], 1
        for size in reversed(shape):
            strides.insert(0, step)
            step *= size
        offset = 0
        for _ in range(self.rng.randint(0, 3)):
            before = self.view_type(shape, strides, offset)
            kind = self.rng.choice(["subview", "subview", "collapse", "expand", "transpose"])
            if kind == "subview":
                offsets = [self.rng.randrange(size) for size in shape]
                steps = [self.rng.choice([1, 1, 2, 3]) for _ in shape]
                sizes = [self.rng.randint(1, (size - at - 1) // by + 1) for size, at, by in zip(shape, offsets, steps)]
                offset += sum(at * stride for at, stride in zip(offsets, strides))
                new = [by * stride for by, stride in zip(steps, strides)]
                kept = [dim for dim in range(len(sizes)) if sizes[dim] != 1 or self.rng.random() < 0.5]
                # Which dimension of size 1 a type leaves out has to be plain.
                if any(size == 1 for size in sizes) and len(kept) < len(sizes) and sum(size == 1 for size in sizes) > 1:
                    kept = list(range(len(sizes)))
                shape, strides = [sizes[dim] for dim in kept], [new[dim] for dim in kept]
                after = self.view_type(shape, strides, offset)
                name = self.define(f"memref.subview {name}{offsets} {sizes} {steps} : {before} to {after}")
            elif kind == "collapse":
                pairs = [dim for dim in range(len(shape) - 1) if strides[dim] == strides[dim + 1] * shape[dim + 1] and shape[dim] > 1 and shape[dim + 1] > 1]
                if not pairs:
                    continue
                at = self.rng.choice(pairs)
                groups = [[dim] for dim in range(at)] + [[at, at + 1]] + [[dim] for dim in range(at + 2, len(shape))]
                shape = shape[:at] + [shape[at] * shape[at + 1]] + shape[at + 2:]
                strides = strides[:at] + strides[at + 1:]
                name = self.define(f"memref.collapse_shape {name} {groups} : {before} into {self.view_type(shape, strides, offset)}")
            elif kind == "expand":
                dims = [dim for dim in range(len(shape)) if shape[dim] % 2 == 0]
                if not dims or len(shape) > 3:
                    continue
                at = self.rng.choice(dims)
                parts = [shape[at] // 2, 2] if self.rng.random() < 0.5 else [2, shape[at] // 2]
                groups = [[dim] for dim in range(at)] + [[at, at + 1]] + [[dim + 1] for dim in range(at + 1, len(shape))]
                strides = strides[:at] + [strides[at] * parts[1], strides[at]] + strides[at + 1:]
                shape = shape[:at] + parts + shape[at + 1:]
                name = self.define(f"memref.expand_shape {name} {groups} output_shape {shape} : {before} into {self.view_type(shape, strides, offset)}")
            elif len(shape) > 1:
                order = self.rng.sample(range(len(shape)), len(shape))
                shape, strides = [shape[dim] for dim in order], [strides[dim] for dim in order]
                letters = [f"d{dim}" for dim in range(len(order))]
                results = ", ".join(letters[dim] for dim in order)
                name = self.define(f"memref.transpose {name} ({', '.join(letters)}) -> ({results}) : {before} to {self.view_type(shape, strides, offset)}")
        return name, shape, self.view_type(shape, strides, offset)

    def place(self, shape):
        """The map, shape, positions and mask of a transfer of `shape`."""
        dims = self.rng.sample(range(len(shape)), self.rng.randint(min(1, len(shape)), len(shape)))
        sizes = [self.rng.choice([shape[dim], 1, 2, 4, max(1, shape[dim] - 1)]) for dim in dims]
        positions = [self.rng.randrange(size) if self.rng.random() < 0.4 else 0 for size in shape]
        return dims, sizes, positions

    def mask(self, sizes):
        if not sizes or self.rng.random() < 0.6:
            return None
        kind = "vector<" + "x".join(map(str, sizes)) + "xi1>"
        counts = [self.define_index(self.rng.randint(0, size + 1)) for size in sizes]
        return self.define(f"vector.create_mask {', '.join(counts)} : {kind}"), kind

    def vector(self, name, shape, type):
        """Reads; gives (vector, shape)."""
        dims, sizes, positions = self.place(shape)
        results, vector = [f"d{dim}" for dim in dims], list(sizes)
        if self.rng.random() < 0.25 and len(results) < 3:
            at = self.rng.randint(0, len(results))
            results.insert(at, "0")
            vector.insert(at, self.rng.choice([1, 2, 4]))
        inside = [result == "0" or positions[int(result[1:])] + size <= shape[int(result[1:])] for result, size in zip(results, vector)]
        flags = ["true" if fits and (result == "0" or self.rng.random() < 0.7) else "false" for fits, result in zip(inside, results)]
        padding = self.define(f"arith.constant {'9.5' if self.real() else '9'} : {self.element}")
        # The mask has the dimensions of the buffer, in its order.
        ordered = [size for _, size in sorted(zip(dims, sizes))]
        mask = self.mask(ordered)
        indices = [self.define_index(position) for position in positions]
        map = f"affine_map<({', '.join(f'd{dim}' for dim in range(len(shape)))}) -> ({', '.join(results)})>"
        value = self.define(f"vector.transfer_read {name}[{', '.join(indices)}], {padding}{f', {mask[0]}' if mask else ''} "
                            f"{{in_bounds = [{', '.join(flags)}], permutation_map = {map}}} : {type}, {self.of(vector)}")
        return self.compute(value, vector)

    def compute(self, value, shape):
        for _ in range(self.rng.randint(0, 4)):
            kind = self.rng.choice(["arith", "arith", "transpose", "reshape", "slice", "broadcast", "rotate", "insert", "interleave", "mask"])
            if kind == "arith":
                value = self.define(f"arith.{self.rng.choice(BINARY[self.real()])} {value}, {value} : {self.of(shape)}")
            elif kind == "transpose" and len(shape) > 1:
                order = self.rng.sample(range(len(shape)), len(shape))
                new = [shape[dim] for dim in order]
                value, shape = self.define(f"vector.transpose {value}, {order} : {self.of(shape)} to {self.of(new)}"), new
            elif kind == "reshape" and shape:
                total = product(shape)
                new = self.rng.choice([[total], [1, total], [total, 1]] + ([[2, total // 2], [total // 2, 2]] if total % 2 == 0 else []))
                value, shape = self.define(f"vector.shape_cast {value} : {self.of(shape)} to {self.of(new)}"), new
            elif kind == "slice" and shape:
                offsets = [self.rng.randrange(size) for size in shape]
                sizes = [self.rng.randint(1, size - at) for size, at in zip(shape, offsets)]
                value = self.define(f"vector.extract_strided_slice {value} {{offsets = {offsets}, sizes = {sizes}, strides = {[1] * len(shape)}}} : {self.of(shape)} to {self.of(sizes)}")
                shape = sizes
            elif kind == "broadcast" and 0 < len(shape) < 3:
                new = [self.rng.choice([1, 2, 3]), *[self.rng.choice([2, 4]) if size == 1 else size for size in shape]]
                value, shape = self.define(f"vector.broadcast {value} : {self.of(shape)} to {self.of(new)}"), new
            elif kind == "rotate" and len(shape) == 1:
                order = [self.rng.randrange(2 * shape[0]) for _ in range(self.rng.choice([shape[0], 4]))]
                value, shape = self.define(f"vector.shuffle {value}, {value} {order} : {self.of(shape)}, {self.of(shape)}"), [len(order)]
            elif kind == "insert" and shape:
                at = [self.rng.randrange(size) for size in shape]
                scalar = self.define(f"arith.constant {'4.25' if self.real() else '5'} : {self.element}")
                value = self.define(f"vector.insert {scalar}, {value} {at} : {self.element} into {self.of(shape)}")
            elif kind == "interleave" and shape:
                new = [*shape[:-1], 2 * shape[-1]]
                value, shape = self.define(f"vector.interleave {value}, {value} : {self.of(shape)} -> {self.of(new)}"), new
            elif kind == "mask" and shape:
                mask = self.mask(shape)
                if mask:
                    zero = self.define(f"arith.constant dense<{'0.5' if self.real() else '3'}> : {self.of(shape)}")
                    value = self.define(f"arith.select {mask[0]}, {value}, {zero} : {mask[1]}, {self.of(shape)}")
        return value, shape

    def write(self, result, name, shape, type):
        """Writes the vector, or its first elements where the buffer has fewer dimensions."""
        value, sizes = result
        while len(sizes) > len(shape):
            first = [self.rng.randrange(sizes[0])]
            inner = sizes[1:]
            value = self.define(f"vector.extract {value}{first} : {self.of(inner) if inner else self.element} from {self.of(sizes)}")
            sizes = inner
        positions = [self.rng.randrange(size) if self.rng.random() < 0.4 else 0 for size in shape]
        indices = [self.define_index(position) for position in positions]
        if not sizes:
            if value.startswith("%") and result[1]:
                self.lines.append(f"  memref.store {value}, {name}[{', '.join(indices)}] : {type}")
            return
        dims = self.rng.sample(range(len(shape)), len(sizes))
        flags = ["true" if positions[dim] + size <= shape[dim] and self.rng.random() < 0.7 else "false" for dim, size in zip(dims, sizes)]
        mask = self.mask([size for _, size in sorted(zip(dims, sizes))])
        map = f"affine_map<({', '.join(f'd{dim}' for dim in range(len(shape)))}) -> ({', '.join(f'd{dim}' for dim in dims)})>"
        self.lines.append(f"  vector.transfer_write {value}, {name}[{', '.join(indices)}]{f', {mask[0]}' if mask else ''} "
                          f"{{in_bounds = [{', '.join(flags)}], permutation_map = {map}}} : {self.of(sizes)}, {type}")


if __name__ == "__main__":
    sys.exit(random_functions.main(Function, ("-O0", "-O2", "--plain", "--target=sim")))
