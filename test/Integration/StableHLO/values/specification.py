"""Ops of several dimensions in NumPy, written from the formulas of the StableHLO specification, element by element."""
import itertools

import numpy as np


def indices(shape):
    return itertools.product(*map(range, shape))


def broadcast_in_dim(operand, shape, dims):
    result = np.empty(shape, operand.dtype)
    for at in indices(shape):
        result[at] = operand[tuple(0 if operand.shape[d] == 1 else at[r] for d, r in enumerate(dims))]
    return result


def pad(operand, value, low, high, interior):
    shape = [l + max(n - 1, 0) * i + n + h for n, l, h, i in zip(operand.shape, low, high, interior)]
    result = np.full(shape, value, operand.dtype)
    for at in indices(operand.shape):
        to = tuple(l + a * (i + 1) for a, l, i in zip(at, low, interior))
        if all(0 <= t < s for t, s in zip(to, shape)):
            result[to] = operand[at]
    return result


def clamped(starts, sizes, shape):
    return [min(max(int(s), 0), n - k) for s, k, n in zip(starts, sizes, shape)]


def dynamic_slice(operand, starts, sizes):
    at = clamped(starts, sizes, operand.shape)
    return operand[tuple(slice(a, a + k) for a, k in zip(at, sizes))]


def dynamic_update_slice(operand, update, starts):
    at, result = clamped(starts, update.shape, operand.shape), operand.copy()
    result[tuple(slice(a, a + k) for a, k in zip(at, update.shape))] = update
    return result


def _start(indices_array, batch, index_vector_dim):
    """The index vector of a position among the batches."""
    if index_vector_dim == indices_array.ndim:
        return [int(indices_array[tuple(batch)])]
    at = list(batch)
    at.insert(index_vector_dim, slice(None))
    return [int(v) for v in indices_array[tuple(at)]]


def gather(operand, start_indices, slice_sizes, offset_dims, collapsed, start_index_map, index_vector_dim, operand_batching=(), indices_batching=()):
    batch_shape = [n for d, n in enumerate(start_indices.shape) if d != index_vector_dim]
    offsets = [n for d, n in enumerate(slice_sizes) if d not in collapsed and d not in operand_batching]
    rank = len(batch_shape) + len(offsets)
    batch_dims = [d for d in range(rank) if d not in offset_dims]
    shape = [0] * rank
    for d, n in zip(batch_dims, batch_shape):
        shape[d] = n
    for d, n in zip(offset_dims, offsets):
        shape[d] = n
    result = np.empty(shape, operand.dtype)
    for at in indices(shape):
        batch = [at[d] for d in batch_dims]
        start = _start(start_indices, batch, index_vector_dim)
        full = [0] * operand.ndim
        for value, d in zip(start, start_index_map):
            full[d] = min(max(value, 0), operand.shape[d] - slice_sizes[d])
        for d, i in zip(operand_batching, indices_batching):
            full[d] = batch[i - (1 if i > index_vector_dim else 0)]
        kept = [d for d in range(operand.ndim) if d not in collapsed and d not in operand_batching]
        for d, o in zip(kept, offset_dims):
            full[d] += at[o]
        result[at] = operand[tuple(full)]
    return result


def scatter(operands, scatter_indices, updates, combine, update_window_dims, inserted, dims_to_operand, index_vector_dim, input_batching=(), indices_batching=()):
    """In the order of the updates; positions outside are left out. `combine(olds, news)` gives the new elements."""
    results = [operand.copy() for operand in operands]
    shape = updates[0].shape
    scatter_dims = [d for d in range(len(shape)) if d not in update_window_dims]
    for at in indices(shape):
        batch = [at[d] for d in scatter_dims]
        start = _start(scatter_indices, batch, index_vector_dim)
        full = [0] * operands[0].ndim
        for value, d in zip(start, dims_to_operand):
            full[d] = value
        for d, i in zip(input_batching, indices_batching):
            full[d] = batch[i - (1 if i > index_vector_dim else 0)]
        kept = [d for d in range(operands[0].ndim) if d not in inserted and d not in input_batching]
        for d, w in zip(kept, update_window_dims):
            full[d] += at[w]
        to = tuple(full)
        if all(0 <= t < n for t, n in zip(to, operands[0].shape)):
            for result, new in zip(results, combine([r[to] for r in results], [u[at] for u in updates])):
                result[to] = new
    return results


