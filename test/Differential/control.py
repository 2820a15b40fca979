"""Loops and branches around other ops."""
import dataclasses

from program import Builder, isFloat


def body(b, module, count, values):
    """A builder for a region whose pool has `values` besides those around it, with `count` steps in it."""
    inner = Builder(b.draws, b)
    inner.pool += values
    for _ in range(count):
        b.draws.begin()
        b.draws.choice(module)(inner)
        b.draws.end()
    return inner


def indented(lines):
    return "".join("    " + line.replace("\n", "\n  ") + "\n" for line in lines)


def settled(inner, value, carried):
    """`value` brought back to what `carried` promises: type, range and error. None if it cannot be."""
    if value.shape != carried.shape or value.dtype != carried.dtype:
        return None
    if not isFloat(value.dtype):
        return value
    factor = 1.0
    while value.error * factor > carried.error or value.largest * factor > carried.high:
        factor /= 2
        if factor < 1e-9:
            return None
    one = (1,) * value.rank
    constant = inner.fresh()
    dims = "".join("1x" for _ in one)
    inner.emit(f"{constant} = arith.constant dense<{factor!r}> : tensor<{dims}{value.dtype}>")
    name = inner.fresh()
    inner.emit(f"{name} = mica.mul {value.name}, {constant} : ({value.type}, tensor<{dims}{value.dtype}>) -> {value.type}")
    return dataclasses.replace(value, name=name)


def cast(inner, value, type):
    """The name of `value` as one of `type`, which differs in what it says of the sizes."""
    if value.type == type:
        return value.name
    name = inner.fresh()
    inner.emit(f"{name} = tensor.cast {value.name} : {value.type} to {type}")
    return name


ERROR = {"f32": 1e-4, "f64": 1e-10}


def makeLoop(steps):
    def loop(b):
        """scf.for over a tensor; what it carries stays in [-2, 2], with an error that one more turn does not make larger."""
        if b.parent:
            return None
        start = b.pick(lambda v: v.dtype in ("f32", "f64", "i32", "i64") and v.size and
                       (not isFloat(v.dtype) or (v.largest <= 2 and v.error <= ERROR[v.dtype])))
        if not start:
            return None
        turns = b.draws.choice([2, 1, 0, 3, 5])
        carriedName = b.fresh()
        carried = dataclasses.replace(start, name=carriedName, whole=start.whole and not isFloat(start.dtype))
        if isFloat(start.dtype):
            carried = dataclasses.replace(carried, low=-2, high=2, error=ERROR[start.dtype])
        else:
            low = b.result(start.dtype, start.shape, start.static, -2**64, 2**64)
            carried = dataclasses.replace(carried, low=low.low, high=low.high)
        inner = body(b, steps, 1 + b.draws.below(3), [carried])
        last = inner.pick(lambda v: v.dtype == start.dtype and v.shape == start.shape and v.name != carriedName)
        last = last and settled(inner, last, carried)
        if not last:
            return None
        yielded = cast(inner, last, start.type)
        low, high, step, at = b.index(0), b.index(turns), b.index(1), b.fresh()
        value = dataclasses.replace(carried, name=b.fresh())
        inner.prune({yielded})
        return b.define(value, f"scf.for {at} = {low} to {high} step {step} iter_args({carriedName} = {start.name}) -> "
                        f"({start.type}) {{\n{indented(inner.lines)}    scf.yield {yielded} : {start.type}\n  }}")
    return loop


def makeBranch(steps):
    def branch(b):
        """scf.if that the program cannot decide, with a value from either side."""
        if b.parent:
            return None
        start = b.pick(lambda v: v.dtype in ("f32", "f64", "i32", "i64"))
        if not start:
            return None
        condition = b.argument("i1", f"i1={b.draws.below(2)}")
        sides = []
        for _ in range(2):
            inner = body(b, steps, 1 + b.draws.below(2), [])
            last = inner.pick(lambda v: v.dtype == start.dtype and v.shape == start.shape) or start
            sides.append((inner, last))
        low, high = min(v.low for _, v in sides), max(v.high for _, v in sides)
        value = b.result(start.dtype, start.shape, start.static, low, high, max(v.error for _, v in sides),
                         all(v.whole for _, v in sides))
        if not value:
            return None
        texts = []
        for inner, last in sides:
            yielded = cast(inner, last, start.type)
            inner.prune({yielded})
            texts.append(f"{indented(inner.lines)}    scf.yield {yielded} : {start.type}\n")
        return b.define(value, f"scf.if {condition} -> ({start.type}) {{\n{texts[0]}  }} else {{\n{texts[1]}  }}")
    return branch
