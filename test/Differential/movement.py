"""What moves elements to places that are computed, or in order."""
import dataclasses
import math

from program import ANY, NUMBERS
from shapes import moved


def indices(b, shape, size, static=None):
    """A new tensor of indices, most of them below `size`."""
    dtype = b.draws.choice(["i64", "i32"])
    low, high = (-2, size + 1) if b.draws.chance(1, 4) else (0, max(size - 1, 0))
    return b.within(dtype, shape, static, low, high)


def places(b, operand):
    """Indices into a dimension of `operand`: (axis, how many dimensions both have in front, indices, shape and static sizes of
    what lies there); None if that is too much."""
    axis = b.draws.below(operand.rank)
    batch = b.draws.below(min(axis, 2) + 1)
    shape = list(operand.shape[:batch]) + list(b.shape(0, 2, 40))
    static = list(operand.static[:batch]) + list(b.statics(shape[batch:]))
    where = indices(b, shape, operand.shape[axis], static)
    out = list(operand.shape[:axis]) + shape[batch:] + list(operand.shape[axis + 1:])
    known = list(operand.static[:axis]) + static[batch:] + list(operand.static[axis + 1:])
    return (axis, batch, where, out, known) if math.prod(out) <= 6000 else None


def gather(b):
    operand = b.some(ANY, lambda v: v.size, 1)
    if not operand:
        return None
    found = places(b, operand)
    if not found:
        return None
    axis, batch, where, out, known = found
    value = b.result(operand.dtype, out, known, min(operand.low, 0), max(operand.high, 0), operand.error, operand.whole)
    return b.define(value, f"mica.gather {operand.name}, {where.name} axis = {axis} batch_dims = {batch} : "
                    f"({operand.type}, {where.type}) -> {value.type}")


def embedding(b):
    table = b.some(ANY, lambda v: v.size, 2, 2)
    if not table:
        return None
    shape = b.shape(0, 2, 60)
    where = indices(b, shape, table.shape[0])
    value = b.result(table.dtype, list(shape) + [table.shape[1]], list(where.static) + [table.static[1]], min(table.low, 0),
                     max(table.high, 0), table.error, table.whole)
    return b.define(value, f"mica.embedding {table.name}, {where.name} : ({table.type}, {where.type}) -> {value.type}")


def scatter(b):
    operand = b.some(NUMBERS, lambda v: v.size, 1)
    if not operand:
        return None
    found = places(b, operand)
    if not found:
        return None
    axis, batch, where, out, known = found
    updates = b.new(operand.dtype, out, known)
    kind = b.draws.choice(["update", "add"])
    low, high = min(operand.low, updates.low), max(operand.high, updates.high)
    error, whole = max(operand.error, updates.error), operand.whole and updates.whole
    if kind == "add":
        count = math.prod(where.shape[batch:])
        low, high = operand.low + min(updates.low * count, 0), operand.high + max(updates.high * count, 0)
        error = b.rounded(operand.dtype, low, high, operand.error + updates.error * count, whole, count + 1)
    value = b.result(operand.dtype, operand.shape, operand.static, low, high, error, whole)
    return value and b.define(value, f"mica.scatter {kind} {operand.name}, {where.name}, {updates.name} axis = {axis} batch_dims = "
                              f"{batch} : ({operand.type}, {where.type}, {updates.type}) -> {value.type}")


def cacheUpdate(b):
    cache = b.pick(lambda v: v.rank >= 1 and v.size)
    if not cache:
        return None
    axis = b.draws.below(cache.rank)
    count = min(1 + b.draws.below(3), cache.shape[axis])
    shape = [count if d == axis else n for d, n in enumerate(cache.shape)]
    update = b.new(cache.dtype, shape, [True if d == axis else s for d, s in enumerate(cache.static)])
    position = indices(b, (), cache.shape[axis])
    value = b.result(cache.dtype, cache.shape, cache.static, min(cache.low, update.low), max(cache.high, update.high),
                     max(cache.error, update.error), cache.whole and update.whole)
    return b.define(value, f"mica.cache_update {cache.name}, {update.name} at {position.name} axis = {axis} : "
                    f"({cache.type}, {update.type}, {position.type}) -> {value.type}")


def concat(b):
    first = b.pick(lambda v: v.rank >= 1)
    if not first:
        return None
    d = b.draws.below(first.rank)
    parts = [first] + [b.pick(lambda v: v.dtype == first.dtype and v.rank == first.rank and
                              all(n == m for e, (n, m) in enumerate(zip(v.shape, first.shape)) if e != d))
                       for _ in range(1 + b.draws.below(2))]
    shape = [sum(p.shape[d] for p in parts) if e == d else n for e, n in enumerate(first.shape)]
    if math.prod(shape) > 6000:
        return None
    static = [all(p.static[d] for p in parts) if e == d else any(p.static[e] for p in parts) for e in range(first.rank)]
    value = b.result(first.dtype, shape, static, min(p.low for p in parts), max(p.high for p in parts),
                     max(p.error for p in parts), all(p.whole for p in parts))
    return b.define(value, f"mica.concat {', '.join(p.name for p in parts)} axis = {d} : ({', '.join(p.type for p in parts)}) -> "
                    f"{value.type}")


