"""The table of ops of several dimensions: every element type, and the forms that the attributes give. Results are exact: sums are of small
integers, or wrap around."""
import itertools

import numpy as np

import elementwise
import specification as spec
from cases import Case, Result
from elements import ALL, BY_NAME, COMPLEXES, F32, F64, FLOATS, I1, SIGNED, UNSIGNED, dense, tensor

NUMBERS = [*SIGNED, *UNSIGNED, *FLOATS, *COMPLEXES]
INTEGERS = [*SIGNED, *UNSIGNED]
INDICES = [BY_NAME[name] for name in ("i32", "i64", "ui8", "ui32", "i8", "i16", "ui64")]


def any_bits(e, shape, seed=3):
    """Values at the edges, in any order."""
    rng = np.random.default_rng([seed, *shape])
    pool = elementwise.values(e)
    return pool[rng.integers(0, len(pool), int(np.prod(shape)))].reshape(shape)


def small(e, shape, seed=5):
    """Values whose sums and products are exact: any bits of integers, which wrap; small integers in floats."""
    rng = np.random.default_rng([seed, *shape])
    if e.kind in "sub":
        return any_bits(e, shape, seed) if e.kind != "b" else rng.integers(0, 2, shape).astype(bool)
    limit = 1 if e.kind == "f" and e.bits == 8 else 3
    if e.kind == "c":
        return (rng.integers(-3, 4, shape) + 1j * rng.integers(-3, 4, shape)).astype(e.held)
    values = rng.integers(-limit, limit + 1, shape) * (rng.integers(0, 2, shape) if e.bits == 8 else 1)
    return values.astype(e.held) + 0.0


def number(e, value):
    return e.array([value])[0]


def apply(e, op, a, b):
    """A binary op on two elements."""
    if e.kind == "b":
        return bool(a | b) if op in ("add", "maximum", "or") else bool(a & b) if op in ("multiply", "minimum", "and") else bool(a ^ b)
    if e.kind in "su":
        a, b = int(a), int(b)
        return number(e, {"add": lambda: a + b, "multiply": lambda: a * b, "maximum": lambda: max(a, b), "minimum": lambda: min(a, b),
                          "and": lambda: a & b, "or": lambda: a | b, "xor": lambda: a ^ b, "subtract": lambda: a - b}[op]())
    with np.errstate(all="ignore"):
        if e.kind == "c":
            return e.held.type({"add": a + b, "multiply": a * b, "subtract": a - b}[op])
        functions = {"add": np.add, "multiply": np.multiply, "subtract": np.subtract, "maximum": elementwise.maximum, "minimum": elementwise.minimum}
        return e.held.type(e.round(functions[op](e.held.type(a), e.held.type(b))))


def region(e, *ops, swapped=False):
    """A computation of 2n arguments of the type `e`: result k is ops[k] of the arguments k and n + k."""
    n, scalar = len(ops), tensor(e, ())
    arguments = ", ".join(f"%p{k}: {scalar}" for k in range(2 * n))
    lines = [f"%q{k} = stablehlo.{op} %p{k + n if swapped else k}, %p{k if swapped else n + k} : {scalar}" for k, op in enumerate(ops)]
    values, kinds = ", ".join(f"%q{k}" for k in range(n)), ", ".join([scalar] * n)
    return "({\n  ^bb0(" + arguments + "):\n    " + "\n    ".join(lines) + f"\n    stablehlo.return {values} : {kinds}\n  }}"


def keep_second(e):
    scalar = tensor(e, ())
    return f"({{\n  ^bb0(%p: {scalar}, %q: {scalar}):\n    stablehlo.return %q : {scalar}\n  }}"


