"""The table of ops that the specification does not have, or has no more: einsum, unary_einsum, torch_index_select, cross-replica-sum, trace, and
set_dimension_size, with the bounds that its types have."""
import numpy as np

from cases import Case, Result
from elements import BY_NAME, F32, tensor

I32, I64 = BY_NAME["i32"], BY_NAME["i64"]


def numbers(shape, seed):
    return np.random.default_rng([seed, *shape]).integers(-3, 4, shape).astype(np.float32)


def einsums():
    forms = [("ij,jk->ik", (3, 4), (4, 2)), ("ij,kj->ki", (3, 4), (2, 4)), ("bij,bjk->bik", (2, 3, 4), (2, 4, 5)), ("ijb,bjk->kbi", (3, 4, 2), (2, 4, 5)), ("i,j->ij", (3,), (4,)),
             ("i,i->", (5,), (5,)), ("i,i->i", (5,), (5,)), ("ab,cd->ac", (2, 3), (4, 5)), ("abc,c->b", (2, 3, 4), (4,)), ("...ij,...jk->...ik", (2, 6, 3, 4), (2, 6, 4, 5)),
             ("b...,b->...b", (3, 2, 4), (3,)), ("Ab, bA->", (2, 3), (3, 2)), ("ab,...->...ab", (2, 3), (4, 5))]
    for number, (config, left, right) in enumerate(forms):
        for element in (F32, I32) if number % 3 == 0 else (F32,):
            x, y = numbers(left, number).astype(element.held), numbers(right, number + 50).astype(element.held)
            expected = np.einsum(config.replace(" ", ""), x, y)
            yield Case(f"einsum {config} {element.name}", [(element, x), (element, y)],
                       f'%0 = stablehlo.einsum %a, %b, config = "{config}" : ({tensor(element, left)}, {tensor(element, right)}) -> {tensor(element, expected.shape)}',
                       Result(element, expected, any_zero=True))
    for number, (config, shape) in enumerate([("ab->a", (3, 4)), ("ab->b", (3, 4)), ("abc->ca", (2, 3, 4)), ("ab->ba", (3, 4)), ("ab->", (3, 4)), ("...a->...", (2, 3, 4)), ("a...->...a", (2, 3, 4))]):
        x = numbers(shape, number)
        expected = np.einsum(config, x)
        yield Case(f"unary_einsum {config}", [(F32, x)], f'%0 = stablehlo.unary_einsum %a, config = "{config}" : ({tensor(F32, shape)}) -> {tensor(F32, expected.shape)}',
                   Result(F32, expected, any_zero=True))


def selections():
    x = numbers((3, 4, 5), 7)
    for dim, at in ((0, [2, 0]), (1, [3, 1, 1]), (2, [[0, 4], [2, 2], [1, 0]]), (-1, [4, 3])):
        index = np.array(at, np.int32)
        expected = np.take(x, index, dim)
        yield Case(f"torch_index_select {dim} {index.shape}", [(F32, x), (I32, index)], f'%0 = "stablehlo.torch_index_select"(%a, %b) <{{dim = {dim} : i64, batch_dims = 0 : i64}}> : '
                   f"({tensor(F32, x.shape)}, {tensor(I32, index.shape)}) -> {tensor(F32, expected.shape)}", Result(F32, expected))
    index = np.array([[3, 0], [1, 1], [2, 3]], np.int64)
    for dim in (1, 2):
        # The batch stays in front; the dimensions of the index are in the place of the one that it selects from.
        expected = np.stack([np.take(x[b], index[b], dim - 1) for b in range(3)])
        yield Case(f"torch_index_select of batches {dim}", [(F32, x), (I64, index)], f'%0 = "stablehlo.torch_index_select"(%a, %b) <{{dim = {dim} : i64, batch_dims = 1 : i64}}> : '
                   f"({tensor(F32, x.shape)}, {tensor(I64, index.shape)}) -> {tensor(F32, expected.shape)}", Result(F32, expected))