def several(b, values, text):
    """A line with several results; `values` are in order."""
    name = b.fresh()
    b.emit(f"{name}:{len(values)} = {text}")
    for i, value in enumerate(values):
        b.pool.append(dataclasses.replace(value, name=f"{name}#{i}"))
    return values


def split(b):
    operand = b.pick(lambda v: any(s for s in v.static))
    if not operand:
        return None
    axis = b.draws.choice([d for d, s in enumerate(operand.static) if s])
    size = operand.shape[axis]
    first = b.draws.below(size + 1)
    sizes = [first, size - first]
    parts = [moved(b, operand, [n if d == axis else m for d, m in enumerate(operand.shape)], operand.static) for n in sizes]
    return several(b, parts, f"mica.split {operand.name} axis = {axis} sizes = {sizes} : ({operand.type}) -> "
                   f"({', '.join(p.type for p in parts)})")


def slice(b):
    operand = b.pick(lambda v: v.rank >= 1)
    if not operand:
        return None
    offsets, sizes, strides, shape, static, passed = [], [], [], [], [], 0
    for n in operand.shape:
        stride = b.draws.choice([1, 1, 2, 3])
        size = b.draws.choice([n, (n + 1) // 2, 1, 0]) if n else 0
        while size > 1 and (size - 1) * stride >= n:
            stride -= 1
        last = (size - 1) * stride + 1 if size else 0
        offset = b.draws.below(n - last + 1)
        if b.root.dynamic and b.draws.chance(1, 3):
            # One that does not fit is moved until it does.
            offsets.append(b.index(offset + b.draws.choice([0, 0, 5, 100])))
        else:
            offsets.append(str(offset))
        isKnown = not (b.root.dynamic and b.draws.chance(1, 3))
        sizes.append(str(size) if isKnown else b.index(size))
        strides.append(stride)
        shape.append(size)
        static.append(isKnown)
    passed = sum(o.startswith("%") for o in offsets + sizes)
    value = moved(b, operand, shape, static)
    types = ", ".join([operand.type] + ["index"] * passed)
    return b.define(value, f"mica.slice {operand.name} offsets = [{', '.join(offsets)}] sizes = [{', '.join(sizes)}] strides = "
                    f"{strides} : ({types}) -> {value.type}")


def tile(b):
    operand = b.pick(lambda v: v.rank >= 1 and v.size <= 700)
    if not operand:
        return None
    multiples = [b.draws.choice([1, 2, 3]) for _ in operand.shape]
    shape = [n * m for n, m in zip(operand.shape, multiples)]
    if math.prod(shape) > 6000:
        return None
    value = moved(b, operand, shape, operand.static)
    return b.define(value, f"mica.tile {operand.name} multiples = {multiples} : ({operand.type}) -> {value.type}")


def flip(b):
    operand = b.pick(lambda v: v.rank >= 1)
    if not operand:
        return None
    dims = [d for d in range(operand.rank) if b.draws.chance(1, 2)] or [b.draws.below(operand.rank)]
    value = moved(b, operand, operand.shape, operand.static)
    return b.define(value, f"mica.flip {operand.name} dims = {dims} : {operand.type}")


def order(b):
    """sort and top_k: of exact values, for equal ones keep their order."""
    operand = b.pick(lambda v: v.rank >= 1 and v.dtype in NUMBERS and v.exact)
    if not operand:
        return None
    axis = b.draws.below(operand.rank)
    size = operand.shape[axis]
    isTop = b.draws.chance(1, 2)
    k = b.draws.choice([1, 2, 5, size, 0]) if isTop else size
    if k > size:
        return None
    shape = [k if d == axis else n for d, n in enumerate(operand.shape)]
    static = [isTop or s if d == axis else s for d, s in enumerate(operand.static)]
    values = moved(b, operand, shape, static)
    places = b.result("i64", shape, static, 0, max(size - 1, 0))
    reverse = b.draws.chance(1, 2)
    text = f"mica.top_k {operand.name} k = {k} axis = {axis}{' smallest' if reverse else ''}" if isTop else \
        f"mica.sort {operand.name} axis = {axis}{' descending' if reverse else ''}"
    return several(b, [values, places], f"{text} : ({operand.type}) -> ({values.type}, {places.type})")


STEPS = [gather, embedding, scatter, cacheUpdate, concat, split, slice, tile, flip, order, order]