def windows(shape, dimensions, strides, base, dilations, padding):
    """The result's shape, and for each of its positions those of the operand in the window; None stands for padding."""
    sizes = []
    for n, k, s, b, d, (low, high) in zip(shape, dimensions, strides, base, dilations, padding):
        dilated = (n - 1) * b + 1 if n else 0
        sizes.append(max((low + dilated + high - ((k - 1) * d + 1)) // s + 1, 0))

    def window(at):
        for inside in indices(dimensions):
            position = []
            for a, i, n, s, b, d, (low, _) in zip(at, inside, shape, strides, base, dilations, padding):
                where = a * s + i * d - low
                position.append(where // b if where % b == 0 and 0 <= where // b < n else None)
            yield None if None in position else tuple(position)
    return sizes, window


def reduce_window(operand, init, combine, dimensions, strides, base, dilations, padding):
    sizes, window = windows(operand.shape, dimensions, strides, base, dilations, padding)
    result = np.empty(sizes, operand.dtype)
    for at in indices(sizes):
        value = init
        for position in window(at):
            value = combine(value, init if position is None else operand[position])
        result[at] = value
    return result


def select_and_scatter(operand, source, init, select, combine, dimensions, strides, padding):
    ones = [1] * operand.ndim
    _, window = windows(operand.shape, dimensions, strides, ones, ones, padding)
    result = np.full(operand.shape, init, operand.dtype)
    for at in indices(source.shape):
        chosen = None
        for position in window(at):
            if position is not None and (chosen is None or not select(operand[chosen], operand[position])):
                chosen = position
        if chosen is not None:
            result[chosen] = combine(result[chosen], source[at])
    return result


def dot_general(lhs, rhs, batching, contracting, multiply_add, zero):
    lb, rb, lc, rc = batching[0], batching[1], contracting[0], contracting[1]
    lf = [d for d in range(lhs.ndim) if d not in lb and d not in lc]
    rf = [d for d in range(rhs.ndim) if d not in rb and d not in rc]
    left = lhs.transpose([*lb, *lf, *lc])
    right = rhs.transpose([*rb, *rf, *rc])
    nb, summed = len(lb), [lhs.shape[d] for d in lc]
    shape = [lhs.shape[d] for d in lb] + [lhs.shape[d] for d in lf] + [rhs.shape[d] for d in rf]
    result = np.empty(shape, object)
    for at in indices(shape):
        batch, l, r = at[:nb], at[nb:nb + len(lf)], at[nb + len(lf):]
        total = zero
        for k in indices(summed):
            total = multiply_add(total, left[(*batch, *l, *k)], right[(*batch, *r, *k)])
        result[at] = total
    return result


def convolution(lhs, rhs, multiply_add, zero, strides, padding, lhs_dilation, rhs_dilation, reversal, feature_groups, batch_groups):
    """Of lhs [b, spatial.., f] and rhs [spatial.., i, o]; the result is [b, spatial.., o]."""
    batches, features, outputs = lhs.shape[0], lhs.shape[-1], rhs.shape[-1]
    spatial, kernel = lhs.shape[1:-1], rhs.shape[:-2]
    ones = [1] * len(kernel)
    sizes, window = windows(spatial, kernel, strides, lhs_dilation, rhs_dilation, padding)
    del ones
    result = np.empty((batches // batch_groups, *sizes, outputs), object)
    for at in indices(result.shape):
        b, place, o = at[0], at[1:-1], at[-1]
        total = zero
        if batch_groups > 1:
            b += (o // (outputs // batch_groups)) * (batches // batch_groups)
        first = (o // (outputs // feature_groups)) * (features // feature_groups)
        for inside, position in zip(indices(kernel), window(place)):
            if position is None:
                continue
            tap = tuple(k - 1 - i if flip else i for i, k, flip in zip(inside, kernel, reversal))
            for i in range(rhs.shape[-2]):
                total = multiply_add(total, lhs[(b, *position, first + i)], rhs[(*tap, i, o)])
        result[at] = total
    return result
