"""Writes a module of vhlo as MLIR bytecode, by https://mlir.llvm.org/docs/BytecodeFormat and the numbers of vhlo's types and attributes.

`Writer(producer, bytecode, ships_properties).write(module)` returns bytes: versions of the format from 1 to 6; attributes of ops in a
dictionary, as versions of StableHLO before 0.15 have them, or as properties. Nothing of Mica takes part."""
import numpy

from generic_text import Unsupported
from portable import is_discardable


def varint(value):
    """The number of zero bits at the end of the first byte says how many bytes follow."""
    for count in range(1, 9):
        if value < 1 << (7 * count):
            return ((value << count) | (1 << (count - 1))).to_bytes(count, "little")
    return b"\0" + value.to_bytes(8, "little")


def signed(value):
    return varint(((value << 1) ^ (value >> 63)) & (2 ** 64 - 1))


def section(number, data):
    return bytes([number]) + varint(len(data)) + data


SIMPLE = {("i", 1): 0, ("bf16",): 2, ("f16",): 3, ("f32",): 4, ("f64",): 5, ("f8E4M3FN",): 6, ("f8E5M2",): 7, ("index",): 9, ("i", 4): 10,
          ("i", 8): 11, ("i", 16): 12, ("i", 32): 13, ("i", 64): 14, ("ui", 4): 15, ("ui", 8): 16, ("ui", 16): 17, ("ui", 32): 18,
          ("ui", 64): 19, ("token",): 22, ("f8E4M3FNUZ",): 27, ("f8E5M2FNUZ",): 28, ("f8E4M3B11FNUZ",): 29, ("i", 2): 31,
          ("ui", 2): 32, ("none",): 33, ("tf32",): 34, ("f8E4M3",): 35, ("f8E3M4",): 36, ("f4E2M1FN",): 37, ("f6E2M3FN",): 38,
          ("f6E3M2FN",): 39, ("f8E8M0FNU",): 40}
ENUMS = {"comparison_direction": (3, ["EQ", "NE", "GE", "GT", "LE", "LT"]),
         "comparison_type": (4, ["NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"]),
         "fft_type": (7, ["FFT", "IFFT", "RFFT", "IRFFT"]), "precision": (11, ["DEFAULT", "HIGH", "HIGHEST"]),
         "rng_algorithm": (12, ["DEFAULT", "THREE_FRY", "PHILOX"]), "rng_distribution": (13, [None, "UNIFORM", "NORMAL"]),
         "transpose": (16, ["TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"]),
         "result_accuracy_mode": (19, ["DEFAULT", "HIGHEST", "TOLERANCE"])}
FLOATS = {"f16": numpy.float16, "f32": numpy.float32, "f64": numpy.float64}


def float_bits(text, type_):
    """The bits of a float as an integer."""
    name = type_[0]
    if name == "bf16":
        if text.startswith("0x"):
            return int(text, 16)
        bits = int(numpy.float32(float(text)).view(numpy.uint32))
        if bits & 0xffff:
            raise Unsupported("a bf16 number that is rounded")
        return bits >> 16
    if name not in FLOATS:
        if text.startswith("0x"):
            return int(text, 16)
        raise Unsupported(f"numbers of {name}")
    if text.startswith("0x"):
        return int(text, 16)
    value = FLOATS[name](float(text))
    return int.from_bytes(value.tobytes(), "little")