def comparator(e, direction, others=()):
    scalar = tensor(e, ())
    order = {"f": "TOTALORDER", "s": "SIGNED", "u": "UNSIGNED", "b": "UNSIGNED", "c": "FLOAT"}[e.kind]
    more = "".join(f", %r{k}: {tensor(o, ())}, %s{k}: {tensor(o, ())}" for k, o in enumerate(others))
    return (f"({{\n  ^bb0(%p: {scalar}, %q: {scalar}{more}):\n    %t = stablehlo.compare {direction}, %p, %q, {order} : ({scalar}, {scalar}) -> tensor<i1>\n"
            "    stablehlo.return %t : tensor<i1>\n  }")


def array_attr(values, kind="i64"):
    return f"array<{kind}: {', '.join(str(v).lower() for v in values)}>" if values else f"array<{kind}>"


def pairs_attr(pairs):
    return f"dense<{[list(p) for p in pairs]}> : tensor<{len(pairs)}x2xi64>"


def kinds(*typed):
    return ", ".join(tensor(e, np.asarray(a).shape) for e, a in typed)


def generic(op, attributes, operands, results, regions=""):
    """The generic form. `operands` are pairs of type and array."""
    names = ", ".join("%" + "abcdefgh"[k] for k in range(len(operands)))
    to = ", ".join(tensor(r.element, r.shape) for r in results)
    count = f":{len(results)}" if len(results) > 1 else ""
    properties = f" <{{{attributes}}}>" if attributes else ""
    return f'%0{count} = "stablehlo.{op}"({names}){properties}{f" {regions})" if regions else ""} : ({kinds(*operands)}) -> ({to})'


def case(name, op, attributes, operands, results, regions=""):
    return Case(name, operands, generic(op, attributes, operands, results, regions), *results)


def shapes():
    for e in ALL:
        x, y = any_bits(e, (2, 3, 4)), any_bits(e, (2, 1, 4), 7)
        xs = (e, x)
        n = e.name
        yield Case(f"constant {n}", [], f"%0 = stablehlo.constant {dense(e, x)}", Result(e, x))
        yield case(f"reshape {n}", "reshape", "", [xs], [Result(e, x.reshape(6, 1, 4))])
        for p in ((2, 0, 1), (0, 2, 1), (1, 0, 2)):
            yield case(f"transpose {p} {n}", "transpose", f"permutation = {array_attr(p)}", [xs], [Result(e, x.transpose(p))])
        yield case(f"reverse {n}", "reverse", f"dimensions = {array_attr((2, 0))}", [xs], [Result(e, x[::-1, :, ::-1])])
        yield case(f"slice {n}", "slice", "start_indices = array<i64: 0, 1, 1>, limit_indices = array<i64: 2, 3, 4>, strides = array<i64: 1, 2, 2>", [xs],
                   [Result(e, x[:, 1:3:2, 1:4:2])])
        yield case(f"concatenate {n}", "concatenate", "dimension = 1 : i64", [xs, (e, y), xs], [Result(e, np.concatenate([x, y, x], 1))])
        for shape, dims, operand in (((2, 3, 4), (0, 1, 2), y), ((4, 5, 2), (2, 0), x[:, 1]), ((3,), (), x[0, 0, 0].reshape(())), ((4, 3, 2), (2, 1, 0), y)):
            yield case(f"broadcast_in_dim {dims} {n}", "broadcast_in_dim", f"broadcast_dimensions = {array_attr(dims)}", [(e, operand)],
                       [Result(e, spec.broadcast_in_dim(operand, shape, dims))])
        value = any_bits(e, (), 11)
        for low, high, interior in (((0, 1, 2), (2, 0, 1), (0, 0, 0)), ((1, 0, -1), (0, -2, 2), (2, 1, 0)), ((-1, 0, 0), (0, 0, -3), (0, 2, 1)), ((0, -4, 5), (-2, 6, -6), (1, 0, 2))):
            yield case(f"pad {low} {high} {interior} {n}", "pad", f"edge_padding_low = {array_attr(low)}, edge_padding_high = {array_attr(high)}, interior_padding = {array_attr(interior)}",
                       [xs, (e, value)], [Result(e, spec.pad(x, value, low, high, interior))])
        for index, starts in zip(INDICES, itertools.cycle(((0, 1, 2), (1, -1, 100), (-128, 2, 3)))):
            at = [index.array([s])[0] for s in starts]
            operands = [(index, np.array(a)) for a in at]
            yield case(f"dynamic_slice {index.name} {starts} {n}", "dynamic_slice", f"slice_sizes = {array_attr((1, 2, 3))}", [xs, *operands],
                       [Result(e, spec.dynamic_slice(x, at, (1, 2, 3)))])
            update = any_bits(e, (1, 3, 2), 13)
            yield case(f"dynamic_update_slice {index.name} {starts} {n}", "dynamic_update_slice", "", [xs, (e, update), *operands],
                       [Result(e, spec.dynamic_update_slice(x, update, at))])
        yield case(f"optimization_barrier {n}", "optimization_barrier", "", [xs, (e, y)], [Result(e, x), Result(e, y)])
        if e.kind != "b":
            for dim in (0, 1):
                yield case(f"iota {dim} {n}", "iota", f"iota_dimension = {dim} : i64", [],
                           [Result(e, np.broadcast_to(e.array(range((5, 6)[dim])).reshape((5, 1) if dim == 0 else (1, 6)), (5, 6)))])


