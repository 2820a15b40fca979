# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an artifact holds beside its code: the IR after each pass, what an op became, checks, dumps, the report."""
from __future__ import annotations

import functools
import html
import json
import os
import pathlib
import shutil
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import errors, tools
from .tensors import Tensor, numpy_type


class Pass:
    """A pass that ran, on one op if op is not empty. `changed`: it changed something, and `text` has what it left."""

    def __init__(self, artifact: Artifact, record: dict, listed: dict) -> None:
        self._artifact, self._file = artifact, record.get("file", "")
        self.position: int = record["position"]
        self.name: str = listed.get("pass", "")
        self.phase: str = listed.get("phase", "")
        self.op: str = record.get("op", "")
        self.changed: bool = record.get("changed", False)
        self.ops_before: int | None = record.get("ops_before")
        self.ops_after: int | None = record.get("ops_after")

    @property
    def text(self) -> str:
        """The IR after the pass; "" if it changed nothing."""
        return self._artifact._snapshot(self._file) if self._file else ""

    def diff(self) -> Text:
        """What the pass changed."""
        return self._artifact.diff(self.position, op=self.op.removeprefix("@"))

    def __repr__(self) -> str:
        where = f" on {self.op}" if self.op else ""
        return f"{self.position:04} {self.phase}: {self.name}{where}" + ("" if self.changed else " (nothing changed)")


class Text(str):
    """Text of a tool. In a notebook it is shown as the tool's page, if it has one, which is made then."""

    _make_page: Callable[[], str] | None = None

    def _repr_html_(self) -> str:
        page = self._make_page() if self._make_page else ""
        return _frame(page) if page else f"<pre>{html.escape(self)}</pre>"


class Check:
    """The outcome of a comparison: true if everything agrees. text: what was compared, how strictly, and what differs."""

    def __init__(self, agrees: bool, text: str) -> None:
        self.agrees, self.text = agrees, text

    def __bool__(self) -> bool:
        return self.agrees

    def __repr__(self) -> str:
        return self.text


class DumpedTensor:
    """A tensor that a kernel of a run read or wrote. info: all that mica-dump says of it."""

    def __init__(self, dump: Dump, number: int, info: dict) -> None:
        self._dump, self.number, self.info = dump, number, info

    def numpy(self) -> np.ndarray:
        """Its elements. Types that NumPy does not have come as unsigned integers of their size."""
        target = self._dump.folder / f"tensor{self.number}.npy"
        if not target.exists():
            tools.run("mica-dump", [self._dump.folder, f"--tensor={self.number}", f"--export=@{target}"])
        return np.load(target)

    def __repr__(self) -> str:
        return "mica.DumpedTensor(" + ", ".join(f"{key}={value}" for key, value in self.info.items()
                                                if isinstance(value, (str, int))) + ")"


class Dump(Sequence):
    """The tensors of a run, in order. Its files go with it."""

    def __init__(self, folder: pathlib.Path, owner: Any) -> None:
        self.folder, self._owner = folder, owner
        _, text, _ = tools.run("mica-dump", [folder, "--json"])
        self._tensors = [DumpedTensor(self, info.get("tensor", i), info) for i, info in enumerate(json.loads(text)["tensors"])]

    def __len__(self) -> int:
        return len(self._tensors)

    def __getitem__(self, index):
        return self._tensors[index]

    def compare(self, other: Dump) -> Check:
        """Compares two dumps in the order of dependencies, and names the first tensor that differs."""
        code, text, _ = tools.run("mica-dump", [self.folder, other.folder], allowed=(0, 3))
        return Check(code == 0, text)

    def __repr__(self) -> str:
        return f"mica.Dump({len(self)} tensors)"


class Report:
    """A page about an artifact, in one file. A notebook shows it."""

    def __init__(self, page: str) -> None:
        self.page = page

    def save(self, path: str | os.PathLike) -> None:
        pathlib.Path(path).write_text(self.page, encoding="utf-8")

    def _repr_html_(self) -> str:
        return _frame(self.page)


def _frame(page: str) -> str:
    """The page within another: its styles and scripts stay its own."""
    return f'<iframe srcdoc="{html.escape(page)}" style="width:100%;height:640px;border:1px solid #8884"></iframe>'


