# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types, and tensors in and out: arrays of NumPy, DLPack, and results that are not copied."""
from __future__ import annotations

import ctypes
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._capi import DataType, Device, DLTensor

# By the codes of DLPack.
_CODES = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 5: "complex", 6: "bool", 7: "float8_e3m4", 8: "float8_e4m3", 9: "float8_e4m3b11fnuz",
          10: "float8_e4m3fn", 11: "float8_e4m3fnuz", 12: "float8_e5m2", 13: "float8_e5m2fnuz", 14: "float8_e8m0fnu"}
_KINDS = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
# Types of ml_dtypes.
_EXTENSIONS = {"bfloat16": 4, **{name: code for code, name in _CODES.items() if name.startswith("float8")}}


def type_name(dtype: DataType) -> str:
    name = _CODES.get(dtype.code, f"code{dtype.code}_")
    return name if name in _EXTENSIONS or name == "bool" else f"{name}{dtype.bits}"


def numpy_type(dtype: DataType) -> np.dtype:
    """The type of NumPy's whose elements lie in memory as those of `dtype`."""
    name = type_name(dtype)
    if name in _EXTENSIONS:
        try:
            import ml_dtypes
        except ImportError:
            raise TypeError(f"NumPy has no {name}: install ml_dtypes, or take the bits with Tensor.bits()") from None
        return np.dtype(getattr(ml_dtypes, name))
    return np.dtype(name)


def _dl_type(dtype: np.dtype) -> DataType:
    code = _EXTENSIONS.get(dtype.name, _KINDS.get(dtype.kind))
    if code is None or not dtype.isnative or dtype.itemsize > 16:
        raise TypeError(f"elements of type {dtype} cannot be handed to Mica")
    return DataType(code, 8 * dtype.itemsize, 1)


class TensorType:
    """Type of an argument or result: name (may be empty), dtype as text ("float32"), shape with -1 for any size."""

    def __init__(self, info):
        self.name = info.name.decode()
        self.dtype = type_name(info.dtype)
        self.shape = tuple(info.shape[:info.ndim])
        self._dtype = DataType(info.dtype.code, info.dtype.bits, info.dtype.lanes)

    def __repr__(self) -> str:
        sizes = ["?" if size < 0 else str(size) for size in self.shape]
        return (self.name + ": " if self.name else "") + "x".join(sizes + [self.dtype])


def empty(shape: int | Sequence[int], dtype: Any = np.float32) -> np.ndarray:
    """An array of NumPy aligned to 64 bytes, so that as an input it is not copied. Contents are undefined."""
    dtype, shape = np.dtype(dtype), (shape,) if isinstance(shape, int) else tuple(shape)
    size = dtype.itemsize * int(np.prod(shape, dtype=np.int64))
    memory = np.empty(size + 64, np.uint8)
    offset = -memory.ctypes.data % 64
    return memory[offset:offset + size].view(dtype).reshape(shape)


class _View:
    """What NumPy makes an array of, and keeps as its base."""

    def __init__(self, tensor, dtype):
        # Types of ml_dtypes have no letter of their own: they cross as integers and are looked at anew.
        letters = dtype.str if dtype.kind in "iufbc" else f"<u{dtype.itemsize}"
        self.tensor = tensor
        self.__array_interface__ = dict(version=3, shape=tensor.shape, typestr=letters, data=(tensor._dl.data, False))


class Tensor:
    """A result. It owns its memory, which lives as long as it or anything made of it: numpy(), numpy.from_dlpack(tensor), ..."""

    def __init__(self, managed):
        self._dl = managed.contents.tensor  # shape and strides are the managed tensor's
        address = ctypes.cast(managed, ctypes.c_void_p).value
        self._release = weakref.finalize(self, managed.contents.deleter, address)
        self._release.atexit = False

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self._dl.shape[:self._dl.ndim])

    @property
    def dtype(self) -> str:
        """As text: "float32"."""
        return type_name(self._dl.dtype)

    def numpy(self) -> np.ndarray:
        """An array of NumPy that is this memory, not a copy."""
        dtype = numpy_type(self._dl.dtype)
        return np.asarray(_View(self, dtype)).view(dtype)

    def bits(self) -> np.ndarray:
        """The same as unsigned integers: for types that NumPy does not have, such as bfloat16."""
        return np.asarray(_View(self, np.dtype(f"uint{self._dl.dtype.bits}")))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self.numpy()
        if (dtype is not None and array.dtype != dtype) or copy:
            return array.astype(array.dtype if dtype is None else dtype)
        return array

    def __repr__(self) -> str:
        return f"mica.Tensor({'x'.join(map(str, self.shape + (self.dtype,)))})"

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)  # the CPU

    def __dlpack__(self, *, stream: Any = None, max_version: tuple[int, int] | None = None,
                   dl_device: tuple[int, int] | None = None, copy: bool | None = None) -> Any:
        # NumPy makes the capsule, which keeps the array, which keeps this tensor.
        if dl_device not in (None, (1, 0)):
            raise BufferError(f"the tensor is on the CPU, not on {dl_device}")
        array = self.numpy().copy() if copy else self.numpy()
        try:
            return array.__dlpack__(max_version=max_version)  # type: ignore[call-arg]
        except TypeError:  # NumPy before 2.1
            return array.__dlpack__()


_capsule_is = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))
_capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi))


def input_tensor(value: Any, wanted: TensorType | None) -> tuple[DLTensor, Any]:
    """A DLTensor of `value`, and what has to live as long as it. `wanted`: the argument's TensorType, or None."""
    if isinstance(value, Tensor):
        return value._dl, value
    if not isinstance(value, np.ndarray) and hasattr(value, "__dlpack__"):
        capsule = value.__dlpack__()
        if not _capsule_is(capsule, b"dltensor"):
            raise TypeError(f"{type(value).__name__}.__dlpack__() gave no tensor")
        # The structure begins with the tensor. The capsule, which is not renamed, stays the owner.
        return DLTensor.from_address(_capsule_pointer(capsule, b"dltensor")), capsule
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
    else:
        array = np.asarray(value, None if wanted is None else numpy_type(wanted._dtype))
    # Scalars have no order; ascontiguousarray would make them vectors.
    array = array if array.ndim == 0 else np.ascontiguousarray(array)
    shape = (ctypes.c_int64 * max(array.ndim, 1))(*array.shape)
    tensor = DLTensor(data=array.ctypes.data, device=Device(1, 0), ndim=array.ndim, dtype=_dl_type(array.dtype), shape=shape)
    return tensor, (array, shape)
