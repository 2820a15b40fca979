# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exceptions: each says what failed, and which operation of the program, where one did."""
from __future__ import annotations


class Error(Exception):
    """What failed. Where an operation of the program did, the members say which; else they are empty.

    message, hint: in words, with what to try next; operation, id: "mica.div" and its id; file, line, column: where it was written;
    kernel: the kernel that ran it; operands, element: of an origin of NaN or a failed division, "7, 0" and "[0, 4]".
    """

    def __init__(self, message: str, hint: str = "", operation: str = "", id: str = "", file: str = "", line: int = 0,
                 column: int = 0, kernel: str = "", operands: str = "", element: str = "") -> None:
        super().__init__(message + (f"\nhint: {hint}" if hint else ""))
        self.message, self.hint = message, hint
        self.operation, self.id, self.kernel = operation, id, kernel
        self.file, self.line, self.column = file, line, column
        self.operands, self.element = operands, element


class InvalidInput(Error, ValueError):
    """An argument, input or value is wrong."""


class NotFound(Error):
    """A file, entry or symbol does not exist."""


class Damaged(Error):
    """A file is truncated or inconsistent."""


class Unsupported(Error):
    """This library or machine cannot serve it."""


class SystemRefused(Error):
    """Memory, disk, permission."""


class CheckFailed(Error):
    """A task failed while it ran; its context takes no further work."""


class Hang(Error):
    """No progress."""


class CompileError(InvalidInput):
    """The compiler refuses the program. text: all that it printed."""

    text = ""


class InternalError(Error):
    """Mica's own fault."""


# By mica_code.
BY_CODE: list[type[Error] | None] = [None, InvalidInput, NotFound, Damaged, Unsupported, SystemRefused, CheckFailed, Hang, InternalError]
