"""Every named op of linalg, as exporters and upstream's passes write them: `ins | outs` with sizes by letter."""
import re

from harness import case, tensor

# Sizes of the letters of layouts. Windows: o = output, k = filter; an input size is strides * (o - 1) + dilations * (k
# - 1) + 1.
SIZE = {"n": 2, "c": 5, "f": 7, "g": 2, "m": 3}
OUT = {"d": 2, "h": 4, "w": 3}
KERNEL = {"d": 2, "h": 3, "w": 2}
STRIDE = {"d": 1, "h": 2, "w": 1}
DILATION = {"d": 1, "h": 1, "w": 2}


def extent(letter):
    return STRIDE[letter] * (OUT[letter] - 1) + DILATION[letter] * (KERNEL[letter] - 1) + 1


def sizes(layout, of):
    return "x".join(str(SIZE.get(letter) or of(letter)) for letter in layout)


def plain_extent(letter):
    return OUT[letter] + KERNEL[letter] - 1


def windows():
    """(op, label, input, filter, output, attributes) of convolutions and pools."""
    for spatial in ("w", "hw", "dhw"):
        rank = len(spatial)
        rows = [(f"conv_{rank}d", spatial, spatial, spatial, False)]
        if rank < 3:
            rows += [(f"conv_{rank}d_n{spatial}c_{spatial}cf", f"n{spatial}c", f"{spatial}cf", f"n{spatial}f", True),
                     (f"conv_{rank}d_nc{spatial}_fc{spatial}", f"nc{spatial}", f"fc{spatial}", f"nf{spatial}", True)]
        if rank == 2:
            rows += [("conv_2d_nhwc_fhwc", "nhwc", "fhwc", "nhwf", True),
                     ("conv_2d_ngchw_fgchw", "ngchw", "fgchw", "ngfhw", True),
                     ("conv_2d_ngchw_gfchw", "ngchw", "gfchw", "ngfhw", True),
                     ("conv_2d_nhwgc_gfhwc", "nhwgc", "gfhwc", "nhwgf", True)]
        if rank == 3:
            rows += [("conv_3d_ndhwc_dhwcf", "ndhwc", "dhwcf", "ndhwf", True),
                     ("conv_3d_ncdhw_fcdhw", "ncdhw", "fcdhw", "nfdhw", True)]
        last = f"depthwise_conv_{rank}d_n{spatial}c_{spatial}c"
        rows += [(last, f"n{spatial}c", f"{spatial}c", f"n{spatial}c", True),
                 (f"{last}m", f"n{spatial}c", f"{spatial}cm", f"n{spatial}cm", True)]
        first = {1: "depthwise_conv_1d_ncw_cw", 2: "depthwise_conv_2d_nchw_chw", 3: "depthwise_conv_3d_ncdhw_cdhw"}[rank]
        rows += [(first, f"nc{spatial}", f"c{spatial}", f"nc{spatial}", True)]
        kinds = ["max", "min", "sum"]
        for kind in kinds:
            rows.append((f"pooling_n{spatial}c_{kind}", f"n{spatial}c", spatial, f"n{spatial}c", True))
            if rank < 3 and kind != "min":
                rows.append((f"pooling_nc{spatial}_{kind}", f"nc{spatial}", spatial, f"nc{spatial}", True))
            if rank < 3 and kind != "sum":
                rows.append((f"pooling_n{spatial}c_{kind}_unsigned", f"n{spatial}c", spatial, f"n{spatial}c", True))
        for op, image, kernel, result, strided in rows:
            attributes = ""
            if strided:
                lists = [", ".join(str(of[s]) for s in spatial) for of in (STRIDE, DILATION)]
                attributes = (f"{{strides = dense<[{lists[0]}]> : tensor<{rank}xi64>, "
                              f"dilations = dense<[{lists[1]}]> : tensor<{rank}xi64>}} ")
            yield (op, sizes(image, extent if strided else plain_extent), sizes(kernel, KERNEL.get), sizes(result, OUT.get),
                   attributes)


PRODUCTS = [("matmul", "17x12", "12x9", "17x9"), ("batch_matmul", "3x7x12", "3x12x9", "3x7x9"),
            ("batch_reduce_matmul", "3x7x12", "3x12x9", "7x9"), ("matvec", "17x12", "12", "17"),
            ("vecmat", "12", "12x9", "9"), ("batch_matvec", "3x7x12", "3x12", "3x7"),
            ("batch_vecmat", "3x12", "3x12x9", "3x9"), ("dot", "33", "33", ""),
            ("mmt4d", "2x3x4x5", "6x3x7x5", "2x6x4x7"), ("batch_mmt4d", "2x2x3x4x5", "2x6x3x7x5", "2x2x6x4x7")]