def control():
    for e in ALL:
        x, y, t = any_bits(e, (5,)), any_bits(e, (5,), 9), tensor(e, (5,))
        give = lambda name: f"{{\n    stablehlo.return {name} : {t}\n  }}"
        for pred, expected in ((True, x), (False, y)):
            yield Case(f"if {e.name}", [(I1, np.array(pred)), (e, x), (e, y)], f'%0 = "stablehlo.if"(%a) ({give("%b")}, {give("%c")}) : (tensor<i1>) -> {t}', Result(e, expected))
        for index, expected in ((0, x), (1, y), (2, x), (-1, x), (5, x), (-(1 << 31), x)):
            yield Case(f"case {index} {e.name}", [(BY_NAME["i32"], np.array(index, np.int32)), (e, x), (e, y)],
                       f'%0 = "stablehlo.case"(%a) ({give("%b")}, {give("%c")}, {give("%b")}) : (tensor<i32>) -> {t}', Result(e, expected))
        count = BY_NAME["i8"]
        text = f"""%one = stablehlo.constant dense<1> : tensor<i8>
  %w:3 = stablehlo.while(%i = %a, %u = %b, %v = %c) : tensor<i8>, {t}, {t}
    cond {{
    %l = stablehlo.compare LT, %i, %d, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }} do {{
    %n = stablehlo.add %i, %one : tensor<i8>
    stablehlo.return %n, %v, %u : tensor<i8>, {t}, {t}
  }}
  %0 = stablehlo.reverse %w#1, dims = [0] : {t}"""
        for rounds, expected in ((0, x), (3, y), (4, x)):
            yield Case(f"while {rounds} {e.name}", [(count, np.array(0, np.int8)), (e, x), (e, y), (count, np.array(rounds, np.int8))], text, Result(e, expected[::-1]))


def monoids(e):
    if e.kind == "c":
        return ["add", "multiply"]
    if e.kind == "f":
        return ["add", "multiply", "maximum", "minimum"]
    return ["add", "multiply", "maximum", "minimum", "and", "or", "xor"]


def folded(e, op, values, init):
    result = init
    for v in values:
        result = apply(e, op, result, v)
    return result


