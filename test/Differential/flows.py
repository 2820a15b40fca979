"""How values flow: views of views, values with several users, loops over the rows of a tensor."""
import dataclasses

import elementwise
import movement
import shapes
from control import indented
from program import Builder, isFloat

VIEWS = [shapes.extractSlice, shapes.collapse, shapes.expand, shapes.reshape, movement.slice, shapes.insertSlice, shapes.transpose]
MAPS = [elementwise.negative, elementwise.clamp, elementwise.curve, elementwise.whole, elementwise.binary]


def on(b, values, step):
    """What `step` adds where it knows of `values` alone."""
    around, b.pool = b.pool, list(values)
    b.draws.begin()
    step(b)
    b.draws.end()
    made = [value for value in b.pool if value not in values]
    b.pool = around + made
    return [value for value in made if value.name.startswith("%v")]


def chain(b):
    """Views, each of the one before, and an op on the last; perhaps one on an earlier one too."""
    value = b.some(["f32", "i32", "f16", "i8", "i1", "f64"], lambda v: v.size, 1, 4)
    if not value:
        return None
    seen = [value]
    for _ in range(2 + b.draws.below(3)):
        made = on(b, seen[-1:], b.draws.choice(VIEWS))
        seen += made[-1:]
    used = [value for value in seen[-1:] + seen[:-1][-1:] if value.dtype != "i1"]
    for value in used[:1 + b.draws.below(2)]:
        on(b, [value], b.draws.choice(MAPS))
    return b.pool[-1] if len(seen) > 1 else None


def makeFan(addOp):
    def fan(b):
        """Several ops on one value; those of one shape come together again."""
        value = b.pick(lambda v: v.size)
        if not value:
            return None
        made = []
        for _ in range(2 + b.draws.below(3)):
            made += on(b, [value], addOp)[-1:]
        like = [v for v in made if v.dtype == value.dtype and v.shape == value.shape and v.dtype != "i1"]
        while len(like) > 1:
            made = on(b, like[:2], elementwise.binary)
            like = like[2:] + made[-1:]
        return made[-1] if made else None
    return fan


def rows(b):
    """A loop that computes a row of the result from each row of a tensor, and carries the largest seen so far."""
    x = b.some(["f32", "i32", "f64", "i64", "f16", "bf16", "i8"], lambda v: 0 < v.size <= 1000 and v.shape[0] <= 8, 1, 3)
    if b.parent or not x:
        return None
    into = b.pick(lambda v: v.type == x.type and v.shape == x.shape) or x
    count, zero, one, at = b.sizeOf(x, 0), b.index(0), b.index(1), b.fresh()
    inner = Builder(b.draws, b)
    row = dataclasses.replace(x, name=inner.fresh(), shape=(1,) + x.shape[1:], static=(True,) + x.static[1:])
    sizes = ", ".join(["1"] + [str(n) if s else inner.sizeOf(x, d) for d, (n, s) in list(enumerate(zip(x.shape, x.static)))[1:]])
    place = f"[{', '.join([at] + ['0'] * (x.rank - 1))}] [{sizes}] [{', '.join(['1'] * x.rank)}]"
    inner.emit(f"{row.name} = tensor.extract_slice {x.name}{place} : {x.type} to {row.type}")
    last = row
    for _ in range(1 + b.draws.below(3)):
        fitting = [v for v in on(inner, [last], b.draws.choice(MAPS)) if v.dtype == x.dtype and v.type == row.type]
        last = fitting[-1] if fitting else last
    value = b.result(x.dtype, x.shape, x.static, min(into.low, last.low), max(into.high, last.high), max(into.error, last.error),
                     into.whole and last.whole)
    if not value:
        return None
    # The largest of all rows: starts as the first one.
    first, most, next = b.fresh(), inner.fresh(), inner.fresh()
    outer = place.replace(at, "0")
    if not all(x.static[1:]):
        return None
    b.emit(f"{first} = tensor.extract_slice {x.name}{outer} : {x.type} to {row.type}")
    inner.emit(f"{next} = arith.max{'imumf' if isFloat(x.dtype) else 'si'} {most}, {last.name} : {row.type}")
    acc, updated = inner.fresh(), inner.fresh()
    inner.emit(f"{updated} = tensor.insert_slice {last.name} into {acc}{place} : {row.type} into {x.type}")
    inner.prune({updated, next})
    largest = dataclasses.replace(value, shape=row.shape, static=row.static, low=min(x.low, last.low), high=max(x.high, last.high),
                                  error=max(x.error, last.error), whole=x.whole and last.whole, name=value.name + "#1")
    types = f"{x.type}, {row.type}"
    b.emit(f"{value.name}:2 = scf.for {at} = {zero} to {count} step {one} iter_args({acc} = {into.name}, {most} = {first}) -> "
           f"({types}) {{\n{indented(inner.lines)}    scf.yield {updated}, {next} : {types}\n  }}")
    b.pool += [largest, dataclasses.replace(value, name=value.name + "#0")]
    return b.pool[-1]
