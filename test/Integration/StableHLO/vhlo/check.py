"""Writes programs of stablehlo as portable artifacts, for readers of several versions, and reads them again by mica-opt: the ops must
be the same.

check.py FOLDER FILE.mlir .. [--show]: files whose programs are divided by `// -----`. Ops that only check are left out. The last line counts functions
in all versions, those that a version does not have, and those that the writer lacks."""
import argparse
import itertools
import pathlib
import sys

from generic_text import Op, Unsupported
from portable import DEFAULTS, convert
from store import VERSIONS, bytes_of, functions_of, generic

def normal(op):
    """`op` with the attributes that have their default values."""
    name = op.name.split(".", 1)[1]
    for key, value in DEFAULTS.get(name, {}).items():
        if op.name.startswith("stablehlo."):
            op.attributes.setdefault(key, value)
    precisions = op.attributes.get("precision_config", ("array", []))[1]
    if all(precision[2] == "DEFAULT" for precision in precisions):
        op.attributes.pop("precision_config", None)
    accuracy = op.attributes.get("result_accuracy")
    if accuracy and accuracy[2]["mode"][2] == "DEFAULT":
        op.attributes.pop("result_accuracy")
    for key in ("padding", "window_strides", "lhs_dilation", "rhs_dilation", "window_reversal", "base_dilations", "window_dilations"):
        # Windows without it have ones or zeros.
        value = op.attributes.get(key)
        if name in ("convolution", "dynamic_conv", "reduce_window", "select_and_scatter") and value:
            numbers = value[2] if value[0] == "list" else value[1]
            flat = str(numbers).replace("[", "").replace("]", "").replace("'", "").replace(" ", "").split(",")
            if set(flat) <= ({"0"} if key == "padding" else {"false"} if key == "window_reversal" else {"1"}):
                op.attributes.pop(key)
    for arguments, ops in op.regions:
        for inner in ops:
            normal(inner)
    for key, value in op.attributes.items():
        if value[0] == "dense" and key != "value" and len(value[2][1]) == 1:
            elements = value[1] if isinstance(value[1], list) else [value[1]] * value[2][1][0]
            op.attributes[key] = ("list", value[2][2], elements)
    op.attributes = dict(sorted(op.attributes.items()))
    return op


def renamed(op, names):
    """`op` with its values called by the order in which they are defined."""
    op.operands = [names[name] for name in op.operands]
    op.results = [names.setdefault(name, len(names)) for name in op.results]
    regions = []
    for arguments, ops in op.regions:
        arguments = [(names.setdefault(name, len(names)), type_) for name, type_ in arguments]
        regions.append((arguments, [renamed(inner, names) for inner in ops]))
    op.regions = regions
    return op


def difference(was, now):
    """The first op in which two functions differ."""
    if was is None or now is None:
        return was or now
    for (_, was_ops), (_, now_ops) in zip(was.regions, now.regions):
        for was_op, now_op in zip(was_ops, now_ops):
            if was_op != now_op:
                return difference(was_op, now_op)
    return f"was {was}\nis  {now}"


def check(text, folder, counts, show):
    original, _ = generic(["-"], text)
    if original is None or "stablehlo." not in original:
        return
    for version in VERSIONS:
        functions, portable = [], []
        for function in functions_of(original):
            if isinstance(function, Unsupported):
                counts["not written"] += 1
                continue
            try:
                function.regions = [(arguments, [op for op in ops if not op.name.startswith("check.")])
                                    for arguments, ops in function.regions]
                bytes_of([convert(function, version)], version)
                portable.append(convert(function, version))
                functions.append(renamed(normal(function), {}))
            except Unsupported as problem:
                counts["not in a version"] += 1
                if show:
                    print(f"not in {version}:", problem)
        if not functions:
            continue
        path = folder / "program.mlirbc"
        path.write_bytes(bytes_of(portable, version))
        found, errors = generic(["--convert-vhlo-to-stablehlo", str(path)])
        again = [renamed(normal(function), {}) for function in functions_of(found or "")]
        counts["read"] += len(functions)
        for was, now in itertools.zip_longest(functions, again):
            if was != now:
                counts["wrong"] += 1
                kept = folder / f"wrong-{counts['wrong']}.mlirbc"
                kept.write_bytes(path.read_bytes())
                print(f"wrong: version {version}, {kept}\n{difference(was, now)}\n{errors}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    counts = {"read": 0, "not in a version": 0, "not written": 0, "wrong": 0}
    programs = [text for file in options.files for text in file.read_text().split("// -----")]
    for text in programs:
        check(text, options.folder, counts, options.show)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return 1 if counts["wrong"] or not counts["read"] else 0


if __name__ == "__main__":
    sys.exit(main())
