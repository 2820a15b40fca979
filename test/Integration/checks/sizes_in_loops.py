#!/usr/bin/env python3
"""Random loops over buffers, with positions computed from loop variables, sizes and arguments, at the default check level.

usage: sizes_in_loops.py WORK [--programs=N] [--seed=N] [--levels=-O0,-O2,...] [--show]

What each program accesses is computed here, iteration by iteration. A run that accesses an element outside must end with exit code 3 and name
the line of such an access; any other must end with 0 and print the buffer with what was stored. Sizes are chosen so that about half of the
runs are of each kind, most by one element.
"""
import argparse
import concurrent.futures
import itertools
import os
import pathlib
import random
import re
import subprocess


class Program:
    """%b is stored to in a nest of 1 to 3 loops, at a position in each of its 1 or 2 dimensions; %a is loaded from."""

    def __init__(self, draw):
        self.draw = draw
        self.depth, self.rank = draw.choice((1, 1, 2, 2, 3)), draw.choice((1, 1, 2))
        self.kind = draw.choice(("scf.for", "scf.for", "affine.for", "scf.parallel"))
        self.steps = [draw.choice((1, 1, 1, 2, 3, 8)) for _ in range(self.depth)]
        self.lows = [draw.choice((0, 0, 0, 1, 2)) for _ in range(self.depth)]
        # The end of a loop: a number, the argument %n, or the size of %a less a number.
        self.ends = [draw.choice(("number", "given", "size")) for _ in range(self.depth)]
        self.less = [draw.choice((0, 0, 1)) for _ in range(self.depth)]
        self.numbers = [draw.randrange(3, 9) for _ in range(self.depth)]
        # A loop may begin where the one around it is.
        self.nested = [d > 0 and self.kind != "scf.parallel" and draw.random() < 0.25 for d in range(self.depth)]
        self.positions = [self.position() for _ in range(self.rank)]
        self.load = self.position()
        self.static = [draw.random() < 0.25 for _ in range(self.rank)]

    def position(self):
        """(factors of the variables, constant, whether %o is added, divisor or 0, remainder by or 0)"""
        draw = self.draw
        factors = [draw.choice((0, 1, 1, 1, 2, -1)) for _ in range(self.depth)]
        if not any(factors):
            factors[0] = 1
        return factors, draw.choice((0, 0, 0, 1, -1, 7)), draw.random() < 0.3, draw.choice((0, 0, 0, 0, 2)), draw.choice((0, 0, 0, 0, 5))

    def at(self, position, variables, o):
        factors, constant, added, divisor, rest = position
        value = sum(f * v for f, v in zip(factors, variables)) + constant + (o if added else 0)
        value = (value + 2**63) % 2**64 - 2**63  # positions are 64 bits wide
        return value // divisor if divisor else value % rest if rest else value

    def expression(self, position):
        factors, constant, added, divisor, rest = position
        text = " + ".join([f"{v} * {f}" for v, f in zip("ijk", factors)] + [str(constant)] + (["o"] if added else []))
        text = f"({text})"
        return text + (f" floordiv {divisor}" if divisor else f" mod {rest}" if rest else "")

    def iterations(self, n, size):
        """The values of the loop variables, in order."""
        def loop(depth, before):
            if depth == self.depth:
                yield before
                return
            end = {"number": self.numbers[depth], "given": n, "size": size - self.less[depth]}[self.ends[depth]]
            for value in range(before[-1] if self.nested[depth] else self.lows[depth], end, self.steps[depth]):
                yield from loop(depth + 1, before + (value,))
        return list(loop(0, ()))

    def text(self, sizes):
        shape = "x".join(str(s) if fixed else "?" for s, fixed in zip(sizes, self.static))
        a, b = "memref<?xi64>", f"memref<{shape}xi64>"
        lines = [f"func.func @main(%a: {a}, %b: {b}, %n: index, %o: index) {{", "  %zero = arith.constant 0 : index",
                 f"  %size = memref.dim %a, %zero : {a}"]
        names, ends, lows = ["%i", "%j", "%k"][:self.depth], [], []
        for d in range(self.depth):
            lines.append(f"  %step{d} = arith.constant {self.steps[d]} : index")
            lines.append(f"  %low{d} = arith.constant {self.lows[d]} : index")
            less = self.less[d] if self.ends[d] == "size" else 0
            start = {"number": None, "given": "%n", "size": "%size"}[self.ends[d]]
            lines.append(f"  %end{d} = arith.constant {self.numbers[d]} : index" if start is None else
                         f"  %end{d} = affine.apply affine_map<()[s] -> (s - {less})>()[{start}]")
            ends.append(f"%end{d}")
            lows.append(names[d - 1] if self.nested[d] else f"%low{d}")
        if self.kind == "scf.parallel":
            lines.append(f"  scf.parallel ({', '.join(names)}) = ({', '.join(lows)}) to ({', '.join(ends)}) step "
                         f"({', '.join(f'%step{d}' for d in range(self.depth))}) {{")
        for d, name in enumerate(names):
            if self.kind == "scf.for":
                lines.append(f"  scf.for {name} = {lows[d]} to {ends[d]} step %step{d} {{")
            elif self.kind == "affine.for":
                low = f"affine_map<(d) -> (d)>({lows[d]})" if self.nested[d] else str(self.lows[d])
                end = str(self.numbers[d]) if self.ends[d] == "number" else f"affine_map<()[s] -> (s)>()[{ends[d]}]"
                lines.append(f"  affine.for {name} = {low} to {end} step {self.steps[d]} {{")
        dims = ", ".join("ijk"[:self.depth])
        def place(result, position):
            lines.append(f"    {result} = affine.apply affine_map<({dims})[o] -> ({self.expression(position)})>({', '.join(names)})[%o]")
        place("%from", self.load)
        lines.append(f"    %x = memref.load %a[%from] : {a} // LOAD")
        for r, position in enumerate(self.positions):
            place(f"%to{r}", position)
        # What is stored does not depend on the order of the iterations: a constant and the number of the element.
        lines.append("    %v = arith.index_cast %to0 : index to i64")
        lines.append("    %w = arith.addi %v, %x : i64")
        lines.append(f"    memref.store %w, %b[{', '.join(f'%to{r}' for r in range(self.rank))}] : {b} // STORE")
        lines += ["  }"] * (1 if self.kind == "scf.parallel" else self.depth) + ["  return", "}"]
        return "\n".join(lines) + "\n"


