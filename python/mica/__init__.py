# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mica from Python: compile a program, run it on NumPy arrays and DLPack tensors, look at what each pass did.

    import mica, numpy as np

    program = mica.compile("model.onnx")        # or .mlir, MLIR text, jax.jit(f).lower(x), bytes
    y = program(np.ones((4, 8), np.float32))    # the library's memory, not a copy
    print(program.check_reference())            # against the reference evaluator
    print(program.diff(26))                     # what pass 26 did

Inputs are read where they lie if they are packed and aligned to 64 bytes (mica.empty() gives such memory, and results have it);
else the library copies them. Arrays of NumPy, tensors of other libraries that speak DLPack (torch, jax), results of an earlier run
and, converted to the argument's type, lists and numbers are taken. Results are Tensor: numpy() is a view of them, and
numpy.from_dlpack, torch.from_dlpack and the like take them as they are.

Everything that fails raises a subclass of mica.Error; see its members. Programs, contexts and invocations are context managers; they
may be closed in any order, and are when nothing refers to them any more. Calls release Python's lock, and a context may be used
by several threads.

The library is the one beside the tools on PATH or in this package, or where the system finds libraries; use_library() and
use_tools() name others, first thing.
"""
from ._capi import set_logs, set_switches, use_library, version
from .artifact import Artifact, Check, Dump, DumpedTensor, Pass, Report, Text
from .compiler import compile
from .errors import (CheckFailed, CompileError, Damaged, Error, Hang, InternalError, InvalidInput, NotFound,
                     SystemRefused, Unsupported)
from .runtime import Context, Entry, Invocation, Program, load, open_program
from .tensors import Tensor, TensorType, empty
from .tools import use_tools

__all__ = [
    "Artifact", "Check", "CheckFailed", "CompileError", "Context", "Damaged", "Dump", "DumpedTensor", "Entry", "Error", "Hang",
    "InternalError", "InvalidInput", "Invocation", "NotFound", "Pass", "Program", "Report", "SystemRefused", "Tensor", "TensorType",
    "Text", "Unsupported", "compile", "empty", "load", "open_program", "set_logs", "set_switches", "use_library", "use_tools",
    "version",
]
