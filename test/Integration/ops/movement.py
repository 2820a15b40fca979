"""Picking, placing and ordering elements."""
from harness import BOOL, FLOATS, INTS, case, tensor

TYPES = ["f64", "f32", "i64", "i32", "i1"]
POSITIONS = ["i64", "i32"]


def cases():
    for dtype in TYPES:
        yield from byPosition(dtype)
        yield from byBlock(dtype)
        yield from byOrder(dtype)
    for dtype in FLOATS + INTS + BOOL:
        if dtype not in TYPES:
            yield from once(dtype)
    yield from special()


def once(dtype):
    """One case of each operation: what another element type can change."""
    at = tensor("3", "i64", "1,-1,4")
    yield case("gather", dtype, "%r = mica.gather %a, %i axis = 0 : ($a, $i) -> $r", {"a": "5x33", "i": at}, {"r": "3x33"})
    yield case("embedding", dtype, "%r = mica.embedding %a, %i : ($a, $i) -> $r", {"a": "5x33", "i": at}, {"r": "3x33"})
    for kind in ["update", "add"]:
        yield case("scatter", dtype, f"%r = mica.scatter {kind} %a, %i, %u axis = 0 : ($a, $i, $u) -> $r",
                   {"a": "5x33", "i": at, "u": "3x33"}, {"r": "5x33"}, label=kind)
    yield case("cache_update", dtype, "%r = mica.cache_update %a, %n at %p axis = 1 : ($a, $n, $p) -> $r",
               {"a": "2x16x8", "n": "2x4x8", "p": tensor("", "i64", "5")}, {"r": "2x16x8"})
    yield case("concat", dtype, "%r = mica.concat %a, %b axis = 1 : ($a, $b) -> $r", {"a": "5x3x7", "b": "5x4x7"},
               {"r": "5x7x7"})
    yield case("split", dtype, "%r, %s = mica.split %a axis = 1 sizes = [8, 5] : ($a) -> ($r, $s)", {"a": "5x=13x7"},
               {"r": "5x=8x7", "s": "5x=5x7"})
    yield case("slice", dtype, "%r = mica.slice %a offsets = [1, 2] sizes = [3, 5] strides = [1, 3] : ($a) -> $r",
               {"a": "6x17"}, {"r": "=3x=5"})
    yield case("tile", dtype, "%r = mica.tile %a multiples = [2, 1, 3] : ($a) -> $r", {"a": "3x5x7"}, {"r": "6x5x21"})
    yield case("flip", dtype, "%r = mica.flip %a dims = [0, 2] : $a", {"a": "3x5x33"}, {"r": "3x5x33"})
    yield case("sort", dtype, "%r, %i = mica.sort %a axis = 1 : ($a) -> ($r, $i)", {"a": "3x40"},
               {"r": "3x40", "i": tensor("3x40", "i64")})
    yield case("top_k", dtype, "%r, %i = mica.top_k %a k = 5 axis = 1 : ($a) -> ($r, $i)", {"a": "3x40"},
               {"r": "3x=5", "i": tensor("3x=5", "i64")})


def byPosition(dtype):
    """Indices from -2 to 2 above the size: some are out of range."""
    for position in POSITIONS:
        around = lambda shape, size: tensor(shape, position, f"random:7:-2:{size + 2}")
        at = lambda value: tensor("", position, str(value))
        yield case("gather", dtype, "%r = mica.gather %a, %i axis = 1 : ($a, $i) -> $r",
                   {"a": "5x17x9", "i": around("4x3", 17)}, {"r": "5x4x3x9"}, label=position)
        yield case("embedding", dtype, "%r = mica.embedding %a, %i : ($a, $i) -> $r",
                   {"a": "50x33", "i": around("2x21", 50)}, {"r": "2x21x33"}, label=position)
        yield case("scatter", dtype, "%r = mica.scatter update %a, %i, %u axis = 1 : ($a, $i, $u) -> $r",
                   {"a": "5x17x9", "i": around("4x3", 17), "u": "5x4x3x9"}, {"r": "5x17x9"}, label=position)
        if dtype != "i1":
            yield case("scatter", dtype, "%r = mica.scatter add %a, %i, %u axis = 0 : ($a, $i, $u) -> $r",
                       {"a": "11x37", "i": around("64", 11), "u": "64x37"}, {"r": "11x37"}, label="add-" + position)
        for value in [0, 5, 14, -2]:
            yield case("cache_update", dtype, "%r = mica.cache_update %a, %n at %p axis = 2 : ($a, $n, $p) -> $r",
                       {"a": "2x3x16x8", "n": "2x3x4x8", "p": at(value)}, {"r": "2x3x16x8"},
                       label=f"at{value}-{position}")
    yield case("gather", dtype, "%r = mica.gather %a, %i axis = 1 batch_dims = 1 : ($a, $i) -> $r",
               {"a": "6x19", "i": tensor("6x4", "i64", "random:3:-1:20")}, {"r": "6x4"}, label="along-axis")
    yield case("gather", dtype, "%r = mica.gather %a, %i axis = 2 batch_dims = 1 : ($a, $i) -> $r",
               {"a": "3x4x7x5", "i": tensor("3x6", "i64", "random:3:0:7")}, {"r": "3x4x6x5"}, label="batch")
    yield case("scatter", dtype, "%r = mica.scatter update %a, %i, %u axis = 2 batch_dims = 1 : ($a, $i, $u) -> $r",
               {"a": "3x4x7x5", "i": tensor("3x6", "i64", "random:3:-1:8"), "u": "3x4x6x5"}, {"r": "3x4x7x5"},
               label="batch")


