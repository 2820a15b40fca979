# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops as their dialects' TableGen files define them, and the types that a constraint admits.

`read(...)` runs llvm-tblgen --dump-json on a file of ops. An `Op` has operands, attributes, results and traits; a constraint is
evaluated on a `Type` by its predicate, a tree of C++ expressions of which the known ones are translated. An unknown one holds: what is
made of it is for the verifier to refuse.
"""
import functools
import hashlib
import json
import re
import subprocess

# The ODS files of the dialects that a program may be made of. {mlir} is upstream's include folder, {mica} the checkout.
FILES = {
    "arith": ["{mlir}/mlir/Dialect/Arith/IR/ArithOps.td"],
    "math": ["{mlir}/mlir/Dialect/Math/IR/MathOps.td"],
    "complex": ["{mlir}/mlir/Dialect/Complex/IR/ComplexOps.td"],
    "index": ["{mlir}/mlir/Dialect/Index/IR/IndexOps.td"],
    "vector": ["{mlir}/mlir/Dialect/Vector/IR/VectorOps.td"],
    "memref": ["{mlir}/mlir/Dialect/MemRef/IR/MemRefOps.td"],
    "tensor": ["{mlir}/mlir/Dialect/Tensor/IR/TensorOps.td"],
    "affine": ["{mlir}/mlir/Dialect/Affine/IR/AffineOps.td"],
    "scf": ["{mlir}/mlir/Dialect/SCF/IR/SCFOps.td"],
    "bufferization": ["{mlir}/mlir/Dialect/Bufferization/IR/BufferizationOps.td"],
    "tosa": ["{mlir}/mlir/Dialect/Tosa/IR/TosaOps.td"],
    "linalg": ["{mlir}/mlir/Dialect/Linalg/IR/LinalgOps.td", "{mlir}/mlir/Dialect/Linalg/IR/LinalgStructuredOps.td",
               "{mlir}/mlir/Dialect/Linalg/IR/LinalgRelayoutOps.td"],
    "ub": ["{mlir}/mlir/Dialect/UB/IR/UBOps.td"],
    "llvm": ["{mlir}/mlir/Dialect/LLVMIR/LLVMOps.td"],
    "mica": ["{mica}/dialects/Mica/IR/MicaOps.td"],
}
# Those of which programs are made where none are named: stock tools run neither mica's ops nor whole functions of llvm.
DEFAULT_DIALECTS = ",".join(dialect for dialect in FILES if dialect not in ("mica", "llvm"))
ELEMENTS = ["f32", "i32", "f64", "f16", "bf16", "i64", "i16", "i8", "index", "i1", "i4", "f8E4M3FN", "f8E5M2", "complex<f32>", "ui8"]
FORMS = ["scalar", "tensor", "vector", "memref"]


class Type:
    """A scalar, tensor, vector, memref or !tosa.shape (form "shape"); sizes of -1 are unknown."""
    __slots__ = ("form", "shape", "element")

    def __init__(self, form, shape, element):
        self.form, self.shape, self.element = form, tuple(shape), element

    def __str__(self):
        if self.form == "scalar":
            return self.element
        if self.form == "shape":
            return f"!tosa.shape<{self.rank}>"
        return f"{self.form}<{''.join(('?' if d < 0 else str(d)) + 'x' for d in self.shape)}{self.element}>"

    def __eq__(self, other):
        return isinstance(other, Type) and str(self) == str(other)

    def __hash__(self):
        return hash(str(self))

    @property
    def rank(self):
        return len(self.shape)

    def reshaped(self, shape):
        return self if self.form == "scalar" else Type(self.form, shape, self.element)

    def of(self, element):
        return Type(self.form, self.shape, element)


def parse_type(text):
    """The Type that `text` stands for; None where it is none of ours."""
    match = re.fullmatch(r"(tensor|vector|memref)<((?:[\d?]+x)*)([\w<>]+)>", text)
    if match and match.group(3) in ELEMENTS:
        return Type(match.group(1), [-1 if d == "?" else int(d) for d in match.group(2).split("x")[:-1]], match.group(3))
    return Type("scalar", (), text) if text in ELEMENTS else None


def bits(element):
    digits = re.search(r"\d+", element)
    return 64 if element == "index" or not digits else 8 if element.startswith("f8") else int(digits.group(0))


def is_float(element):
    return element[0] in "fb" and element != "b"


def is_integer(element):
    return bool(re.fullmatch(r"u?i\d+", element))


CLASSES = {
    "IntegerType": lambda t: t.form == "scalar" and is_integer(t.element),
    "IndexType": lambda t: t.form == "scalar" and t.element == "index",
    "FloatType": lambda t: t.form == "scalar" and is_float(t.element),
    "ComplexType": lambda t: t.form == "scalar" and t.element.startswith("complex"),
    "BFloat16Type": lambda t: t.form == "scalar" and t.element == "bf16",
    "Float8E4M3FNType": lambda t: t.form == "scalar" and t.element == "f8E4M3FN",
    "Float8E5M2Type": lambda t: t.form == "scalar" and t.element == "f8E5M2",
    "VectorType": lambda t: t.form == "vector", "FixedVectorType": lambda t: t.form == "vector",
    "TensorType": lambda t: t.form == "tensor", "RankedTensorType": lambda t: t.form == "tensor",
    "MemRefType": lambda t: t.form == "memref", "BaseMemRefType": lambda t: t.form == "memref",
    "ShapedType": lambda t: t.form in FORMS[1:], "MemRefElementTypeInterface": lambda t: t.form in ("scalar", "vector"),
    "shapeType": lambda t: t.form == "shape",
    "PtrLikeTypeInterface": lambda t: False, "LLVMPointerType": lambda t: False,
}
SIGNLESS = r"^i\d+$"
LEAVES = [
    (r"^true$", lambda t, m: True),
    (r"^(?:::)?llvm::isa<(?:::)?(?:\w+::)*(\w+)>\(\$_self\)$", lambda t, m: CLASSES.get(m.group(1), lambda t: False)(t)),
    (r"^\$_self\.isSignlessInteger\((\d+)\)$", lambda t, m: t.form == "scalar" and t.element == "i" + m.group(1)),
    (r"^\$_self\.isSignlessInteger\(\)$", lambda t, m: t.form == "scalar" and bool(re.match(SIGNLESS, t.element))),
    (r"^\$_self\.isInteger\((\d+)\)$", lambda t, m: t.form == "scalar" and t.element in ("i" + m.group(1), "ui" + m.group(1))),
    (r"^\$_self\.isUnsignedInteger\(\)$", lambda t, m: t.form == "scalar" and t.element.startswith("ui")),
    (r"^\$_self\.isUnsignedInteger\((\d+)\)$", lambda t, m: t.form == "scalar" and t.element == "ui" + m.group(1)),
    (r"^\$_self\.isSignedInteger", lambda t, m: False),
    (r"^\$_self\.isSignlessIntOrIndex\(\)$", lambda t, m: t.form == "scalar" and bool(re.match(SIGNLESS, t.element) or t.element == "index")),
    (r"^\$_self\.isF(\d+)\(\)$", lambda t, m: t.form == "scalar" and t.element == "f" + m.group(1)),
    (r"getRank\(\)\s*== (\d+)$", lambda t, m: t.form != "scalar" and t.rank == int(m.group(1))),
    (r"getRank\(\)\s*>= (\d+)$", lambda t, m: t.form != "scalar" and t.rank >= int(m.group(1))),
    (r"getRank\(\)\s*<= (\d+)$", lambda t, m: t.form != "scalar" and t.rank <= int(m.group(1))),
    (r"getRank\(\)\s*> (\d+)$", lambda t, m: t.form != "scalar" and t.rank > int(m.group(1))),
    (r"hasRank\(\)$", lambda t, m: t.form != "scalar"),
    (r"hasStaticShape\(\)$", lambda t, m: t.form != "scalar" and all(d >= 0 for d in t.shape)),
    (r"hasTrait<::mlir::ValueSemantics>", lambda t, m: t.form in ("tensor", "vector")),
    (r"return v != 0;", lambda t, m: t.form == "tensor" and 0 not in t.shape),
    (r"[sS]calable", lambda t, m: False),
    (r"isa_tosa_shape_type", lambda t, m: t.form == "shape"),
    (r"tosa::shapeType>\(\$_self\)\.getRank\(\) == (\d+)", lambda t, m: t.form == "shape" and t.rank == int(m.group(1))),
    (r"Unranked|quant::|tuple", lambda t, m: False),
]


class Records:
    """The records of one file."""

    def __init__(self, data):
        self.data = data

    def __getitem__(self, name):
        return self.data[name["def"] if isinstance(name, dict) else name]

    def isa(self, record, name):
        return name in record.get("!superclasses", [])

    def holds(self, predicate, type_):
        record = self[predicate]
        if "predExpr" in record:
            text = record["predExpr"].strip()
            while text.startswith("(") and text.endswith(")"):
                text = text[1:-1].strip()
            for pattern, known in LEAVES:
                if match := re.search(pattern, text):
                    return known(type_, match)
            return True
        kind = record["kind"]["def"]
        children = record["children"]
        if kind == "PredCombinerAnd":
            return all(self.holds(child, type_) for child in children)
        if kind == "PredCombinerOr":
            return any(self.holds(child, type_) for child in children)
        if kind == "PredCombinerNot":
            return not self.holds(children[0], type_)
        inside = record.get("suffix", "") + record.get("prefix", "") + record.get("replacement", "")
        if "getElementType" in inside:
            if "Complex" in inside and not type_.element.startswith("complex"):
                return False
            if type_.form == "scalar" and not type_.element.startswith("complex"):
                return False
            inner = type_.element[8:-1] if type_.form == "scalar" else type_.element
            return self.holds(children[0], Type("scalar", (), inner))
        return self.holds(children[0], type_)


class Operand:
    """An operand or result: its constraint, and whether there may be none or several."""

    def __init__(self, name, constraint, least, most):
        self.name, self.constraint, self.least, self.most = name, constraint, least, most


class Op:
    def __init__(self, records, record):
        self.records, self.record = records, record
        self.name = f"{records[record['opDialect']]['name']}.{record['opName']}"
        self.operands, self.attributes, self.results = [], [], []
        for argument, name in record["arguments"]["args"]:
            constraint = records[argument]
            if records.isa(constraint, "OpVariable"):
                constraint = records[constraint["constraint"]]
            if records.isa(constraint, "TypeConstraint"):
                self.operands.append(self.operand(name, constraint))
            else:
                self.attributes.append((name, constraint))
        for result, name in record["results"]["args"]:
            constraint = records[result]
            if records.isa(constraint, "OpVariable"):
                constraint = records[constraint["constraint"]]
            self.results.append(self.operand(name, constraint))
        self.regions = len(record["regions"]["args"])
        self.successors = len(record["successors"]["args"])
        self.traits = set()
        self.matches = []  # (which, names): AllTypesMatch and the like
        for trait in record["traits"]:
            self.add_trait(records[trait])

    def operand(self, name, constraint):
        if self.records.isa(constraint, "Variadic") or self.records.isa(constraint, "VariadicOfVariadic"):
            return Operand(name, self.records[constraint["baseType"]], 0, 3)
        if self.records.isa(constraint, "Optional"):
            return Operand(name, self.records[constraint["baseType"]], 0, 1)
        return Operand(name, constraint, 1, 1)

    def add_trait(self, record):
        if isinstance(record.get("traits"), list):
            for each in record["traits"]:
                self.add_trait(self.records[each])
        if "trait" in record and isinstance(record["trait"], str):
            self.traits.add(record["trait"])
        for which in ("AllTypesMatch", "AllElementTypesMatch", "AllShapesMatch", "AllRanksMatch", "AllElementCountsMatch"):
            if self.records.isa(record, which):
                self.matches.append((which, record.get("values", [])))
        for which in ("TypesMatchWith",):
            if self.records.isa(record, which):
                self.matches.append((which, [record["lhs"], record["rhs"]]))

    @functools.lru_cache(maxsize=None)
    def admitted(self, position, result=False):
        """The types, of sizes 2, that operand (or result) `position` may have."""
        constraint = (self.results if result else self.operands)[position].constraint
        return [type_ for type_ in universe() if self.records.holds(constraint["predicate"], type_)]


@functools.lru_cache(maxsize=None)
def universe():
    kinds = [Type("scalar", (), element) for element in ELEMENTS] + [Type("shape", (2,) * rank, "index") for rank in range(1, 9)]
    for form in FORMS[1:]:
        for rank in range(0, 6):
            for element in ELEMENTS:
                if form == "vector" and (element.startswith("complex") or element.startswith("ui") or rank > 3):
                    continue
                kinds.append(Type(form, (2,) * rank, element))
    return kinds


def dumped(tblgen, file, includes, cache):
    """The records of `file` as JSON; kept in `cache`."""
    text = open(file, "rb").read()
    kept = cache / (hashlib.sha256(text + file.encode()).hexdigest()[:16] + ".json")
    if not kept.exists():
        done = subprocess.run([tblgen, "--dump-json", *(f"-I{folder}" for folder in includes), file], capture_output=True)
        if done.returncode:
            raise RuntimeError(f"{file}: {done.stderr.decode()[:500]}")
        kept.write_bytes(done.stdout)
    return json.loads(kept.read_bytes())


def read(dialects, llvm, mica, cache):
    """The ops of `dialects`, by name."""
    ops = {}
    cache.mkdir(parents=True, exist_ok=True)
    mlir = f"{llvm}/include"
    for dialect in dialects:
        for file in FILES[dialect]:
            file = file.format(mlir=mlir, mica=mica)
            records = Records(dumped(f"{llvm}/bin/llvm-tblgen", file, [mlir, str(mica)], cache))
            for name in records.data["!instanceof"]["Op"]:
                record = records[name]
                if records[record["opDialect"]]["name"] == dialect and record["opName"]:
                    op = Op(records, record)
                    ops[op.name] = op
    return ops
