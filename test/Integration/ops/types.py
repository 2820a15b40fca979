"""What each operation takes beyond the element types of its own table, and what it does not take, with the reason."""
from harness import BOOL, FLOATS, INTS, NUMBERS, case, refused, tensor

ALL = NUMBERS + BOOL
# Reasons, as docs/Support.md has them.
REAL = "a function of real numbers; mica.cast makes them of integers"
MEAN = "divides, and what is rounded where would be a choice; mica.cast the integers first, or mica.quantize the result"
ARITHMETIC = "arithmetic on numbers, and i1 holds truth values; mica.cast makes numbers of them"
ORDER = "looks for a number, and i1 holds truth values; mica.cast makes numbers of them"
TRUTH = "logic on truth values; mica.compare makes them of numbers"
BITS = "the bits of integers; i1 has mica.logical_and and its like"

FUNCTIONS = ["exp", "log", "sqrt", "rsqrt", "sin", "cos", "floor", "ceil", "round", "tanh", "erf", "sigmoid", "silu", "gelu"]
BITWISE = ["bitwise_and", "bitwise_or", "bitwise_xor", "shift_left", "shift_right_arithmetic", "shift_right_logical"]
LOGICAL = ["logical_and", "logical_or", "logical_xor"]


def unary(op, dtypes, why):
    for dtype in dtypes:
        yield refused(op, dtype, f"%r = mica.{op} %a : $a", {"a": "5x67"}, {"r": "5x67"}, why)


def binary(op, dtypes, why):
    for dtype in dtypes:
        yield refused(op, dtype, f"%r = mica.{op} %a, %b : ($a, $b) -> $r", {"a": "5x67", "b": "5x67"}, {"r": "5x67"}, why)


def every(op, new, dtypes, why, body, args, results, label=""):
    """A case for the element types `new`, and a refusal for the types `dtypes`."""
    for dtype in new:
        yield case(op, dtype, body, args, results, label=label)
    for dtype in dtypes:
        yield refused(op, dtype, body, args, results, why)


def cases():
    for op in FUNCTIONS:
        yield from unary(op, INTS + BOOL, REAL)
    for op in ["abs", "neg", "relu"]:
        yield from unary(op, BOOL, ARITHMETIC)
    yield from unary("logical_not", NUMBERS, TRUTH)
    yield from unary("bitwise_not", FLOATS + BOOL, BITS)
    for op in ["add", "sub", "div", "rem", "pow"]:
        yield from binary(op, BOOL, ARITHMETIC)
    for op in LOGICAL:
        yield from binary(op, NUMBERS, TRUTH)
    for op in BITWISE:
        yield from binary(op, FLOATS + BOOL, BITS)
    yield from every("clamp", [], BOOL, ORDER, "%r = mica.clamp %a min = false max = true : $a", {"a": "5x67"}, {"r": "5x67"})
    yield from every("iota", [], BOOL, ARITHMETIC, "%r = mica.iota axis = 0 : $r", {}, {"r": "5x67"})

    rest = ["f8E4M3FN", "f8E5M2", "i4"]
    for op in ["argmax", "argmin"]:
        yield from every(op, rest, BOOL, ORDER, f"%r = mica.{op} %a axis = 1 : ($a) -> $r", {"a": "7x33x9"},
                         {"r": tensor("7x9", "i64")})
    yield from every("cumsum", rest, BOOL, ARITHMETIC, "%r = mica.cumsum %a axis = 1 : $a", {"a": "6x15x17"}, {"r": "6x15x17"})
    for kind in ["sum", "prod", "max", "min"]:
        yield from every("reduce", rest, [], "", f"%r = mica.reduce {kind} %a dims = [1] : ($a) -> $r", {"a": "7x33x9"},
                         {"r": "7x9"}, label=kind)
    yield from every("reduce", rest[:2], [], "", "%r = mica.reduce mean %a dims = [1] : ($a) -> $r", {"a": "7x33x9"},
                     {"r": "7x9"}, label="mean")
    yield from products()
    yield from norms()
    yield from windows()