class Artifact:
    """A folder that mica-compile made, and what can be asked of it."""

    def __init__(self, folder: str | os.PathLike) -> None:
        self.folder = pathlib.Path(folder)

    @functools.cached_property
    def manifest(self) -> dict:
        """manifest.json: entries, kernels, target, options."""
        return self._read("manifest.json")

    @property
    def kernels(self) -> list[str]:
        """The names of the kernels."""
        return [kernel["name"] for kernel in self.manifest.get("kernels", [])]

    @property
    def ops(self) -> dict[str, str]:
        """The ids of the ops that kernels compute, and what they are: {"3f2a91c07b1e": "mica.softmax"}."""
        return {identifier: kind for kernel in self.manifest.get("kernels", [])
                for identifier, kind in zip(kernel.get("op_ids", []), kernel.get("op_kinds", []))}

    @functools.cached_property
    def passes(self) -> list[Pass]:
        """The passes in the order in which they ran, and those that changed nothing too."""
        index = self._read("passes_dump/index.json")
        listed = {entry["position"]: entry for entry in index["passes"]}
        return [Pass(self, record, listed.get(record["position"], {})) for record in index["records"]]

    def diff(self, first: int | str | Artifact | None = None, second: int | str | None = None, *, op: str = "") -> Text:
        """What every pass did; with a pass (position or name) what that one did; with two, the difference between the states
        after them; with an artifact, how it differs from this one."""
        if isinstance(first, Artifact):
            arguments: list[str | os.PathLike] = [self.folder, first.folder]
        else:
            arguments = [self.folder, *(str(each) for each in (first, second) if each is not None)]
        arguments += [f"--op={op}"] if op else []
        result = Text(tools.run("mica-diff", [*arguments, "--color=never"], allowed=(0, 3))[1])
        if first is not None:

            def page(_: Any = (self, first)) -> str:  # whose folders exist as long as the text
                with tempfile.TemporaryDirectory(prefix="mica-") as scratch:
                    file = pathlib.Path(scratch, "diff.html")
                    tools.run("mica-diff", [*arguments, f"--html={file}", "--quiet"], allowed=(0, 3))
                    return file.read_text(encoding="utf-8")

            result._make_page = page
        return result

    def explain(self, operation: str) -> Text:
        """All that is known about an op, by its id or the beginning of it: source, passes, kernel, code."""
        return Text(tools.run("mica-report", ["explain", operation, self.folder])[1])

    def check_reference(self, *inputs: Any, every_op: bool = False, entry: str = "") -> Check:
        """Compares the results with the reference evaluator's: on `inputs`, or on three sets of inputs that are made up.
        every_op: and the output of each kernel."""
        with self._arguments(inputs, entry) as arguments:
            code, out, err = tools.run(
                "mica-run", [self.folder, "--check-reference" + ("=ops" if every_op else ""), *arguments], allowed=(0, 3))
        return Check(code == 0, _comparisons(out + err))

    def dump(self, *inputs: Any, entry: str = "") -> Dump:
        """Runs on `inputs` in another process, and keeps what every kernel reads and writes."""
        owner = tools.TemporaryFolder()
        with self._arguments(inputs, entry) as arguments:
            tools.run("mica-run", [self.folder, "--mica-debug=dump-tensors=2", f"--run-dir={owner.path}", *arguments])
        return Dump(next(owner.path.glob("*/dump")), owner)

    def report(self) -> Report:
        """The report of mica-report as one page."""
        with tempfile.TemporaryDirectory(prefix="mica-") as scratch:
            page = pathlib.Path(scratch, "report.html")
            tools.run("mica-report", [self.folder, "-o", page, "--single-file"])
            return Report(page.read_text(encoding="utf-8"))

    def _arguments(self, inputs: Sequence[Any], entry: str) -> _Arguments:
        return _Arguments(inputs, entry, self._entry(entry).arguments if hasattr(self, "_entry") and inputs else [])

    def _read(self, name: str) -> dict:
        try:
            return json.loads((self.folder / name).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise errors.NotFound(f"{self.folder / name} does not exist",
                                  "compile with --dump-passes=passes for a record of the passes") from None
        except ValueError as problem:
            raise errors.Damaged(f"{self.folder / name} is damaged: {problem}", "compile again") from None

    def _snapshot(self, file: str) -> str:
        path = self.folder / "passes_dump" / file
        if path.exists():
            return path.read_text(encoding="utf-8")
        return (self._unpacked.path / "passes_dump" / file).read_text(encoding="utf-8")

    @functools.cached_property
    def _unpacked(self) -> tools.TemporaryFolder:
        """A copy of the archive of snapshots, unpacked: the artifact may be another user's."""
        copy = tools.TemporaryFolder()
        shutil.copytree(self.folder / "passes_dump", copy.path / "passes_dump")
        tools.run("mica-report", [copy.path / "passes_dump", "--unpack"])
        return copy


class _Arguments:
    """Inputs as flags of mica-run; their files exist within a with block."""

    def __init__(self, inputs: Sequence[Any], entry: str, wanted: Sequence[Any]) -> None:
        self._inputs, self._entry, self._wanted = inputs, entry, wanted

    def __enter__(self) -> list[str]:
        self._scratch = tempfile.TemporaryDirectory(prefix="mica-")
        flags = [f"--entry={self._entry}"] if self._entry else []
        for i, value in enumerate(self._inputs):
            file = os.path.join(self._scratch.name, f"{i}.npy")
            np.save(file, _array(value, self._wanted[i] if i < len(self._wanted) else None))
            flags.append(f"--input=@{file}")
        return flags

    def __exit__(self, *_: Any) -> None:
        self._scratch.cleanup()


def _array(value: Any, wanted: Any) -> np.ndarray:
    """The array of NumPy that an .npy file of `value` holds."""
    if isinstance(value, Tensor):
        return value.numpy()
    if not isinstance(value, np.ndarray) and hasattr(value, "__dlpack__"):
        return np.from_dlpack(value)
    return np.asarray(value, None if wanted is None or isinstance(value, (np.ndarray, np.generic)) else numpy_type(wanted._dtype))


def _comparisons(text: str) -> str:
    """The lines about comparisons, without the results and notes around them."""
    lines = [line for line in text.splitlines() if ": note: " not in line]
    first = next((i for i, line in enumerate(lines) if line.startswith(("reference:", "inputs "))), 0)
    return "\n".join(lines[first:])
