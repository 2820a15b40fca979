"""Pools: layouts, borders, dilations, windows that the end cuts off, whole images."""
from harness import case, tensor

FLOATS = ["f64", "f32", "f16", "bf16"]
NUMBERS = FLOATS + ["i64", "i32", "i16", "i8"]
# label: attributes, input height and width, result height and width
WINDOWS = {
    "plain": ("kernel = [3, 2] strides = [2, 2]", "9x10", "4x5"),
    "padded": ("kernel = [3, 3] strides = [2, 1] pads = [1, 1, 2, 0]", "9x10", "5x10"),
    "dilated": ("kernel = [3, 2] dilations = [2, 3] pads = [1, 0, 1, 1]", "9x10", "6x9"),
    "ceil": ("kernel = [3, 3] strides = [2, 2] pads = [0, 0, 1, 1] ceil_mode", "10x10", "5x6"),
    # The window after the last one would begin in the padding behind the image.
    "ceil-border": ("kernel = [2, 2] strides = [3, 2] pads = [1, 1, 0, 0] ceil_mode", "8x7", "3x4"),
}


def image(layout, size, dynamic=False):
    batch, channels = ("2", "5") if dynamic else ("2", "=5")
    height, width = size.split("x")
    if not dynamic:
        height, width = "=" + height, "=" + width
    return "x".join([batch, height, width, channels] if layout == "nhwc" else [batch, channels, height, width])


def cases():
    for layout in ["nhwc", "nchw"]:
        for label, (attributes, size, result) in WINDOWS.items():
            every = label == "ceil-border"
            for dtype in NUMBERS if every else ["f32", "i8"]:
                yield case("max_pool", dtype, f"%r = mica.max_pool %a layout = {layout} {attributes} : ($a) -> $r",
                           {"a": image(layout, size)}, {"r": image(layout, result)}, label=f"{layout}-{label}")
            for dtype in FLOATS if every else ["f32"]:
                for flag, suffix in [("", ""), (" count_include_pad", "-counted")]:
                    yield case("avg_pool", dtype, f"%r = mica.avg_pool %a layout = {layout} {attributes}{flag} : ($a) -> $r",
                               {"a": image(layout, size)}, {"r": image(layout, result)}, label=f"{layout}-{label}{suffix}")
        for label in ["padded", "ceil-border"]:
            attributes, size, result = WINDOWS[label]
            for op in ["max_pool", "avg_pool"]:
                yield case(op, "f32", f"%r = mica.{op} %a layout = {layout} {attributes} : ($a) -> $r",
                           {"a": image(layout, size, True)}, {"r": image(layout, result, True)},
                           label=f"{layout}-{label}-all-dynamic", forms=["dynamic"])
        # Pools of whole images.
        dims = "[1, 2]" if layout == "nhwc" else "[2, 3]"
        result = "2x1x1x37" if layout == "nhwc" else "2x37x1x1"
        source = "2x7x6x37" if layout == "nhwc" else "2x37x7x6"
        for kind in ["mean", "max"]:
            for dtype in FLOATS:
                yield case("reduce", dtype, f"%r = mica.reduce {kind} %a dims = {dims} keep_dims : ($a) -> $r",
                           {"a": source}, {"r": result}, label=f"global-{kind}-{layout}")
    yield case("max_pool", "f32", "%r = mica.max_pool %a layout = nhwc kernel = [1, 2] : ($a) -> $r",
               {"a": tensor("=1x=1x=4x=1", values="1,nan,2,-inf")}, {"r": "=1x=1x=3x=1"}, label="nan")
