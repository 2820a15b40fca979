"""What moves elements and computes none."""
import math


def moved(b, operand, shape, static):
    return b.result(operand.dtype, shape, static, operand.low, operand.high, operand.error, operand.whole)


def transpose(b):
    operand = b.pick(lambda v: v.rank >= 1)
    if not operand:
        return None
    left, order = list(range(operand.rank)), []
    while left:
        order.append(left.pop(b.draws.below(len(left))))
    value = moved(b, operand, [operand.shape[d] for d in order], [operand.static[d] for d in order])
    return b.define(value, f"mica.transpose {operand.name} permutation = {order} : ({operand.type}) -> {value.type}")


def factored(draws, size):
    """`size` as a product of a few numbers."""
    factors = []
    while size > 1 and len(factors) < 3:
        divisors = [n for n in range(2, size + 1) if size % n == 0]
        factors.append(draws.choice(divisors[::-1]))
        size //= factors[-1]
    if size != 1 or not factors:
        factors.append(size)
    for _ in range(draws.below(2)):
        factors.insert(draws.below(len(factors) + 1), 1)
    return factors


def reshape(b):
    operand = b.pick()
    if not operand:
        return None
    shape = factored(b.draws, operand.size) if operand.size else list(operand.shape)
    static = [True] * len(shape)
    if b.root.dynamic and shape and operand.size and b.draws.chance(1, 2):
        static[b.draws.below(len(shape))] = False
    value = moved(b, operand, shape, static)
    return b.define(value, f"mica.reshape {operand.name} : ({operand.type}) -> {value.type}")


def broadcast(b):
    operand = b.pick(lambda v: v.rank <= 3 and v.size <= 500)
    if not operand:
        return None
    shape = list(operand.shape)
    static = list(operand.static)
    for d in range(operand.rank):
        if operand.shape[d] == 1 and operand.static[d]:
            shape[d] = b.draws.choice([1, 2, 3, 7])
            static[d] = b.statics([shape[d]])[0]
    for _ in range(b.draws.below(3)):
        shape.insert(0, b.draws.choice([2, 1, 3, 5, 0]))
        static.insert(0, b.statics([0])[0])
    if math.prod(shape) > 6000:
        return None
    sizes = [b.index(n) for n, known in zip(shape, static) if not known]
    value = moved(b, operand, shape, static)
    given = f" sizes({', '.join(sizes)})" if sizes else ""
    types = ", ".join([operand.type] + ["index"] * len(sizes))
    return b.define(value, f"mica.broadcast {operand.name}{given} : ({types}) -> {value.type}")


