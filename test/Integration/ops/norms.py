"""Normalizations beside layer_norm."""
from harness import case, tensor

FLOATS = ["f64", "f32", "f16", "bf16"]


def cases():
    for dtype in FLOATS:
        positive = lambda shape: tensor(shape, values="random:7:0.1:2")
        yield case("rms_norm", dtype, "%r = mica.rms_norm %a scale %b axis = 1 epsilon = 1.0e-5 : ($a, $b) -> $r",
                   {"a": "9x70", "b": "70"}, {"r": "9x70"})
        yield case("rms_norm", dtype, "%r = mica.rms_norm %a axis = 1 epsilon = 1.0e-5 : ($a) -> $r",
                   {"a": "3x6x11"}, {"r": "3x6x11"}, label="two-dims")
        for axis, image in [(1, "2x37x3x4"), (3, "2x3x4x37")]:
            yield case("batch_norm", dtype, "%r = mica.batch_norm %a mean %b variance %c scale %d bias %e "
                       f"axis = {axis} epsilon = 1.0e-5 : ($a, $b, $c, $d, $e) -> $r",
                       {"a": image, "b": "37", "c": positive("37"), "d": "37", "e": "37"}, {"r": image}, label=f"axis{axis}")
            yield case("batch_norm", dtype, f"%r = mica.batch_norm %a mean %b variance %c axis = {axis} epsilon = 1.0e-3 : "
                       "($a, $b, $c) -> $r", {"a": image, "b": "37", "c": positive("37")}, {"r": image},
                       label=f"plain-axis{axis}")
        yield case("batch_norm", dtype, "%r = mica.batch_norm %a mean %b variance %c bias %d axis = 1 epsilon = 1.0e-3 : "
                   "($a, $b, $c, $d) -> $r", {"a": "5x37", "b": "37", "c": positive("37"), "d": "37"}, {"r": "5x37"},
                   label="rows")
        for axis, image in [(1, "2x24x5x7"), (3, "2x5x7x24")]:
            for groups in (1, 4, 24):
                yield case("group_norm", dtype, f"%r = mica.group_norm %a scale %b bias %c groups = {groups} axis = {axis} "
                           "epsilon = 1.0e-5 : ($a, $b, $c) -> $r", {"a": image, "b": "24", "c": "24"}, {"r": image},
                           label=f"axis{axis}-groups{groups}")
        yield case("group_norm", dtype, "%r = mica.group_norm %a groups = 3 axis = 1 epsilon = 1.0e-5 : ($a) -> $r",
                   {"a": "2x12x9"}, {"r": "2x12x9"}, label="plain")
