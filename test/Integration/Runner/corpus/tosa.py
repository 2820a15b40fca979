# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops of tosa."""
from program import dense, program, show


def shape_of(values):
    shape = []
    while isinstance(values, (list, tuple)):
        shape.append(len(values))
        values = values[0]
    return shape


def typed(values, kind):
    return "tensor<" + "".join(f"{n}x" for n in shape_of(values)) + kind + ">"


def const(name, values, kind):
    return f'%{name} = "tosa.const"() <{{values = {dense(values)} : {typed(values, kind)}}}> : () -> {typed(values, kind)}\n'


def shape(name, values):
    return f"%{name} = tosa.const_shape {{values = {dense(list(values))} : tensor<{len(values)}xindex>}} : () -> !tosa.shape<{len(values)}>\n"


def case(op, kind, body, result, **rest):
    """`result` is the type of %r; tensors of i1 are shown as i32, of i8 and i16 as they are."""
    if "xi1>" in result:
        body += f"\n%n = tosa.cast %r : ({result}) -> {result.replace('xi1>', 'xi32>')}"
        return program(f"tosa.{op}", kind, body + "\n" + show("%n", result.replace("xi1>", "xi32>")), **rest)
    return program(f"tosa.{op}", kind, body + "\n" + show("%r", result), **rest)


A = [[1.0, -2.5, 0.0], [4.0, 0.5, -0.0]]
B = [[2.0, 0.75, 1.0], [-4.0, 0.5, 3.0]]
P = [[1.0, 2.5, 0.25], [4.0, 0.5, 9.0]]
I = [[1, -2, 300], [40, 5, -60]]
J = [[2, 7, 3], [-4, 5, 1]]
S = [[1, 2, 3], [4, 0, 5]]


