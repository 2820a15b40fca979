"""Reads the generic text of MLIR, as mica-opt --mlir-print-op-generic prints programs of stablehlo, to ops, types and attributes.

Types are ("i", 8), ("ui", 8), ("f32",), ("tensor", shape, element, encoding), ("complex", element), ("tuple", types), ("token",),
("quant", ..), ("function", inputs, results). Attributes are ("string", s), ("int", n, type), ("float", text, type), ("bool", b),
("unit",), ("array", list), ("dict", pairs), ("symbol", name), ("type", t), ("dense", values, type), ("list", element, numbers),
("enum", kind, name), ("struct", kind, fields). `Unsupported` is raised where a construct is none of these."""
import dataclasses
import re


class Unsupported(Exception):
    pass


@dataclasses.dataclass
class Op:
    name: str
    operands: list
    attributes: dict
    regions: list
    operand_types: list
    result_types: list
    results: list = dataclasses.field(default_factory=list)


TOKEN = re.compile(r"""\s*(?:(?P<string>"(?:[^"\\]|\\.)*")|(?P<arrow>->)|(?P<hex>0x[0-9A-Fa-f]+)|
    (?P<number>-?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)|(?P<value>%[A-Za-z0-9_$.#-]+)|(?P<block>\^[A-Za-z0-9_]+)|
    (?P<symbol>@(?:[A-Za-z_][A-Za-z0-9_$.-]*|"[^"]*"))|(?P<word>[#!]?[A-Za-z_][A-Za-z0-9_$.]*)|(?P<mark>[^\s]))""", re.X)


