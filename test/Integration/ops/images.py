"""Borders and sizes of images."""
from harness import BOOL, NUMBERS, case

FLOATS = ["f64", "f32", "f16", "bf16"]
TYPES = FLOATS + ["i64", "i32", "i16", "i8", "i1"]
# input height and width, result height and width
SIZES = {"up": ("5x7", "10x14"), "down": ("12x9", "5x4"), "odd": ("7x5", "11x13"), "one": ("6x5", "1x1"), "from-one": ("1x1", "4x3")}


def resize(attributes, result):
    def body(dynamic):
        if not dynamic:
            return f"%r = mica.resize %a {attributes} : ($a) -> $r"
        height, width = result.split("x")
        return f"""
        %h = arith.constant {height} : index
        %w = arith.constant {width} : index
        %r = mica.resize %a sizes(%h, %w) {attributes} : ($a, index, index) -> $r"""
    return body


def cases():
    for mode in ["constant", "edge", "reflect", "wrap"]:
        for dtype in TYPES if mode in ("constant", "reflect") else ["f32"]:
            yield case("pad", dtype, f"%r = mica.pad %a low = [0, 2, 1] high = [1, 0, 3] mode = {mode} : ($a) -> $r",
                       {"a": "3x4x37"}, {"r": "4x6x41"}, label=mode)
    for dtype in FLOATS + ["i32", "i8"]:
        value = "1.5" if dtype in FLOATS else "-7"
        yield case("pad", dtype, f"%r = mica.pad %a low = [1, 0] high = [0, 3] mode = constant value = {value} : $element "
                   ": ($a) -> $r", {"a": "3x37"}, {"r": "4x40"}, label="value")
    for index, (label, (source, result)) in enumerate(SIZES.items()):
        layout = ["nhwc", "nchw"][index % 2]

        def image(size):
            return f"2x{size}x3" if layout == "nhwc" else f"2x3x{size}"

        # A size of 1 is static in either form.
        forms = ["static"] if "1x1" in (source, result) else ["static", "dynamic"]
        for coordinates in ["half_pixel", "asymmetric", "align_corners"]:
            for rounding in ["floor", "ceil", "prefer_floor", "prefer_ceil"]:
                attributes = f"layout = {layout} mode = nearest coordinates = {coordinates} rounding = {rounding}"
                yield case("resize", "f32", resize(attributes, result), {"a": image(source)}, {"r": image(result)},
                           label=f"{label}-{layout}-{coordinates}-{rounding}", forms=forms)
            for dtype in FLOATS if label == "odd" else ["f32"]:
                attributes = f"layout = {layout} mode = bilinear coordinates = {coordinates}"
                yield case("resize", dtype, resize(attributes, result), {"a": image(source)}, {"r": image(result)},
                           label=f"{label}-{layout}-{coordinates}-bilinear", forms=forms)
    for dtype in NUMBERS + BOOL:
        yield case("resize", dtype, resize("layout = nchw mode = nearest coordinates = half_pixel", "9x8"),
                   {"a": "2x3x6x4"}, {"r": "2x3x9x8"}, label="types")