def elementwise():
    for k in ("f32", "f16", "bf16"):
        t = f"tensor<2x3x{k}>"
        two = const("a", A, k) + const("b", B, k)
        for op in ("add", "sub", "maximum", "minimum"):
            yield case(op, k, two + f"%r = tosa.{op} %a, %b : ({t}, {t}) -> {t}", t)
        yield case("mul", k, two + const("s", [0], "i8") + f"%r = tosa.mul %a, %b, %s : ({t}, {t}, tensor<1xi8>) -> {t}", t)
        for op in ("abs", "ceil", "floor", "exp", "tanh", "sigmoid"):
            yield case(op, k, two + f"%r = tosa.{op} %a : ({t}) -> {t}", t)
    t = "tensor<2x3xf32>"
    one = const("a", P, "f32")
    for op in ("cos", "sin", "erf", "log", "rsqrt", "reciprocal"):
        yield case(op, "f32", one + f"%r = tosa.{op} %a : ({t}) -> {t}", t)
    yield case("pow", "f32", one + const("b", B, "f32") + f"%r = tosa.pow %a, %b : ({t}, {t}) -> {t}", t)
    yield case("negate", "f32", const("a", A, "f32") + const("z", [0.0], "f32") + f"%r = tosa.negate %a, %z, %z : ({t}, tensor<1xf32>, tensor<1xf32>) -> {t}", t)
    yield case("clamp", "f32", const("a", A, "f32") + f"%r = tosa.clamp %a {{min_val = -1.0 : f32, max_val = 2.0 : f32}} : ({t}) -> {t}", t)
    for op in ("equal", "greater", "greater_equal"):
        yield case(op, "f32", const("a", A, "f32") + const("b", B, "f32") + f"%r = tosa.{op} %a, %b : ({t}, {t}) -> tensor<2x3xi1>", "tensor<2x3xi1>")
    yield case("add", "broadcast", const("a", A, "f32") + const("b", [[1.0, 2.0, 3.0]], "f32") + f"%r = tosa.add %a, %b : ({t}, tensor<1x3xf32>) -> {t}", t)
    for k in ("i32", "i16", "i8"):
        t = f"tensor<2x3x{k}>"
        i = [[v if k != "i8" or abs(v) < 128 else 44 for v in row] for row in I]
        two = const("a", i, k) + const("b", J, k)
        ops = ["bitwise_and", "bitwise_or", "bitwise_xor"] + (["add", "sub", "maximum", "minimum", "intdiv"] if k == "i32" else [])
        for op in ops:
            yield case(op, k, two + f"%r = tosa.{op} %a, %b : ({t}, {t}) -> {t}", t)
        for op in ("logical_left_shift", "logical_right_shift"):
            yield case(op, k, const("a", i, k) + const("b", S, k) + f"%r = tosa.{op} %a, %b : ({t}, {t}) -> {t}", t)
        yield case("arithmetic_right_shift", k, const("a", i, k) + const("b", S, k) + f"%r = tosa.arithmetic_right_shift %a, %b {{round = true}} : ({t}, {t}) -> {t}", t)
        yield case("bitwise_not", k, two + f"%r = tosa.bitwise_not %a : ({t}) -> {t}", t)
        yield case("mul", k, two + const("s", [0], "i8") + f"%r = tosa.mul %a, %b, %s : ({t}, {t}, tensor<1xi8>) -> tensor<2x3xi32>", "tensor<2x3xi32>")
    t = "tensor<2x3xi32>"
    two = const("a", I, "i32") + const("b", J, "i32")
    yield case("clz", "i32", two + f"%r = tosa.clz %a : ({t}) -> {t}", t)
    yield case("abs", "i32", two + f"%r = tosa.abs %a : ({t}) -> {t}", t)
    yield case("clamp", "i32", two + f"%r = tosa.clamp %a {{min_val = -3 : i32, max_val = 50 : i32}} : ({t}) -> {t}", t)
    yield case("mul", "i32-shift", two + const("s", [2], "i8") + f"%r = tosa.mul %a, %b, %s : ({t}, {t}, tensor<1xi8>) -> {t}", t)
    yield case("negate", "i8", const("a", [[1, -2, 3]], "i8") + const("z", [3], "i8") + const("o", [-5], "i8") +
               "%r = tosa.negate %a, %z, %o : (tensor<1x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3xi8>", "tensor<1x3xi8>")
    flags = const("p", [[True, False, True]], "i1") + const("q", [[True, True, False]], "i1")
    f = "tensor<1x3xi1>"
    for op in ("logical_and", "logical_or", "logical_xor"):
        yield case(op, "i1", flags + f"%r = tosa.{op} %p, %q : ({f}, {f}) -> {f}", f)
    yield case("logical_not", "i1", flags + f"%r = tosa.logical_not %p : ({f}) -> {f}", f)
    yield case("select", "f32", flags + const("a", [[1.0, 2.0, 3.0]], "f32") + const("b", [[-1.0, -2.0, -3.0]], "f32") +
               f"%r = tosa.select %p, %a, %b : ({f}, tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>", "tensor<1x3xf32>")
    table = [(3 * v) % 251 - 125 for v in range(256)]
    yield case("table", "i8", const("a", [1, -2, 100], "i8") + const("t", table, "i8") + "%r = tosa.table %a, %t : (tensor<3xi8>, tensor<256xi8>) -> tensor<3xi8>", "tensor<3xi8>")
    long = [50 * v - 12000 for v in range(513)]
    yield case("table", "i16", const("a", [1, -2000, 10000], "i16") + const("t", long, "i16") + "%r = tosa.table %a, %t : (tensor<3xi16>, tensor<513xi16>) -> tensor<3xi32>", "tensor<3xi32>")
    for a, b, values in (("f32", "i32", [1.5, -2.5, 100.0]), ("i32", "f32", [1, -2, 100]), ("f32", "f16", [1.5, -2.5, 3.14159]), ("f16", "f32", [1.5, -2.5, 3.14159]),
                         ("f32", "bf16", [1.5, -2.5, 3.14159]), ("bf16", "f32", [1.5, -2.5, 3.14159]), ("i8", "i32", [1, -2, 100]), ("i32", "i8", [1, -2, 100]), ("f32", "i8", [1.5, -2.5, 100.0]),
                         ("i16", "f32", [1, -2, 100]), ("i1", "i32", [True, False, True])):
        yield case("cast", f"{a}-{b}", const("a", values, a) + f"%r = tosa.cast %a : (tensor<3x{a}>) -> tensor<3x{b}>", f"tensor<3x{b}>")


