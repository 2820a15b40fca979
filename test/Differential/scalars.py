"""Programs of scalars of small floats in host functions: constants, arguments, arithmetic, comparisons and conversions."""
FLOATS = ["f16", "bf16", "f8E4M3FN", "f8E5M2", "f32", "f64"]
WIDTH = {"f16": 16, "bf16": 16, "f8E4M3FN": 8, "f8E5M2": 8, "f32": 32, "f64": 64}
NUMBERS = ["0", "1", "-1", "0.5", "1.5", "-2.5", "3", "0.1", "17", "-0.3", "100"]


class Scalars:
    def __init__(self, b):
        self.b, self.known = b, {}

    def argument(self, t):
        name = self.b.argument(t, f"{t}={self.b.draws.choice(NUMBERS)}")
        self.known.setdefault(t, []).append(name)
        return name

    def some(self, t):
        names = self.known.get(t)
        return self.b.draws.choice(names) if names and not self.b.draws.chance(1, 4) else self.argument(t)

    def define(self, t, text):
        name = self.b.fresh()
        self.b.emit(f"{name} = {text}")
        self.known.setdefault(t, []).append(name)
        self.last = (name, t)

    def step(self):
        t, kind = self.b.draws.choice(FLOATS), self.b.draws.below(5)
        if kind == 0:
            op = self.b.draws.choice(["addf", "subf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf"])
            self.define(t, f"arith.{op} {self.some(t)}, {self.some(t)} : {t}")
        elif kind == 1:
            op = self.b.draws.choice(["arith.negf", "math.absf", "math.floor", "math.ceil", "math.sqrt", "math.roundeven"])
            self.define(t, f"{op} {self.some(t)} : {t}")
        elif kind == 2:
            other = self.b.draws.choice([x for x in FLOATS if WIDTH[x] != WIDTH[t]])
            op = "extf" if WIDTH[other] > WIDTH[t] else "truncf"
            self.define(other, f"arith.{op} {self.some(t)} : {t} to {other}")
        elif kind == 3:
            mask = self.b.fresh()
            left, right = self.some(t), self.some(t)
            self.b.emit(f"{mask} = arith.cmpf {self.b.draws.choice(['olt', 'oge', 'une', 'ueq'])}, {left}, {right} : {t}")
            self.define(t, f"arith.select {mask}, {left}, {right} : {t}")
        else:
            number = self.b.index(self.b.draws.choice([0, 1, 7, -3, 300, 16842753]))
            whole = self.b.fresh()
            self.b.emit(f"{whole} = arith.index_cast {number} : index to i64")
            self.define(t, f"arith.sitofp {whole} : i64 to {t}")


class ScalarResult:
    """What `Builder.function` reads of a result."""

    def __init__(self, name, dtype):
        self.name, self.type, self.error = name, dtype, 0.0


def program(b, name):
    scalars = Scalars(b)
    for _ in range(2 + b.draws.below(8)):
        b.draws.begin()
        scalars.step()
        b.draws.end()
    return b.function(name, [ScalarResult(*scalars.last)])
