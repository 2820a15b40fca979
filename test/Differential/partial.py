"""linalg.generic whose output map leaves elements of the init out: offsets, strides, rows, diagonals, reversed ranges."""
from program import isFloat

TYPES = ["f32", "f64", "f16", "bf16", "i32", "i64", "i8", "i16"]


def draw(b, sizes):
    """An output map of loops of `sizes`, with the output's shape."""
    loops = [f"d{i}" for i in range(len(sizes))]
    # linalg's verifier computes a range of indices also for a loop without turns, and refuses most of these maps there.
    kind = b.draws.choice(["row", "diagonal"] if 0 in sizes else ["offset", "stride", "row", "diagonal", "reverse"])
    exprs, shape = [], []
    for loop, size in zip(loops, sizes):
        if kind == "stride":
            step, begin = 1 + b.draws.below(3), b.draws.below(3)
            step += step == 1 and begin == 0  # what is written whole has to fit
            exprs.append(f"{step} * {loop} + {begin}")
            shape.append(step * max(size - 1, 0) + begin + 1 + b.draws.below(3))
        elif kind == "reverse":
            begin = max(size - 1, 0) + b.draws.below(3)
            exprs.append(f"{begin} - {loop}")
            shape.append(begin + 1 + b.draws.below(2))
        elif kind == "offset":
            begin = 1 + b.draws.below(3)
            exprs.append(f"{loop} + {begin}")
            shape.append(size + begin + b.draws.below(3))
        else:
            exprs.append(loop)
            shape.append(size)
    at = b.draws.below(len(exprs) + 1)
    if kind == "row":
        rows = 1 + b.draws.below(4)
        exprs.insert(at, str(b.draws.below(rows)))
        shape.insert(at, rows)
    elif kind == "diagonal":
        which = b.draws.below(len(exprs))
        exprs.insert(at, loops[which])
        shape.insert(at, sizes[which])
    return f"affine_map<({', '.join(loops)}) -> ({', '.join(exprs)})>", tuple(shape)


def partial(b):
    """The elements of a tensor, or their sums with what is there, go to some places of another."""
    operand = b.some(TYPES, low=1, high=2)
    target, shape = draw(b, operand.shape)
    init = b.new(operand.dtype, shape, whole=operand.whole if isFloat(operand.dtype) else None)
    if len(shape) > 3:
        return None
    reads = b.draws.chance(1, 2)
    low, high = min(operand.low, init.low), max(operand.high, init.high)
    error, whole = max(operand.error, init.error), operand.whole and init.whole
    if reads:
        low, high = min(low, operand.low + init.low), max(high, operand.high + init.high)
        error = b.rounded(operand.dtype, low, high, operand.error + init.error, whole)
        whole = whole and error == 0
    value = b.result(operand.dtype, shape, init.static, low, high, error, whole)
    if not value:
        return None
    loops = ", ".join(f"d{i}" for i in range(len(operand.shape)))
    kinds = ", ".join(['"parallel"'] * len(operand.shape))
    t = operand.dtype
    sum_ = f"%s = arith.add{'f' if isFloat(t) else 'i'} %x, %y : {t} linalg.yield %s : {t}"
    body = sum_ if reads else f"linalg.yield %x : {t}"
    return b.define(value, f"linalg.generic {{indexing_maps = [affine_map<({loops}) -> ({loops})>, {target}], "
                           f"iterator_types = [{kinds}]}} ins({operand.name} : {operand.type}) outs({init.name} : {init.type}) "
                           f"{{ ^bb0(%x: {t}, %y: {t}): {body} }} -> {value.type}")


STEPS = [partial]
