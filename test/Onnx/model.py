"""Writes ONNX files: the few messages of onnx.proto that tests need, in protobuf's wire format."""
import struct

FLOAT, INT64, STRING = 1, 7, 8


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, value):
    """An int is a varint, anything else a length-delimited field."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def tensor(name, dims, dtype=FLOAT, raw=None, external=None):
    out = b"".join(field(1, d) for d in dims) + field(2, dtype) + field(8, name)
    if raw is not None:
        out += field(9, raw)
    for key, value in (external or {}).items():
        out += field(13, field(1, key) + field(2, str(value)))
    return out + (field(14, 1) if external else b"")


def floats(name, dims, values):
    return tensor(name, dims, FLOAT, struct.pack(f"<{len(values)}f", *values))


def ints(name, dims, values):
    return tensor(name, dims, INT64, struct.pack(f"<{len(values)}q", *values))


def value(name, dims, dtype=FLOAT):
    """An input or output; a dimension is a size or a name."""
    shape = b"".join(field(1, field(1, d) if isinstance(d, int) else field(2, d)) for d in dims)
    return field(1, name) + field(2, field(1, field(1, dtype) + field(2, shape)))


def attribute(name, given):
    if isinstance(given, int):
        return field(1, name) + field(3, given) + field(20, 2)
    if isinstance(given, float):
        return field(1, name) + varint(2 << 3 | 5) + struct.pack("<f", given) + field(20, 1)
    if isinstance(given, str):
        return field(1, name) + field(4, given) + field(20, 3)
    if isinstance(given, list) and given and isinstance(given[0], float):
        return field(1, name) + b"".join(varint(7 << 3 | 5) + struct.pack("<f", f) for f in given) + field(20, 6)
    if isinstance(given, list):
        return field(1, name) + b"".join(field(8, i) for i in given) + field(20, 7)
    kind, data = given  # ("graph", bytes) or ("tensor", bytes)
    return field(1, name) + field(6 if kind == "graph" else 5, data) + field(20, 5 if kind == "graph" else 4)


def node(op, inputs, outputs, name="", domain="", **attributes):
    out = b"".join(field(1, i) for i in inputs) + b"".join(field(2, o) for o in outputs) + field(3, name) + field(4, op)
    out += b"".join(field(5, attribute(k, v)) for k, v in attributes.items())
    return out + (field(7, domain) if domain else b"")


def graph(nodes, inputs, outputs, initializers=(), name="g"):
    return (b"".join(field(1, n) for n in nodes) + field(2, name) + b"".join(field(5, t) for t in initializers) +
            b"".join(field(11, v) for v in inputs) + b"".join(field(12, v) for v in outputs))


def function(name, domain, inputs, outputs, nodes):
    return (field(1, name) + b"".join(field(4, i) for i in inputs) + b"".join(field(5, o) for o in outputs) +
            b"".join(field(7, n) for n in nodes) + field(10, domain))


def model(body, opset=17, functions=(), domains=()):
    out = field(1, 8) + field(2, "test") + field(7, body) + field(8, field(1, "") + field(2, opset))
    out += b"".join(field(8, field(1, d) + field(2, 1)) for d in domains)
    return out + b"".join(field(25, f) for f in functions)
