"""Tensors made of positions."""
from harness import BOOL, FLOATS, INTS, NUMBERS, case, refused, tensor


def cases():
    for dtype in NUMBERS:
        yield case("iota", dtype, iota, {"n": tensor("5x67", "i8")}, {"r": "5x67"})
        yield case("iota", dtype, "%r = mica.iota axis = 0 : $r", {}, {"r": "=300x=3"}, label="first", forms=["static"])
    for index in INTS:
        # Indices outside of the result's 10 places name none.
        values = tensor("5x13", index, values="random:1:-8:8" if index == "i4" else "random:1:-3:14")
        for dtype in NUMBERS + BOOL:
            yield case("one_hot", f"{index} to {dtype}", "%r = mica.one_hot %a axis = 1 : $a to $r", {"a": values},
                       {"r": tensor("5x=10x13", dtype)})
    for index in FLOATS + BOOL:
        for dtype in NUMBERS + BOOL:
            yield refused("one_hot", f"{index} to {dtype}", "%r = mica.one_hot %a axis = 1 : $a to $r",
                          {"a": tensor("5x13", index)}, {"r": tensor("5x=10x13", dtype)},
                          "indices are integers, and an i1 counts no further than 1")
    for dtype in NUMBERS + BOOL:
        yield case("one_hot", f"i32 to {dtype}", "%r = mica.one_hot %a axis = 2 : $a to $r",
                   {"a": tensor("5x13", "i32", values="random:2:-3:14")}, {"r": tensor("5x13x=10", dtype)}, label="last")


def iota(dynamic):
    if not dynamic:
        return "%r = mica.iota axis = 1 : $r"
    return """
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %rows = tensor.dim %n, %zero : $n
    %columns = tensor.dim %n, %one : $n
    %r = mica.iota axis = 1 sizes(%rows, %columns) : $r"""