def reductions():
    for k, v in (("f32", A), ("i32", I)):
        t = f"tensor<2x3x{k}>"
        for op in ("reduce_sum", "reduce_max", "reduce_min", "reduce_product"):
            if k == "i32" and op == "reduce_product":
                continue
            yield case(op, k, const("a", v, k) + f"%r = tosa.{op} %a {{axis = 1 : i32}} : ({t}) -> tensor<2x1x{k}>", f"tensor<2x1x{k}>")
    for op in ("reduce_all", "reduce_any"):
        yield case(op, "i1", const("a", [[True, False], [True, True]], "i1") + f"%r = tosa.{op} %a {{axis = 0 : i32}} : (tensor<2x2xi1>) -> tensor<1x2xi1>", "tensor<1x2xi1>")
    yield case("argmax", "f32", const("a", A, "f32") + "%r = tosa.argmax %a {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2xi32>", "tensor<2xi32>")


def movement():
    t = "tensor<2x3xf32>"
    a = const("a", A, "f32")
    yield case("concat", "f32", a + f"%r = tosa.concat %a, %a {{axis = 1 : i32}} : ({t}, {t}) -> tensor<2x6xf32>", "tensor<2x6xf32>")
    yield case("reshape", "f32", a + shape("s", [3, 2]) + f"%r = tosa.reshape %a, %s : ({t}, !tosa.shape<2>) -> tensor<3x2xf32>", "tensor<3x2xf32>")
    yield case("reverse", "f32", a + f"%r = tosa.reverse %a {{axis = 1 : i32}} : ({t}) -> {t}", t)
    yield case("slice", "f32", a + shape("s", [0, 1]) + shape("n", [2, 2]) + f"%r = tosa.slice %a, %s, %n : ({t}, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x2xf32>", "tensor<2x2xf32>")
    yield case("tile", "f32", a + shape("s", [2, 1]) + f"%r = tosa.tile %a, %s : ({t}, !tosa.shape<2>) -> tensor<4x3xf32>", "tensor<4x3xf32>")
    yield case("transpose", "f32", a + f"%r = tosa.transpose %a {{perms = array<i32: 1, 0>}} : ({t}) -> tensor<3x2xf32>", "tensor<3x2xf32>")
    yield case("pad", "f32", a + shape("s", [1, 0, 0, 2]) + const("v", [9.5], "f32") + f"%r = tosa.pad %a, %s, %v : ({t}, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x5xf32>", "tensor<3x5xf32>")
    yield case("identity", "f32", a + f"%r = tosa.identity %a : ({t}) -> {t}", t)
    yield case("const", "f32", const("r", A, "f32"), t)
    yield case("gather", "f32", const("a", [[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]], "f32") + const("i", [[2, 0]], "i32") +
               "%r = tosa.gather %a, %i : (tensor<1x3x2xf32>, tensor<1x2xi32>) -> tensor<1x2x2xf32>", "tensor<1x2x2xf32>")
    yield case("scatter", "f32", const("a", [[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]], "f32") + const("i", [[2, 0]], "i32") + const("u", [[[-1.0, -2.0], [-3.0, -4.0]]], "f32") +
               "%r = tosa.scatter %a, %i, %u : (tensor<1x3x2xf32>, tensor<1x2xi32>, tensor<1x2x2xf32>) -> tensor<1x3x2xf32>", "tensor<1x3x2xf32>")
    image = const("i", [[[[float(3 * y + x)] for x in range(3)] for y in range(3)]], "f32")
    yield case("resize", "f32", image + shape("s", [2, 1, 2, 1]) + shape("o", [0, 0]) + shape("b", [1, 1]) +
               "%r = tosa.resize %i, %s, %o, %b {mode = NEAREST_NEIGHBOR} : (tensor<1x3x3x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x6x6x1xf32>", "tensor<1x6x6x1xf32>")
    yield case("resize", "bilinear", image + shape("s", [2, 1, 2, 1]) + shape("o", [0, 0]) + shape("b", [0, 0]) +
               "%r = tosa.resize %i, %s, %o, %b {mode = BILINEAR} : (tensor<1x3x3x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x5x5x1xf32>", "tensor<1x5x5x1xf32>")


