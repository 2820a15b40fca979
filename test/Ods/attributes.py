# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of attributes, drawn from what ODS says of an attribute: its storage, its cases, its element."""
import re

SMALL = [0, 1, 1, 2, 2, 3, 4, -1]


def is_optional(records, constraint):
    """Whether the op may be without the attribute."""
    return bool(constraint.get("isOptional")) or constraint.get("defaultValue") not in (None, "") or \
        records.isa(constraint, "OptionalAttr") or records.isa(constraint, "DefaultValuedAttr")


def base_of(records, constraint):
    while constraint.get("baseAttr") and constraint["baseAttr"]["def"] != constraint["!name"]:
        constraint = records[constraint["baseAttr"]]
    return constraint


def numbers(draws, count, values):
    return ", ".join(str(draws.choice(values)) for _ in range(count))


def lengths(draws, rank):
    """How many elements a list has: mostly as many as an operand has dimensions."""
    return draws.choice([rank, rank, rank, rank, max(rank - 1, 0), rank + 1, 2 * rank, 1, 2, 0])


def listed(draws, rank):
    """The elements of a list of integers: small ones, some of the dimensions, or all dimensions in another order."""
    count = lengths(draws, rank)
    kind = draws.choice(["ones", "small", "dims", "order", "zeros"])
    if kind == "order":
        order = list(range(rank))
        draws.shuffle(order)
        return order
    if kind == "dims":
        return sorted(draws.sample(range(rank), min(count, rank))) if rank else []
    return [draws.choice({"ones": [1], "small": [0, 1, 1, 2, 2, 3], "zeros": [0]}[kind]) for _ in range(count)]


def reassociation(draws, rank):
    """Groups of dimensions, in order."""
    groups = [[0]] if rank else []
    for d in range(1, rank):
        if draws.random() < 0.5:
            groups[-1].append(d)
        else:
            groups.append([d])
    return str(groups)


def affine_map(draws, rank):
    kind = draws.choice(["identity", "permutation", "projection", "sum"])
    dims = ", ".join(f"d{d}" for d in range(rank))
    order = [f"d{d}" for d in range(rank)]
    if kind == "permutation":
        draws.shuffle(order)
    elif kind == "projection":
        order = [d for d in order if draws.random() < 0.6]
    elif kind == "sum" and rank > 1:
        order = [f"d0 + {draws.choice([1, 2])} * d1", *order[2:]]
    return f"affine_map<({dims}) -> ({', '.join(order)})>"


def integer(draws, rank, constraint, records):
    """An integer within what the constraint's conditions say, where they are read."""
    low, high = -2, 4
    choices = None
    for condition in constraint.get("attrConstraints", []):
        text = str(records[condition].get("summary", ""))
        if match := re.search(r"minimum value is (-?\d+)", text):
            low = int(match.group(1))
        elif match := re.search(r"maximum value is (-?\d+)", text):
            high = min(high, int(match.group(1)))
        elif "non-negative" in text:
            low = max(low, 0)
        elif "positive" in text:
            low = max(low, 1)
        elif "power of two" in text:
            choices = [1, 2, 4, 16, 64]
        elif match := re.search(r"one of \{?([\d, -]+)", text):
            choices = [int(c) for c in match.group(1).replace(",", " ").split()]
    return draws.choice(choices or list(range(low, max(high, low) + 1)) + [max(low, 0), max(low, 1)])


def cases(records, constraint):
    """(text of each case, whether it is an attribute of the dialect)."""
    info = records[constraint["enum"]] if constraint.get("enum") else constraint
    found = [records[case] for case in info.get("enumerants", [])]
    if constraint.get("enum"):
        dialect = records[constraint["dialect"]]["name"]
        isBracketed = "<" in (constraint.get("assemblyFormat") or "")
        return [f"#{dialect}.{constraint['mnemonic']}<{case['str']}>" if isBracketed else f"#{dialect}<{constraint['mnemonic']} {case['str']}>"
                for case in found]
    width = re.search(r"(\d+)-bit", constraint.get("summary", ""))
    kind = re.search(r"I(32|64)", " ".join(constraint["!superclasses"]))
    bits = kind.group(1) if kind else width.group(1) if width else "64"
    return [f"{case['value']} : i{bits}" for case in found]


def draw(draws, records, constraint, rank, elements):
    """A value of `constraint`, for an op whose operands have about `rank` dimensions and `elements`; None where ODS says nothing of use."""
    base = base_of(records, constraint)
    storage = (base.get("storageType") or "").strip()
    summary = base.get("summary") or ""
    if base.get("enum") or base.get("enumerants"):
        found = cases(records, base)
        return draws.choice(found) if found else None
    if records.isa(base, "TypedArrayAttrBase") or base.get("elementAttr"):
        element = records[base["elementAttr"]]
        if records.isa(element, "TypedArrayAttrBase") or element.get("elementAttr"):
            return reassociation(draws, rank)
        if (element.get("storageType") or "").strip() == "::mlir::AffineMapAttr":
            return f"[{', '.join(affine_map(draws, rank) for _ in range(draws.choice([1, 2, 3])))}]"
        if "IntegerAttr" in (element.get("storageType") or ""):
            return "[" + ", ".join(f"{n} : i64" if "64" in element["summary"] else f"{n} : i32" for n in listed(draws, rank)) + "]"
        values = [draw(draws, records, element, rank, elements) for _ in range(lengths(draws, rank))]
        return None if None in values else f"[{', '.join(values)}]"
    kind = storage.removeprefix("::mlir::").removesuffix("Attr")
    if kind in ("DenseI64Array", "DenseI32Array", "DenseI16Array", "DenseI8Array"):
        values = ", ".join(map(str, listed(draws, rank)))
        return f"array<i{kind[6:-5]}: {values}>" if values else f"array<i{kind[6:-5]}>"
    if kind == "DenseBoolArray":
        values = numbers(draws, lengths(draws, rank), ["true", "false"])
        return f"array<i1: {values}>" if values else "array<i1>"
    if kind == "Bool" or "bool attribute" in summary:
        return draws.choice(["true", "false"])
    if kind == "Unit":
        return "unit"
    if kind == "AffineMap":
        return affine_map(draws, rank)
    if kind == "String":
        return '"text"'
    if kind == "Float":
        width = re.search(r"(\d+)-bit float", summary)
        return f"{draws.choice(['0.0', '1.0', '-2.5', '6.0', '1.0e-5'])} : {'f' + width.group(1) if width else draws.choice(elements) if elements else 'f32'}"
    if kind == "Integer":
        width = re.search(r"(\d+)-bit", summary)
        type_ = "i" + width.group(1) if width else "index" if "index" in summary else draws.choice(elements) if elements else "i64"
        return f"{integer(draws, rank, constraint, records)} : {type_}"
    if kind == "Type":
        return draws.choice(elements) if elements else "f32"
    if "Elements" in kind:
        element = draws.choice(elements) if elements else "i64"
        value = {"i1": "true"}.get(element, "1.5" if element[0] in "fb" else "(1.0, 2.0)" if element[0] == "c" else "3")
        return f"dense<{value}> : tensor<{'x'.join(['2'] * max(rank, 1))}x{element}>"
    if kind in ("Typed", "Attribute", "::mlir::Attribute", ""):
        element = elements[0] if elements else "f32"
        return f"{draws.choice(['0.0', '-1.0', '2.0']) if element[0] in 'fb' else draws.choice(['0', '1', '3'])} : {element}"
    if kind == "Array" and rank:
        return draws.choice([f"[{', '.join(affine_map(draws, rank) for _ in range(3))}]", "[]", str(listed(draws, rank))])
    return None
