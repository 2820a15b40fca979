"""Cases of which the harness must say what is wrong, by name, beside one that agrees."""
from harness import case, tensor


def cases():
    yield case("add", "f32", "%r = mica.add %a, %b : ($a, $b) -> $r", {"a": "5", "b": "5"}, {"r": "5"})
    yield case("add", "f32", "%r = mica.no_such_op %a : $a", {"a": "5"}, {"r": "5"}, label="unknown")
    # exp is an approximation, so no tolerance is too little for 100 numbers.
    yield case("exp", "f32", "%r = mica.exp %a : $a", {"a": "100"}, {"r": "100"}, tolerance="--rtol=0")
    yield case("neg", "f32", "%r = mica.neg %a : $a", {"a": tensor("5", values="1,2")}, {"r": "5"}, forms=["static"])
