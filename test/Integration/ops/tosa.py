"""Windows, images and reductions of tosa, which the reference evaluates as the specification of tosa has them."""
from harness import case, tensor

FLOATS = ["f32", "f16", "bf16"]


def zero(dtype):
    value = "0.0" if dtype[0] in "fb" else "0"
    return f'%zp = "tosa.const"() <{{values = dense<{value}> : tensor<1x{dtype}>}}> : () -> tensor<1x{dtype}>\n    '


def shape(name, values):
    return (f"%{name} = tosa.const_shape {{values = dense<{values}> : tensor<{len(values)}xindex>}} : () -> "
            f"!tosa.shape<{len(values)}>\n    ")


def resize(mode, scale, offset, border):
    return (shape("scale", scale) + shape("offset", offset) + shape("border", border) +
            f"%r = tosa.resize %a, %scale, %offset, %border {{mode = {mode}}} : "
            f"($a, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> $r")


def cases():
    for dtype in FLOATS:
        common = "acc_type = f32, dilation = array<i64: 1, 2>, pad = array<i64: 1, 0, 2, 1>, stride = array<i64: 2, 1>"
        types = f"($a, $b, $c, tensor<1x{dtype}>, tensor<1x{dtype}>) -> $r"
        yield case("tosa.conv2d", dtype, zero(dtype) + f"%r = tosa.conv2d %a, %b, %c, %zp, %zp {{{common}}} : {types}",
                   {"a": "2x8x9x5", "b": "7x3x3x5", "c": "7"}, {"r": "2x4x8x7"})
        yield case("tosa.depthwise_conv2d", dtype,
                   zero(dtype) + f"%r = tosa.depthwise_conv2d %a, %b, %c, %zp, %zp {{{common}}} : {types}",
                   {"a": "2x8x9x5", "b": "3x3x5x2", "c": "10"}, {"r": "2x4x8x10"})
        planes = "acc_type = f32, dilation = array<i64: 1, 2, 1>, pad = array<i64: 1, 0, 2, 1, 0, 1>, stride = array<i64: 2, 1, 1>"
        yield case("tosa.conv3d", dtype, zero(dtype) + f"%r = tosa.conv3d %a, %b, %c, %zp, %zp {{{planes}}} : {types}",
                   {"a": "2x8x9x6x3", "b": "4x3x3x2x3", "c": "4"}, {"r": "2x4x8x6x4"})
        yield case("tosa.transpose_conv2d", dtype,
                   zero(dtype) + f"%r = tosa.transpose_conv2d %a, %b, %c, %zp, %zp {{acc_type = f32, "
                   f"out_pad = array<i64: -1, 0, 2, 0>, stride = array<i64: 2, 3>}} : {types}",
                   {"a": "2x4x4x3", "b": "5x3x2x3", "c": "1"}, {"r": "2x8x13x5"})
        yield case("tosa.avg_pool2d", dtype,
                   zero(dtype) + "%r = tosa.avg_pool2d %a, %zp, %zp {acc_type = f32, kernel = array<i64: 3, 2>, "
                   f"pad = array<i64: 1, 1, 0, 1>, stride = array<i64: 2, 2>}} : ($a, tensor<1x{dtype}>, tensor<1x{dtype}>) -> $r",
                   {"a": "2x9x9x5"}, {"r": "2x5x5x5"})
        yield case("tosa.reduce_product", dtype, "%r = tosa.reduce_product %a {axis = 1 : i32} : ($a) -> $r",
                   {"a": "5x9"}, {"r": "5x1"})
        # Halves of pixels, corners, and positions that mica.resize does not have.
        yield case("tosa.resize", dtype, resize("BILINEAR", [4, 2, 6, 4], [-1, -1], [1, 1]),
                   {"a": "2x4x6x3"}, {"r": "2x8x9x3"}, label="half-pixel")
        yield case("tosa.resize", dtype, resize("BILINEAR", [2, 1, 3, 1], [0, 0], [0, 0]),
                   {"a": "2x4x4x3"}, {"r": "2x7x10x3"}, label="corners")
        yield case("tosa.resize", dtype, resize("BILINEAR", [2, 1, 2, 1], [1, 1], [1, 1]),
                   {"a": "2x4x4x3"}, {"r": "2x7x7x3"}, label="shifted")
    for dtype in FLOATS + ["i8", "i16"]:
        yield case("tosa.max_pool2d", dtype, "%r = tosa.max_pool2d %a {kernel = array<i64: 3, 2>, "
                   "pad = array<i64: 1, 1, 0, 1>, stride = array<i64: 2, 2>} : ($a) -> $r",
                   {"a": "2x9x9x5"}, {"r": "2x5x5x5"})
        yield case("tosa.resize", dtype, resize("NEAREST_NEIGHBOR", [4, 2, 6, 4], [-1, -1], [1, 1]),
                   {"a": "2x4x6x3"}, {"r": "2x8x9x3"}, label="nearest-half-pixel")
        yield case("tosa.argmax", dtype, "%r = tosa.argmax %a {axis = 1 : i32} : ($a) -> $r",
                   {"a": tensor("5x9", values="random:3:-4:4") if dtype[0] == "i" else "5x9"}, {"r": tensor("5", dtype="i32")})
    # Sums of integers, of which only those of 8 bits have zero points; means are rounded by a reciprocal.
    small = lambda shape: tensor(shape, values="random:3:-100:100")
    zeros = "".join(f'%{name} = "tosa.const"() <{{values = dense<{value}> : tensor<1xi8>}}> : () -> tensor<1xi8>\n    '
                    for name, value in (("izp", -3), ("wzp", 2)))
    types = "($a, $b, $c, tensor<1xi8>, tensor<1xi8>) -> $r"
    for op, kernel, axes, a, b, r in (("conv2d", "1, 2", 2, "2x8x9x5", "7x3x3x5", "2x4x8x7"), ("conv3d", "1, 2, 1", 3, "2x8x9x6x3", "4x3x3x2x3", "2x4x8x6x4"),
                                      ("depthwise_conv2d", "1, 2", 2, "2x8x9x5", "3x3x5x2", "2x4x8x10")):
        common = (f"acc_type = i32, dilation = array<i64: {kernel}>, pad = array<i64: 1, 0, 2, 1{', 0, 1' * (axes - 2)}>, "
                  f"stride = array<i64: 2, 1{', 1' * (axes - 2)}>")
        yield case(f"tosa.{op}", "i8", zeros + f"%r = tosa.{op} %a, %b, %c, %izp, %wzp {{{common}}} : {types}",
                   {"a": small(a), "b": small(b), "c": tensor("1", dtype="i32")}, {"r": tensor(r, dtype="i32")})
    for dtype, points in [("i8", (-3, 2)), ("i16", (0, 0))]:
        points = "".join(f'%{name} = "tosa.const"() <{{values = dense<{value}> : tensor<1x{dtype}>}}> : () -> tensor<1x{dtype}>\n    '
                         for name, value in zip(["izp", "ozp"], points))
        yield case("tosa.avg_pool2d", dtype, points + "%r = tosa.avg_pool2d %a, %izp, %ozp {acc_type = i32, "
                   "kernel = array<i64: 3, 2>, pad = array<i64: 1, 1, 0, 1>, stride = array<i64: 2, 2>} : "
                   f"($a, tensor<1x{dtype}>, tensor<1x{dtype}>) -> $r", {"a": small("2x9x9x5")}, {"r": "2x5x5x5"})
    # To the left of the first pixel, between pixels, and to the right of the last.
    for label, offset, border, result in [("corners", 0, 0, "2x7x11x3"), ("half-pixel", -1, 1, "2x8x12x3"), ("before", -3, 5, "2x11x15x3")]:
        yield case("tosa.resize", "i8", resize("BILINEAR", [4, 2, 4, 2], [offset] * 2, [border] * 2),
                   {"a": small("2x4x6x3")}, {"r": tensor(result, dtype="i32")}, label=f"bilinear-{label}")
    for dtype in FLOATS + ["i32"]:
        yield case("tosa.reduce_min", dtype, "%r = tosa.reduce_min %a {axis = 0 : i32} : ($a) -> $r", {"a": "5x9"},
                   {"r": "1x9"})
        padding = shape("padding", [1, 0, 0, 3])
        value = f'%v = "tosa.const"() <{{values = dense<{"2.5" if dtype != "i32" else "-7"}> : tensor<1x{dtype}>}}> : () -> tensor<1x{dtype}>\n    '
        yield case("tosa.pad", dtype, padding + value + f"%r = tosa.pad %a, %padding, %v : ($a, !tosa.shape<4>, tensor<1x{dtype}>) -> $r",
                   {"a": "5x9"}, {"r": "6x12"})
    # Sizes are powers of two.
    yield case("tosa.rfft2d", "f32", "%r, %s = tosa.rfft2d %a : ($a) -> ($r, $s)", {"a": "3x=8x=16"},
               {"r": "3x=8x=9", "s": "3x=8x=9"})
    for inverse in ["false", "true"]:
        yield case("tosa.fft2d", "f32", f"%r, %s = tosa.fft2d %a, %b {{inverse = {inverse}}} : ($a, $b) -> ($r, $s)",
                   {"a": "3x=8x=16", "b": "3x=8x=16"}, {"r": "3x=8x=16", "s": "3x=8x=16"}, label=f"inverse-{inverse}")
    for op in ["reduce_any", "reduce_all"]:
        yield case(f"tosa.{op}", "i1", f"%r = tosa.{op} %a {{axis = 1 : i32}} : ($a) -> $r", {"a": "40x3"}, {"r": "40x1"})