def element_bytes(value, type_):
    if type_[0] == "complex":
        return b"".join(element_bytes(part, type_[1]) for part in value)
    width = {"bf16": 2, "f16": 2, "f32": 4, "f64": 8, "index": 8}.get(type_[0])
    if width is None and type_[0] in ("i", "ui"):
        width = max(1, type_[1] // 8)
    if type_[0] in ("i", "ui", "index"):
        number = int(value, 16) if value.startswith("0x") else {"true": 1, "false": 0}.get(value, None)
        number = int(value) if number is None else number
        return (number & (2 ** (8 * width) - 1)).to_bytes(width, "little")
    if width is None:
        width = 1
    return float_bits(value, type_).to_bytes(width, "little")


def flat(values):
    return [inner for value in values for inner in flat(value)] if isinstance(values, list) else [values]


def blob(values, type_):
    """The elements of a constant; one of them for a splat."""
    _, shape, element, _ = type_
    count = int(numpy.prod(shape)) if shape else 1
    if values is None or count == 0:
        return b""
    if isinstance(values, str) and values.startswith('"'):
        data = bytes.fromhex(values[3:-1])
        if element == ("i", 1):
            raise Unsupported("booleans as hexadecimal text")
        return data
    elements = flat(values)
    if element == ("i", 1):
        bits = [value == "true" or value == "1" for value in elements]
        if len(bits) == 1:
            return b"\xff" if bits[0] else b"\0"
        return bytes(sum(bit << k for k, bit in enumerate(bits[i:i + 8])) for i in range(0, len(bits), 8))
    return b"".join(element_bytes(value, element) for value in elements)


class Writer:
    def __init__(self, producer, bytecode, ships_properties):
        self.producer, self.version, self.ships_properties = producer, bytecode, ships_properties
        self.strings, self.ops, self.properties = {}, {}, {}
        # "vhlo" or "builtin", custom encoding or not, data; one number for each, attributes and types apart.
        self.attributes, self.types = {}, {}

    def string(self, text):
        return self.strings.setdefault(text, len(self.strings))

    def attribute_number(self, dialect, data):
        return self.attributes.setdefault((dialect, data), len(self.attributes))

    # Sections sort entries by dialect, so numbers are placeholders until all are known.
    def type(self, type_):
        """The number of a type, as a marker."""
        if type_[0] not in ("tensor", "complex", "tuple", "function", "quant") and type_ in SIMPLE:
            data = (("v", SIMPLE[tuple(type_)]),)
        elif type_[0] == "tensor":
            _, shape, element, encoding = type_
            sizes = (("v", len(shape)),) + tuple(("s", -2 ** 63 if size is None else size) for size in shape)
            head = (("v", 21), self.attribute(encoding)) if encoding else (("v", 20),)
            data = head + sizes + (self.type(element),)
        elif type_[0] == "complex":
            data = (("v", 1), self.type(type_[1]))
        elif type_[0] == "tuple":
            data = (("v", 23), ("v", len(type_[1]))) + tuple(self.type(inner) for inner in type_[1])
        elif type_[0] == "function":
            data = (("v", 8), ("v", len(type_[1]))) + tuple(self.type(inner) for inner in type_[1])
            data += (("v", len(type_[2])),) + tuple(self.type(inner) for inner in type_[2])
        elif type_[0] == "quant":
            _, storage, least, greatest, expressed, axis, scales, zeros = type_
            # Unsigned integers that store it have another flag and are signless.
            head = (("v", int(storage[0] != "ui")), self.type(("i", storage[1])), self.type(expressed))
            limits = (("s", least), ("s", greatest))
            if axis is None:
                data = (("v", 24),) + head + (("d", scales[0]), ("s", zeros[0])) + limits
            else:
                lists = (("v", len(scales)),) + tuple(("d", scale) for scale in scales)
                lists += (("v", len(zeros)),) + tuple(("s", zero) for zero in zeros)
                data = (("v", 30),) + head + (("v", axis),) + limits + lists
        else:
            raise Unsupported(f"type {type_}")
        return ("t", self.types.setdefault(("vhlo", data), len(self.types)))

    def vhlo(self, *data):
        return ("a", self.attribute_number("vhlo", data))

    def text(self, text):
        return ("v", self.string(text))

    def attribute(self, value):
        kind = value[0]
        if kind == "string":
            return self.vhlo(("v", 14), self.text(value[1]))
        if kind == "array":
            return self.vhlo(("v", 1), ("v", len(value[1])), *[self.attribute(element) for element in value[1]])
        if kind == "bool":
            return self.vhlo(("v", 2), ("v", int(value[1])))
        if kind == "dict":
            pairs = [self.attribute(part) for key, inner in value[1] for part in (("string", key), inner)]
            return self.vhlo(("v", 6), ("v", len(value[1])), *pairs)
        if kind == "int":
            _, number, type_ = value
            return self.vhlo(("v", 9), self.type(type_), ("n", number, 64 if type_[0] == "index" else type_[1]))
        if kind == "float":
            _, number, type_ = value
            width = {"bf16": 16, "f16": 16, "f32": 32, "f64": 64}.get(type_[0])
            if width is None:
                raise Unsupported(f"a float of {type_}")
            bits = float_bits(number, type_)
            return self.vhlo(("v", 8), self.type(type_), ("n", bits, width))
        if kind == "dense":
            _, values, type_ = value
            return self.vhlo(("v", 15), self.type(type_), ("b", blob(values, type_)))
        if kind == "type":
            return self.vhlo(("v", 17), self.type(value[1]))
        if kind == "enum":
            code, names = ENUMS[value[1]]
            return self.vhlo(("v", code), ("v", names.index(value[2])))
        if kind == "struct" and value[1] == "bounds":
            bounds = value[2]["bounds"]
            return self.vhlo(("v", 18), ("v", len(bounds)), *[("s", -2 ** 63 if size is None else size) for size in bounds])
        if kind == "struct" and value[1] == "output_operand_alias":
            fields = value[2]
            lists = [fields.get(key, []) for key in ("output_tuple_indices", "operand_tuple_indices")]
            parts = [(("v", len(numbers)),) + tuple(("s", number) for number in numbers) for numbers in lists]
            return self.vhlo(("v", 10), *parts[0], ("s", fields["operand_index"]), *parts[1])
        if kind == "struct" and value[1] == "result_accuracy":
            fields = value[2]
            zero = ("float", "0.0", ("f64",))
            numbers = [("d", fields.get(key, zero)[1]) for key in ("atol", "rtol")]
            return self.vhlo(("v", 20), *numbers, ("s", fields.get("ulps", 0)), self.attribute(fields["mode"]))
        raise Unsupported(f"attribute {value}")

    # Attributes of builtin: a dictionary of an op, its keys, and the location that is not known.
    def builtin_dictionary(self, entries):
        parts = [("v", 1), ("v", len(entries))]
        for key, value in sorted(entries.items()):
            parts += [("a", self.attribute_number("builtin", (("v", 2), self.text(key)))), self.attribute(value)]
        return ("a", self.attribute_number("builtin", tuple(parts)))

    def unknown_location(self):
        return ("a", self.attribute_number("builtin", (("v", 15),)))

    # The program, with markers for numbers of attributes, types and ops.
    def op_name(self, name):
        self.string(name.split(".", 1)[1])
        return ("o", self.ops.setdefault(name, len(self.ops)))

    def operation(self, op, values):
        attributes = {key: value for key, value in op.attributes.items()}
        properties = None
        if self.ships_properties and op.name.startswith("vhlo.") and attributes:
            inherent = sorted(key for key in attributes if not is_discardable(op.name, key))
            if inherent:
                data = tuple(self.attribute(attributes.pop(key)) for key in inherent)
                properties = ("p", self.properties.setdefault(data, len(self.properties)))
        if op.name == "builtin.module":
            attributes = {key: value for key, value in attributes.items() if value[0] == "string"}
        mask = ((1 if attributes else 0) | (64 if properties else 0) | (2 if op.result_types else 0) |
                (4 if op.operands else 0) | (16 if op.regions else 0))
        parts = [self.op_name(op.name), ("y", mask), self.unknown_location()]
        if attributes:
            parts.append(self.builtin_dictionary(attributes))
        if properties:
            parts.append(properties)
        if op.result_types:
            parts += [("v", len(op.result_types))] + [self.type(type_) for type_ in op.result_types]
        if op.operands:
            parts += [("v", len(op.operands))] + [("v", values[name]) for name in op.operands]
        if op.regions:
            isolated = op.name == "builtin.module"
            parts.append(("v", len(op.regions) << 1 | int(isolated)))
            for region in op.regions:
                inner = self.region(region, {} if isolated else values)
                parts += [("x", tuple(inner))] if isolated and self.version >= 2 else inner
        return parts

    def region(self, region, outer):
        arguments, ops = region
        values = dict(outer)
        names = [name for name, _ in arguments] + [name for op in ops for name in op.results]
        for name in names:
            values[name] = len(values)
        return [("v", 1), ("v", len(names))] + self.block(arguments, ops, values)

    def block(self, arguments, ops, values):
        parts = [("v", len(ops) << 1 | int(bool(arguments)))]
        if arguments:
            parts.append(("v", len(arguments)))
            for _, type_ in arguments:
                # From version 4 on, a location that is not known is left out.
                parts += [("T", self.type(type_))] if self.version >= 4 else [self.type(type_), self.unknown_location()]
            if self.version >= 3:
                parts.append(("y", 0))  # no order of uses
        for op in ops:
            parts += self.operation(op, values)
        return parts

    # Bytes

    def bytes_of(self, parts):
        data = b""
        for part in parts:
            kind, value = part[0], part[1]
            if kind == "v":
                data += varint(value)
            elif kind == "s":
                data += signed(value)
            elif kind == "y":
                data += bytes([value])
            elif kind == "a":
                data += varint(self.attribute_order[value])
            elif kind == "t":
                data += varint(self.type_order[value])
            elif kind == "T":
                data += varint(self.type_order[value[1]] << 1)
            elif kind == "o":
                data += varint(self.op_order[value])
            elif kind == "p":
                data += varint(value)
            elif kind == "n":  # an integer of known width
                width = part[2]
                low = value & (2 ** width - 1)
                if width <= 8:
                    data += bytes([low])
                elif width <= 64:
                    data += signed(low - (1 << 64) if low >> 63 else low)
            elif kind == "d":
                bits = int(numpy.float64(float(value)).view(numpy.int64))
                data += signed(bits)
            elif kind == "b":
                data += varint(len(value)) + value
            elif kind == "x":
                data += section(4, self.bytes_of(value))
        return data

    def write(self, module):
        for dialect in ("builtin", "vhlo"):
            self.string(dialect)
        program = [("v", 1 << 1)] + self.operation(module, {})
        dialects = ["builtin", "vhlo"]

        def grouped(entries):
            """Entries by dialect, and the place of each."""
            groups = [[(key, number) for key, number in entries.items() if key[0] == dialect] for dialect in dialects]
            order = {number: place for place, (_, number) in enumerate(entry for group in groups for entry in group)}
            return groups, order

        attribute_groups, self.attribute_order = grouped(self.attributes)
        type_groups, self.type_order = grouped(self.types)
        op_groups, self.op_order = grouped({tuple(name.split(".", 1)): number for name, number in self.ops.items()})

        dialect_data = varint(len(dialects)) + b"".join(varint(self.string(name) << 1) for name in dialects)
        if self.version >= 4:
            dialect_data += varint(len(self.ops))
        for number, group in enumerate(op_groups):
            if group:
                dialect_data += varint(number) + varint(len(group))
                for (_, name), _ in group:
                    dialect_data += varint(self.string(name) << 1 | 1) if self.version >= 5 else varint(self.string(name))

        offsets, data = varint(len(self.attributes)) + varint(len(self.types)), b""
        for groups in (attribute_groups, type_groups):
            for number, group in enumerate(groups):
                if group:
                    offsets += varint(number) + varint(len(group))
                    for (_, parts), _ in group:
                        entry = self.bytes_of(parts)
                        offsets += varint(len(entry) << 1 | 1)
                        data += entry
        ir = self.bytes_of(program)
        properties = varint(len(self.properties))
        for parts in self.properties:
            entry = self.bytes_of(parts)
            properties += varint(len(entry)) + entry

        texts = [text.encode() + b"\0" for text in self.strings]
        strings = varint(len(texts)) + b"".join(varint(len(text)) for text in reversed(texts)) + b"".join(texts)
        result = b"ML\xefR" + varint(self.version) + self.producer.encode() + b"\0"
        result += section(0, strings) + section(1, dialect_data) + section(3, offsets) + section(2, data) + section(4, ir)
        if self.version >= 5:
            result += section(8, properties)
        return result