def extractSlice(b):
    """A part of a tensor with strides, offsets and sizes that the program may not know."""
    operand = b.pick(lambda v: v.rank >= 1 and all(v.shape))
    if not operand:
        return None
    offsets, sizes, strides, shape, static = [], [], [], [], []
    for n in operand.shape:
        stride = b.draws.choice([1, 1, 1, 2, 3])
        size = 0 if b.draws.chance(1, 20) else b.draws.choice([n, (n + 1) // 2, 1])
        while size > 1 and (size - 1) * stride >= n:
            stride -= 1
        last = (size - 1) * stride + 1 if size else 1
        offset = b.draws.below(n - last + 1)
        isKnown = not (b.root.dynamic and b.draws.chance(1, 3))
        offsets.append(str(offset) if b.draws.chance(2, 3) or not b.root.dynamic else b.index(offset))
        sizes.append(str(size) if isKnown else b.index(size))
        strides.append(str(stride))
        shape.append(size)
        static.append(isKnown)
    value = moved(b, operand, shape, static)
    return b.define(value, f"tensor.extract_slice {operand.name}[{', '.join(offsets)}] [{', '.join(sizes)}] "
                    f"[{', '.join(strides)}] : {operand.type} to {value.type}")


def insertSlice(b):
    """A value over a part of another one."""
    operand = b.pick(lambda v: v.rank >= 1 and all(v.shape))
    if not operand:
        return None
    offsets, sizes, shape, static = [], [], [], []
    for n in operand.shape:
        size = b.draws.choice([n, (n + 1) // 2, 1])
        offset = b.draws.below(n - size + 1)
        isKnown = not (b.root.dynamic and b.draws.chance(1, 3))
        offsets.append(str(offset) if b.draws.chance(2, 3) or not b.root.dynamic else b.index(offset))
        sizes.append(str(size) if isKnown else b.index(size))
        shape.append(size)
        static.append(isKnown)
    part = b.pick(lambda v: v.dtype == operand.dtype and v.shape == tuple(shape) and v.static == tuple(static))
    part = part or b.new(operand.dtype, shape, static)
    value = b.result(operand.dtype, operand.shape, operand.static, min(operand.low, part.low), max(operand.high, part.high),
                     max(operand.error, part.error), operand.whole and part.whole)
    return b.define(value, f"tensor.insert_slice {part.name} into {operand.name}[{', '.join(offsets)}] "
                    f"[{', '.join(sizes)}] [{', '.join(['1'] * operand.rank)}] : {part.type} into {operand.type}")


def collapse(b):
    operand = b.pick(lambda v: v.rank >= 2)
    if not operand:
        return None
    first = b.draws.below(operand.rank - 1)
    count = 2 + b.draws.below(operand.rank - first - 1)
    groups = [[d] for d in range(first)] + [list(range(first, first + count))] + [[d] for d in range(first + count, operand.rank)]
    value = moved(b, operand, [math.prod(operand.shape[d] for d in g) for g in groups],
                  [all(operand.static[d] for d in g) for g in groups])
    return b.define(value, f"tensor.collapse_shape {operand.name} {groups} : {operand.type} into {value.type}")


def expand(b):
    operand = b.pick(lambda v: v.rank >= 1 and v.size)
    if not operand:
        return None
    d = b.draws.below(operand.rank)
    parts = factored(b.draws, operand.shape[d])
    static = [True] * len(parts)
    if not operand.static[d]:
        static[b.draws.below(len(parts))] = False
    groups, at, shape, known, sizes = [], 0, [], [], []
    for e in range(operand.rank):
        mine = parts if e == d else [operand.shape[e]]
        groups.append(list(range(at, at + len(mine))))
        at += len(mine)
        shape += mine
        known += static if e == d else [operand.static[e]]
    for e, (n, s) in enumerate(zip(shape, known)):
        source = next(i for i, group in enumerate(groups) if e in group)
        sizes.append(str(n) if s else (b.sizeOf(operand, source) if len(groups[source]) == 1 else b.index(n)))
    value = moved(b, operand, shape, known)
    return b.define(value, f"tensor.expand_shape {operand.name} {groups} output_shape [{', '.join(sizes)}] : "
                    f"{operand.type} into {value.type}")


def pad(b):
    operand = b.pick(lambda v: v.rank >= 1 and v.size <= 1500)
    if not operand:
        return None
    low = [b.draws.choice([0, 1, 2]) for _ in operand.shape]
    high = [b.draws.choice([0, 1, 3]) for _ in operand.shape]
    shape = [n + l + h for n, l, h in zip(operand.shape, low, high)]
    if math.prod(shape) > 6000:
        return None
    number = b.draws.choice([0, 1, -2]) if operand.dtype != "i1" else b.draws.below(2)
    fill = b.constant(operand.dtype, number)
    value = b.result(operand.dtype, shape, operand.static, min(operand.low, number), max(operand.high, number), operand.error,
                     operand.whole)
    indices = ", ".join(f"%i{d}: index" for d in range(operand.rank))
    return b.define(value, f"tensor.pad {operand.name} low{low} high{high} {{\n  ^bb0({indices}):\n    tensor.yield {fill} : "
                    f"{operand.dtype}\n  }} : {operand.type} to {value.type}")


def concat(b):
    first = b.pick(lambda v: v.rank >= 1)
    if not first:
        return None
    d = b.draws.below(first.rank)
    others = []
    for _ in range(1 + b.draws.below(2)):
        other = b.pick(lambda v: v.dtype == first.dtype and v.rank == first.rank and
                       all(n == m and s == t for e, (n, m, s, t) in enumerate(zip(v.shape, first.shape, v.static, first.static))
                           if e != d))
        others.append(other)
    parts = [first] + others
    size = sum(p.shape[d] for p in parts)
    shape = [size if e == d else n for e, n in enumerate(first.shape)]
    if math.prod(shape) > 6000:
        return None
    static = [all(p.static[d] for p in parts) if e == d else s for e, s in enumerate(first.static)]
    value = b.result(first.dtype, shape, static, min(p.low for p in parts), max(p.high for p in parts),
                     max(p.error for p in parts), all(p.whole for p in parts))
    return b.define(value, f"tensor.concat dim({d}) {', '.join(p.name for p in parts)} : "
                    f"({', '.join(p.type for p in parts)}) -> {value.type}")


STEPS = [transpose, reshape, broadcast, extractSlice, insertSlice, collapse, expand, pad, concat]
