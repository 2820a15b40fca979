"""Several functions: ops of a function of their own that the program calls, perhaps twice, perhaps from a loop."""
import dataclasses

from program import Builder


def fits(value, parameter):
    """Whether what is known of a parameter is true of `value`."""
    return (value.type == parameter.type and value.shape == parameter.shape and parameter.low <= value.low and
            value.high <= parameter.high and value.error <= parameter.error and (value.whole or not parameter.whole))


def makeCall(addOp):
    def callee(b, given):
        """The builder of a function on values like `given`, and what it returns."""
        inner = Builder(b.draws)
        inner.dynamic = b.root.dynamic
        inner.depth = b.root.depth + 1
        inner.functions = b.root.functions
        for value in given:
            name = inner.argument(value.type, None)
            inner.pool.append(dataclasses.replace(value, name=name))
        for _ in range(1 + b.draws.below(3)):
            b.draws.begin()
            addOp(inner)
            b.draws.end()
        made = [value for value in inner.pool if value.name.startswith("%v")]
        return inner, made[-1 - b.draws.below(2):] if made else inner.pool[:1]

    def call(b):
        if b.root.depth == 2:
            return None
        given = []
        for _ in range(1 + b.draws.below(2)):
            value = b.pick(lambda v: v not in given)
            given += [value] if value else []
        if not given:
            return None
        inner, results = callee(b, given)
        needed = inner.prune({value.name for value in results})
        # What its ops need besides are arguments of the program, passed on.
        parameters = [p for p in inner.arguments if p[0] in needed]
        known = dict(zip((name for name, _, _ in inner.arguments), given))
        passed = [known[name].name if name in known else b.argument(type, text) for name, type, text in parameters]
        symbol = f"@PROGRAM_f{len(inner.functions)}"
        inner.functions.append((symbol, inner.body(symbol[1:], parameters, results, "private " if b.draws.chance(3, 4) else "")))

        def write(operands):
            name, types = b.fresh(), ", ".join(value.type for value in results)
            count = f":{len(results)}" if len(results) > 1 else ""
            b.emit(f"{name}{count} = func.call {symbol}({', '.join(operands)}) : ({', '.join(t for _, t, _ in parameters)}) -> "
                   f"({types})")
            for i, value in enumerate(results):
                b.pool.append(dataclasses.replace(value, name=name + (f"#{i}" if count else "")))

        write(passed)
        if b.draws.chance(1, 2):
            write([again(b, known.get(name), operand) for (name, _, _), operand in zip(parameters, passed)])
        return b.pool[-1]

    def again(b, value, operand):
        """An operand of a second call in the place of `operand`, which `value` is known of."""
        other = value and b.pick(lambda v: fits(v, value))
        return other.name if other else operand

    return call