def reductions():
    for e in ALL:
        for op in monoids(e):
            # Products stay small.
            x = small(e, (3, 4) if op != "multiply" else (3, 2))
            init = np.array(number(e, 1))
            if op in ("maximum", "minimum") and e.kind == "f":
                x = any_bits(e, (6, 7))
            for dims in ((0,), (1,), (0, 1), ()):
                moved = x.transpose([d for d in range(2) if d not in dims] + list(dims))
                kept = moved.shape[:2 - len(dims)]
                flat = moved.reshape(*kept, -1) if dims else moved[..., None]
                expected = np.array([folded(e, op, row, init[()]) for row in flat.reshape(-1, flat.shape[-1])], e.held).reshape(kept)
                if e.kind == "f" and e.bits == 8 and op in ("add", "multiply") and not np.array_equal(e.round(expected), expected):
                    continue
                yield case(f"reduce {op} {dims} {e.name}", "reduce", f"dimensions = {array_attr(dims)}", [(e, x), (e, init)],
                           [Result(e, expected, any_zero=op in ("add", "multiply"))], region(e, op))
        first, second = monoids(e)[0], monoids(e)[-1]
        if e.kind == "c":
            continue
        x, y = small(e, (3, 4)), small(e, (3, 4), 21)
        init = [np.array(number(e, 0)), np.array(number(e, 1))]
        expected = [np.array([folded(e, op, row, i[()]) for row in v], e.held) for op, v, i in zip((first, second), (x, y), init)]
        yield case(f"reduce of two {e.name}", "reduce", "dimensions = array<i64: 1>", [(e, x), (e, y), (e, init[0]), (e, init[1])],
                   [Result(e, v, any_zero=True) for v in expected], region(e, first, second))
        # An op that is no monoid of the dialect: the order of the operands is free, so it is one of both.
        yield case(f"reduce with operands exchanged {e.name}", "reduce", "dimensions = array<i64: 0>", [(e, x), (e, init[0])],
                   [Result(e, np.array([folded(e, first, row, init[0][()]) for row in x.T], e.held), any_zero=True)], region(e, first, swapped=True))


WINDOWS = [((2, 3), (1, 1), (1, 1), (1, 1), ((0, 0), (0, 0))), ((2, 2), (2, 1), (1, 2), (1, 1), ((1, 0), (0, 2))),
           ((2, 1), (1, 2), (2, 1), (2, 1), ((-1, 2), (1, -1))), ((1, 4), (1, 1), (1, 1), (1, 1), ((0, 0), (3, 0)))]


def window_ops():
    for e in ALL:
        for op in monoids(e):
            x = small(e, (4, 5), 31)
            if op == "multiply" and e.kind in "fc":
                x = np.where(x == 0, x, x / np.abs(x)).astype(e.held)
            if op in ("maximum", "minimum") and e.kind == "f":
                x = any_bits(e, (4, 5))
            init = number(e, 1 if op in ("multiply", "and", "minimum") else 0)
            for dimensions, strides, base, dilations, padding in WINDOWS:
                expected = spec.reduce_window(x, init, lambda a, b: apply(e, op, a, b), dimensions, strides, base, dilations, padding)
                if expected.size == 0:
                    continue
                attributes = (f"window_dimensions = {array_attr(dimensions)}, window_strides = {array_attr(strides)}, base_dilations = {array_attr(base)}, "
                              f"window_dilations = {array_attr(dilations)}, padding = {pairs_attr(padding)}")
                yield case(f"reduce_window {op} {dimensions} {e.name}", "reduce_window", attributes, [(e, x), (e, np.array(init))],
                           [Result(e, expected, any_zero=op in ("add", "multiply"), ulps=2 if e.kind == "c" else 0)], region(e, op))
        if e.kind == "c":
            continue
        for relation, select in (("GE", lambda a, b: a >= b), ("LE", lambda a, b: a <= b), ("GT", lambda a, b: a > b)):
            for dimensions, strides, padding in (((2, 2), (2, 2), ((0, 0), (0, 0))), ((3, 2), (1, 2), ((1, 1), (0, 0))), ((2, 3), (2, 1), ((0, 1), (1, 1)))):
                x = small(e, (4, 4), 33)
                sizes, _ = spec.windows(x.shape, dimensions, strides, (1, 1), (1, 1), padding)
                source, init = small(e, tuple(sizes), 35), number(e, 1)
                expected = spec.select_and_scatter(x, source, init, select, lambda a, b: apply(e, "add", a, b), dimensions, strides, padding)
                attributes = f"window_dimensions = {array_attr(dimensions)}, window_strides = {array_attr(strides)}, padding = {pairs_attr(padding)}"
                yield case(f"select_and_scatter {relation} {dimensions} {e.name}", "select_and_scatter", attributes, [(e, x), (e, source), (e, np.array(init))],
                           [Result(e, expected, any_zero=True)], comparator(e, relation)[:-1] + "}, " + region(e, "add")[1:])