def products():
    yield from every("matmul", ["f16", "bf16", "f8E4M3FN", "f8E5M2", "i16", "i8", "i4"], BOOL, ARITHMETIC,
                     "%r = mica.matmul %a, %b : ($a, $b) -> $r", {"a": "37x70", "b": "70x29"}, {"r": "37x29"})
    for dtype in FLOATS[2:]:
        yield case("matmul", dtype, "%r = mica.matmul %a, %b transpose_b : ($a, $b) -> $r", {"a": "3x9x20", "b": "3x18x20"},
                   {"r": "3x9x18"}, label="batch-tb")
    yield from sums()
    # Keys shut out have the score -inf, which f8E4M3FN does not have.
    for heads, groups in [(4, 4), (6, 2)]:
        q, kv = f"2x={heads}x5x=16", f"2x={groups}x9x=16"
        yield from every("attention", FLOATS[2:], INTS + BOOL if heads == 4 else [], REAL,
                         "%r = mica.attention %q, %k, %v causal : ($q, $k, $v) -> $r", {"q": q, "k": kv, "v": kv}, {"r": q},
                         label=f"causal-{heads}of{groups}")
        yield from every("attention", FLOATS[2:], [], "", "%r = mica.attention %q, %k, %v mask %m : ($q, $k, $v, $m) -> $r",
                         {"q": q, "k": kv, "v": kv, "m": "5x9"}, {"r": q}, label=f"mask-{heads}of{groups}")
    yield from every("rope", FLOATS[2:], INTS + BOOL, REAL, "%r = mica.rope %a cos %c sin %s : ($a, $c, $s) -> $r",
                     {"a": "5x=64", "c": "5x=32", "s": "5x=32"}, {"r": "5x=64"})


def sums():
    """Products and sums in a wider type than the operands'."""
    for narrow, wide in [("i8", "i32"), ("i4", "i32"), ("i16", "i64"), ("i32", "i64"), ("f16", "f32"), ("bf16", "f32"),
                         ("f8E4M3FN", "f32"), ("f8E5M2", "f16"), ("f32", "f64")]:
        def one(op, body, args, result, label=""):
            return case(op, f"{narrow} sums {wide}", body, args, {"r": tensor(result, wide)}, label=label)

        yield one("matmul", "%r = mica.matmul %a, %b : ($a, $b) -> $r", {"a": "37x70", "b": "70x29"}, "37x29")
        yield one("matmul", "%r = mica.matmul %a, %b transpose_b : ($a, $b) -> $r", {"a": "2x3x9x20", "b": "1x3x18x20"},
                  "2x3x9x18", label="batches")
        for label, groups, filter, outputs in [("plain", 1, "=3x=3x=6x=8", 8), ("grouped", 2, "=3x=3x=3x=8", 8),
                                               ("depthwise", 6, "=3x=3x=1x=6", 6)]:
            yield one("conv2d", "%r = mica.conv2d %a, %b bias %c layout = nhwc_hwcf strides = [2, 2] pads = [1, 1, 1, 1] "
                      f"groups = {groups} : ($a, $b, $c) -> $r",
                      {"a": "2x=11x=12x=6", "b": filter, "c": tensor(f"={outputs}", wide)}, f"2x=6x=6x={outputs}", label=label)
        yield one("conv1d", "%r = mica.conv1d %a, %b layout = ncw_fcw pads = [1, 1] : ($a, $b) -> $r",
                  {"a": "2x=5x=37", "b": "=7x=5x=3"}, "2x=7x=37")
        yield one("conv2d_transpose", "%r = mica.conv2d_transpose %a, %b bias %c layout = nhwc_fhwc strides = [2, 1] "
                  ": ($a, $b, $c) -> $r", {"a": "2x=5x=6x=4", "b": "=3x=2x=3x=4", "c": tensor("=3", wide)}, "2x=10x=8x=3")


