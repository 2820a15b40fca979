"""Runs each exchange between ranks, and compares with NumPy.

usage: collectives.py FOLDER --grids=3,2x3 --dtypes=f32,i8 [--launch=threads,openmpi,mpich] [--target=TARGET]

For each grid and element type there is one program with a result for each kind of exchange: every reduction, cut and
concatenated dimensions 0 and 1, groups along each axis of the grid and along all, every root. Each rank has a tensor of
its own, of sizes that are multiples of the group and odd otherwise. Ends with the number of results that are right. With
--target=cuda there are no halos, whose kernels copy rows: stand-ins of a driver run exchanges alone.
"""
import argparse
import glob
import itertools
import os
import subprocess
import sys

import numpy as np

LAUNCHERS = {
    "threads": [],
    "openmpi": ["mpirun.openmpi", "--oversubscribe", "--allow-run-as-root", "-n"],
    "mpich": ["mpirun.mpich", "-n"],
}
# Values whose sums and products of a few ranks are exact.
NARROW = {"f8E4M3FN": 0x38, "f8E5M2": 0x3C}


class Elements:
    """An element type: how it is drawn, computed with, and stored."""

    def __init__(self, name):
        self.name = name
        self.is_float = name.startswith(("f", "bf"))
        self.is_narrow = name in NARROW
        if self.is_float:
            self.work = np.float64 if name == "f64" else np.float32
        else:
            self.work = {"i1": np.uint8, "i4": np.int8, "index": np.int64}.get(name) or np.dtype(
                name.replace("ui", "uint") if name.startswith("ui") else name.replace("i", "int")).type

    def draw(self, rng, shape):
        if self.is_narrow:
            return rng.integers(-1, 2, shape).astype(np.float32)
        if self.is_float:
            return rng.integers(-3, 4, shape).astype(self.work)
        if self.name == "i1":
            return rng.integers(0, 2, shape).astype(np.uint8)
        if self.name == "i4":
            return rng.integers(-8, 8, shape).astype(np.int8)
        info = np.iinfo(self.work)
        return rng.integers(info.min, info.max, shape, dtype=self.work, endpoint=True)

    def wrap(self, values):
        if self.name == "i1":
            return values & 1
        if self.name == "i4":
            return ((values.astype(np.int16) << 12).astype(np.int16) >> 12).astype(np.int8)
        return values

    def store(self, values):
        if self.name == "bf16":
            return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
        if self.name == "f16":
            return values.astype(np.float16)
        if self.is_narrow:
            one = NARROW[self.name]
            return np.where(values == 0, 0, np.where(values > 0, one, one | 0x80)).astype(np.uint8)
        return values.astype(bool) if self.name == "i1" else values

    def load(self, stored):
        if self.name == "bf16":
            return (stored.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
        if self.is_narrow:
            bits = stored.view(np.uint8).astype(np.int64)
            mantissa = 3 if self.name == "f8E4M3FN" else 2
            bias = 7 if mantissa == 3 else 15
            exponent, fraction = (bits & 0x7F) >> mantissa, bits & ((1 << mantissa) - 1)
            value = np.where(exponent == 0, fraction * 2.0 ** (1 - bias - mantissa),
                             (1 + fraction / (1 << mantissa)) * 2.0 ** (exponent - bias))
            return np.where(bits & 0x80, -value, value).astype(np.float32)
        return stored.astype(self.work)

    def reductions(self):
        names = ["sum", "product", "min", "max"]
        if not self.is_float:
            names += ["bitwise_and", "bitwise_or", "bitwise_xor"]
        if self.name in ("f32", "f64", "i32", "i64"):
            names.append("average")
        return names

    def reduce(self, name, parts):
        total = parts[0]
        with np.errstate(over="ignore"):
            for part in parts[1:]:
                total = self.wrap({
                    "sum": lambda a, b: a + b, "average": lambda a, b: a + b, "product": lambda a, b: a * b,
                    "min": np.minimum, "max": np.maximum, "bitwise_and": lambda a, b: a & b,
                    "bitwise_or": lambda a, b: a | b, "bitwise_xor": lambda a, b: a ^ b}[name](total, part))
        if name == "average":
            if self.is_float:
                return (total.astype(np.float64) / len(parts)).astype(total.dtype)
            return (np.sign(total) * (np.abs(total.astype(object)) // len(parts))).astype(total.dtype)
        return total


def groups_of(grid, axes):
    """The groups of ranks that differ along `axes` alone, members in the order of their positions along them."""
    count = int(np.prod(grid))
    places = [np.unravel_index(rank, grid) for rank in range(count)]
    groups = {}
    for rank, place in enumerate(places):
        key = tuple(p for axis, p in enumerate(place) if axis not in axes)
        groups.setdefault(key, []).append((tuple(place[axis] for axis in axes), rank))
    return [[rank for _, rank in sorted(members)] for members in groups.values()]


def cut(x, parts, dim):
    return np.split(x, parts, axis=dim)


def cases_of(elements, grid, x):
    """Pairs of an op's text, with the result type of the rank's part, and the expected parts of all ranks."""
    count = int(np.prod(grid))
    shape = x[0].shape
    type_of = lambda sizes: f"tensor<{sizes[0]}x{sizes[1]}x{elements.name}>"
    for axes in [[axis] for axis in range(len(grid))] + ([list(range(len(grid)))] if len(grid) > 1 else []):
        groups = groups_of(grid, axes)
        n = len(groups[0])
        on = f"on @grid grid_axes = {axes}"

        def each(compute):
            """`compute` gives the parts of a group, by member."""
            out = [None] * count
            for members in groups:
                for rank, part in zip(members, compute([x[m] for m in members])):
                    out[rank] = part
            return out

        def case(text, sizes, expected, brackets=False):
            a, b = type_of(shape), type_of(sizes)
            return (f"{text} : ({a}) -> {b}" if brackets else f"{text} : {a} -> {b}"), b, expected

        for name in elements.reductions():
            yield case(f"shard.all_reduce %x {on} reduction = {name}", shape,
                       each(lambda parts: [elements.reduce(name, parts)] * n))
            if name in ("sum", "max", "average"):
                for dim in (0, 1):
                    sizes = [s // n if d == dim else s for d, s in enumerate(shape)]
                    yield case(f"shard.reduce_scatter %x {on} reduction = {name} scatter_axis = {dim}", sizes,
                               each(lambda parts: cut(elements.reduce(name, parts), n, dim)))
                root = n - 1
                index = [int(i) for i in np.unravel_index(root, [grid[axis] for axis in axes])]
                yield case(f"shard.reduce %x {on} reduction = {name} root = {index}", shape,
                           each(lambda parts: [elements.reduce(name, parts) if m == root else np.zeros_like(parts[0])
                                               for m in range(n)]), True)
        for dim in (0, 1):
            wide = [s * n if d == dim else s for d, s in enumerate(shape)]
            thin = [s // n if d == dim else s for d, s in enumerate(shape)]
            yield case(f"shard.all_gather %x {on} gather_axis = {dim}", wide,
                       each(lambda parts: [np.concatenate(parts, axis=dim)] * n))
            yield case(f"shard.all_slice %x {on} slice_axis = {dim}", thin,
                       each(lambda parts: [cut(part, n, dim)[m] for m, part in enumerate(parts)]))
            for concat in (0, 1):
                sizes = [s // n if d == dim else s for d, s in enumerate(shape)]
                sizes[concat] *= n
                yield case(f"shard.all_to_all %x {on} split_axis = {dim} concat_axis = {concat}", sizes,
                           each(lambda parts: [np.concatenate([cut(part, n, dim)[m] for part in parts], axis=concat)
                                               for m in range(n)]))
            for root in {0, n - 1}:
                index = [int(i) for i in np.unravel_index(root, [grid[axis] for axis in axes])]
                yield case(f"shard.gather %x {on} gather_axis = {dim} root = {index}", wide,
                           each(lambda parts: [np.concatenate(parts, axis=dim) if m == root else
                                               np.zeros(wide, parts[0].dtype) for m in range(n)]), True)
                yield case(f"shard.scatter %x {on} scatter_axis = {dim} root = {index}", thin,
                           each(lambda parts: cut(parts[root], n, dim)), True)
        for root in range(n):
            index = [int(i) for i in np.unravel_index(root, [grid[axis] for axis in axes])]
            yield case(f"shard.broadcast %x {on} root = {index}", shape, each(lambda parts: [parts[root]] * n), True)
        if len(axes) == 1:
            for offset, rotates in itertools.product((-2, -1, 1, n), (False, True)):
                def moved(parts):
                    for m in range(n):
                        source = m + offset
                        if rotates:
                            yield parts[source % n]
                        else:
                            yield parts[source] if 0 <= source < n else np.zeros_like(parts[0])
                yield case(f"shard.shift %x {on} shift_axis = {axes[0]} offset = {offset}" +
                           (" rotate" if rotates else ""), shape, each(lambda parts: list(moved(parts))))


def update_halos(grid, parts, split):
    """`split`: dimension, axis of the grid, sizes of the lower and the upper halo. One dimension after the other."""
    places = [np.unravel_index(rank, grid) for rank in range(len(parts))]
    for number, (dim, axis, lower, upper) in enumerate(split):
        # Halos along later dimensions are not sent: they have not been updated yet.
        box = [slice(None)] * 2
        for later, _, low, high in split[number + 1:]:
            box[later] = slice(low, parts[0].shape[later] - high)

        def rows(part, first, last):
            return part[tuple(slice(first, last) if d == dim else box[d] for d in range(2))]

        size = parts[0].shape[dim]
        updated = []
        for rank, place in enumerate(places):
            part = parts[rank].copy()
            for step, to, start, stop in ((-1, 0, size - upper - lower, size - upper), (1, size - upper, lower, lower + upper)):
                if 0 <= place[axis] + step < grid[axis]:
                    other = list(place)
                    other[axis] += step
                    rows(part, to, to + stop - start)[:] = rows(parts[np.ravel_multi_index(other, grid)], start, stop)
            updated.append(part)
        parts = updated
    return parts


def halo_cases(elements, grid, x):
    kind = f"tensor<{x[0].shape[0]}x{x[0].shape[1]}x{elements.name}>"
    splits = [[(1, axis, 2, 1)] for axis in range(len(grid))] + ([[(0, 0, 1, 1), (1, 1, 2, 1)]] if len(grid) > 1 else [])
    for split in splits:
        axes = [[axis for d, axis, _, _ in split if d == dim] for dim in (0, 1)]
        sizes = [size for _, _, lower, upper in split for size in (lower, upper)]
        yield f"shard.update_halo %x on @grid split_axes = {axes} halo_sizes = {sizes} : {kind}", kind, \
            update_halos(grid, x, split)


def sharding(grid, sizes):
    """All ranks, one after the other, along dimension 0."""
    count = int(np.prod(grid))
    axes = ", ".join(str(axis) for axis in range(len(grid)))
    shape = ", ".join(str(s) for s in [sizes[0] * count, *sizes[1:]])
    return (f"{{mica_sched.sharding = {{axes = [array<i64: {axes}>, array<i64>], "
            f"grid = array<i64: {', '.join(map(str, grid))}>, shape = array<i64: {shape}>}}}}")


def run(folder, tools, launch, grid, elements, seed, target):
    rng = np.random.default_rng(seed)
    count = int(np.prod(grid))
    unit = int(np.lcm.reduce(list(grid))) * (1 if len(grid) == 1 else count // int(np.lcm.reduce(list(grid))))
    shape = (unit, 3 * unit)
    x = [elements.draw(rng, shape) for _ in range(count)]
    cases = list(cases_of(elements, grid, x)) + (list(halo_cases(elements, grid, x)) if target != "cuda" else [])
    if target:
        # A kernel, so that the device is there; what it computes is not compared.
        kind = f"tensor<{shape[0]}x{shape[1]}x{elements.name}>"
        cases.append((f"arith.add{'f' if elements.is_float else 'i'} %x, %x : {kind}", kind, None))
    lines = [f"  %{i} = {text}" for i, (text, _, _) in enumerate(cases)]
    results = ", ".join(f"{kind} {sharding(grid, [int(s) for s in kind[7:].split('x')[:2]])}" for _, kind, _ in cases)
    program = (f"shard.grid @grid(shape = {'x'.join(map(str, grid))})\n"
               f"func.func @main(%x: tensor<{shape[0]}x{shape[1]}x{elements.name}> {sharding(grid, shape)}) -> ({results}) {{\n" +
               "\n".join(lines) + "\n  return " + ", ".join(f"%{i}" for i in range(len(cases))) + " : " +
               ", ".join(kind for _, kind, _ in cases) + "\n}\n")
    name = f"{'x'.join(map(str, grid))}-{elements.name}"
    base = os.path.join(folder, name)
    with open(base + ".mlir", "w") as file:
        file.write(program)
    np.save(base + ".npy", elements.store(np.concatenate(x, axis=0)))
    subprocess.run([f"{tools}/mica-compile", base + ".mlir", "-o", base, "--force", "--dump-passes=off"] +
                   ([f"--target={target}"] if target else []), check=True, stdout=subprocess.DEVNULL)
    # Stand-ins of a driver take PTX alone.
    for file in glob.glob(base + "/kernels/*/kernel.cubin"):
        os.remove(file)
    right = 0
    for launcher in launch:
        outputs = [f"{base}.{launcher}.{i}.npy" for i in range(len(cases))]
        prefix = LAUNCHERS[launcher] + ([str(count)] if launcher != "threads" else [])
        done = subprocess.run(prefix + [f"{tools}/mica-run", base, f"--input=@{base}.npy"] + (["--no-rebuild"] if target else []) +
                              [f"--output=@{file}" for file in outputs], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{name} by {launcher}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        for (text, _, expected), file in zip(cases, outputs):
            if expected is None:
                continue
            found = elements.load(np.load(file))
            wanted = np.concatenate(expected, axis=0)
            if not np.array_equal(found, wanted.astype(found.dtype)):
                sys.exit(f"{name} by {launcher}: {text}\nfound\n{found}\nexpected\n{wanted}")
            right += 1
    return right


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--tools", required=True)
    parser.add_argument("--grids", default="2")
    parser.add_argument("--dtypes", default="f32")
    parser.add_argument("--launch", default="threads")
    parser.add_argument("--target", default="")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    right = 0
    for grid in options.grids.split(","):
        for dtype in options.dtypes.split(","):
            right += run(options.folder, options.tools, options.launch.split(","), [int(s) for s in grid.split("x")],
                         Elements(dtype), options.seed, options.target)
    print(f"{right} results are right")


if __name__ == "__main__":
    main()
