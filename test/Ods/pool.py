# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Valid instances of ops: drawn from ODS, judged by the verifiers, repaired by what these say.

A candidate takes types that the constraints of the op admit, attributes of the kinds that it declares, and results as its traits
suggest. mlir-opt judges thousands in one process. What it says of one that is wrong (an inferred type, a rank, a size) is put right, and
the candidate is tried again.
"""
import collections
import copy
import random
import re
import subprocess

import attributes
from ods import Type, is_float, parse_type

SIZES = [1, 2, 2, 3, 3, 4, 5, 7]
BATCH = 2500


class Instance:
    """An op with its types and attributes. `given`: per operand "argument", or the text of an op that makes it."""

    def __init__(self, op, operands, results, attrs, segments=None):
        self.op, self.operands, self.results, self.attrs, self.segments = op, operands, results, attrs, segments
        self.given = ["argument"] * len(operands)
        self.sizes = None  # per operand, the sizes of a run; None: those of its type
        self.rounds = 0

    def key(self):
        return f"{self.op.name} {self.attrs} {list(map(str, self.operands))} {list(map(str, self.results))} {self.given}"

    def shape_of(self, i):
        return self.sizes[i] if self.sizes else self.operands[i].shape

    def is_structured(self):
        """A named op of linalg: its region is made where its custom form is read."""
        return self.op.name.startswith("linalg.") and self.op.regions == 1

    def text(self, names, results):
        """The op on the values `names`, giving the values `results`."""
        head = f"{', '.join(results)} = " if results else ""
        types = [str(t) for t in self.operands]
        if self.is_structured():
            ins = len(names) - 1
            attrs = "".join(f" {k} = {v}" if k in ("permutation", "dimensions", "kind", "indexing_maps") else "" for k, v in self.attrs.items())
            before = attrs if "indexing_maps" in self.attrs or "kind" in self.attrs else ""
            plain = {k: v for k, v in self.attrs.items() if k not in ("permutation", "dimensions", "kind", "indexing_maps")}
            braces = f" {{{', '.join(f'{k} = {v}' for k, v in plain.items())}}}" if plain else ""
            return (f"{head}{self.op.name}{before}{braces} ins({', '.join(names[:ins])} : {', '.join(types[:ins])}) "
                    f"outs({names[-1]} : {types[-1]}){'' if before else attrs}{' -> ' + str(self.results[0]) if results else ''}")
        attrs = dict(self.attrs)
        if self.segments is not None:
            attrs["operandSegmentSizes"] = f"array<i32: {', '.join(map(str, self.segments))}>"
        inner = f" <{{{', '.join(f'{k} = {v}' if v != 'unit' else k for k, v in attrs.items())}}}>" if attrs else ""
        made = ", ".join(str(t) for t in self.results)
        return f'{head}"{self.op.name}"({", ".join(names)}){inner} : ({", ".join(types)}) -> {made if len(self.results) == 1 else "(" + made + ")"}'

    def function(self, name):
        """A function of the op alone, for the verifier."""
        arguments = [f"%a{i}: {t}" for i, t in enumerate(self.operands) if self.given[i] == "argument"]
        results = [f"%r{i}" for i in range(len(self.results))]
        made = ", ".join(str(t) for t in self.results)
        lines = [f"func.func @{name}({', '.join(arguments)}) -> ({made}) {{"]
        lines += [f"  %a{i} = {text}" for i, text in enumerate(self.given) if text != "argument"]
        lines += ["  " + self.text([f"%a{i}" for i in range(len(self.operands))], results),
                  f"  return {', '.join(results)} : {made}" if results else "  return", "}"]
        return "\n".join(lines)


# What has to be a constant where stock passes lower it: what these operands are called.
CONSTANTS = r"_zp$|^zero_point|^shift$|^multiplier$|^pad_const$|^scale$|^offset$|^border$|^table$|^perms$"


def weighted(draws, elements):
    """Mostly the types that most programs have."""
    order = ["f32", "i32", "f64", "i64", "f16", "bf16", "i8", "index", "i16", "i1", "complex<f32>", "i4", "f8E4M3FN", "f8E5M2", "ui8"]
    weights = [12, 10, 4, 4, 4, 3, 4, 4, 2, 3, 3, 1, 1, 1, 1]
    known = [(e, w) for e, w in zip(order, weights) if e in elements]
    return draws.choices([e for e, _ in known], [w for _, w in known])[0] if known else None


def narrowed(admitted, form, element, rank, draws):
    """Of `admitted`, what has the form, then the element, then the rank, as far as there is such a type."""
    for holds in (lambda t: t.form == form, lambda t: t.element == element, lambda t: t.rank == rank):
        kept = [t for t in admitted if holds(t)]
        admitted = kept or admitted
    return draws.choice(admitted)


# Tensors of one element, by the names that tosa gives such operands.
SCALARS = r"_zp$|^zero_point|^shift$|^pad_const$"


class Drawer:
    def __init__(self, seed):
        self.draws = random.Random(seed)

    def shape(self, rank, base):
        """Sizes for `rank` dimensions, related to `base`."""
        draws = self.draws
        if rank <= len(base):
            kept = list(base)[len(base) - rank:] if draws.random() < 0.5 else list(base)[:rank]
        else:
            kept = [draws.choice(SIZES) for _ in range(rank - len(base))] + list(base)
        if draws.random() < 0.12:
            kept = [1 if draws.random() < 0.5 else d for d in kept]
        if draws.random() < 0.15:
            draws.shuffle(kept)
        return kept

    def candidate(self, op):
        draws = self.draws
        if op.regions and not op.name.startswith("linalg."):
            return None
        forms = {t.form for o in range(len(op.operands)) for t in op.admitted(o)} or {"scalar"}
        elements = {t.element for o in range(min(1, len(op.operands))) for t in op.admitted(o)} or {"f32", "i32"}
        form, element = draws.choice(sorted(forms - {"shape"}) or ["tensor"]), weighted(draws, elements)
        rank = draws.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, 4])
        base = [draws.choice(SIZES) for _ in range(rank)]
        operands, segments, named, given = [], [], collections.defaultdict(list), []
        structured = op.name.startswith("linalg.") and op.regions == 1
        for i, operand in enumerate(op.operands):
            count = draws.randint(operand.least, operand.most)
            if structured:
                count = draws.choice([1, 1, 2, 2, 2, 3]) if not re.search(r"_q$|quantized", op.name) else 4 if i == 0 and operand.most > 1 else 1
                form = "memref" if draws.random() < 0.2 else "tensor"
            admitted = op.admitted(i)
            if not admitted:
                return None
            segments.append(count)
            for k in range(count):
                type_ = narrowed(admitted, form, element, rank if draws.random() < 0.85 else draws.randint(0, 4), draws)
                if structured and k >= 2 and re.search(r"_q$|quantized", op.name):
                    type_ = Type("scalar", (), "i32")
                if type_.form != "scalar":
                    type_ = type_.reshaped(self.shape(type_.rank, base) if draws.random() < 0.9 else [draws.choice(SIZES) for _ in range(type_.rank)])
                if op.name.startswith("tosa.") and re.search(SCALARS, operand.name):
                    first = operands[min(1, len(operands) - 1)] if "weight" in operand.name else operands[0]
                    type_ = Type("tensor", (1,), "i8" if operand.name == "shift" else first.element)
                named[operand.name].append(len(operands))
                operands.append(type_)
                given.append(self.made(operand.name, type_, op))
        results = []
        for i, result in enumerate(op.results):
            if structured:
                results = [operands[-1]] if operands[-1].form == "tensor" else []
                break
            count = draws.randint(result.least, result.most)
            admitted = op.admitted(i, True)
            if not admitted:
                return None
            for _ in range(count):
                other = element if draws.random() < 0.5 else weighted(draws, {t.element for t in admitted}) or element
                type_ = narrowed(admitted, form, other, rank, draws)
                results.append(type_.reshaped(self.shape(type_.rank, base)) if type_.form != "scalar" else type_)
        self.match(op, operands, results, named)
        attrs = {}
        held = sorted({t.element for t in operands + results}) or ["f32"]
        ranks = [t.rank for t in operands if t.form not in ("scalar", "shape")] or [rank]
        for name, constraint in op.attributes:
            if name in ("operandSegmentSizes", "resultSegmentSizes"):
                continue
            if attributes.is_optional(op.records, constraint) and (draws.random() < 0.55 or name == "indexing_maps"):
                continue
            value = attributes.draw(draws, op.records, constraint, draws.choice(ranks), held)
            if value is None:
                if attributes.is_optional(op.records, constraint):
                    continue
                return None
            attrs[name] = value
        if "static_sizes" in attrs:
            # Views: an offset, a size and a stride per dimension, none of them an operand.
            viewed = max(ranks)
            for name, values in (("static_offsets", [0, 0, 1]), ("static_sizes", SIZES), ("static_strides", [1, 1, 1, 2])):
                attrs[name] = "array<i64" + (": " if viewed else "") + ", ".join(str(draws.choice(values)) for _ in range(viewed)) + ">"
            kept, first = [], 0
            for operand, count in zip(op.operands, segments):
                kept += range(first, first + operand.least)
                first += count
            operands, given = [operands[k] for k in kept], [given[k] for k in kept]
            segments = [operand.least for operand in op.operands]
        made = Instance(op, operands, results, attrs, segments if "AttrSizedOperandSegments" in op.traits and not structured else None)
        made.given = given
        return made

    def made(self, name, type_, op):
        """How operand `name` comes about: an argument, or where stock passes ask for one, a constant."""
        draws = self.draws
        if type_.form == "shape":
            values = [draws.choice([1, 1, 2, 2, 3, 4, 0]) for _ in range(type_.rank)]
            return f'"tosa.const_shape"() <{{values = dense<{values}> : tensor<{type_.rank}xindex>}}> : () -> {type_}'
        if not op.name.startswith("tosa.") or not re.search(CONSTANTS, name):
            return "argument"
        value = draws.choice(["0", "0", "0", "1", "3"])
        value = value + ".0" if is_float(type_.element) else "false" if type_.element == "i1" else value
        return f'"tosa.const"() <{{values = dense<{value}> : {type_}}}> : () -> {type_}'

    def match(self, op, operands, results, named):
        """Puts types right that traits of the op say to be the same."""
        traits = op.traits
        everything = operands if not results else operands + results
        if "SameOperandsAndResultType" in traits or "SameTypeOperands" in traits:
            for i in range(1, len(operands)):
                operands[i] = operands[0]
        if "SameOperandsAndResultType" in traits and operands:
            results[:] = [operands[0]] * len(results)
        shaped = [t for t in everything if t.form not in ("scalar", "shape")]
        if shaped and any(t in traits for t in ("SameOperandsAndResultShape", "Elementwise")):
            for each in (operands, results):
                each[:] = [t.reshaped(shaped[0].shape) if t.form != "scalar" else t for t in each]
        for i, result in enumerate(op.results):
            if result.least == result.most == 1 and result.name and i < len(results):
                named[result.name] = [("result", i)]
        for which, names in op.matches:
            places = [p for name in names for p in named.get(str(name), [])]
            if len(places) < 2:
                continue
            get = lambda p: results[p[1]] if isinstance(p, tuple) else operands[p]
            first = get(places[0])
            for place in places[1:]:
                old = get(place)
                new = {"AllTypesMatch": first, "TypesMatchWith": old, "AllElementTypesMatch": old.of(first.element)}.get(which, old.reshaped(first.shape))
                if isinstance(place, tuple):
                    results[place[1]] = new
                else:
                    operands[place] = new


def set_size(type_, dim, size):
    shape = list(type_.shape)
    if not 0 <= dim < len(shape):
        return type_
    shape[dim] = size
    return type_.reshaped(shape)


def repaired(instance, message, draws):
    """A copy of `instance` with what `message` says put right; None where it says nothing of use."""
    if instance.rounds > (16 if instance.op.name.startswith("linalg.") else 12):
        return None
    new = copy.copy(instance)
    new.operands, new.results, new.attrs, new.given = list(new.operands), list(new.results), dict(new.attrs), list(new.given)
    new.rounds += 1
    if match := re.search(r"inferred type\(s\) (.*) are incompatible", message):
        types = [parse_type(t) for t in re.findall(r"'([^']+)'", match.group(1))]
        if len(types) != len(new.results) or None in types:
            return None
        new.results = types
    elif match := re.search(r"expected operand #(\d+) rank \(\d+\) to match the result rank of indexing_map \((\d+)\)", message):
        rank, place = int(match.group(2)), int(match.group(1))
        if place >= len(new.operands):
            return None
        old = new.operands[place]
        new.operands[place] = Type(old.form if old.form != "scalar" else "tensor", [draws.choice(SIZES) for _ in range(rank)], old.element)
    elif match := re.search(r"input/output operand #(\d+) has shape's dimension #(\d+) to be (greater than or equal to )?(\d+), but found (\d+)", message):
        place = int(match.group(1))
        if place >= len(new.operands):
            return None
        new.operands[place] = set_size(new.operands[place], int(match.group(2)), int(match.group(4)) + (draws.choice([0, 1]) if match.group(3) else 0))
    elif (match := re.search(r"(?:expected|expects|to be|must be|should be|or)\b[^']*'([^']+)'", message)) and len(new.results) == 1 and parse_type(match.group(1)):
        new.results = [parse_type(match.group(1))]
    elif match := re.search(r"attribute '(\w+)' failed to satisfy constraint: i(\d+) dense array attribute with exactly (\d+) elements", message):
        values = [0, 0, 1] if "pad" in match.group(1) else [1, 1, 2]
        new.attrs[match.group(1)] = f"array<i{match.group(2)}: {', '.join(str(draws.choice(values)) for _ in range(int(match.group(3))))}>"
    elif match := re.search(r"attribute '(\w+)' failed to satisfy constraint: 64-bit signless int elements attribute of shape \[(\d+)\]", message):
        new.attrs[match.group(1)] = f"dense<{draws.choice([1, 1, 2])}> : tensor<{match.group(2)}xi64>"
    elif (match := re.search(r"generated region expects (\d+) args, got (\d+)", message)) and int(match.group(1)) < int(match.group(2)):
        # The last operand is what is written.
        wanted = int(match.group(1))
        new.operands = new.operands[:wanted - 1] + new.operands[-1:]
        new.given = new.given[:wanted - 1] + new.given[-1:]
    elif match := re.search(r"operand #(\d+) must be", message):
        place = int(match.group(1))
        declared = place if len(instance.op.operands) == len(new.operands) else None
        if declared is None or not instance.op.admitted(declared):
            return None
        old, type_ = new.operands[place], draws.choice(instance.op.admitted(declared))
        type_ = type_.reshaped([1] * type_.rank) if type_.form not in ("scalar", "shape") else type_
        new.operands[place] = type_
        if new.given[place] != "argument":
            new.given[place] = new.given[place].replace(str(old), str(type_))
    elif match := re.search(r"did you mean \(([\w,]+)\)", message):
        # The types of a profile, operands first.
        wanted = match.group(1).split(",")
        places = [("operand", i) for i, t in enumerate(new.operands) if t.form != "shape"] + [("result", i) for i in range(len(new.results))]
        for (kind, i), element in zip(places, wanted):
            types = new.operands if kind == "operand" else new.results
            old, types[i] = types[i], types[i].of(element)
            if kind == "operand" and new.given[i] != "argument":
                new.given[i] = f'"tosa.const"() <{{values = dense<{"0.0" if is_float(element) else "0"}> : {types[i]}}}> : () -> {types[i]}'
        new.attrs = {k: re.sub(r": (f32|f16|bf16|i8|i16|i32)$", f": {wanted[0]}", v) if k.endswith("_val") else v for k, v in new.attrs.items()}
    elif match := re.search(r"calculated output (height|width|depth) did not match expected: calculated=(\d+), expected=(\d+)", message):
        dim = {"depth": 1, "height": new.results[0].rank - 3, "width": new.results[0].rank - 2}[match.group(1)]
        if int(match.group(2)) == 0:
            return None
        new.results = [set_size(new.results[0], dim, int(match.group(2)))]
    elif "'acc_type' failed" in message:
        new.attrs["acc_type"] = "f32" if is_float(new.operands[0].element) else "i32"
    elif "expect same input and output tensor rank" in message:
        new.results = [new.operands[0]]
    elif "is not of integer type" in message:
        new.results = [t.of("i32") for t in new.results]
    elif re.search(r"\baxis\b", message) and "axis" in new.attrs and new.attrs["axis"] != "0 : i32":
        new.attrs["axis"] = "0 : i32"
    elif re.search(r"(require|expect)\w* .*same (element )?types?|element types? .*match|same .*type for all|to have the same type", message):
        element = new.operands[0].element if new.operands else "f32"
        new.operands = [t.of(element) if t.form != "shape" else t for t in new.operands]
        new.results = [t.of(element) for t in new.results]
    elif re.search(r"require\w* the same shape|shape.* match|ranks? .*match|same rank", message):
        shaped = [t for t in new.operands if t.form not in ("scalar", "shape")]
        if not shaped:
            return None
        new.operands = [t.reshaped(shaped[0].shape) if t.form not in ("scalar", "shape") else t for t in new.operands]
        new.results = [t.reshaped(shaped[0].shape) if t.form != "scalar" else t for t in new.results]
    else:
        return None
    if new.is_structured() and new.results and len(new.operands):
        new.results = [new.operands[-1]]
    return None if new.key() == instance.key() else new


class Verifier:
    """mlir-opt, or a tool with its flags, on many texts in one process."""

    def __init__(self, opt, work, flags=(), piece=16):
        self.opt, self.work, self.flags = opt, work, list(flags)
        self.piece = piece  # What ends the verifier itself is not searched for in pieces smaller than this.

    def run(self, texts, groups):
        """Per text the first error that the verifier gives for it, or "". `groups`: the op of each text."""
        said = []
        for start in range(0, len(texts), BATCH):
            said += self.run_some(texts[start:start + BATCH], groups[start:start + BATCH])
        return said

    def run_some(self, texts, groups):
        lines, owner = [], []
        for i, text in enumerate(texts):
            for line in text.splitlines() + ["// -----"]:
                lines.append(line)
                owner.append(i)
        file = self.work / "candidates.mlir"
        file.write_text("\n".join(lines[:-1]) + "\n")
        done = subprocess.run([self.opt, str(file), "--split-input-file", "--output-split-marker=// =====", *self.flags],
                              capture_output=True, text=True, errors="replace")
        said = [""] * len(texts)
        if done.returncode >= 0:
            for match in re.finditer(r"candidates\.mlir:(\d+):\d+: error: (.*)", done.stderr):
                at = owner[min(int(match.group(1)) - 1, len(owner) - 1)]
                said[at] = said[at] or match.group(2)
            # Errors in the regions of named ops of linalg have no position; what is refused is not printed.
            for i, printed in zip(range(len(texts)), done.stdout.split("// =====\n")):
                if not printed.strip():
                    said[i] = said[i] or "refused without a position"
            return said
        # Some candidate ends the verifier itself: each op alone, then in pieces.
        kinds = sorted(set(groups))
        if len(kinds) > 1:
            pieces = [[i for i, g in enumerate(groups) if g in half] for half in (set(kinds[:len(kinds) // 2]), set(kinds[len(kinds) // 2:]))]
        elif len(texts) > self.piece:
            pieces = [list(range(0, len(texts) // 2)), list(range(len(texts) // 2, len(texts)))]
        else:
            return [f"the verifier ends by signal {-done.returncode} on one of these"] * len(texts)
        for piece in pieces:
            for i, message in zip(piece, self.run_some([texts[i] for i in piece], [groups[i] for i in piece])):
                said[i] = message
        return said


def variations(instance, draws):
    """Other instances near a valid one: of another element, of other sizes, of sizes that only a run knows."""
    elements = sorted({t.element for t in instance.operands})
    new = copy.copy(instance)
    new.rounds, new.attrs = 99, dict(instance.attrs)
    kind = draws.choice(["element", "dynamic", "dynamic", "size"])
    types = lambda change: ([change(t) for t in instance.operands], [change(t) for t in instance.results])
    if kind == "element" and elements:
        old, other = draws.choice(elements), weighted(draws, ["f32", "i32", "f64", "i64", "f16", "bf16", "i8", "i16", "index", "i1", "i4"])
        new.operands, new.results = types(lambda t: t.of(other) if t.element == old else t)
        new.attrs = {k: re.sub(rf"\b{re.escape(old)}\b", other, v) for k, v in new.attrs.items()}
    elif kind == "size":
        sizes = sorted({d for t in instance.operands for d in t.shape})
        if not sizes or instance.sizes:
            return None
        old, other = draws.choice(sizes), draws.choice([1, 2, 3, 5, 8, 0])
        new.operands, new.results = types(lambda t: t.reshaped([other if d == old else d for d in t.shape]) if t.form not in ("scalar", "shape") else t)
    else:
        if instance.sizes or not any(t.form in ("tensor", "memref") and t.rank for t in instance.operands):
            return None
        sizes = sorted({d for t in instance.operands if t.form in ("tensor", "memref") for d in t.shape})
        hidden = set(draws.sample(sizes, draws.randint(1, len(sizes))))
        new.sizes = [t.shape for t in instance.operands]
        new.operands, new.results = types(lambda t: t.reshaped([-1 if d in hidden else d for d in t.shape]) if t.form in ("tensor", "memref") else t)
        new.operands = [t if g == "argument" else o for o, t, g in zip(instance.operands, new.operands, instance.given)]
    if re.search(r"expand_shape|splat|generate|pack$", instance.op.name) and any(-1 in t.shape for t in new.results):
        return None  # Sizes would be operands, which have to agree with each other.
    return None if new.key() == instance.key() else new


def fill(ops, verifier, seed, wanted=8, tries=160, log=None):
    """Up to about `wanted` valid instances of each op, in the order of their names."""
    drawer = Drawer(seed)
    pool = {name: {} for name in sorted(ops)}
    reasons = {}
    per_round = 40
    for attempt in range(max(1, tries // per_round)):
        todo = []
        for name in sorted(ops):
            if len(pool[name]) >= wanted or (attempt >= 2 and name in reasons and reasons[name] is None):
                continue
            made = [drawer.candidate(ops[name]) for _ in range(per_round)]
            made = [m for m in made if m]
            if not made:
                reasons[name] = None  # Nothing can be drawn for it.
            todo += made
        rounds, most = 0, 18 if any(m.op.name.startswith("linalg.") for m in todo) else 14
        while todo and rounds < most:
            said = verifier.run([m.function("p") for m in todo], [m.op.name for m in todo])
            following = []
            for made, message in zip(todo, said):
                if not message:
                    if len(pool[made.op.name]) < 3 * wanted:
                        pool[made.op.name][made.key()] = made
                    continue
                reasons[made.op.name] = message
                if len(pool[made.op.name]) < wanted and (better := repaired(made, message, drawer.draws)):
                    following.append(better)
            todo, rounds = following, rounds + 1
        if log:
            log(f"attempt {attempt + 1}: {sum(bool(v) for v in pool.values())} of {len(pool)} ops")
    # Near the valid ones.
    for _ in range(3):
        todo = []
        for name in sorted(pool):
            for made in list(pool[name].values())[:wanted]:
                if near := variations(made, drawer.draws):
                    todo.append(near)
        for made, message in zip(todo, verifier.run([m.function("p") for m in todo], [m.op.name for m in todo])):
            if not message:
                pool[made.op.name].setdefault(made.key(), made)
    return {name: list(found.values()) for name, found in pool.items()}, {n: r for n, r in reasons.items() if not pool[n]}
