"""Convolutions and pools."""
from harness import case

FLOATS = ["f64", "f32"]
NUMBERS = FLOATS + ["i64", "i32"]


def cases():
    # Height, width and channels stay static in the dynamic form, the batch does not.
    for dtype in NUMBERS:
        for layout, image, filter, result in [("nhwc_hwcf", "2x=11x=12x=5", "=3x=3x=5x=7", "2x=6x=6x=7"),
                                              ("nhwc_fhwc", "2x=11x=12x=5", "=7x=3x=3x=5", "2x=6x=6x=7"),
                                              ("nchw_fchw", "2x=5x=11x=12", "=7x=5x=3x=3", "2x=7x=6x=6")]:
            yield case("conv2d", dtype, f"%r = mica.conv2d %a, %b bias %c layout = {layout} strides = [2, 2] "
                       "pads = [1, 1, 1, 1] : ($a, $b, $c) -> $r", {"a": image, "b": filter, "c": "=7"}, {"r": result},
                       label=layout)
        for layout, image, result in [("nhwc", "2x=9x=8x=5", "2x=5x=4x=5"), ("nchw", "2x=5x=9x=8", "2x=5x=5x=4")]:
            for op in ["max_pool"] + (["avg_pool"] if dtype in FLOATS else []):
                yield case(op, dtype, f"%r = mica.{op} %a layout = {layout} kernel = [3, 2] strides = [2, 2] "
                           "pads = [1, 1, 0, 0] : ($a) -> $r", {"a": image}, {"r": result}, label=layout)