UNARY = ["exp", "abs", "ceil", "floor", "negf", "round", "square", "tanh", "erf"]
POSITIVE = ["log", "sqrt", "rsqrt", "reciprocal"]
BINARY = ["add", "sub", "mul", "max", "min"]


def two(op, dtype, a, b, r, attributes="", label="", narrow=None):
    return case(f"linalg.{op}", dtype, f"%r = linalg.{op} {attributes}ins(%a, %b : $a, $b) outs(%o : $o) -> $o",
                {"a": tensor(a, narrow), "b": tensor(b, narrow), "o": r}, {"r": r}, label=label)


def cases():
    for op, a, b, r in PRODUCTS:
        for dtype in ("f32", "f64", "f16", "bf16", "i64", "i32", "i8"):
            yield two(op, dtype, a, b, r)
        # The operands are extended to the type of the result.
        yield two(op, "i32", a, b, r, label="i8", narrow="i8")
        yield two(op, "f32", a, b, r, label="f16", narrow="f16")
    yield two("matmul", "i32", "17x12", "12x9", "17x9", "{cast = #linalg.type_fn<cast_unsigned>} ", "unsigned", narrow="i8")
    for label, maps in [("ta", "(k, m) (k, n) (m, n)"), ("tb", "(m, k) (n, k) (m, n)"), ("broadcast", "(k) (k, n) (m, n)")]:
        lists = re.findall(r"\([^)]*\)", maps)
        shapes = [",".join(list.strip("()").split(", ")) for list in lists]
        of = {"m": "17", "n": "9", "k": "12"}
        a, b, r = ("x".join(of[letter] for letter in shape.split(",")) for shape in shapes)
        attributes = "indexing_maps = [" + ", ".join(f"affine_map<(m, n, k) -> {list}>" for list in lists) + "] "
        yield two("matmul", "f32", a, b, r, attributes, label)
        if label != "broadcast":
            yield two("contract", "f32", a, b, r, attributes, label)
    for op, a, b, r in [("quantized_matmul", "17x12", "12x9", "17x9"),
                        ("quantized_batch_matmul", "3x7x12", "3x12x9", "3x7x9")]:
        yield case(f"linalg.{op}", "i32",
                   "%za = arith.constant -3 : i32\n%zb = arith.constant 5 : i32\n"
                   f"%r = linalg.{op} ins(%a, %b, %za, %zb : $a, $b, i32, i32) outs(%o : $o) -> $o",
                   {"a": tensor(a, "i8"), "b": tensor(b, "i8"), "o": r}, {"r": r})

    for op, image, kernel, result, attributes in windows():
        dtypes = ("i32",) if op.endswith("unsigned") else ("f32", "f16", "i32")
        for dtype in dtypes:
            yield two(op, dtype, image, kernel, result, attributes)
        if "conv" in op:
            # Products and sums of narrow numbers are of the result's type.
            yield two(op, "i32", image, kernel, result, attributes, label="i8", narrow="i8")
        if op.endswith("_q") or op not in ("conv_2d_nhwc_hwcf", "conv_2d_nhwc_fhwc", "conv_2d_nchw_fchw", "conv_2d_nhwgc_gfhwc",
                                           "conv_2d_ngchw_gfchw", "conv_3d_ndhwc_dhwcf", "depthwise_conv_2d_nhwc_hwc",
                                           "depthwise_conv_2d_nhwc_hwcm"):
            continue
        # With zero points.
        yield case(f"linalg.{op}_q", "i32",
                   "%za = arith.constant -3 : i32\n%zb = arith.constant 5 : i32\n"
                   f"%r = linalg.{op}_q {attributes}ins(%a, %b, %za, %zb : $a, $b, i32, i32) outs(%o : $o) -> $o",
                   {"a": tensor(image, "i8"), "b": tensor(kernel, "i8"), "o": result}, {"r": result})

    for dtype in ("f32", "f64", "f16", "bf16"):
        for op in UNARY + POSITIVE:
            values = "random:3:0.1:4" if op in POSITIVE else None
            yield case(f"linalg.{op}", dtype, f"%r = linalg.{op} ins(%a : $a) outs(%a : $a) -> $a",
                       {"a": tensor("7x33", values=values)}, {"r": "7x33"})
    for dtype in ("f32", "f64", "f16", "bf16", "i64", "i32", "i8"):
        for op in BINARY:
            yield two(op, dtype, "7x33", "7x33", "7x33")
    for dtype, op in [("f32", "div"), ("i32", "div"), ("i32", "div_unsigned")]:
        values = "random:5:1:9"
        yield case(f"linalg.{op}", dtype, f"%r = linalg.{op} ins(%a, %b : $a, $b) outs(%a : $a) -> $a",
                   {"a": tensor("7x33", values="random:4:-100:100"), "b": tensor("7x33", values=values)}, {"r": "7x33"})
    yield case("linalg.powf", "f32", "%r = linalg.powf ins(%a, %b : $a, $b) outs(%a : $a) -> $a",
               {"a": tensor("7x33", values="random:4:0.1:3"), "b": "7x33"}, {"r": "7x33"})
    yield case("linalg.select", "f32", "%r = linalg.select ins(%c, %a, %b : $c, $a, $b) outs(%a : $a) -> $a",
               {"c": tensor("7x33", "i1"), "a": "7x33", "b": "7x33"}, {"r": "7x33"})
    yield case("linalg.copy", "f32", "%r = linalg.copy ins(%a : $a) outs(%b : $b) -> $b",
               {"a": tensor("7x33", "i16"), "b": "7x33"}, {"r": "7x33"}, label="i16")
    yield case("linalg.fill", "f32", "%v = arith.constant 1.5 : f32\n%r = linalg.fill ins(%v : f32) outs(%a : $a) -> $a",
               {"a": "7x33"}, {"r": "7x33"})
    yield case("linalg.fill_rng_2d", "f32",
               "%low = arith.constant -1.0 : f64\n%high = arith.constant 2.0 : f64\n%seed = arith.constant 42 : i32\n"
               "%r = linalg.fill_rng_2d ins(%low, %high, %seed : f64, f64, i32) outs(%a : $a) -> $a", {"a": "7x33"},
               {"r": "7x33"})
    yield case("linalg.elementwise", "f32",
               "%r = linalg.elementwise kind=#linalg.elementwise_kind<sub> indexing_maps = [affine_map<(i, j) -> (i, j)>, "
               "affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>] ins(%a, %b : $a, $b) outs(%a : $a) -> $a",
               {"a": "7x33", "b": "33"}, {"r": "7x33"})
    yield case("linalg.map", "f32", "%r = linalg.map { arith.mulf } ins(%a, %b : $a, $b) outs(%a : $a)",
               {"a": "7x33", "b": "7x33"}, {"r": "7x33"})
    yield case("linalg.reduce", "f32", "%r = linalg.reduce { arith.maximumf } ins(%a : $a) outs(%b : $b) dimensions = [1]",
               {"a": "7x33x3", "b": "7x3"}, {"r": "7x3"})
    yield case("linalg.transpose", "i32", "%r = linalg.transpose ins(%a : $a) outs(%b : $b) permutation = [2, 0, 1]",
               {"a": "7x33x3", "b": "3x7x33"}, {"r": "3x7x33"})
    yield case("linalg.broadcast", "i32", "%r = linalg.broadcast ins(%a : $a) outs(%b : $b) dimensions = [1]",
               {"a": "7x3", "b": "7x33x3"}, {"r": "7x33x3"})

    for dtype in ("f32", "f64", "f16", "bf16"):
        for dim, label in enumerate(("first", "middle", "last")):
            yield case("linalg.softmax", dtype, f"%r = linalg.softmax dimension({dim}) ins(%a : $a) outs(%b : $b) -> $b",
                       {"a": "7x33x3", "b": "7x33x3"}, {"r": "7x33x3"}, label=label)
    for dtype in ("f32", "i8"):
        yield case("linalg.pack", dtype, "%r = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %b : $a -> $b",
                   {"a": "8x33", "b": "2x11x=4x=3"}, {"r": "2x11x4x3"}, forms=("static",))
        yield case("linalg.pack", dtype,
                   f"%v = arith.constant {'-1' if dtype == 'i8' else '-1.0'} : $element\n"
                   "%r = linalg.pack %a padding_value(%v : $element) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] "
                   "inner_tiles = [8, 4] into %b : $a -> $b",
                   {"a": "7x33", "b": "5x2x=8x=4"}, {"r": "5x2x=8x=4"}, label="padded")
        yield case("linalg.unpack", dtype,
                   "%r = linalg.unpack %a outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 4] into %b : $a -> $b",
                   {"a": "5x2x=8x=4", "b": "7x33"}, {"r": "7x33"})
