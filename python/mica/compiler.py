# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiling programs: files, MLIR text or bytecode, ONNX models, what JAX lowers."""
from __future__ import annotations

import os
import pathlib
import tempfile
from collections.abc import Sequence
from typing import Any

from . import tools
from .errors import CompileError, InvalidInput
from .runtime import Program

_BYTECODE = b"ML\xefR"


def _source(source: Any, scratch: pathlib.Path) -> tuple[str, bytes | None]:
    """The file that mica-compile is to read, and what it gets on stdin ("-")."""
    for method in ("as_text", "mlir_module"):  # of jax.stages.Lowered, and of jax.export.Exported
        if hasattr(source, method):
            return "-", getattr(source, method)().encode()
    if hasattr(source, "SerializeToString"):  # onnx.ModelProto
        source = source.SerializeToString()
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
        # Exported.serialize() begins with the position of its table, in four bytes; no protobuf begins so.
        if data.startswith(_BYTECODE) or data[2:4] == b"\0\0" and _BYTECODE in data:
            return "-", data
        path = scratch / "model.onnx"
        path.write_bytes(data)
        return str(path), None
    if isinstance(source, os.PathLike):
        return os.fspath(source), None
    if isinstance(source, str):
        return ("-", source.encode()) if "\n" in source or "func" in source and "{" in source else (source, None)
    raise InvalidInput(f"a program cannot be made of {type(source).__name__}",
                       "give a path, MLIR text, the bytes of an ONNX model, or what jax.jit(f).lower(...) returns")


def compile(source: Any, *, target: str = "cpu", opt_level: int = 3, switches: str = "", name: str = "model.mlir",
            folder: str | os.PathLike | None = None, flags: Sequence[str] = ()) -> Program:
    """Compiles a program and loads it.

    source: a path (.mlir, .mlirbc, .onnx), MLIR text, bytes of an ONNX model, of MLIR bytecode or of Exported.serialize(), an
    onnx.ModelProto, jax.jit(f).lower(...) or jax.export.export(...). switches: of checks, such as "assert-level=all,nan-check". name: what messages
    call a program that is no file. folder: where the artifact goes; without one it is gone with the program. flags: further flags of
    mica-compile. Raises CompileError with file, line, column and operation.
    """
    owner = None
    if folder is None:
        owner = tools.TemporaryFolder()
        folder = owner.path / "artifact"
    with tempfile.TemporaryDirectory(prefix="mica-") as scratch:
        file, stdin = _source(source, pathlib.Path(scratch))
        arguments = [file, "-o", os.fspath(folder), "--force", f"--target={target}", f"-O{opt_level}", *flags]
        arguments += [f"--input-name={name}"] if stdin is not None else []
        arguments += [f"--mica-debug={switches}"] if switches else []
        tools.run("mica-compile", arguments, stdin=stdin, error=CompileError)
    return Program(folder, owner=owner)
