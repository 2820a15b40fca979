# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX Runtime by its C interface: the functions are called by their places in the table, which only ever grows."""
import ctypes

import numpy as np

# Places in OrtApi, of onnxruntime_c_api.h.
GET_ERROR_MESSAGE, CREATE_ENV, CREATE_SESSION, RUN, CREATE_OPTIONS = 2, 3, 7, 9, 10
SET_OPTIMIZATION, SET_INTRA_OP_THREADS, CREATE_TENSOR, CREATE_CPU_MEMORY_INFO = 23, 24, 49, 69
TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7, "float16": 10}


class Runtime:
    """Each call to the library takes pointers, and returns null or a status with a message."""

    def __init__(self, library):
        base = ctypes.CDLL(str(library)).OrtGetApiBase
        base.restype = ctypes.POINTER(ctypes.c_void_p)
        get_api = ctypes.CFUNCTYPE(ctypes.POINTER(ctypes.c_void_p), ctypes.c_uint32)(base()[0])
        self.table = get_api(17)
        self.environment = self._made(CREATE_ENV, ctypes.c_int(3), b"bench")
        self.memory = self._made(CREATE_CPU_MEMORY_INFO, ctypes.c_int(1), ctypes.c_int(0))

    def call(self, place, *arguments):
        function = ctypes.cast(self.table[place], ctypes.CFUNCTYPE(ctypes.c_void_p))
        function.argtypes = None
        status = function(*arguments)
        if status:
            message = ctypes.cast(self.table[GET_ERROR_MESSAGE], ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p))
            raise RuntimeError(message(status).decode())

    def _made(self, place, *arguments):
        out = ctypes.c_void_p()
        self.call(place, *arguments, ctypes.byref(out))
        return out


class Session:
    """A model with its inputs and results in memory of their own: run() writes the results."""

    def __init__(self, runtime, path, threads, inputs, results):
        """`inputs` and `results`: arrays by name."""
        options = runtime._made(CREATE_OPTIONS)
        runtime.call(SET_INTRA_OP_THREADS, options, ctypes.c_int(threads))
        runtime.call(SET_OPTIMIZATION, options, ctypes.c_int(99))
        session = runtime._made(CREATE_SESSION, runtime.environment, str(path).encode(), options)
        names = lambda arrays: (ctypes.c_char_p * len(arrays))(*(name.encode() for name in arrays))
        values = lambda arrays: (ctypes.c_void_p * len(arrays))(*(self._value(runtime, array).value for array in arrays.values()))
        prototype = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t,
                                     ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
        run = prototype(runtime.table[RUN])
        given = (session, None, names(inputs), values(inputs), len(inputs), names(results), len(results), values(results))
        memory = [*inputs.values(), *results.values()]  # ONNX Runtime holds their addresses
        self.run = lambda: (run(*given), memory)
        runtime.call(RUN, session, None, given[2], given[3], ctypes.c_size_t(len(inputs)), given[5], ctypes.c_size_t(len(results)), given[7])

    @staticmethod
    def _value(runtime, array):
        shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        return runtime._made(CREATE_TENSOR, runtime.memory, array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(array.nbytes), shape,
                             ctypes.c_size_t(array.ndim), ctypes.c_int(TYPES[array.dtype.name]))