def norms():
    f8 = ["f8E4M3FN", "f8E5M2"]
    for axis in (0, 1):
        yield from every("softmax", FLOATS[2:], INTS + BOOL if axis else [], REAL, f"%r = mica.softmax %a axis = {axis} : $a",
                         {"a": "17x70"}, {"r": "17x70"}, label=f"axis{axis}")
    yield from every("layer_norm", FLOATS[2:], INTS + BOOL, REAL,
                     "%r = mica.layer_norm %a scale %b : $b bias %c : $c axis = 1 epsilon = 1.0e-5 : $a",
                     {"a": "9x70", "b": "70", "c": "70"}, {"r": "9x70"})
    yield from every("rms_norm", f8, INTS + BOOL, REAL, "%r = mica.rms_norm %a scale %b axis = 1 epsilon = 1.0e-5 : ($a, $b) -> $r",
                     {"a": "9x70", "b": "70"}, {"r": "9x70"})
    yield from every("batch_norm", f8, INTS + BOOL, REAL,
                     "%r = mica.batch_norm %a mean %b variance %c axis = 1 epsilon = 1.0e-3 : ($a, $b, $c) -> $r",
                     {"a": "2x37x3x4", "b": "37", "c": tensor("37", values="random:7:0.125:2")}, {"r": "2x37x3x4"})
    yield from every("group_norm", f8, INTS + BOOL, REAL, "%r = mica.group_norm %a groups = 3 axis = 1 epsilon = 1.0e-5 : ($a) -> $r",
                     {"a": "2x12x9"}, {"r": "2x12x9"})


def windows():
    rest = ["f8E4M3FN", "f8E5M2", "i4"]
    yield from every("conv2d", rest, BOOL, ARITHMETIC, "%r = mica.conv2d %a, %b bias %c layout = nhwc_hwcf strides = [2, 2] "
                     "pads = [1, 1, 1, 1] : ($a, $b, $c) -> $r", {"a": "2x=11x=12x=5", "b": "=3x=3x=5x=7", "c": "=7"},
                     {"r": "2x=6x=6x=7"})
    yield from every("conv1d", ["bf16", "i64", "i16", "i8"] + rest, BOOL, ARITHMETIC, "%r = mica.conv1d %a, %b bias %c layout = nwc_wcf "
                     "strides = [2] pads = [1, 1] : ($a, $b, $c) -> $r", {"a": "2x=37x=5", "b": "=3x=5x=7", "c": "=7"},
                     {"r": "2x=19x=7"})
    yield from every("conv2d_transpose", rest, BOOL, ARITHMETIC, "%r = mica.conv2d_transpose %a, %b layout = nhwc_fhwc "
                     "strides = [3, 1] : ($a, $b) -> $r", {"a": "2x=5x=6x=4", "b": "=3x=2x=3x=4"}, {"r": "2x=14x=8x=3"})
    pool = "layout = nhwc kernel = [3, 2] strides = [2, 2] : ($a) -> $r"
    yield from every("max_pool", rest, BOOL, ORDER, f"%r = mica.max_pool %a {pool}", {"a": "2x=9x=10x=5"}, {"r": "2x=4x=5x=5"})
    yield from every("avg_pool", rest[:2], INTS + BOOL, MEAN, f"%r = mica.avg_pool %a {pool}", {"a": "2x=9x=10x=5"},
                     {"r": "2x=4x=5x=5"})
    yield from every("pad", rest, [], "", "%r = mica.pad %a low = [0, 2, 1] high = [1, 0, 3] mode = reflect : ($a) -> $r",
                     {"a": "3x4x37"}, {"r": "4x6x41"})
    for dtype in rest[:2]:
        yield case("resize", dtype, "%r = mica.resize %a layout = nchw mode = bilinear coordinates = half_pixel : ($a) -> $r",
                   {"a": "2x3x6x4"}, {"r": "2x3x=9x=8"}, label="bilinear", forms=["static"])
