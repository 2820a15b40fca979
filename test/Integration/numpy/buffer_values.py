# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Buffers of random programs: their memref types, as the verifiers of MLIR infer them, and NumPy's view of the memory behind them."""
import numpy as np

TYPES = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}


class View:
    """A buffer while the program is run: a window of an array of bytes. Offset and strides count elements."""

    def __init__(self, root, dtype, offset, shape, strides):
        self.root, self.dtype = root, np.dtype(dtype)
        self.offset, self.shape, self.strides = int(offset), tuple(int(s) for s in shape), tuple(int(s) for s in strides)

    @property
    def array(self):
        if 0 in self.shape:
            return np.zeros(self.shape, self.dtype)
        width = self.dtype.itemsize
        return np.ndarray(self.shape, self.dtype, self.root, self.offset * width, [stride * width for stride in self.strides])


def contiguous(shape):
    """The strides of a buffer without a layout; None is a size or a stride that the type does not say."""
    strides, step = [], 1
    for size in reversed(shape):
        strides.insert(0, step)
        step = times(step, size)
    return tuple(strides)


def allocate(dtype, shape):
    return View(np.zeros(int(np.prod(shape)) * np.dtype(dtype).itemsize, np.uint8), dtype, 0, shape, contiguous(shape))


def holding(array):
    view = allocate(array.dtype, array.shape)
    view.array[...] = array
    return view


def times(a, b):
    """As MLIR's SaturatedInteger: nothing times 0 is 0."""
    if a == 0 or b == 0:
        return 0
    return None if a is None or b is None else a * b


def plus(a, b):
    return None if a is None or b is None else a + b


class Buffer:
    """A buffer in the text of the program. `shape` and `strides` are what they really are (strides may be unknown, None); `sizes`, `steps` and
    `offset` are what the type says of them, with None for `?`; `plain` has no layout. `roots`: the allocations that it may be a part of."""

    def __init__(self, name, element, shape, sizes, roots, plain=True, steps=None, offset=0, strides=None, whole=False):
        self.name, self.element, self.shape, self.sizes, self.roots = name, element, tuple(shape), tuple(sizes), frozenset(roots)
        self.plain, self.whole = plain, whole
        self.steps = contiguous(self.sizes) if plain else tuple(steps)
        self.offset = 0 if plain else offset
        self.strides = contiguous(self.shape) if strides is None else tuple(strides)

    @property
    def type(self):
        sizes = "".join(("?" if size is None else str(size)) + "x" for size in self.sizes)
        if self.plain:
            return f"memref<{sizes}{self.element}>"
        steps = ", ".join("?" if step is None else str(step) for step in self.steps)
        offset = "" if self.offset == 0 else f", offset: {'?' if self.offset is None else self.offset}"
        return f"memref<{sizes}{self.element}, strided<[{steps}]{offset}>>"

    @property
    def rank(self):
        return len(self.shape)


def any_layout(rank, element):
    return Buffer("", element, [1] * rank, [None] * rank, (), False, [None] * rank, None).type


def collapsed(buffer, groups):
    """Sizes and steps of the type of a memref.collapse_shape, or None where the verifier does not see that a group is contiguous."""
    sizes = []
    for group in groups:
        size = 1
        for d in group:
            size = None if size is None or buffer.sizes[d] is None else size * buffer.sizes[d]
        sizes.append(size)
    if buffer.plain:
        return sizes, None
    steps = []
    for group in groups:
        last = list(group)
        while buffer.sizes[last[-1]] == 1 and len(last) > 1:
            last.pop()
        if buffer.sizes[last[-1]] is None and len(last) > 1:
            return None
        steps.append(buffer.steps[last[-1]])
        for outer, inner in zip(group, group[1:]):
            if None in (buffer.steps[outer], buffer.steps[inner], buffer.sizes[inner], buffer.sizes[outer]):
                return None
            if buffer.steps[outer] != buffer.steps[inner] * buffer.sizes[inner]:
                return None
    return sizes, steps
