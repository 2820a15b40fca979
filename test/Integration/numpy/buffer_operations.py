# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What random programs on buffers do between their regions: views, loads and stores, structured ops and vectors."""
import itertools

import numpy as np

from buffer_values import Buffer, View, allocate, any_layout, collapsed, plus, times

ARITHMETIC = [("addi", np.add), ("subi", np.subtract), ("xori", np.bitwise_xor), ("muli", np.multiply), ("maxsi", np.maximum)]


class Ops:
    inner = False  # a function that others call: its arguments may be one buffer

    def __init__(self):
        self.known = {}

    def chance(self, share):
        return self.rng.random() < share

    def pick(self, items):
        return items[int(self.rng.integers(len(items)))]

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text):
        self.lines.append("  " * self.depth + text)

    # Numbers.

    def scalar(self, number):
        """An index: a constant, or an argument that has this value."""
        same = [each[0] for each in self.ints if each[1] == each[2] == number and not each[0].startswith("%v")]
        if same and self.chance(0.6):
            self.known[same[0]] = number
            return same[0]
        name = self.name()
        self.emit(f"{name} = arith.constant {number} : index")
        self.known[name] = number
        return name

    def position(self, size, affine=False):
        """A position below `size`: an operand (or what stands in an affine access), its value, whether it is the same in each run."""
        fitting = [each for each in self.ints if each[4] or not affine]
        fitting = [each for each in fitting if each[2] < size or (each[2] // 2 < size)]
        if not fitting or self.chance(0.3):
            at = int(self.rng.integers(size))
            return (str(at) if affine else self.scalar(at)), (lambda env: at), at
        variable, low, high, give, _ = self.pick(fitting)
        ways = []
        if high < size:
            room = size - 1 - high
            ways.append((f"{variable} + {room}" if affine else ("addi", variable, room), lambda env: give(env) + room))
            ways.append((f"{size - 1} - {variable}" if affine else ("subi", size - 1, variable), lambda env: size - 1 - give(env)))
            ways.append((variable if affine else None, give))
            ways.append((variable if affine else None, give))
        if 2 * high < size:
            ways.append((f"{variable} * 2" if affine else ("muli", variable, 2), lambda env: give(env) * 2))
        if high // 2 < size:
            ways.append((f"{variable} floordiv 2" if affine else ("divui", variable, 2), lambda env: give(env) // 2))
        ways.append((f"{variable} mod {size}" if affine else ("remui", variable, size), lambda env: give(env) % size))
        text, compute = self.pick(ways)
        if affine:
            return text, compute, None
        if text is None:
            return variable, compute, None
        op, a, b = text
        a, b = (each if isinstance(each, str) else self.scalar(each) for each in (a, b))
        name = self.name()
        self.emit(f"{name} = arith.{op} {a}, {b} : index")
        return name, compute, None

    def places(self, shape, affine=False):
        found = [self.position(size, affine) for size in shape]
        return ", ".join(text for text, _, _ in found), lambda env: tuple(give(env) for _, give, _ in found)

    def value(self, only=None):
        """A number of the element type: a constant, or what a buffer holds here."""
        if self.chance(0.3):
            number, name = int(self.rng.integers(-20, 20)), self.name()
            self.emit(f"{name} = arith.constant {number} : {self.element}")
            return name, lambda env: self.dtype(number)
        buffer = only or self.buffer()
        affine = self.chance(0.4)
        at, where = self.places(buffer.shape, affine)
        name = self.name()
        self.emit(f"{name} = {'affine' if affine else 'memref'}.load {buffer.name}[{at}] : {buffer.type}")
        self.steps.append(lambda env: env.update({name: env[buffer.name].array[where(env)]}))
        return name, lambda env: env[name]

    # Buffers.

    def buffer(self, shape=None, apart=None):
        """One of the buffers in scope, of this shape, that is no part of what `apart` is of."""
        fitting = [each for each in self.buffers if (shape is None or each.shape == tuple(shape)) and (apart is None or self.apart(each, apart))]
        if not fitting:
            return None
        return fitting[-1 - int(self.rng.integers(min(len(fitting), 8)))]

    def apart(self, a, b):
        if a.roots & b.roots:
            return False
        if not self.inner:
            return True
        outer = lambda each: any(isinstance(root, str) or root[0] == "parameter" for root in each.roots)  # noqa: E731
        return not (outer(a) and outer(b))

    def define(self, buffer):
        self.buffers.append(buffer)

    def wrote(self, buffer):
        self.written |= buffer.roots

    def derive(self, source, text, shape, sizes, steps, offset, strides, compute, plain=False):
        """A view of `source`; `text` has NAME and TYPE."""
        name = self.name()
        result = Buffer(name, self.element, shape, sizes, source.roots, plain, steps, offset, strides)
        self.emit(text.replace("NAME", name).replace("TYPE", result.type))
        self.steps.append(lambda env: env.update({name: compute(env[source.name], env)}))
        self.define(result)
        return result

    def loose(self, buffer):
        """A cast to the type that says nothing but the rank."""
        kind = any_layout(buffer.rank, self.element)
        if buffer.type == kind:
            return buffer
        none = [None] * buffer.rank
        return self.derive(buffer, f"NAME = memref.cast {buffer.name} : {buffer.type} to TYPE", buffer.shape, none, none, None, buffer.strides,
                           lambda view, env: view)

    def alloc(self, shape=None, root=None):
        shape = shape or (self.buffer().shape if self.chance(0.6) else tuple(int(self.rng.integers(1, 5)) for _ in range(int(self.rng.integers(1, 4)))))
        sizes, operands = list(shape), []
        for d, size in enumerate(shape):
            if self.chance(0.3):
                sizes[d] = None
                operands.append(self.scalar(size))
        name = self.name()
        local = self.chance(0.3) and root is None
        result = Buffer(name, self.element, shape, sizes, {root or ("stack" if local else "alloc", self.title, name)}, whole=True)
        self.emit(f"{name} = memref.{'alloca' if local else 'alloc'}({', '.join(operands)}) : {result.type}")
        self.steps.append(lambda env: env.update({name: allocate(self.dtype, shape)}))
        other = self.buffer(shape)
        if other and self.chance(0.5):
            self.emit(f"memref.copy {other.name}, {name} : {other.type} to {result.type}")
            self.steps.append(lambda env: np.copyto(env[name].array, env[other.name].array))
        else:
            self.fill(result)
        self.define(result)
        self.wrote(result)
        if not local and root is None:
            self.local.append(result)
        return result

    def alloc_counter(self):
        name = self.name()
        self.emit(f"{name} = memref.alloca() : memref<{self.element}>")
        return name

    def get_global(self):
        mutable = self.chance(0.6)
        if self.globals and self.chance(0.5):
            symbol, array, mutable = self.pick(self.globals)
        else:
            shape = self.buffer().shape
            array = self.rng.integers(-9, 9, shape).astype(self.dtype)
            symbol = f"@NAME_g{len(self.globals)}"
            self.globals.append((symbol, array, mutable))
        name = self.name()
        result = Buffer(name, self.element, array.shape, array.shape, {symbol}, whole=True)
        self.emit(f"{name} = memref.get_global {symbol} : {result.type}")
        self.steps.append(lambda env: env.update({name: env[symbol]}))
        if mutable:
            self.define(result)
            return
        # A constant may be read alone: a copy of it is in scope.
        fresh = self.alloc(array.shape)
        self.emit(f"memref.copy {name}, {fresh.name} : {result.type} to {fresh.type}")
        self.steps.append(lambda env: np.copyto(env[fresh.name].array, env[name].array))

    def globals_text(self):
        for symbol, array, mutable in self.globals:
            kind = Buffer("", self.element, array.shape, array.shape, ()).type
            yield f"memref.global \"private\" {'' if mutable else 'constant '}{symbol} : {kind} = dense<{array.tolist()}>\n"

    # Views.

    def view(self):
        source = self.buffer()
        self.pick([self.subview, self.subview, self.subview, self.expand, self.collapse, self.transpose, self.cast, self.reinterpret])(source)

    def subview(self, source):
        texts = [[], [], []]
        offset, shape, sizes, steps, strides, places, drops = source.offset, [], [], [], [], [], []
        for d, extent in enumerate(source.shape):
            stride = 1 if extent < 3 or self.chance(0.7) else 2
            most = (extent + stride - 1) // stride
            size = most if self.chance(0.3) else int(self.rng.integers(1, most + 1))
            last = extent - ((size - 1) * stride + 1)  # the greatest offset
            if self.chance(0.5):
                at = int(self.rng.integers(last + 1))
                texts[0].append(str(at))
                places.append(lambda env, at=at: at)
                offset = plus(offset, times(at, source.steps[d]))
            else:
                text, give, _ = self.position(last + 1)
                texts[0].append(text)
                places.append(give)
                offset = plus(offset, times(None, source.steps[d]))
            known = self.chance(0.7)
            texts[1].append(str(size) if known else self.scalar(size))
            static = self.chance(0.8)
            texts[2].append(str(stride) if static else self.scalar(stride))
            drop = known and size == 1 and self.chance(0.6) and len(source.shape) - len(drops) > 1
            if drop:
                drops.append(d)
            else:
                shape.append(size)
                sizes.append(size if known else None)
                steps.append(times(source.steps[d], stride if static else None))
                strides.append(None if source.strides[d] is None else source.strides[d] * stride)
            places[-1] = (places[-1], size, stride)
        keep = [d for d in range(source.rank) if d not in drops]

        def compute(view, env):
            start = view.offset + sum(give(env) * step for (give, _, _), step in zip(places, view.strides))
            return View(view.root, view.dtype, start, [places[d][1] for d in keep], [view.strides[d] * places[d][2] for d in keep])

        lists = " ".join(f"[{', '.join(each)}]" for each in texts)
        return self.derive(source, f"NAME = memref.subview {source.name}{lists} : {source.type} to TYPE", shape, sizes, steps, offset, strides, compute)

    def expand(self, source):
        d = int(self.rng.integers(source.rank))
        size = source.shape[d]
        factor = self.pick([f for f in range(1, size + 1) if size % f == 0])
        parts = (factor, size // factor)
        if source.rank > 3:
            return
        shape = source.shape[:d] + parts + source.shape[d + 1:]
        known = source.sizes[d] is not None
        # One size of a group may be unknown, and is, where the size of the source is.
        unknown = None if known else int(self.rng.integers(2))
        types = tuple(None if k == unknown else part for k, part in enumerate(parts))
        sizes = source.sizes[:d] + types + source.sizes[d + 1:]
        steps = source.steps[:d] + (times(source.steps[d], types[1]), source.steps[d]) + source.steps[d + 1:]
        strides = source.strides[:d] + (None if source.strides[d] is None else source.strides[d] * parts[1], source.strides[d]) + source.strides[d + 1:]
        output = []
        for size, kind in zip(shape, sizes):
            output.append(str(size) if kind is not None else self.scalar(size))
        groups = [[k] if k < d else [k, k + 1] if k == d else [k + 1] for k in range(source.rank)]
        text = f"NAME = memref.expand_shape {source.name} {groups} output_shape [{', '.join(output)}] : {source.type} into TYPE"

        def compute(view, env):
            return View(view.root, view.dtype, view.offset, shape, view.strides[:d] + (view.strides[d] * parts[1], view.strides[d]) + view.strides[d + 1:])

        # For MLIR, the layout strided<[1]> of one dimension is none.
        plain = source.plain or (source.rank == 1 and source.steps == (1,) and source.offset == 0)
        return self.derive(source, text, shape, sizes, steps, source.offset, strides, compute, plain=plain)

    def collapse(self, source):
        if source.rank < 2:
            return
        d = int(self.rng.integers(source.rank - 1))
        groups = [[k] if k < d else [k, k + 1] if k == d else [k + 1] for k in range(source.rank - 1)]
        found = collapsed(source, groups)
        if found is None or (source.plain is False and None in source.strides):
            return
        sizes, steps = found
        shape = source.shape[:d] + (source.shape[d] * source.shape[d + 1],) + source.shape[d + 2:]

        def stride(strides, group):
            return next((strides[k] for k in reversed(group) if source.shape[k] != 1), strides[group[0]])

        strides = [stride(source.strides, group) for group in groups]
        text = f"NAME = memref.collapse_shape {source.name} {groups} : {source.type} into TYPE"
        return self.derive(source, text, shape, sizes, steps, source.offset, strides,
                           lambda view, env: View(view.root, view.dtype, view.offset, shape, [stride(view.strides, group) for group in groups]),
                           plain=source.plain)

    def transpose(self, source):
        order = [int(k) for k in self.rng.permutation(source.rank)]
        axes = [f"d{k}" for k in range(source.rank)]
        text = f"NAME = memref.transpose {source.name} ({', '.join(axes)}) -> ({', '.join(axes[k] for k in order)}) : {source.type} to TYPE"
        take = lambda items: [items[k] for k in order]  # noqa: E731
        return self.derive(source, text, take(source.shape), take(source.sizes), take(source.steps), source.offset, take(source.strides),
                           lambda view, env: View(view.root, view.dtype, view.offset, take(view.shape), take(view.strides)))

    def cast(self, source):
        """Says less of the type, or all of it that is known."""
        if self.chance(0.5):
            sizes = [None if self.chance(0.5) else size for size in source.sizes]
            steps, offset, plain = source.steps, source.offset, source.plain
            if not plain:
                steps = [None if self.chance(0.4) else step for step in steps]
                offset = None if self.chance(0.4) else offset
        else:
            sizes, steps, offset, plain = source.shape, source.steps, source.offset, source.plain
            if not plain and None not in source.strides:
                steps = source.strides
        result = Buffer("", self.element, source.shape, sizes, (), plain, steps, offset, source.strides)
        if result.type == source.type:
            return
        return self.derive(source, f"NAME = memref.cast {source.name} : {source.type} to TYPE", source.shape, sizes, steps, offset, source.strides,
                           lambda view, env: view, plain=plain)

    def reinterpret(self, source):
        """Any window of a whole allocation."""
        if not source.whole:
            return
        total = int(np.prod(source.shape))
        shape, strides, sizes, steps, texts = [], [], [], [], [[], []]
        left = total - 1
        for _ in range(int(self.rng.integers(1, 4))):
            stride = int(self.rng.integers(1, 4))
            size = int(self.rng.integers(1, min(left // stride, 3) + 2))
            left -= (size - 1) * stride
            shape.append(size)
            strides.append(stride)
            for kind, number, types in ((0, size, sizes), (1, stride, steps)):
                known = self.chance(0.7)
                texts[kind].append(str(number) if known else self.scalar(number))
                types.append(number if known else None)
        offset = int(self.rng.integers(left + 1))
        known = self.chance(0.6)
        begin, give = (str(offset), lambda env: offset) if known else self.position(left + 1)[:2]
        injective = len({sum(i * s for i, s in zip(at, strides)) for at in itertools.product(*map(range, shape))}) == int(np.prod(shape))
        if not injective:
            return
        text = f"NAME = memref.reinterpret_cast {source.name} to offset: [{begin}], sizes: [{', '.join(texts[0])}], strides: [{', '.join(texts[1])}] : {source.type} to TYPE"
        return self.derive(source, text, shape, sizes, steps, offset if known else None, strides,
                           lambda view, env: View(view.root, view.dtype, give(env), shape, strides))

    def sizes(self):
        """Stores what memref.dim or the metadata say of a buffer."""
        source, target = self.buffer(), self.buffer()
        if self.chance(0.5):
            d, size = int(self.rng.integers(source.rank)), self.name()
            axis = self.scalar(d)
            self.emit(f"{size} = memref.dim {source.name}, {axis} : {source.type}")
            give = lambda env: env[source.name].shape[d]  # noqa: E731
        elif self.chance(0.6):
            names = [self.name() for _ in range(2 + 2 * source.rank)]
            kinds = ", ".join(["index"] * (1 + 2 * source.rank))
            self.emit(f"{', '.join(names)} = memref.extract_strided_metadata {source.name} : {source.type} -> memref<{self.element}>, {kinds}")
            k = int(self.rng.integers(source.rank)) if self.chance(0.7) else source.rank
            size = names[2 + k]
            give = lambda env: (env[source.name].shape + env[source.name].strides)[k]  # noqa: E731
            if k < source.rank and source.shape[k] != 1 and self.chance(0.5):
                size = names[2 + source.rank + k]
                give = lambda env: env[source.name].strides[k]  # noqa: E731
            elif source.shape[0] == 1:
                size, give = names[2], lambda env: env[source.name].shape[0]
        else:
            return
        number = self.name()
        self.emit(f"{number} = arith.index_cast {size} : index to {self.element}")
        at, where = self.places(target.shape)
        self.emit(f"memref.store {number}, {target.name}[{at}] : {target.type}")
        self.wrote(target)
        self.steps.append(lambda env: env[target.name].array.__setitem__(where(env), np.array(give(env)).astype(self.dtype)))

    def select(self):
        """One of two buffers, by a condition."""
        one = self.buffer()
        two = self.buffer(one.shape)
        flag, holds = self.flag()
        a, b = self.loose(one), self.loose(two)
        name, none = self.name(), [None] * one.rank
        self.emit(f"{name} = arith.select {flag}, {a.name}, {b.name} : {a.type}")
        self.steps.append(lambda env: env.update({name: env[a.name] if holds(env) else env[b.name]}))
        strides = a.strides if a.strides == b.strides else none
        self.define(Buffer(name, self.element, one.shape, none, a.roots | b.roots, False, none, None, strides))

    # Loads and stores.

    def copy(self):
        target = self.buffer()
        source = self.buffer(target.shape, apart=target)
        if source is None:
            return
        op = "memref.copy" if self.chance(0.6) else "linalg.copy"
        text = f"{op} {source.name}, {target.name} : {source.type} to {target.type}"
        if op == "linalg.copy":
            text = f"linalg.copy ins({source.name} : {source.type}) outs({target.name} : {target.type})"
        self.emit(text)
        self.wrote(target)
        self.steps.append(lambda env: np.copyto(env[target.name].array, env[source.name].array))

    def store(self):
        target = self.buffer()
        value, give = self.value()
        other, more = self.value()
        op, compute = self.pick(ARITHMETIC)
        result = self.name()
        self.emit(f"{result} = arith.{op} {value}, {other} : {self.element}")
        affine = self.chance(0.4)
        at, where = self.places(target.shape, affine)
        self.emit(f"{'affine' if affine else 'memref'}.store {result}, {target.name}[{at}] : {target.type}")
        self.wrote(target)
        self.steps.append(lambda env: env[target.name].array.__setitem__(where(env), compute(give(env), more(env))))

    def atomic(self):
        target = self.buffer()
        value, give = self.value()
        kind, compute = self.pick([("addi", np.add), ("maxs", np.maximum), ("assign", lambda old, new: new), ("ori", np.bitwise_or)])
        at, where = self.places(target.shape)
        old = self.name()
        self.emit(f"{old} = memref.atomic_rmw {kind} {value}, {target.name}[{at}] : ({self.element}, {target.type}) -> {self.element}")
        self.wrote(target)

        def act(env):
            array = env[target.name].array
            array[where(env)] = compute(array[where(env)], give(env))

        self.steps.append(act)

    def nest(self):
        """Loops over a buffer that load from others, or from it at places that the loops have written."""
        target = self.buffer()
        kind = self.pick(["scf", "affine", "affine", "parallel", "affine.parallel"])
        parallel = "parallel" in kind
        source = self.buffer(apart=target) if parallel else self.buffer()
        if source is None:
            return
        variables = [self.name() for _ in target.shape]
        affine = kind.startswith("affine")
        depth, lows = self.depth, [int(self.rng.integers(min(size, 2))) for size in target.shape]
        ends = [self.scalar(size) for size in target.shape] if not affine else []
        starts = [self.scalar(low) for low in lows] if not affine else []
        one = self.scalar(1) if not affine else None
        if kind == "parallel":
            self.emit(f"scf.parallel ({', '.join(variables)}) = ({', '.join(starts)}) to ({', '.join(ends)}) step ({', '.join([one] * target.rank)}) {{")
            self.depth += 1
        elif kind == "affine.parallel":
            self.emit(f"affine.parallel ({', '.join(variables)}) = ({', '.join(map(str, lows))}) to ({', '.join(map(str, target.shape))}) {{")
            self.depth += 1
        else:
            for d, variable in enumerate(variables):
                head = f"affine.for {variable} = {lows[d]} to {target.shape[d]}" if affine else f"scf.for {variable} = {starts[d]} to {ends[d]} step {one}"
                self.emit(head + " {")
                self.depth += 1
        kept = list(self.ints), self.steps
        self.steps = []
        mine = [(variable, low, size - 1, lambda env, variable=variable: env[variable], affine)
                for variable, low, size in zip(variables, lows, target.shape)]
        self.ints = self.ints + mine + mine + mine
        loads = []
        for _ in range(int(self.rng.integers(1, 3))):
            at, where = self.places(source.shape, affine)
            name = self.name()
            self.emit(f"{name} = {'affine' if affine else 'memref'}.load {source.name}[{at}] : {source.type}")
            loads.append((name, where))
        op, compute = self.pick(ARITHMETIC)
        result = self.name()
        self.emit(f"{result} = arith.{op} {loads[0][0]}, {loads[-1][0]} : {self.element}")
        turned = [self.chance(0.2) for _ in variables]
        at = ", ".join(f"{size - 1} - {variable}" if turn and affine else variable for variable, size, turn in zip(variables, target.shape, turned))
        turned = [turn and affine for turn in turned]
        self.emit(f"{'affine' if affine else 'memref'}.store {result}, {target.name}[{at}] : {target.type}")
        self.ints, self.steps = kept
        while self.depth > depth:
            self.depth -= 1
            self.emit("}")
        self.wrote(target)

        def act(env):
            for place in itertools.product(*[range(low, size) for low, size in zip(lows, target.shape)]):
                local = dict(env)
                local.update(zip(variables, place))
                values = [env[source.name].array[where(local)] for _, where in loads]
                spot = tuple(size - 1 - i if turn else i for i, size, turn in zip(place, target.shape, turned))
                env[target.name].array[spot] = compute(values[0], values[-1])

        self.steps.append(act)

    # Structured ops.

    def fill(self, target=None):
        target = target or self.buffer()
        value, give = self.value()
        self.emit(f"linalg.fill ins({value} : {self.element}) outs({target.name} : {target.type})")
        self.wrote(target)
        self.steps.append(lambda env: np.copyto(env[target.name].array, give(env)))

    def generic(self):
        """A linalg.generic with reversed, shifted, diagonal and broadcast maps; the output may be read where it is written."""
        target = self.buffer()
        loops = list(target.shape)
        order = [int(k) for k in self.rng.permutation(target.rank)]
        extents = [0] * target.rank
        for d, k in enumerate(order):
            extents[k] = loops[d]
        inputs = [each for each in (self.buffer(apart=target) for _ in range(int(self.rng.integers(1, 3)))) if each]
        reduction = bool(inputs) and self.chance(0.4)
        if reduction:
            extents.append(self.pick(inputs[0].shape))
        maps, covered = [], set(range(target.rank))
        for at, source in enumerate(inputs):
            exprs = []
            for d, size in enumerate(source.shape):
                ways = [(str(c), lambda place, c=c: c) for c in [int(self.rng.integers(size))]]
                for k, extent in enumerate(extents):
                    if extent == size:
                        ways += [(f"d{k}", lambda place, k=k: place[k])] * 4
                        ways += [(f"{size - 1} - d{k}", lambda place, k=k, size=size: size - 1 - place[k])]
                    elif extent < size:
                        room = size - extent
                        ways += [(f"d{k} + {room}", lambda place, k=k, room=room: place[k] + room)] * 2
                    if 2 * (extent - 1) < size:
                        ways += [(f"d{k} * 2", lambda place, k=k: place[k] * 2)]
                    if (extent - 1) // 2 < size:
                        ways += [(f"d{k} floordiv 2", lambda place, k=k: place[k] // 2)]
                    ways += [(f"d{k} mod {size}", lambda place, k=k, size=size: place[k] % size)]
                if reduction and at == 0 and size == extents[-1] and target.rank not in covered:
                    ways = [(f"d{target.rank}", lambda place: place[-1])]
                    covered.add(target.rank)
                exprs.append(self.pick(ways))
            maps.append(exprs)
        if len(covered) < len(extents):
            return
        dims = ", ".join(f"d{k}" for k in range(len(extents)))
        out = [(f"d{k}", lambda place, k=k: place[k]) for k in order]
        texts = [f"affine_map<({dims}) -> ({', '.join(text for text, _ in exprs)})>" for exprs in maps + [out]]
        kinds = ", ".join(f'"{"parallel" if k < target.rank else "reduction"}"' for k in range(len(extents)))
        ins = f" ins({', '.join(each.name for each in inputs)} : {', '.join(each.type for each in inputs)})" if inputs else ""
        self.emit(f"linalg.generic {{indexing_maps = [{', '.join(texts)}], iterator_types = [{kinds}]}}{ins} outs({target.name} : {target.type}) {{")
        names = [f"%p{k}" for k in range(len(inputs))]
        self.emit(f"^bb0({', '.join(f'{name}: {self.element}' for name in names + ['%o'])}):")
        op, compute = self.pick(ARITHMETIC)
        reads = reduction or not inputs or self.chance(0.4)
        first = names[0] if inputs else "%o"
        last = names[-1] if inputs else "%o"
        self.emit(f"  %s = arith.{op} {first}, {last} : {self.element}")
        if reads:
            self.emit(f"  %t = arith.addi %s, %o : {self.element}")
        self.emit(f"  linalg.yield {'%t' if reads else '%s'} : {self.element}")
        self.emit("}")
        self.wrote(target)

        def act(env):
            arrays, result = [env[each.name].array for each in inputs], env[target.name].array
            for place in itertools.product(*map(range, extents)):
                spot = tuple(give(place) for _, give in out)
                values = [array[tuple(give(place) for _, give in exprs)] for array, exprs in zip(arrays, maps)] or [result[spot]]
                number = compute(values[0], values[-1])
                result[spot] = number + result[spot] if reads else number

        self.steps.append(act)

    def named(self):
        self.pick([self.matmul, self.reduce, self.broadcast, self.permute, self.map])()

    def matmul(self):
        grids = [each for each in self.buffers if each.rank == 2]
        if not grids:
            return
        target = self.pick(grids)
        left = [each for each in grids if each.shape[0] == target.shape[0] and self.apart(each, target)]
        pairs = [(a, b) for a in left for b in grids if b.shape == (a.shape[1], target.shape[1]) and self.apart(b, target)]
        if not pairs:
            a = self.alloc((target.shape[0], 2))
            b = self.alloc((2, target.shape[1]))
            pairs = [(a, b)]
        a, b = self.pick(pairs)
        self.emit(f"linalg.matmul ins({a.name}, {b.name} : {a.type}, {b.type}) outs({target.name} : {target.type})")
        self.wrote(target)

        def act(env):
            x, y, z = (env[each.name].array.astype(np.int64) for each in (a, b, target))
            env[target.name].array[...] = (x @ y + z).astype(self.dtype)

        self.steps.append(act)

    def reduce(self):
        source = self.buffer()
        if source.rank < 2:
            return
        axes = sorted(int(k) for k in self.rng.permutation(source.rank)[:int(self.rng.integers(1, source.rank))])
        shape = tuple(size for d, size in enumerate(source.shape) if d not in axes)
        target = self.buffer(shape, apart=source) or self.alloc(shape)
        if target.sizes != tuple(size for d, size in enumerate(source.sizes) if d not in axes):
            return
        self.emit(f"linalg.reduce {{ arith.addi }} ins({source.name} : {source.type}) outs({target.name} : {target.type}) dimensions = {axes}")
        self.wrote(target)

        def act(env):
            total = env[source.name].array.sum(axis=tuple(axes), dtype=self.dtype)
            env[target.name].array[...] += total

        self.steps.append(act)

    def broadcast(self):
        target = self.buffer()
        if target.rank < 2:
            return
        axes = sorted(int(k) for k in self.rng.permutation(target.rank)[:int(self.rng.integers(1, target.rank))])
        shape = tuple(size for d, size in enumerate(target.shape) if d not in axes)
        source = self.buffer(shape, apart=target) or self.alloc(shape)
        if source.sizes != tuple(size for d, size in enumerate(target.sizes) if d not in axes):
            return
        self.emit(f"linalg.broadcast ins({source.name} : {source.type}) outs({target.name} : {target.type}) dimensions = {axes}")
        self.wrote(target)
        self.steps.append(lambda env: np.copyto(env[target.name].array, np.expand_dims(env[source.name].array, axes)))

    def permute(self):
        target = self.buffer()
        order = [int(k) for k in self.rng.permutation(target.rank)]
        shape = [0] * target.rank
        for d, k in enumerate(order):
            shape[k] = target.shape[d]
        source = self.buffer(shape, apart=target)
        if source is None or target.sizes != tuple(source.sizes[k] for k in order):
            return
        self.emit(f"linalg.transpose ins({source.name} : {source.type}) outs({target.name} : {target.type}) permutation = {order}")
        self.wrote(target)
        self.steps.append(lambda env: np.copyto(env[target.name].array, env[source.name].array.transpose(order)))

    def map(self):
        """An op on whole buffers, which may be the output itself."""
        target = self.buffer()
        a, b = (self.buffer(target.shape, apart=target) if self.chance(0.6) else target for _ in range(2))
        a, b = a or target, b or target
        op, compute = self.pick([("add", np.add), ("sub", np.subtract), ("mul", np.multiply), ("max", np.maximum)])
        self.emit(f"linalg.{op} ins({a.name}, {b.name} : {a.type}, {b.type}) outs({target.name} : {target.type})")
        self.wrote(target)
        self.steps.append(lambda env: np.copyto(env[target.name].array, compute(env[a.name].array, env[b.name].array)))

    def part(self):
        """Something done to the first rows of a buffer, as many as a loop has gone through."""
        loops = [each for each in self.ints if each[0].startswith("%v")]
        target = self.buffer()
        fitting = [each for each in loops if each[2] <= target.shape[0]]
        if not fitting:
            return
        variable, _, _, give, _ = self.pick(fitting)
        name = self.name()
        zeros, ones = ", ".join(["0"] * target.rank), ", ".join(["1"] * target.rank)
        sizes = ", ".join([variable] + [str(size) for size in target.shape[1:]])
        result = Buffer(name, self.element, target.shape, (None,) + target.shape[1:], target.roots, False, target.steps, target.offset, target.strides)
        self.emit(f"{name} = memref.subview {target.name}[{zeros}] [{sizes}] [{ones}] : {target.type} to {result.type}")
        if self.chance(0.5):
            value, number = self.value()
            self.emit(f"linalg.fill ins({value} : {self.element}) outs({name} : {result.type})")
            self.steps.append(lambda env: env[target.name].array[:give(env)].__setitem__(Ellipsis, number(env)))
        else:
            self.emit(f"linalg.add ins({name}, {name} : {result.type}, {result.type}) outs({name} : {result.type})")
            self.steps.append(lambda env: np.multiply(env[target.name].array[:give(env)], self.dtype(2), out=env[target.name].array[:give(env)]))
        self.wrote(target)

    # Vectors.

    def transfer(self):
        """Reads a vector by a permutation with broadcasts, under a mask or over an edge, and writes it elsewhere."""
        source, target = self.buffer(), self.buffer()
        rank = min(int(self.rng.integers(1, 3)), source.rank, target.rank)
        shape = tuple(int(self.rng.integers(1, 5)) for _ in range(rank))
        vector = f"vector<{'x'.join(map(str, shape))}x{self.element}>"
        pad, filler = self.name(), int(self.rng.integers(-9, 9))
        self.emit(f"{pad} = arith.constant {filler} : {self.element}")
        axes = [int(k) for k in self.rng.permutation(source.rank)[:rank]]
        axes = [None if self.chance(0.15) else axis for axis in axes]
        at, where = self.places(source.shape)
        attributes = self.map_text(source.rank, axes) + ", in_bounds = [" + ", ".join("true" if axis is None else "false" for axis in axes) + "]"
        # The mask has the shape that the map takes the vector from.
        masks = [d for d in range(source.rank) if d in axes]
        mask, active = self.mask([shape[axes.index(d)] for d in masks]) if masks and self.chance(0.4) else (None, None)
        name = self.name()
        self.emit(f"{name} = vector.transfer_read {source.name}[{at}], {pad}{', ' + mask if mask else ''} {{{attributes}}} : {source.type}, {vector}")

        def read(env):
            array, start = env[source.name].array, where(env)
            result = np.full(shape, filler, self.dtype)
            for place in itertools.product(*map(range, shape)):
                spot = list(start)
                for axis, i in zip(axes, place):
                    if axis is not None:
                        spot[axis] += i
                inside = all(i < size for i, size in zip(spot, array.shape))
                on = active is None or active(env)[tuple(place[axes.index(d)] for d in masks)]
                if inside and on:
                    result[place] = array[tuple(spot)]
            env[name] = result

        self.steps.append(read)
        op, compute = self.pick(ARITHMETIC)
        changed = self.name()
        self.emit(f"{changed} = arith.{op} {name}, {name} : {vector}")
        order = [int(k) for k in self.rng.permutation(target.rank)[:rank]]
        to, there = self.places(target.shape)
        attributes = self.map_text(target.rank, order) + ", in_bounds = [" + ", ".join(["false"] * rank) + "]"
        outer = [d for d in range(target.rank) if d in order]
        second, lanes = self.mask([shape[order.index(d)] for d in outer]) if self.chance(0.4) else (None, None)
        self.emit(f"vector.transfer_write {changed}, {target.name}[{to}]{', ' + second if second else ''} {{{attributes}}} : {vector}, {target.type}")
        self.wrote(target)

        def write(env):
            array, start = env[target.name].array, there(env)
            for place in itertools.product(*map(range, shape)):
                spot = list(start)
                for axis, i in zip(order, place):
                    spot[axis] += i
                on = lanes is None or lanes(env)[tuple(place[order.index(d)] for d in outer)]
                if on and all(i < size for i, size in zip(spot, array.shape)):
                    array[tuple(spot)] = compute(env[name][place], env[name][place])

        self.steps.append(write)

    @staticmethod
    def map_text(rank, axes):
        dims = ", ".join(f"d{k}" for k in range(rank))
        return f"permutation_map = affine_map<({dims}) -> ({', '.join('0' if axis is None else f'd{axis}' for axis in axes)})>"

    def mask(self, shape):
        """A mask: how many lanes are on, or which."""
        kind, name = f"vector<{'x'.join(map(str, shape))}xi1>", self.name()
        if self.chance(0.5):
            counts = [self.position(size + 1) for size in shape]
            self.emit(f"{name} = vector.create_mask {', '.join(text for text, _, _ in counts)} : {kind}")
            return name, lambda env: np.all([i < give(env) for i, (_, give, _) in zip(np.indices(shape), counts)], axis=0)
        lanes = self.rng.random(shape) < 0.6
        self.emit(f"{name} = arith.constant dense<{str(lanes.tolist()).lower()}> : {kind}")
        return name, lambda env: lanes

    def vector(self):
        """Lanes of a row, by vector.load, maskedload, gather, compressstore and the like."""
        rows = [each for each in self.buffers if each.steps[-1] == 1]
        if not rows:
            return
        source, target = self.pick(rows), self.pick(rows)
        lanes = int(self.rng.integers(1, min(source.shape[-1], target.shape[-1]) + 1))
        vector, flags = f"vector<{lanes}x{self.element}>", f"vector<{lanes}xi1>"
        begin, where = self.places(source.shape[:-1] + (source.shape[-1] - lanes + 1,))
        to, there = self.places(target.shape[:-1] + (target.shape[-1] - lanes + 1,))
        name, mask, pass_on = self.name(), None, self.name()
        filler = self.rng.integers(-9, 9, lanes).astype(self.dtype)
        self.emit(f"{pass_on} = arith.constant dense<{filler.tolist()}> : {vector}")
        how = self.pick(["load", "maskedload", "gather", "expandload"])
        mask, active = self.mask([lanes])
        if how == "load":
            self.emit(f"{name} = vector.load {source.name}[{begin}] : {source.type}, {vector}")
        elif how == "gather":
            picks = self.rng.integers(0, lanes, lanes)
            places = self.name()
            self.emit(f"{places} = arith.constant dense<{picks.tolist()}> : vector<{lanes}xi32>")
            self.emit(f"{name} = vector.gather {source.name}[{begin}] [{places}], {mask}, {pass_on} : {source.type}, vector<{lanes}xi32>, {flags}, {vector} into {vector}")
        else:
            self.emit(f"{name} = vector.{how} {source.name}[{begin}], {mask}, {pass_on} : {source.type}, {flags}, {vector} into {vector}")

        def read(env):
            start = where(env)
            row = env[source.name].array[start[:-1]][start[-1]:start[-1] + lanes]
            if how == "load":
                env[name] = row.copy()
                return
            on = active(env)
            env[name] = filler.copy()
            env[name][on] = row[picks[on]] if how == "gather" else row[:int(on.sum())] if how == "expandload" else row[on]

        self.steps.append(read)
        store = self.pick(["store", "maskedstore", "scatter", "compressstore"])
        second, others = self.mask([lanes])
        if store == "store":
            self.emit(f"vector.store {name}, {target.name}[{to}] : {target.type}, {vector}")
        elif store == "scatter":
            order, places = self.rng.permutation(lanes), self.name()
            self.emit(f"{places} = arith.constant dense<{order.tolist()}> : vector<{lanes}xi32>")
            self.emit(f"vector.scatter {target.name}[{to}] [{places}], {second}, {name} : {target.type}, vector<{lanes}xi32>, {flags}, {vector}")
        else:
            self.emit(f"vector.{store} {target.name}[{to}], {second}, {name} : {target.type}, {flags}, {vector}")
        self.wrote(target)

        def write(env):
            start = there(env)
            row = env[target.name].array[start[:-1]][start[-1]:start[-1] + lanes]
            on = others(env)
            if store == "store":
                row[...] = env[name]
            elif store == "scatter":
                row[order[on]] = env[name][on]
            elif store == "compressstore":
                row[:int(on.sum())] = env[name][on]
            else:
                row[on] = env[name][on]

        self.steps.append(write)