def contractions():
    forms = [((3, 4), (4, 2), ((), ()), ((1,), (0,))), ((2, 3, 4), (2, 4, 3), ((0,), (0,)), ((2,), (1,))), ((3, 2, 4), (4, 3, 2), ((1,), (2,)), ((2, 0), (0, 1))),
             ((5,), (5,), ((), ()), ((0,), (0,))), ((3,), (4,), ((), ()), ((), ())), ((2, 3), (3, 2), ((0, 1), (1, 0)), ((), ()))]
    for e in ALL:
        def add(total, a, b):
            if e.kind == "b":
                return total or bool(a & b)
            if e.kind in "su":
                return total + int(a) * int(b)
            return total + a * b
        zero = False if e.kind == "b" else 0 if e.kind in "su" else e.held.type(0)
        finish = lambda r: e.array(r.reshape(-1), r.shape) if e.kind in "su" else r.astype(e.held)
        for left, right, batching, contracting in forms:
            x, y = small(e, left, 41), small(e, right, 43)
            expected = finish(spec.dot_general(x, y, batching, contracting, add, zero))
            numbers = (f"dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = {list(batching[0])}, rhs_batching_dimensions = {list(batching[1])}, "
                       f"lhs_contracting_dimensions = {list(contracting[0])}, rhs_contracting_dimensions = {list(contracting[1])}>")
            yield case(f"dot_general {left} {right} {e.name}", "dot_general", numbers, [(e, x), (e, y)], [Result(e, expected, any_zero=True)])
        if e.kind == "b":
            continue
        for strides, padding, lhs_dilation, rhs_dilation, reversal, groups, batches in (
                ((1, 1), ((0, 0), (0, 0)), (1, 1), (1, 1), (False, False), 1, 1), ((2, 1), ((1, 0), (0, 1)), (1, 1), (1, 2), (True, False), 2, 1),
                ((1, 2), ((-1, 2), (1, 1)), (2, 1), (1, 1), (False, True), 1, 2), ((1, 1), ((1, 1), (0, 0)), (2, 3), (2, 1), (True, True), 4, 1)):
            x, y = small(e, (2, 4, 3, 4), 45), small(e, (2, 2, 4 // groups, 4), 47)
            result = finish(spec.convolution(x, y, add, zero, strides, padding, lhs_dilation, rhs_dilation, reversal, groups, batches))
            if e.kind == "f" and not np.array_equal(e.round(result), result):
                continue
            for order in ("[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", "[f, 0, b, 1]x[o, 1, i, 0]->[0, b, 1, f]"):
                given, kernel, expected = (x, y, result) if order.startswith("[b") else (x.transpose(3, 1, 0, 2), y.transpose(3, 1, 2, 0), result.transpose(1, 0, 2, 3))
                attributes = (f"window_strides = {array_attr(strides)}, padding = {pairs_attr(padding)}, lhs_dilation = {array_attr(lhs_dilation)}, rhs_dilation = "
                              f"{array_attr(rhs_dilation)}, window_reversal = {array_attr(reversal, 'i1')}, dimension_numbers = #stablehlo.conv<{order}>, "
                              f"feature_group_count = {groups} : i64, batch_group_count = {batches} : i64")
                yield case(f"convolution {order[:6]} {strides} groups {groups} {batches} {e.name}", "convolution", attributes,
                           [(e, given), (e, kernel)], [Result(e, expected, any_zero=True)])


# operand, start indices, slice sizes, offset, collapsed, start index map, index vector dim, operand batching,
# indices batching
GATHERS = [
    ((3, 4, 2), [[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]], (1, 2, 2), (2, 3), (0,), (1, 0), 2, (), ()),
    ((5, 3), [4, 0, 9, 2], (1, 3), (1,), (0,), (0,), 1, (), ()),
    ((5, 3), [[1, 3], [0, 2]], (2, 2), (0, 2), (), (1, 0), 0, (), ()),
    ((2, 5, 3), [[[1], [4]], [[0], [7]]], (1, 1, 3), (2,), (1,), (1,), 2, (0,), (0,)),
    ((4, 2, 3), [[[0, 1], [1, 1], [2, 0]]], (1, 1, 2), (2,), (0,), (0, 2), 2, (1,), (0,)),
]


def gathers():
    for e in ALL:
        for number_, (shape, starts, sizes, offset, collapsed, index_map, vector_dim, batching, indices_batching) in enumerate(GATHERS):
            index = INDICES[(number_ + ALL.index(e)) % len(INDICES)]
            x = any_bits(e, shape)
            at = index.array(np.array(starts).reshape(-1).tolist(), np.array(starts).shape)
            if number_ == 4:
                at = np.broadcast_to(at, (2, 3, 2)).copy()
            if index.kind == "s" and number_ < 3:
                at.reshape(-1)[1] = -2
            elif number_ < 3:
                at.reshape(-1)[1] = index.high
            expected = spec.gather(x, at, sizes, offset, collapsed, index_map, vector_dim, batching, indices_batching)
            more = f"operand_batching_dims = {list(batching)}, start_indices_batching_dims = {list(indices_batching)}, " if batching else ""
            inside = f"collapsed_slice_dims = {list(collapsed)}, " if collapsed else ""
            yield case(f"gather {number_} {index.name} {e.name}", "gather", f"dimension_numbers = #stablehlo.gather<offset_dims = {list(offset)}, {inside}{more}"
                       f"start_index_map = {list(index_map)}, index_vector_dim = {vector_dim}>, slice_sizes = {array_attr(sizes)}", [(e, x), (index, at)], [Result(e, expected)])
            for op in ["second", *monoids(e)]:
                updates = small(e, expected.shape, 51)
                base = small(e, shape, 53)
                if e.kind in "fc" and op == "multiply":
                    updates = np.where(updates == 0, updates, updates / np.abs(updates)).astype(e.held)
                combine = (lambda old, new: new) if op == "second" else (lambda old, new: [apply(e, op, old[0], new[0])])
                result = spec.scatter([base], at, [updates], combine, offset, collapsed, index_map, vector_dim, batching, indices_batching)[0]
                more = f"input_batching_dims = {list(batching)}, scatter_indices_batching_dims = {list(indices_batching)}, " if batching else ""
                inside = f"inserted_window_dims = {list(collapsed)}, " if collapsed else ""
                yield case(f"scatter {op} {number_} {index.name} {e.name}", "scatter", f"scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {list(offset)}, "
                           f"{inside}{more}scatter_dims_to_operand_dims = {list(index_map)}, index_vector_dim = {vector_dim}>", [(e, base), (index, at), (e, updates)],
                           [Result(e, result, any_zero=op in ("add", "multiply"), ulps=2 if e.kind == "c" else 0)], keep_second(e) if op == "second" else region(e, op))


def sorts():
    for e in ALL:
        if e.kind == "c":
            continue
        for dim in (0, 1):
            for direction in ("LT", "GT"):
                x = any_bits(e, (7, 6), 61)
                if e.kind == "f":
                    x = np.where(np.isnan(x), number(e, 2.0), x)  # NaN has a sign of its own in each machine
                tags = np.arange(42, dtype=np.int32).reshape(7, 6)
                keys = elementwise.ordered_key(e, x) if e.kind == "f" else np.array([int(v) for v in x.reshape(-1)], object).reshape(x.shape)
                order = np.empty(x.shape, np.int64)
                for other in range(x.shape[1 - dim]):
                    column = keys[:, other] if dim == 0 else keys[other]
                    by = sorted(range(len(column)), key=lambda k: column[k] if direction == "LT" else -column[k])
                    order[(slice(None), other) if dim == 0 else (other, slice(None))] = by
                i32 = BY_NAME["i32"]
                yield case(f"sort {direction} {dim} {e.name}", "sort", f"dimension = {dim} : i64, is_stable = true", [(e, x), (i32, tags)],
                           [Result(e, np.take_along_axis(x, order, dim)), Result(i32, np.take_along_axis(tags, order, dim))], comparator(e, direction, [i32]))


def maps():
    for e in ALL:
        x, y, scalar = small(e, (3, 4), 71), small(e, (3, 4), 73), tensor(e, ())
        op = "multiply"
        expected = np.array([apply(e, op, a, b) for a, b in zip(x.reshape(-1), y.reshape(-1))], e.held).reshape(x.shape)
        yield case(f"map {e.name}", "map", "dimensions = array<i64: 0, 1>", [(e, x), (e, y)], [Result(e, expected, any_zero=True, ulps=1 if e.kind == "c" else 0)], region(e, op))


def bits():
    """bitcast_convert between widths: the last dimension of the narrow type counts from the low bits."""
    plain = [e for e in (*SIGNED, *UNSIGNED, *FLOATS) if e.bits >= 8]

    def raw(e, values):
        return np.ascontiguousarray(e.encode(values) if e.kind == "f" else values)
    for source in plain:
        for to in plain:
            x = any_bits(source, (3, 8), 81)
            if source.kind == "f":
                x = np.where(np.isnan(x), number(source, 1.0), x)
            encoded = raw(source, x)
            shape = (3, 8) if source.bits == to.bits else (3, 8, source.bits // to.bits) if source.bits > to.bits else (3, 8 // (to.bits // source.bits))
            if source.bits < to.bits:
                x = x.reshape(*shape, to.bits // source.bits)
                encoded = encoded.reshape(x.shape)
            carried = np.frombuffer(encoded.tobytes(), f"int{to.bits}").reshape(shape)
            expected = to.decode(carried.copy()) if to.kind == "f" else carried.view(to.held)
            yield case(f"bitcast_convert {source.name} {to.name}", "bitcast_convert", "", [(source, x)], [Result(to, expected)])


def transforms():
    rng = np.random.default_rng(91)
    for e in COMPLEXES:
        x = (rng.uniform(-1, 1, (2, 3, 8)) + 1j * rng.uniform(-1, 1, (2, 3, 8))).astype(e.held)
        wide = x.astype(np.complex128)
        real = np.ascontiguousarray(x.real)
        for length, axes in (((8,), (2,)), ((3, 8), (1, 2)), ((2, 3, 8), (0, 1, 2))):
            many = ("FFT", "IFFT", "RFFT", "IRFFT")
            half = np.fft.rfftn(real.astype(np.float64), axes=axes)
            results = {"FFT": (e, x, e, np.fft.fftn(wide, axes=axes)), "IFFT": (e, x, e, np.fft.ifftn(wide, axes=axes)), "RFFT": (e.part, real, e, half),
                       "IRFFT": (e, half.astype(e.held), e.part, np.fft.irfftn(half.astype(e.held).astype(np.complex128), length, axes))}
            for kind in many:
                source, given, to, expected = results[kind]
                loose = Result(to, expected.astype(to.held), ulps=1 << 12)
                yield case(f"fft {kind} {length} {e.name}", "fft", f"fft_type = #stablehlo<fft_type {kind}>, fft_length = {array_attr(length)}", [(source, given)], [loose])
    for e in (F32, F64):
        a = np.array([[4, -7, 9], [2, 10, -8], [-2, 4, 14]], e.held)
        spd = np.array([[[4, 2, -2], [2, 10, 5], [-2, 5, 9]]], e.held)
        low = np.linalg.cholesky(spd.astype(np.float64))
        yield case(f"cholesky lower {e.name}", "cholesky", "lower = true", [(e, spd)], [Result(e, np.tril(low), ulps=4)])
        yield case(f"cholesky upper {e.name}", "cholesky", "lower = false", [(e, spd)], [Result(e, np.triu(low.transpose(0, 2, 1)), ulps=4)])
        solved = np.array([[1, 2, -3], [4, 5, 6], [7, -8, 9]], np.float64)
        for left, lower, unit, transpose in itertools.product((True, False), (True, False), (True, False), ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")):
            m = (np.tril(a) if lower else np.triu(a)).astype(np.float64)
            if unit:
                np.fill_diagonal(m, 1)
            m = m if transpose == "NO_TRANSPOSE" else m.T
            b = (m @ solved if left else solved @ m).astype(e.held)
            yield case(f"triangular_solve {left} {lower} {unit} {transpose} {e.name}", "triangular_solve", f"left_side = {str(left).lower()}, lower = {str(lower).lower()}, "
                       f"unit_diagonal = {str(unit).lower()}, transpose_a = #stablehlo<transpose {transpose}>", [(e, a), (e, b)], [Result(e, solved, ulps=64)])


def norms():
    for e in FLOATS:
        if e.bits < 32:
            continue
        rng = np.random.default_rng(97)
        x = rng.uniform(-2, 2, (3, 2, 4)).astype(e.held)
        scale, offset, mean, variance = (rng.uniform(0.5, 2, 2).astype(e.held) for _ in range(4))
        grad = rng.uniform(-1, 1, x.shape).astype(e.held)
        epsilon = 0.125
        w = [v.astype(np.float64)[:, None] for v in (scale, offset, mean, variance)]
        attributes = f"epsilon = {epsilon} : f32, feature_index = 1 : i64"
        yield case(f"batch_norm_inference {e.name}", "batch_norm_inference", attributes, [(e, x), (e, scale), (e, offset), (e, mean), (e, variance)],
                   [Result(e, (x - w[2]) / np.sqrt(w[3] + epsilon) * w[0] + w[1], ulps=64)])
        m, v = x.astype(np.float64).mean((0, 2)), x.astype(np.float64).var((0, 2))
        normal = (x - m[:, None]) / np.sqrt(v[:, None] + epsilon)
        yield case(f"batch_norm_training {e.name}", "batch_norm_training", attributes, [(e, x), (e, scale), (e, offset)],
                   [Result(e, normal * w[0] + w[1], ulps=256), Result(e, m, ulps=64), Result(e, v, ulps=64)])
        centered, count = x - w[2], x.shape[0] * x.shape[2]
        total = lambda t: t.sum((0, 2))[:, None]
        inverse = 1 / np.sqrt(w[3] + epsilon)
        operand = w[0] * inverse / count * (count * grad - total(grad) - centered * total(grad * centered) / (w[3] + epsilon))
        yield case(f"batch_norm_grad {e.name}", "batch_norm_grad", attributes, [(e, x), (e, scale), (e, mean), (e, variance), (e, grad)],
                   [Result(e, operand, ulps=512), Result(e, (grad * centered * inverse).sum((0, 2)), ulps=512), Result(e, grad.astype(np.float64).sum((0, 2)), ulps=512)])


def all_cases():
    with np.errstate(all="ignore"):
        for table in (shapes, control, reductions, window_ops, contractions, gathers, sorts, maps, bits, transforms, norms):
            for one in table():
                yield one