def cases(program, draw):
    """Sizes of %a and %b, n and o, with what happens: at the edge of what is accessed, and one element less."""
    for _ in range(6):
        size, n, o = draw.randrange(1, 12), draw.choice((0, 1, 2, 5, 9)), draw.choice((0, 0, 0, 1, 3, -1, 2**63 - 1, -2**63))
        turns = program.iterations(n, size)
        places = [[program.at(position, turn, o) for turn in turns] for position in program.positions]
        loads = [program.at(program.load, turn, o) for turn in turns]
        need = [max([0] + [p + 1 for p in dim]) for dim in places]
        need = [min(each, 400) for each in need]
        short = draw.choice((0, 0, 1)) if turns else 0
        extents = [max(1, e - short) for e in need]
        bad = [line for line, outside in (("LOAD", any(not 0 <= p < size for p in loads)),
                                          ("STORE", any(not all(0 <= p < e for p, e in zip(place, extents)) for place in zip(*places))))
               if outside]
        stored = {place: place[0] + 7 for place in zip(*places)}
        yield size, extents, n, o, bad, stored


def run_one(args, number):
    draw = random.Random(args.seed * 100003 + number)
    program = Program(draw)
    folder, failures, counts = args.work / f"p{number}", [], [0, 0, 0]
    for which, (size, extents, n, o, bad, stored) in enumerate(cases(program, draw)):
        if which and any(program.static):
            break
        folder.mkdir(exist_ok=True)
        file = folder / "p.mlir"
        text = program.text(extents)
        file.write_text(text)
        for level in args.levels.split(","):
            built = folder / ("out" + level.replace("=", ""))
            if not which:
                done = subprocess.run(["mica-compile", file, level, "-o", built], capture_output=True, text=True)
                if done.returncode:
                    return [f"p{number}: {done.stderr}"], counts
                counts[2] += any("mica-check-version" in name for name in os.listdir(built / "passes_dump"))
            shape = "x".join(map(str, extents))
            what = f"{file} {level} size={size} extents={extents} n={n} o={o}"
            run = subprocess.run(["mica-run", built, f"--input={size}xi64=7", f"--input={shape}xi64=0", f"--input={n}", f"--input={o}",
                                  "--threads=1"], capture_output=True, text=True)
            counts[bool(bad)] += 1
            if args.show:
                print(what, bad, run.returncode)
            if bad:
                lines = [i for i, line in enumerate(text.splitlines(), 1) if any("// " + each in line for each in bad)]
                if run.returncode != 3 or not any(f"p.mlir:{line}:" in run.stderr for line in lines):
                    failures.append(f"{what}: {bad} outside, exit code {run.returncode}\n{run.stderr[:400]}")
                continue
            want = [stored.get(place, 0) for place in itertools.product(*map(range, extents))]
            got = [int(each) for each in re.findall(r"-?\d+", run.stdout.split("\n", 1)[-1])]
            if run.returncode or got != want:
                failures.append(f"{what}: exit code {run.returncode}\n{run.stderr[:400]}\n{run.stdout[:400]}\nexpected {want}")
    return failures, counts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--programs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--levels", default="-O0,-O2")
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda number: run_one(args, number), range(args.programs)))
    for failures, _ in results:
        print("\n".join(failures[:1]), end="\n" if failures else "")
    inside, outside, versioned = (sum(counts[i] for _, counts in results) for i in range(3))
    print(f"{args.programs} programs, {inside} runs inside, {outside} outside, {versioned} kernels with checks before their loops, "
          f"{sum(len(failures) for failures, _ in results)} failures")


if __name__ == "__main__":
    main()
