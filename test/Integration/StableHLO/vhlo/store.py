"""Programs of stablehlo as portable artifacts."""
import re
import subprocess

from bytecode import Writer
from generic_text import Op, Reader, Unsupported
from portable import convert

#: Versions of vhlo with the version of MLIR's bytecode that they have, and whether attributes are properties.
VERSIONS = {(0, 9): (1, False), (0, 13): (3, False), (0, 14): (4, False), (0, 19): (6, True), (1, 1): (6, True), (1, 13): (6, True)}


def generic(arguments, text=None):
    """The generic text that mica-opt prints, or none; and its messages."""
    run = subprocess.run(["mica-opt", "--mlir-print-op-generic", "--mlir-print-local-scope", *arguments], input=text,
                         capture_output=True, text=True)
    return run.stdout if run.returncode == 0 else None, run.stderr


def functions_of(text):
    """The functions of a module; `Unsupported` in the place of one that cannot be read."""
    functions = []
    for piece in re.split(r"^  (?=\"func.func\")", text, flags=re.M)[1:]:
        try:
            functions.append(Reader(piece).operation())
        except Unsupported as problem:
            functions.append(problem)
    return functions


def bytes_of(functions, version):
    """A portable artifact of functions that `convert` made."""
    module = Op("builtin.module", [], {}, [([], functions)], [], [])
    return Writer(f"StableHLO_v{version[0]}.{version[1]}.0", *VERSIONS[version]).write(module)


def store(text, version):
    """The program `text` as a portable artifact; raises Unsupported."""
    printed, errors = generic(["-"], text)
    if printed is None:
        raise Unsupported(errors)
    functions = functions_of(printed)
    for function in functions:
        if isinstance(function, Unsupported):
            raise function
    return bytes_of([convert(function, version) for function in functions], version)
