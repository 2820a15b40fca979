# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs, contexts and invocations: running artifacts in this process, or in a confined one."""
from __future__ import annotations

import ctypes
import itertools
import os
import weakref
from typing import Any

from ._capi import ContextOptions, DLTensor, IsolationOptions, Managed, TensorInfo, library
from .artifact import Artifact
from .tensors import Tensor, TensorType, input_tensor

class Entry:
    """An entry of a program: name, arguments and results, lists of TensorType."""

    def __init__(self, program: Program, index: int) -> None:
        capi, handle = library(), program._open()
        self.name, self._index = capi.mica_program_entry_name(handle, index).decode(), index

        def types(count, describe):
            infos = [TensorInfo() for _ in range(count(handle, index))]
            for i, info in enumerate(infos):
                describe(handle, index, i, ctypes.byref(info))
            return [TensorType(info) for info in infos]

        self.arguments = types(capi.mica_program_argument_count, capi.mica_program_argument)
        self.results = types(capi.mica_program_result_count, capi.mica_program_result)

    def __repr__(self) -> str:
        texts = lambda types: ", ".join(map(repr, types))
        return f"{self.name}({texts(self.arguments)}) -> ({texts(self.results)})"


class _Closable:
    """Something of the library's that is released once, by close(), by the end of a with block, or when it is forgotten."""

    def __init__(self, handle, release):
        self._handle = handle
        self._close = weakref.finalize(self, release, handle)

    def close(self) -> None:
        self._close()

    def _open(self):
        if not self._close.alive:
            raise ValueError(f"this {type(self).__name__.lower()} is closed")
        return self._handle

    def __enter__(self):
        self._open()
        return self

    def __exit__(self, *_):
        self.close()


def _inputs(entry, values):
    """Pointers to `values` as the arguments of `entry`, and what has to live as long as they are used."""
    wanted = entry.arguments + [None] * max(0, len(values) - len(entry.arguments))
    inputs = [input_tensor(value, each) for value, each in zip(values, wanted)]
    return (ctypes.POINTER(DLTensor) * max(len(inputs), 1))(*[ctypes.pointer(tensor) for tensor, _ in inputs]), inputs


class Program(_Closable, Artifact):
    """A loaded or opened artifact. entries: its entries by name; folder: where it is. What Artifact offers looks into it.

    Called with inputs it runs its only entry, or main, and gives the result, or a tuple of several.
    """

    def __init__(self, folder: str | os.PathLike, loads: bool = True, owner: Any = None) -> None:
        handle = ctypes.c_void_p()
        make = library().mica_program_load if loads else library().mica_program_open
        make(os.fsencode(folder), ctypes.byref(handle))
        _Closable.__init__(self, handle, library().mica_program_release)
        Artifact.__init__(self, folder)
        self._owner = owner  # of a temporary folder: gone with the program
        count = library().mica_program_entry_count(handle)
        self.entries: dict[str, Entry] = {entry.name: entry for entry in (Entry(self, i) for i in range(count))}
        self._context: Context | None = None

    def __call__(self, *inputs: Any, entry: str = "") -> Tensor | tuple[Tensor, ...]:
        if self._context is None:
            self._context = self.context()
        name = entry or ("main" if "main" in self.entries else "")
        results = self._context.run(*inputs, entry=name)
        return results[0] if len(results) == 1 else results

    def close(self) -> None:
        if self._context is not None:
            self._context.close()
        super().close()

    def __repr__(self) -> str:
        return f"mica.Program({', '.join(map(repr, self.entries.values()))})"

    def context(self, threads: int = 0) -> Context:
        """What running it needs. threads: that compute, the calling one included; 0: one per CPU."""
        return Context(self, threads)

    def run_isolated(self, *inputs: Any, entry: str = "", threads: int = 0, memory: int = 0,
                     seconds: float = 0.0) -> tuple[Tensor, ...]:
        """Runs `entry` in a confined process of its own and gives its results, a tuple of Tensor.

        memory: bytes of its address space; seconds: of wall time; 0: no limit. A crash raises CheckFailed, a run that takes too long
        Hang, a machine that cannot confine Unsupported.
        """
        chosen = self._entry(entry)
        options = IsolationOptions(ctypes.sizeof(IsolationOptions), threads, memory, seconds)
        pointers, alive = _inputs(chosen, inputs)
        count = len(chosen.results)
        results = (ctypes.POINTER(Managed) * max(count, 1))()
        library().mica_run_isolated(self._open(), chosen._index, ctypes.byref(options), pointers, len(alive), results, count)
        return tuple(Tensor(result) for result in results[:count])

    def _entry(self, name: str) -> Entry:
        index = ctypes.c_size_t()
        library().mica_program_find_entry(self._open(), name.encode(), ctypes.byref(index))
        return next(itertools.islice(self.entries.values(), index.value, None))


def load(folder: str | os.PathLike) -> Program:
    """Loads the artifact in `folder`. It is code: load only those you trust."""
    return Program(folder)


def open_program(folder: str | os.PathLike) -> Program:
    """Opens the artifact in `folder` without loading its code: for its entries, and for Program.run_isolated()."""
    return Program(folder, loads=False)


class Context(_Closable):
    """Threads and memory to run a program with. Its invocations run one after the other."""

    def __init__(self, program: Program, threads: int = 0) -> None:
        options, handle = ContextOptions(ctypes.sizeof(ContextOptions), threads), ctypes.c_void_p()
        library().mica_context_create(program._open(), ctypes.byref(options), ctypes.byref(handle))
        super().__init__(handle, library().mica_context_release)
        self._entries, self._find = program.entries, program._entry
        # The program may be closed before the context.
        self._chosen = {"": entry for entry in self._entries.values() if len(self._entries) == 1}

    def _prepare(self, entry, values):
        if entry not in self._chosen:
            self._chosen[entry] = self._entries[entry] if entry in self._entries else self._find(entry)
        chosen = self._chosen[entry]
        return chosen, *_inputs(chosen, values)

    def run(self, *inputs: Any, entry: str = "") -> tuple[Tensor, ...]:
        """Runs `entry` ("": the only one) and gives its results, a tuple of Tensor."""
        handle = self._open()
        chosen, pointers, alive = self._prepare(entry, inputs)
        count = len(chosen.results)
        results = (ctypes.POINTER(Managed) * max(count, 1))()
        library().mica_invoke(handle, chosen._index, pointers, len(alive), results, count)
        return tuple(Tensor(result) for result in results[:count])

    def submit(self, *inputs: Any, entry: str = "") -> Invocation:
        """Starts `entry` and returns an Invocation at once. Inputs must stay as they are until it is over."""
        handle = self._open()
        chosen, pointers, alive = self._prepare(entry, inputs)
        invocation = ctypes.c_void_p()
        library().mica_submit(handle, chosen._index, pointers, len(alive), ctypes.byref(invocation))
        return Invocation(invocation, len(chosen.results), (pointers, alive))


class Invocation(_Closable):
    """A run on its way. Closing it waits for its end."""

    def __init__(self, handle, result_count, inputs):
        super().__init__(handle, lambda handle, inputs=inputs: library().mica_invocation_release(handle))
        self._result_count = result_count

    @property
    def done(self) -> bool:
        """True once wait() would not block."""
        return bool(library().mica_invocation_done(self._open()))

    def wait(self) -> tuple[Tensor, ...]:
        """Waits for the end and gives the results, once."""
        results = (ctypes.POINTER(Managed) * max(self._result_count, 1))()
        library().mica_invocation_wait(self._open(), results, self._result_count)
        return tuple(Tensor(result) for result in results[:self._result_count])
