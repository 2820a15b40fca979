#!/usr/bin/env python3
"""Models that are wrong on purpose: each is refused with a message that says why, exit code 1, and never a signal.

usage: hostile.py MICA_COMPILE WORK
"""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from model import FLOAT, STRING, field, floats, function, graph, ints, model, node, tensor, value

X, Y = value("x", [2, 3]), value("y", [2, 3])


def one(op, inputs=("x",), opset=17, initializers=(), domain="", given=X, result=Y, **attributes):
    return model(graph([node(op, list(inputs), ["y"], "n1", domain, **attributes)], [given], [result], initializers), opset)


def external(**place):
    return one("Add", ("x", "w"), initializers=[tensor("w", [2, 3], external=place)])


def nested(depth):
    body = graph([node("Relu", ["x"], ["y"])], [], [value("y", [2, 3])])
    for _ in range(depth):
        body = graph([node("If", ["c"], ["y"], then_branch=("graph", body), else_branch=("graph", body))], [], [value("y", [2, 3])])
    return model(graph([node("If", ["c"], ["y"], then_branch=("graph", body), else_branch=("graph", body))], [X, value("c", [], 9)], [Y]))


CASES = {
    "empty": (b"", "the file is empty"),
    "text": (b"not a model", "this is not an ONNX model, or it is cut off"),
    "cut-off": (one("Relu")[:-3], "this is not an ONNX model, or it is cut off"),
    "no-graph": (field(1, 8) + field(8, field(2, 17)), "the model has no graph"),
    "no-opset": (field(1, 8) + field(7, graph([], [X], [])), "the model names no operator set"),
    "new-opset": (one("Relu", opset=99), "operator set 99 is not supported: 1 to 26 are"),
    "unknown-operator": (one("Frobnicate"), "node 'n1' (Frobnicate): this operator is not supported"),
    "unknown-domain": (one("Frobnicate", domain="com.example"), "node 'n1' (com.example.Frobnicate): this operator is not supported"),
    "missing-input": (one("Add", ("x",)), "node 'n1' (Add): input 1 is missing"),
    "undefined-input": (one("Add", ("x", "z")), "node 'n1' (Add): input 'z' is made by no node before it"),
    "cycle": (model(graph([node("Add", ["x", "b"], ["a"], "first"), node("Relu", ["a"], ["b"], "second")], [X], [value("b", [2, 3])])),
              "node 'first' (Add): input 'b' is made by no node before it"),
    "missing-output": (model(graph([node("Relu", ["x"], ["a"])], [X], [Y])), "output 'y' is made by no node"),
    "recursive-function": (model(graph([node("F", ["x"], ["y"], "n1", "d")], [X], [Y]), 17,
                                 [function("F", "d", ["a"], ["b"], [node("F", ["a"], ["b"], "inner", "d")])], ["d"]),
                           "the function calls itself"),
    "huge-dims": (one("Add", ("x", "w"), initializers=[tensor("w", [1 << 62, 1 << 62], raw=b"")]), "its sizes are negative or too large"),
    "negative-dims": (one("Add", ("x", "w"), initializers=[tensor("w", [-2, 3], raw=b"")]), "its sizes are negative or too large"),
    "few-bytes": (one("Add", ("x", "w"), initializers=[tensor("w", [1 << 20, 3], raw=b"1234")]), "holds 4 bytes, but its shape needs 12582912"),
    "huge-constant": (one("ConstantOfShape", ("s",), initializers=[ints("s", [2], [1 << 40, 1 << 40])]), "its sizes are too large"),
    "strings": (one("Identity", given=value("x", [2, 3], STRING)), "holds strings: tensors of a program hold numbers"),
    "sum-of-fnuz": (one("Add", ("x", "x"), 19, given=value("x", [2, 3], 18), result=value("y", [2, 3], 18)), "node 'n1' (Add): it takes no elements of f8E4M3FNUZ"),
    "cast-to-e8m0": (one("Cast", opset=25, to=24), "converts to float8e8m0, which is not supported; store its scales as floats"),
    "e8m0-input": (one("Identity", opset=25, given=value("x", [2, 3], 24)), "has an element type that is not supported"),
    "no-shape": (one("Relu", given=field(1, "x") + field(2, field(1, field(1, FLOAT)))), "has no shape"),
    "bad-axis": (one("Concat", ("x", "x"), axis=7), "axis 7 is not within a tensor of rank 2"),
    "bad-permutation": (one("Transpose", perm=[0, 0]), "given twice"),
    "bad-reshape": (one("Reshape", ("x", "s"), initializers=[ints("s", [1], [5])]), "a tensor of 6 elements cannot be reshaped to one of 5"),
    "zero-step": (one("Slice", ("x", "a", "b", "c", "d"), initializers=[ints("a", [1], [0]), ints("b", [1], [2]), ints("c", [1], [0]), ints("d", [1], [0])]),
                  "has a step of 0"),
    "large-kernel": (one("MaxPool", given=value("x", [1, 1, 4, 4]), kernel_shape=[9, 9]), "the kernel is larger than the padded image"),
    "negative-stride": (one("MaxPool", given=value("x", [1, 1, 4, 4]), kernel_shape=[2, 2], strides=[-1, 1]), "do not fit an image of 2 spatial dimensions"),
    "shapes": (one("Add", ("x", "w"), initializers=[floats("w", [5], [1] * 5)]), "mica.add does not take tensor<2x3xf32>, tensor<1x5xf32>"),
    "random": (one("RandomUniformLike"), "its result is random"),
    "external-up": (external(location="../secret"), "is not within the folder of the model"),
    "external-up-inside": (external(location="a/../../secret"), "is not within the folder of the model"),
    "external-absolute": (external(location="/etc/passwd"), "is not within the folder of the model"),
    "external-link": (external(location="link"), "is not within the folder of the model"),
    "external-missing": (external(location="nothing.bin"), "cannot be read"),
    "external-short": (external(location="short.bin"), "has 4 bytes, but 24 are needed"),
    "external-offset": (external(location="short.bin", offset=(1 << 64) - 8), "has 4 bytes, but 24 are needed"),
    "external-length": (external(location="short.bin", length=3), "its length is 3 bytes, but its shape needs 24"),
    "deep": (nested(12), ""),
}


def main():
    tool, work = sys.argv[1], pathlib.Path(sys.argv[2]) / "models"
    work.mkdir(parents=True, exist_ok=True)
    (work / "short.bin").write_bytes(b"1234")
    (work.parent / "secret").write_bytes(b"s" * 24)
    if not (work / "link").is_symlink():
        (work / "link").symlink_to("../secret")
    wrong = 0
    for name, (contents, expected) in CASES.items():
        file = work / (name + ".onnx")
        file.write_bytes(contents)
        done = subprocess.run([tool, file, "--compile-to=input", "-o", "-"], capture_output=True, text=True, timeout=120)
        isFine = done.returncode == (0 if name == "deep" else 1)
        isSaid = any(part in done.stderr for part in expected.split("|"))
        if not isFine or not isSaid:
            wrong += 1
            print(f"{name}: exit code {done.returncode}, expected '{expected}' in:\n{done.stderr}")
    print(f"{len(CASES)} models, {wrong} not refused as expected")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
