# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mica's command-line tools: where they are, and calls of them with errors as exceptions."""
from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import weakref
from collections.abc import Sequence

from . import errors

# A wheel holds an installation.
_INSTALLED = pathlib.Path(__file__).parent / "_install"
_LIBRARY = "libmica.so.2"

_folder: pathlib.Path | None = None


def use_tools(folder: str | os.PathLike) -> None:
    """Names the folder of mica-compile and the other tools, instead of this package's or those on PATH."""
    global _folder
    _folder = pathlib.Path(folder)


def find(tool: str) -> pathlib.Path:
    """The path of `tool`, such as "mica-compile". Raises NotFound."""
    if _folder is None and (_INSTALLED / "bin" / tool).exists():
        return _INSTALLED / "bin" / tool
    found = shutil.which(tool, path=None if _folder is None else str(_folder))
    if not found:
        raise errors.NotFound(f"{tool} is not {'on PATH' if _folder is None else 'in ' + str(_folder)}",
                              "install Mica, or name the folder of its tools with mica.use_tools()")
    return pathlib.Path(found)


class TemporaryFolder:
    """A folder that goes when nothing refers to it any more."""

    def __init__(self) -> None:
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="mica-"))
        self._remove = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


def library_beside() -> pathlib.Path | None:
    """The library of the package's own installation, or of the tools; None: where the system finds it."""
    roots = [_INSTALLED]
    try:
        roots.append(find("mica-run").resolve().parents[1])
    except errors.NotFound:
        pass
    for root in roots:
        for place in [root / "lib" / _LIBRARY, *sorted((root / "lib").glob(f"*/{_LIBRARY}"))]:
            if place.exists():
                return place
    return None


_PLACED = re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):(?P<column>\d+): error: (?P<message>.*)$", re.M)
_PLAIN = re.compile(r"^(?:[\w-]+: )?(?:internal )?error: (?P<message>.*)$", re.M)
_HINT = re.compile(r"^\s*hint: (?P<hint>.*)$", re.M)
_OPERATION = re.compile(r"'([a-z_]\w*(?:\.\w+)+)' op\b|\bop '([a-z_]\w*(?:\.\w+)+)'")
_CODES = {1: errors.InvalidInput, 3: errors.CheckFailed, 4: errors.Hang}


def error_of(text: str, code: int, kind: type[errors.Error] | None = None) -> errors.Error:
    """The exception for what a tool printed on its way out with `code`."""
    placed, plain, hint = _PLACED.search(text), _PLAIN.search(text), _HINT.search(text)
    found = placed or plain
    operation = _OPERATION.search(found["message"]) if found else None
    raised = kind if kind and code == 1 else _CODES.get(code, errors.InternalError)
    error = raised(found["message"] if found else text.strip() or f"the tool ended with exit code {code}",
                   hint["hint"] if hint else "", operation=(operation[1] or operation[2]) if operation else "")
    if placed:
        error.file, error.line, error.column = placed["file"], int(placed["line"]), int(placed["column"])
    if isinstance(error, errors.CompileError):
        error.text = text
    return error


def run(tool: str, arguments: Sequence[str | os.PathLike], *, stdin: bytes | None = None, allowed: Sequence[int] = (0,),
        error: type[errors.Error] | None = None) -> tuple[int, str, str]:
    """Runs `tool`, and gives exit code, stdout and stderr. An exit code that is not `allowed` is an exception."""
    done = subprocess.run([str(find(tool)), *(os.fspath(each) for each in arguments)], input=stdin or b"", capture_output=True)
    out, err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    if done.returncode < 0:
        raise errors.InternalError(f"{tool} was ended by signal {-done.returncode}", err.strip()[-400:])
    if done.returncode not in allowed:
        raise error_of(err or out, done.returncode, error)
    return done.returncode, out, err
