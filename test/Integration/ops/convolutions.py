"""Convolutions: layouts, groups, strides, dilations, transposed ones."""
from harness import case

FLOATS = ["f64", "f32", "f16", "bf16"]
NUMBERS = FLOATS + ["i64", "i32", "i16", "i8"]
# Height, width and channels stay static in the dynamic form unless a case says otherwise; the batch does not.
CONV2D = {
    # image, filter and result for `groups` groups of ci channels in and co out
    "nhwc_hwcf": lambda g, ci, co: (f"2x=11x=12x={g * ci}", f"=3x=3x={ci}x={g * co}", f"2x=6x=6x={g * co}"),
    "nhwc_fhwc": lambda g, ci, co: (f"2x=11x=12x={g * ci}", f"={g * co}x=3x=3x={ci}", f"2x=6x=6x={g * co}"),
    "nchw_fchw": lambda g, ci, co: (f"2x={g * ci}x=11x=12", f"={g * co}x={ci}x=3x=3", f"2x={g * co}x=6x=6"),
}
CONV1D = {
    "nwc_wcf": lambda g, ci, co: (f"2x=37x={g * ci}", f"=3x={ci}x={g * co}", f"2x=19x={g * co}"),
    "nwc_fwc": lambda g, ci, co: (f"2x=37x={g * ci}", f"={g * co}x=3x={ci}", f"2x=19x={g * co}"),
    "ncw_fcw": lambda g, ci, co: (f"2x={g * ci}x=37", f"={g * co}x={ci}x=3", f"2x={g * co}x=19"),
}
CONV2D_TRANSPOSE = {
    "nhwc_fhwc": lambda g, ci, co: (f"2x=5x=6x={g * ci}", f"={g * co}x=3x=2x={ci}", f"2x=10x=12x={g * co}"),
    "nchw_cfhw": lambda g, ci, co: (f"2x={g * ci}x=5x=6", f"={g * ci}x={co}x=3x=2", f"2x={g * co}x=10x=12"),
}
# plain, grouped, depthwise, depthwise with two results per channel
GROUPS = {"plain": (1, 5, 7), "grouped": (3, 2, 4), "depthwise": (18, 1, 1), "multiplied": (5, 1, 2)}


def layoutsFor(dtype, layouts):
    """All of them for f32, one for each other type, in turn."""
    names = list(layouts)
    return names if dtype == "f32" else [names[NUMBERS.index(dtype) % len(names)]]


def free(shape):
    """Every size dynamic in the dynamic form."""
    return shape.replace("=", "")


def cases():
    for dtype in NUMBERS:
        for kind, (g, ci, co) in GROUPS.items():
            for layout in layoutsFor(dtype, CONV2D):
                image, filter, result = CONV2D[layout](g, ci, co)
                yield case("conv2d", dtype, f"%r = mica.conv2d %a, %b bias %c layout = {layout} strides = [2, 2] "
                           f"pads = [1, 1, 1, 1] groups = {g} : ($a, $b, $c) -> $r",
                           {"a": image, "b": filter, "c": f"={g * co}"}, {"r": result}, label=f"{layout}-{kind}")
    for dtype in ["f64", "f32", "f16", "i32"]:
        for kind, (g, ci, co) in GROUPS.items():
            for layout in layoutsFor(dtype, CONV1D):
                image, filter, result = CONV1D[layout](g, ci, co)
                yield case("conv1d", dtype, f"%r = mica.conv1d %a, %b bias %c layout = {layout} strides = [2] "
                           f"pads = [1, 1] groups = {g} : ($a, $b, $c) -> $r",
                           {"a": image, "b": filter, "c": f"={g * co}"}, {"r": result}, label=f"{layout}-{kind}")
    for layout, shapes in CONV2D.items():
        for kind, (g, ci, co) in GROUPS.items():
            image, filter, _ = shapes(g, ci, co)
            result = f"2x=10x=4x={g * co}" if layout[:4] == "nhwc" else f"2x={g * co}x=10x=4"
            yield case("conv2d", "f32", f"%r = mica.conv2d %a, %b layout = {layout} dilations = [1, 4] "
                       f"pads = [0, 1, 0, 0] groups = {g} : ($a, $b) -> $r", {"a": free(image), "b": free(filter)},
                       {"r": free(result)}, label=f"{layout}-{kind}-dilated")
    for dtype in NUMBERS:
        for kind, (g, ci, co) in GROUPS.items():
            for layout in layoutsFor(dtype, CONV2D_TRANSPOSE):
                image, filter, result = CONV2D_TRANSPOSE[layout](g, ci, co)
                yield case("conv2d_transpose", dtype, f"%r = mica.conv2d_transpose %a, %b bias %c layout = {layout} "
                           f"strides = [2, 2] pads = [1, 0, 0, 0] groups = {g} : ($a, $b, $c) -> $r",
                           {"a": image, "b": filter, "c": f"={g * co}"}, {"r": result}, label=f"{layout}-{kind}")
    # More is cut off on one side than a window reaches; the other side is extended.
    yield case("conv2d_transpose", "f32", "%r = mica.conv2d_transpose %a, %b layout = nhwc_fhwc strides = [3, 1] "
               "dilations = [1, 2] pads = [3, -2, -1, 4] : ($a, $b) -> $r", {"a": "2x5x6x4", "b": "3x2x3x4"},
               {"r": "2x13x7x3"}, label="cut")
