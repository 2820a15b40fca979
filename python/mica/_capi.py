# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C API (mica/C/mica.h) by ctypes: its structures and functions, and where its library is."""
from __future__ import annotations

import ctypes
from typing import Any

from . import errors, tools

_API_VERSION = 3  # MICA_C_API_VERSION of the mica.h that this file was written for

class _ErrorPlace(ctypes.Structure):
    _fields_ = [("kernel", ctypes.c_char_p), ("operation", ctypes.c_char_p), ("id", ctypes.c_char_p),
                ("file", ctypes.c_char_p), ("line", ctypes.c_int64), ("column", ctypes.c_int64),
                ("operands", ctypes.c_char_p), ("element", ctypes.c_char_p)]


class ErrorStruct(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("message", ctypes.c_char_p), ("hint", ctypes.c_char_p),
                ("place", ctypes.POINTER(_ErrorPlace))]


class DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("id", ctypes.c_int32)]


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", Device), ("ndim", ctypes.c_int32), ("dtype", DataType),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Managed(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", _Deleter), ("flags", ctypes.c_uint64), ("tensor", DLTensor)]


class TensorInfo(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("dtype", DataType), ("ndim", ctypes.c_int32),
                ("shape", ctypes.POINTER(ctypes.c_int64))]


class ContextOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("threads", ctypes.c_int32)]


class IsolationOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("threads", ctypes.c_int32), ("memory", ctypes.c_uint64),
                ("seconds", ctypes.c_double)]


class LogOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t)] + [
        (name, ctypes.c_char_p) for name in ("topics", "file", "folder", "format", "kernels", "ranks")]


_Tensors = ctypes.POINTER(ctypes.POINTER(DLTensor))
_Results = ctypes.POINTER(ctypes.POINTER(Managed))
_Handle, _Size, _Text, _ErrorOut = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.POINTER(ErrorStruct)
_HandleOut = ctypes.POINTER(ctypes.c_void_p)

# Name: (type of the result, types of the arguments). "code": fails with a mica_code and takes a mica_error last.
_FUNCTIONS = {
    "mica_version": (_Text, []),
    "mica_api_version": (ctypes.c_uint32, []),
    "mica_error_clear": (None, [_ErrorOut]),
    "mica_set_switches": ("code", [_Text]),
    "mica_set_logs": ("code", [ctypes.POINTER(LogOptions)]),
    "mica_program_load": ("code", [_Text, _HandleOut]),
    "mica_program_open": ("code", [_Text, _HandleOut]),
    "mica_program_release": (None, [_Handle]),
    "mica_program_entry_count": (_Size, [_Handle]),
    "mica_program_entry_name": (_Text, [_Handle, _Size]),
    "mica_program_find_entry": ("code", [_Handle, _Text, ctypes.POINTER(_Size)]),
    "mica_program_argument_count": (_Size, [_Handle, _Size]),
    "mica_program_result_count": (_Size, [_Handle, _Size]),
    "mica_program_argument": ("code", [_Handle, _Size, _Size, ctypes.POINTER(TensorInfo)]),
    "mica_program_result": ("code", [_Handle, _Size, _Size, ctypes.POINTER(TensorInfo)]),
    "mica_context_create": ("code", [_Handle, ctypes.POINTER(ContextOptions), _HandleOut]),
    "mica_context_release": (None, [_Handle]),
    "mica_invoke": ("code", [_Handle, _Size, _Tensors, _Size, _Results, _Size]),
    "mica_submit": ("code", [_Handle, _Size, _Tensors, _Size, _HandleOut]),
    "mica_invocation_done": (ctypes.c_int32, [_Handle]),
    "mica_invocation_wait": ("code", [_Handle, _Results, _Size]),
    "mica_invocation_release": (None, [_Handle]),
    "mica_run_isolated": ("code", [_Handle, _Size, ctypes.POINTER(IsolationOptions), _Tensors, _Size, _Results, _Size]),
}


class _Library:
    """The functions of libmica.so, those that can fail raising an Error."""

    def __init__(self, path):
        loaded = ctypes.CDLL(path)
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(loaded, name)
            function.restype = ctypes.c_int if result == "code" else result
            function.argtypes = arguments + ([_ErrorOut] if result == "code" else [])
            setattr(self, name, self._checked(function) if result == "code" else function)
        if self.mica_api_version() < _API_VERSION:
            raise ImportError(f"{path} has version {self.mica_api_version()} of the C API, this package needs {_API_VERSION}")

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"libmica has no function {name}")

    def _checked(self, function):
        def call(*arguments):
            error = ErrorStruct()
            code = function(*arguments, ctypes.byref(error))
            if code:
                raise self._error(code, error)

        return call

    def _error(self, code, error):
        text = lambda value: (value or b"").decode(errors="replace")
        place = {}
        if error.place:
            at = error.place.contents
            place = dict(kernel=text(at.kernel), operation=text(at.operation), id=text(at.id), file=text(at.file),
                         line=at.line, column=at.column, operands=text(at.operands), element=text(at.element))
        kind = errors.BY_CODE[code] if 0 < code < len(errors.BY_CODE) else errors.InternalError
        raised = kind(text(error.message), text(error.hint), **place)
        self.mica_error_clear(ctypes.byref(error))
        return raised


_library: _Library | None = None


def use_library(path: str = "libmica.so.2") -> None:
    """Names the library to use, before anything else is called."""
    global _library
    _library = _Library(path)


def library() -> _Library:
    """The library: the one that was named, the one beside this package or beside the tools, or the system's."""
    if _library is None:
        beside = tools.library_beside()
        use_library(*([str(beside)] if beside else []))
    assert _library is not None
    return _library


def version() -> str:
    """The library's, "0.1.0"."""
    return library().mica_version().decode()


def set_switches(switches: str) -> None:
    """Sets switches such as "nan-check,op-log-level=debug" (docs/Environment.md) for the contexts that are made from now on."""
    library().mica_set_switches(switches.encode())


def set_logs(topics: str | None = None, file: str | None = None, folder: str | None = None, format: str | None = None,
             kernels: str | None = None, ranks: str | None = None) -> None:
    """What the library says of its work, and where: as the MICA_LOGS variables, whose values None leaves in force."""
    options = LogOptions(ctypes.sizeof(LogOptions), *[
        None if value is None else str(value).encode() for value in (topics, file, folder, format, kernels, ranks)])
    library().mica_set_logs(ctypes.byref(options))