class Reader:
    def __init__(self, text):
        self.text, self.at = text, 0

    def peek(self):
        match = TOKEN.match(self.text, self.at)
        return (match.lastgroup, match.group(match.lastgroup)) if match else (None, "")

    def take(self, expected=None):
        match = TOKEN.match(self.text, self.at)
        if not match:
            raise Unsupported("the text ends")
        token = match.group(match.lastgroup)
        if expected is not None and token != expected:
            raise Unsupported(f"expected {expected!r} before {self.text[self.at:self.at + 60]!r}")
        self.at = match.end()
        return token

    def maybe(self, token):
        if self.peek()[1] == token:
            self.take()
            return True
        return False

    def separated(self, close, one):
        items = []
        while not self.maybe(close):
            items.append(one())
            if not self.maybe(","):
                self.take(close)
                break
        return items

    # Types

    def type(self):
        kind, token = self.peek()
        if token == "(":
            self.take()
            inputs = self.separated(")", self.type)
            self.take("->")
            return ("function", inputs, self.types_after_arrow())
        self.take()
        if match := re.fullmatch(r"(i|ui|si)([0-9]+)", token):
            return (match[1], int(match[2]))
        if re.fullmatch(r"b?f[0-9]+(E[0-9]M[0-9](B11)?(FN|FNUZ)?)?|index|none|tf32|f8E8M0FNU", token):
            return (token,)
        if token == "tensor":
            return self.tensor()
        if token == "complex":
            self.take("<")
            element = self.type()
            self.take(">")
            return ("complex", element)
        if token == "tuple":
            self.take("<")
            return ("tuple", self.separated(">", self.type))
        if token == "!quant.uniform":
            return self.quantized()
        if token == "!stablehlo.token":
            return ("token",)
        raise Unsupported(f"type {token}")

    def quantized(self):
        """("quant", storage, least, greatest, expressed, axis or None, scales, zero points)."""
        self.take("<")
        storage = self.type()
        sign = storage[0] != "ui"
        bits = storage[1]
        least, greatest = (-2 ** (bits - 1), 2 ** (bits - 1) - 1) if sign else (0, 2 ** bits - 1)
        if self.maybe("<"):
            least = int(self.take())
            self.take(":")
            greatest = int(self.take())
            self.take(">")
        self.take(":")
        expressed = self.type()
        axis = int(self.take()) if self.maybe(":") else None
        self.take(",")

        def scale():
            number = self.take()
            return number, int(self.take()) if self.maybe(":") else 0
        several = self.maybe("{")
        pairs = self.separated("}", scale) if several else [scale()]
        self.take(">")
        return ("quant", storage, least, greatest, expressed, axis, [pair[0] for pair in pairs], [pair[1] for pair in pairs])

    def types_after_arrow(self):
        if self.maybe("("):
            return self.separated(")", self.type)
        return [self.type()]

    def tensor(self):
        self.take("<")
        shape = []
        while match := re.compile(r"\s*(\?|[0-9]+)x").match(self.text, self.at):
            shape.append(None if match[1] == "?" else int(match[1]))
            self.at = match.end()
        element = self.type()
        encoding = self.attribute() if self.maybe(",") else None
        self.take(">")
        return ("tensor", shape, element, encoding)

    # Attributes

    def dictionary(self):
        def entry():
            name = self.take().strip('"')
            while self.text[self.at] == "-":  # names of functions may have it
                name += self.take() + self.take()
            return name, self.attribute() if self.maybe("=") else ("unit",)
        return self.separated("}", entry)

    def integers(self):
        self.take("[")
        return self.separated("]", lambda: int(self.take()))

    def struct(self, kind):
        self.take("<")
        fields = {}
        while not self.maybe(">"):
            name = self.take()
            self.take("=")
            if self.peek()[1] == "[":
                fields[name] = self.integers()
            elif self.peek()[0] == "number":
                number = self.take()
                fields[name] = ("float", number, self.type()) if self.maybe(":") else int(number)
            else:
                fields[name] = self.attribute()
            self.maybe(",")
        return ("struct", kind, fields)

    def convolution(self):
        self.take("<")
        sides = []
        for end in ("x", "->", ">"):
            self.take("[")
            sides.append(self.separated("]", self.take))
            if end == "x":
                self.at = re.compile(r"\s*x").match(self.text, self.at).end()
            else:
                self.take(end)
        return ("struct", "conv", {"sides": sides})

    def dense_values(self):
        if self.maybe("["):
            return self.separated("]", self.dense_values)
        if self.maybe("("):
            return tuple(self.separated(")", self.take))
        token = self.take()
        if token == "-":
            raise Unsupported("a number")
        return token

    def attribute(self):
        kind, token = self.peek()
        if kind == "string":
            self.take()
            if self.maybe(":"):
                raise Unsupported("a string with a type")
            return ("string", re.sub(r"\\([0-9A-F]{2}|.)", lambda m: chr(int(m[1], 16)) if len(m[1]) == 2 else m[1], token[1:-1]))
        if kind in ("number", "hex"):
            self.take()
            type_ = self.type() if self.maybe(":") else ("i", 64)
            if re.fullmatch("-?[0-9]+", token) and type_[0] in ("i", "ui", "index"):
                return ("int", int(token), type_)
            return ("float", token, type_)
        if kind == "symbol":
            self.take()
            return ("symbol", token[1:].strip('"'))
        if token in ("true", "false"):
            self.take()
            return ("bool", token == "true")
        if token == "unit":
            self.take()
            return ("unit",)
        if token == "[":
            self.take()
            return ("array", self.separated("]", self.attribute))
        if token == "{":
            self.take()
            return ("dict", self.dictionary())
        if token == "dense":
            self.take()
            self.take("<")
            values = None if self.maybe(">") else self.dense_values()
            if values is not None:
                self.take(">")
            self.take(":")
            return ("dense", values, self.type())
        if token == "array":
            self.take()
            self.take("<")
            element = self.type()
            numbers = self.separated(">", self.take) if self.maybe(":") else self.take(">") and []
            return ("list", element, numbers)
        if token == "#stablehlo":
            self.take()
            self.take("<")
            kind = self.take()
            name = self.take()
            self.take(">")
            return ("enum", kind, name)
        if token.startswith("#stablehlo."):
            self.take()
            kind = token[len("#stablehlo."):]
            if kind == "conv":
                return self.convolution()
            if kind == "bounds":
                self.take("<")
                return ("struct", kind, {"bounds": self.separated(">", lambda: None if self.maybe("?") else int(self.take()))})
            if kind == "result_accuracy_mode":
                self.take("<")
                name = self.take()
                self.take(">")
                return ("enum", kind, name)
            return self.struct(kind)
        if kind == "word" and (token[0] in "#!" and token != "!stablehlo.token" or token in ("affine_map", "opaque")):
            raise Unsupported(f"attribute {token}")
        return ("type", self.type())

    # Ops

    def operation(self):
        results = []
        if self.peek()[0] == "value":
            name = self.take()
            count = int(self.take()) if self.maybe(":") else None
            results = [name] if count is None else [f"{name}#{i}" for i in range(count)]
            self.take("=")
        name = self.take()[1:-1]
        self.take("(")
        operands = self.separated(")", self.take)
        attributes = {}
        if self.maybe("<"):
            self.take("{")
            attributes.update(self.dictionary())
            self.take(">")
        regions = []
        if self.maybe("("):
            regions = self.separated(")", self.region)
        if self.maybe("{"):
            attributes.update(self.dictionary())
        self.take(":")
        _, inputs, outputs = self.type()
        return Op(name, operands, attributes, regions, inputs, outputs, results)

    def region(self):
        """The arguments and ops of the only block."""
        self.take("{")
        arguments = []
        if self.peek()[0] == "block":
            self.take()
            if self.maybe("("):
                def argument():
                    name = self.take()
                    self.take(":")
                    return name, self.type()
                arguments = self.separated(")", argument)
            self.take(":")
        ops = []
        while not self.maybe("}"):
            ops.append(self.operation())
        return arguments, ops