def products():
    image = [[[[float(3 * y + x)] for x in range(3)] for y in range(3)]]
    whole = [[[[3 * y + x] for x in range(3)] for y in range(3)]]
    z, z8, z48 = const("z", [0.0], "f32"), const("y", [0], "i8"), const("w0", [0], "i48")
    t = "tensor<1x2x2xf32>"
    yield case("matmul", "f32", const("a", [[[1.0, 2.0], [3.0, 4.0]]], "f32") + z + f"%r = tosa.matmul %a, %a, %z, %z : ({t}, {t}, tensor<1xf32>, tensor<1xf32>) -> {t}", t)
    t = "tensor<1x2x2xi8>"
    yield case("matmul", "i8", const("a", [[[1, 2], [3, 4]]], "i8") + const("z", [1], "i8") + f"%r = tosa.matmul %a, %a, %z, %z : ({t}, {t}, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2xi32>", "tensor<1x2x2xi32>")
    conv = "{acc_type = ACC, dilation = array<i64: 1, 1>, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 1, 1>}"
    weights = const("w", [[[[1.0], [2.0]], [[0.5], [-1.0]]]], "f32") + const("b", [0.25], "f32") + z
    yield case("conv2d", "f32", const("i", image, "f32") + weights + f"%r = tosa.conv2d %i, %w, %b, %z, %z {conv.replace('ACC', 'f32')} : "
               "(tensor<1x3x3x1xf32>, tensor<1x2x2x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x1xf32>", "tensor<1x3x3x1xf32>")
    yield case("conv2d", "i8", const("i", whole, "i8") + const("w", [[[[1], [2]], [[3], [-1]]]], "i8") + const("b", [7], "i32") + z8 +
               f"%r = tosa.conv2d %i, %w, %b, %y, %y {conv.replace('ACC', 'i32')} : (tensor<1x3x3x1xi8>, tensor<1x2x2x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x1xi32>", "tensor<1x3x3x1xi32>")
    yield case("conv2d", "i16", const("i", whole, "i16") + const("w", [[[[1], [2]], [[3], [-1]]]], "i8") + const("b", [7], "i48") + const("x", [0], "i16") + z8 +
               f"%q = tosa.conv2d %i, %w, %b, %x, %y {conv.replace('ACC', 'i48')} : (tensor<1x3x3x1xi16>, tensor<1x2x2x1xi8>, tensor<1xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<1x3x3x1xi48>\n"
               "%r = arith.trunci %q : tensor<1x3x3x1xi48> to tensor<1x3x3x1xi32>", "tensor<1x3x3x1xi32>")
    yield case("depthwise_conv2d", "f32", const("i", image, "f32") + const("w", [[[[1.0]], [[2.0]]], [[[0.5]], [[-1.0]]]], "f32") + const("b", [0.25], "f32") + z +
               f"%r = tosa.depthwise_conv2d %i, %w, %b, %z, %z {conv.replace('ACC', 'f32')} : (tensor<1x3x3x1xf32>, tensor<2x2x1x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x1xf32>", "tensor<1x3x3x1xf32>")
    yield case("conv3d", "f32", const("i", [[[[[float(2 * y + x)] for x in range(2)] for y in range(2)] for _ in range(2)]], "f32") +
               const("w", [[[[[1.0], [2.0]], [[0.5], [-1.0]]]]], "f32") + const("b", [0.25], "f32") + z +
               "%r = tosa.conv3d %i, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1, 1>, pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>} : "
               "(tensor<1x2x2x2x1xf32>, tensor<1x1x2x2x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x1x1x1xf32>", "tensor<1x2x1x1x1xf32>")
    yield case("transpose_conv2d", "f32", const("i", image, "f32") + weights + "%r = tosa.transpose_conv2d %i, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : "
               "(tensor<1x3x3x1xf32>, tensor<1x2x2x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x1xf32>", "tensor<1x4x4x1xf32>")
    pool = "{kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}"
    yield case("max_pool2d", "f32", const("i", image, "f32") + f"%r = tosa.max_pool2d %i {pool} : (tensor<1x3x3x1xf32>) -> tensor<1x2x2x1xf32>", "tensor<1x2x2x1xf32>")
    yield case("max_pool2d", "i8", const("i", whole, "i8") + f"%r = tosa.max_pool2d %i {pool} : (tensor<1x3x3x1xi8>) -> tensor<1x2x2x1xi8>", "tensor<1x2x2x1xi8>")
    pool = pool.replace("{", "{acc_type = ACC, ")
    yield case("avg_pool2d", "f32", const("i", image, "f32") + z + f"%r = tosa.avg_pool2d %i, %z, %z {pool.replace('ACC', 'f32')} : (tensor<1x3x3x1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x1xf32>", "tensor<1x2x2x1xf32>")
    yield case("avg_pool2d", "i8", const("i", whole, "i8") + z8 + f"%r = tosa.avg_pool2d %i, %y, %y {pool.replace('ACC', 'i32')} : (tensor<1x3x3x1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x1xi8>", "tensor<1x2x2x1xi8>")
    yield case("rescale", "i32-i8", const("i", [100, -200, 3000], "i32") + const("m", [1073741824], "i32") + const("s", [33], "i8") + const("p", [0], "i32") + const("o", [2], "i8") +
               "%r = tosa.rescale %i, %m, %s, %p, %o {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : "
               "(tensor<3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<3xi8>", "tensor<3xi8>")
    yield case("rescale", "i8-unsigned", const("i", [100, -100, 30], "i8") + const("m", [1073741824], "i32") + const("s", [30], "i8") + const("p", [0], "i8") + const("o", [2], "i8") +
               "%r = tosa.rescale %i, %m, %s, %p, %o {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = true, output_unsigned = false} : "
               "(tensor<3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<3xi8>", "tensor<3xi8>")
    yield case("rfft2d", "f32", const("i", [[[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 0.0, 1.0]]], "f32") + "%r, %j = tosa.rfft2d %i : (tensor<1x2x4xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3xf32>)", "tensor<1x2x3xf32>")
    yield case("fft2d", "f32", const("i", [[[1.0, 2.0], [0.5, 1.0]]], "f32") + "%r, %j = tosa.fft2d %i, %i {inverse = false} : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> (tensor<1x2x2xf32>, tensor<1x2x2xf32>)", "tensor<1x2x2xf32>")


