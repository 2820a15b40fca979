# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tables of this folder are made of: one small program with a `main` that prints, about one op."""
import re

FLOATS = ["f64", "f32", "f16", "bf16"]
INTEGERS = ["i64", "i32", "i16", "i8"]
BITS = {"f64": 64, "f32": 32, "f16": 16, "bf16": 16, "i64": 64, "i32": 32, "i16": 16, "i8": 8, "i1": 1, "index": 64}

# Upstream's suffixes of printMemref*.
SUFFIX = {"i8": "I8", "i16": "I16", "i32": "I32", "i64": "I64", "index": "Ind", "f16": "F16", "bf16": "BF16", "f32": "F32", "f64": "F64"}


class Program:
    """`op`: what it is about, `dialect.name`. `kind`: the type or form of this program. `pipeline`: how upstream lowers it
    (upstream.py); `libraries`: what it links beside the runner's own."""

    def __init__(self, op, kind, text, pipeline="default", libraries=()):
        self.op, self.kind, self.text, self.pipeline, self.libraries = op, kind, text, pipeline, libraries

    @property
    def name(self):
        return f"{self.op}.{self.kind}"


def declarations(text):
    """Declarations of the helpers that `text` calls."""
    lines = []
    for name, kind in sorted(set(re.findall(r"(?<!llvm\.)call @(print\w+)\([^()]*\) : \(([^()]*)\)", text))):
        lines.append(f"func.func private @{name}({kind})" + (" attributes {llvm.emit_c_interface}" if "<*x" in kind else ""))
    return lines


def program(op, kind, body, top="", **rest):
    """A main of `body`, beside the functions and globals of `top`."""
    main = "func.func @main() {\n" + "\n".join("  " + line for line in body.strip().splitlines()) + "\n  return\n}"
    parts = declarations(body + top) + [top.strip(), main]
    return Program(op, kind, "\n".join(p for p in parts if p) + "\n", **rest)


def show(value, kind):
    """Lines that print a tensor or buffer of type `kind`."""
    shape, element = re.match(r"(?:tensor|memref)<((?:[\d?]+x)*)(\w+)[,>]", kind).groups()
    container = kind.split("<")[0]
    cast = f"{container}.cast"
    name = re.sub(r"\W", "_", value)
    return (f"%u{name} = {cast} {value} : {kind} to {container}<*x{element}>\n"
            f"call @printMemref{SUFFIX[element]}(%u{name}) : ({container}<*x{element}>) -> ()")


def dense(values):
    def one(v):
        if isinstance(v, (list, tuple)):
            return "[" + ", ".join(one(x) for x in v) + "]"
        if isinstance(v, bool):
            return "true" if v else "false"
        return v if isinstance(v, str) else repr(v)
    return f"dense<{one(values)}>"


def each(columns, lines):
    """Runs `lines` on each row of `columns`: name -> (type, values). The values come from memory, so that nobody folds."""
    count = len(next(iter(columns.values()))[1])
    top, body = [], [f"%lo = arith.constant 0 : index", f"%hi = arith.constant {count} : index", "%by = arith.constant 1 : index"]
    for name, (kind, values) in columns.items():
        top.append(f'memref.global "private" @in_{name} : memref<{count}x{kind}> = {dense(list(values))}')
        body.append(f"%in_{name} = memref.get_global @in_{name} : memref<{count}x{kind}>")
    body.append("scf.for %i = %lo to %hi step %by {")
    for name, (kind, _) in columns.items():
        body.append(f"  %{name} = memref.load %in_{name}[%i] : memref<{count}x{kind}>")
    body += ["  " + line for line in lines.strip().splitlines()] + ["}"]
    return "\n".join(body), "\n".join(top)


def on_each(op, kind, columns, lines, top="", **rest):
    body, globals_ = each(columns, lines)
    return program(op, kind, body, globals_ + "\n" + top, **rest)


def joined(op, kind, pieces, **rest):
    """One program whose main runs `pieces`, (columns, lines) each, one after the other."""
    top, functions = [], []
    for n, (columns, lines) in enumerate(pieces):
        body, globals_ = each({f"{k}{n}": v for k, v in columns.items()},
                              re.sub(r"%(\w+)\b", lambda m: f"%{m.group(1)}{n}" if m.group(1) in columns else m.group(0), lines))
        top += globals_.splitlines()
        functions.append(f"func.func private @part{n}() {{\n" + "\n".join("  " + l for l in body.splitlines()) + "\n  return\n}")
    body = "\n".join(f"call @part{n}() : () -> ()" for n in range(len(pieces)))
    return program(op, kind, body, "\n".join(top + functions), **rest)