def byBlock(dtype):
    yield case("concat", dtype, "%r = mica.concat %a, %b, %c axis = 1 : ($a, $b, $c) -> $r",
               {"a": "5x3x7", "b": "5x1x7", "c": "5x4x7"}, {"r": "5x8x7"})
    yield case("concat", dtype, "%r = mica.concat %a, %b axis = 0 : ($a, $b) -> $r", {"a": "5x33", "b": "2x33"},
               {"r": "7x33"}, label="rows")
    yield case("split", dtype, "%r, %s, %t = mica.split %a axis = 1 sizes = [8, 4, 1] : ($a) -> ($r, $s, $t)",
               {"a": "5x=13x7"}, {"r": "5x=8x7", "s": "5x=4x7", "t": "5x1x7"})
    yield case("slice", dtype, "%r = mica.slice %a offsets = [1, 2] sizes = [3, 5] strides = [1, 3] : ($a) -> $r",
               {"a": "6x17"}, {"r": "=3x=5"}, label="fixed")
    for offset in [-3, 4, 12]:
        yield case("slice", dtype, f"""
    %o = arith.constant {offset} : index
    %n = arith.constant 6 : index
    %r = mica.slice %a offsets = [%o, 1] sizes = [%n, 4] strides = [1, 2] : ($a, index, index) -> $r""",
                   {"a": "11x9"}, {"r": "6x=4"}, label=f"at{offset}")
    yield case("tile", dtype, "%r = mica.tile %a multiples = [2, 1, 3] : ($a) -> $r", {"a": "3x5x7"},
               {"r": "6x5x21"})
    yield case("flip", dtype, "%r = mica.flip %a dims = [0, 2] : $a", {"a": "3x5x33"}, {"r": "3x5x33"})
    # Large enough for several shares of work.
    if dtype in ("f32", "i1"):
        yield case("concat", dtype, "%r = mica.concat %a, %b axis = 0 : ($a, $b) -> $r",
                   {"a": "130x301", "b": "171x301"}, {"r": "301x301"}, label="shares")
        yield case("concat", dtype, "%r = mica.concat %a, %b axis = 2 : ($a, $b) -> $r",
                   {"a": "1x70x1000", "b": "1x70x501"}, {"r": "1x70x1501"}, label="shares-inner")


def byOrder(dtype):
    # Few different values, so that many are equal.
    few = None if dtype in ("f64", "f32") else "random:5:0:2" if dtype == "i1" else "random:5:-4:5"
    for descending in ["", " descending"]:
        label = descending.strip() or "ascending"
        yield case("sort", dtype, f"%r, %i = mica.sort %a axis = 1{descending} : ($a) -> ($r, $i)",
                   {"a": tensor("7x100", values=few)}, {"r": "7x100", "i": tensor("7x100", "i64")}, label=label)
        yield case("sort", dtype, f"%r, %i = mica.sort %a axis = 1{descending} : ($a) -> ($r, $i)",
                   {"a": tensor("3x17x5", values=few)}, {"r": "3x17x5", "i": tensor("3x17x5", "i64")},
                   label=label + "-middle")
    for smallest in ["", " smallest"]:
        label = smallest.strip() or "largest"
        yield case("top_k", dtype, f"%r, %i = mica.top_k %a k = 5 axis = 1{smallest} : ($a) -> ($r, $i)",
                   {"a": tensor("7x100", values=few)}, {"r": "7x=5", "i": tensor("7x=5", "i64")}, label=label)
    yield case("top_k", dtype, "%r, %i = mica.top_k %a k = 4 axis = 0 : ($a) -> ($r, $i)",
               {"a": tensor("9x33", values=few)}, {"r": "=4x33", "i": tensor("=4x33", "i64")}, label="columns")
    yield case("top_k", dtype, "%r, %i = mica.top_k %a k = 200 axis = 1 : ($a) -> ($r, $i)",
               {"a": tensor("2x300", values=few)}, {"r": "2x=200", "i": tensor("2x=200", "i64")}, label="many")


def special():
    """NaN, the zeros and the infinities in order; sizes 0 and 1."""
    values = "nan,1,-0.0,0.0,-inf,nan,inf,-1"
    for op, shape in [("sort %a axis = 0", "8"), ("sort %a axis = 0 descending", "8"), ("top_k %a k = 6 axis = 0", "=6"),
                      ("top_k %a k = 6 axis = 0 smallest", "=6")]:
        yield case(op.split()[0], "f32", f"%r, %i = mica.{op} : ($a) -> ($r, $i)", {"a": tensor("8", values=values)},
                   {"r": shape, "i": tensor(shape, "i64")}, label="nan-" + op.split()[-1])
    yield case("sort", "f32", "%r, %i = mica.sort %a axis = 1 : ($a) -> ($r, $i)", {"a": "4x1"},
               {"r": "4x1", "i": tensor("4x1", "i64")}, label="one")
    yield case("sort", "f32", "%r, %i = mica.sort %a axis = 1 : ($a) -> ($r, $i)", {"a": tensor("4x0", values="0")},
               {"r": "4x0", "i": tensor("4x0", "i64")}, label="none")
    yield case("gather", "f32", "%r = mica.gather %a, %i axis = 0 : ($a, $i) -> $r",
               {"a": tensor("0x4", values="0"), "i": tensor("3", "i64", "0,1,-1")}, {"r": "3x4"}, label="none")
    yield case("gather", "f32", "%r = mica.gather %a, %i axis = 0 : ($a, $i) -> $r",
               {"a": "5x4", "i": tensor("", "i32", "3")}, {"r": "4"}, label="scalar")
    yield case("concat", "f32", "%r = mica.concat %a, %b axis = 0 : ($a, $b) -> $r",
               {"a": tensor("0x4", values="0"), "b": "3x4"}, {"r": "3x4"}, label="none")