def control():
    yield case("cond_if", "f32", const("a", [1.0, 2.0], "f32") + '%p = "tosa.const"() <{values = dense<true> : tensor<i1>}> : () -> tensor<i1>\n' + """%r = tosa.cond_if %p (%q = %a) : tensor<i1> (tensor<2xf32>) -> tensor<2xf32> {
^bb0(%q: tensor<2xf32>):
  %s = tosa.add %q, %q : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  tosa.yield %s : tensor<2xf32>
} else {
^bb0(%q: tensor<2xf32>):
  tosa.yield %q : tensor<2xf32>
}""", "tensor<2xf32>")
    yield case("while_loop", "i32", '%a = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>\n%m = "tosa.const"() <{values = dense<5> : tensor<i32>}> : () -> tensor<i32>\n' +
               """%r = tosa.while_loop (%k = %a) : (tensor<i32>) -> tensor<i32> {
  %c = tosa.greater_equal %m, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
  tosa.yield %c : tensor<i1>
} do {
^bb0(%k: tensor<i32>):
  %s = tosa.add %k, %k : (tensor<i32>, tensor<i32>) -> tensor<i32>
  tosa.yield %s : tensor<i32>
}""", "tensor<i32>")
    yield case("variable", "state", """%a = tosa.variable_read @state : tensor<2xf32>
%s = tosa.add %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
tosa.variable_write @state, %s : tensor<2xf32>
%r = tosa.variable_read @state : tensor<2xf32>""", "tensor<2xf32>", top="tosa.variable @state = dense<[1.5, -2.0]> : tensor<2xf32>")


def programs():
    for table in (elementwise, reductions, movement, products, control):
        yield from table()
