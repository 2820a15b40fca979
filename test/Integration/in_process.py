"""Runs entries of an artifact in this process, by the C API: for tests of many short runs. They start with LD_LIBRARY_PATH=build/lib."""
import ctypes
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
import mica  # noqa: E402
from mica._capi import DataType, Device, DLTensor  # noqa: E402

# By DLPack's codes.
FLOATS = {"f16": (2, 16), "f32": (2, 32), "f64": (2, 64), "bf16": (4, 16), "f8E4M3FN": (10, 8), "f8E5M2": (12, 8)}


class Bits(mica.Tensor):
    """An input of floats by their bits: NumPy has neither bf16 nor types of 8 bits."""

    def __init__(self, name, codes, shape=()):
        code, width = FLOATS[name]
        self.array = np.array(codes, f"uint{width}").reshape(shape)
        self.sizes = (ctypes.c_int64 * max(self.array.ndim, 1))(*self.array.shape)
        self._dl = DLTensor(data=self.array.ctypes.data, device=Device(1, 0), ndim=self.array.ndim, dtype=DataType(code, width, 1), shape=self.sizes)


class Loaded:
    """An artifact that is loaded once."""

    def __init__(self, artifact):
        self.program = mica.load(artifact)
        self.context = self.program.context(threads=2)

    def run(self, entry, inputs):
        """The results, or a mica.Error."""
        return self.context.run(*inputs, entry=entry)

    def close(self):
        self.context.close()
        self.program.close()