def sizes():
    x = numbers((4, 5), 9)
    for dim, size in ((0, 3), (1, 1), (0, 0), (1, 5)):
        bounded = "tensor<?x5xf32, #stablehlo.bounds<4, ?>>" if dim == 0 else "tensor<4x?xf32, #stablehlo.bounds<?, 5>>"
        expected = x[:size] if dim == 0 else x[:, :size]
        yield Case(f"set_dimension_size {dim} {size}", [(F32, x), (I32, np.array(size, np.int32))],
                   f"%s = stablehlo.set_dimension_size %a, %b, dim = {dim} : (tensor<4x5xf32>, tensor<i32>) -> {bounded}\n"
                   f"  %t = stablehlo.add %s, %s : {bounded}\n  %n = stablehlo.get_dimension_size %t, dim = {dim} : ({bounded}) -> tensor<i32>\n"
                   f"  %f = stablehlo.reshape %t : ({bounded}) -> {tensor(F32, (expected.size,))}\n"
                   f"  %0:2 = stablehlo.optimization_barrier %f, %n : {tensor(F32, (expected.size,))}, tensor<i32>",
                   Result(F32, 2 * expected.reshape(-1), any_zero=True), Result(I32, np.array(size, np.int32)))
    yield Case("set_dimension_size to all", [(F32, x)], "%n = stablehlo.constant dense<5> : tensor<i32>\n"
               "  %0 = stablehlo.set_dimension_size %a, %n, dim = 1 : (tensor<4x5xf32>, tensor<i32>) -> tensor<4x5xf32>", Result(F32, x))
    yield Case("trace and cross-replica-sum", [(F32, x)], 'stablehlo.trace %a, "here" : tensor<4x5xf32>\n'
               '  %0 = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4x5xf32>) -> tensor<4x5xf32>', Result(F32, x))


def ragged():
    """chlo.ragged_dot: groups of rows, of a contracted dimension, or of a batch; an infinity stays in its group."""
    def of(name, x, y, groups, numbers, expected):
        sizes = np.array(groups, np.int64)
        return Case(f"ragged_dot {name}", [(F32, x), (F32, y), (I64, sizes)], f'%0 = "chlo.ragged_dot"(%a, %b, %c) <{{ragged_dot_dimension_numbers = #chlo.ragged_dot<{numbers}>, '
                    f"precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>]}}> : ({tensor(F32, x.shape)}, {tensor(F32, y.shape)}, {tensor(I64, sizes.shape)}) -> "
                    f"{tensor(F32, expected.shape)}", Result(F32, expected, any_zero=True))
    for groups in ([2, 0, 3], [5, 0, 0], [1, 1, 1], [0, 4, 1]):
        ends = np.cumsum(groups)
        group = [next((g for g in range(3) if p < ends[g]), None) for p in range(5)]
        x, y = numbers((5, 4), 21), numbers((3, 4, 2), 22)
        y[0, 0, 0] = np.inf
        with np.errstate(invalid="ignore"):
            rows = np.stack([np.zeros(2, np.float32) if g is None else (x[p, :, None] * y[g]).sum(0) for p, g in enumerate(group)])
        yield of(f"rows {groups}", x, y, groups, "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]", rows)
        xs, ys = numbers((2, 5, 4), 23), numbers((3, 2, 4, 3), 24)
        rows = np.stack([np.stack([np.zeros(3, np.float32) if g is None else xs[b, p] @ ys[g, b] for p, g in enumerate(group)]) for b in range(2)])
        yield of(f"rows of batches {groups}", xs, ys, groups, "lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], "
                 "rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]", rows)
        x, y = numbers((2, 4, 5), 25), numbers((2, 5, 3), 26)
        y[1, 4, 2] = np.inf
        with np.errstate(invalid="ignore"):
            parts = np.stack([np.stack([(x[b][:, [p for p in range(5) if group[p] == g], None] * y[b][None, [p for p in range(5) if group[p] == g]]).sum(1) for b in range(2)])
                              for g in range(3)])
        yield of(f"sums {groups}", x, y, groups, "lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], "
                 "lhs_ragged_dimensions = [2]", parts.astype(np.float32))
    x, y = numbers((3, 2, 4), 27), numbers((3, 4, 2), 28)
    yield of("batches", x, y, [1, 2], "lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], "
             "lhs_ragged_dimensions = [0]", x @ y)


def all_cases():
    for table in (ragged, einsums, selections, sizes):
        yield from table()
