"""What client.c does, by the Python package.

usage: client.py ARTIFACT SWITCHES INPUT...
"""
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "python"))
sys.dont_write_bytecode = True
import mica  # noqa: E402
import numpy as np  # noqa: E402


def tensor(text):
    """"2x3xf32=1,2,3,4,5,6", or one number for all elements."""
    kind, values = text.split("=")
    *sizes, dtype = kind.split("x") if not kind.endswith("index") else [*kind.removesuffix("index").split("x")[:-1], "index"]
    dtype = {"index": "int64"}.get(dtype, dtype.replace("f", "float").replace("i", "int"))
    array = np.array([float(v) if "float" in dtype else int(v) for v in values.split(",")]).astype(dtype)
    shape = [int(size) for size in sizes]
    return np.full(shape, array[0]) if array.size == 1 else array.reshape(shape)


try:
    if sys.argv[2]:
        mica.set_switches(sys.argv[2])
    with mica.load(sys.argv[1]) as program, program.context(threads=2) as context:
        inputs = [tensor(text) for text in sys.argv[3:]]
        context.run(*inputs)
        with context.submit(*inputs) as invocation:
            invocation.wait()
except mica.Error as error:
    print(f"error: {error.message}")
    print("place: " + json.dumps({name: getattr(error, name) for name in
                                  ("operation", "file", "line", "kernel", "operands", "element")}))
    sys.stdout.flush()
    os._exit(3 if isinstance(error, mica.CheckFailed) else 4 if type(error).__name__ == "Hang" else 1)
