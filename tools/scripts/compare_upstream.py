#!/usr/bin/env python3
"""Compiles and runs programs with Mica and with plain `mlir-opt` + `mlir-runner` and prints the table of docs/Compare.md.

usage: compare_upstream.py BUILD_DIR INPUTS_DIR|FILE.mlir [flags]

INPUTS_DIR as in real_inputs.py: ops/*.mlir with published results in ops/manifest.json, models/*.mlir (and
models/unsupported/*.mlir), which are compared with the reference evaluator on seeded random inputs, as a single FILE.mlir is.

  --only=SUBSTRING   only files whose name contains it
  --llvm=DIR         where bin/mlir-opt, bin/mlir-runner and lib/libmlir_*runner_utils.so lie (default /usr/lib/llvm-22)
  --samples=N        timed samples per program (default 9)
  --write=FILE       writes the page there instead of printing it

Upstream has no way to feed a program: a function that holds the inputs, calls the program's function, prints the bits of
its results and times more calls is added to the file before `mlir-opt` lowers it. Exit code 0 unless the command is wrong.
"""
import array
import json
import math
import pathlib
import random
import re
import statistics
import struct
import subprocess
import sys
import tempfile

import real_inputs

BYTES = {"f64": 8, "i64": 8, "f32": 4, "i32": 4, "f16": 2, "bf16": 2, "i16": 2, "i8": 1, "i1": 1, "f8E4M3FN": 1}
REL_L2 = {"f64": 1e-12, "f32": 1e-5, "f16": 2e-3, "bf16": 1e-2}  # mica-run --help, --rtol; other types are exact
LARGEST_ARGUMENTS = 512 << 20  # bytes; each argument is a hexadecimal constant in the text that upstream reads
TIME_LIMIT = 240  # seconds for one tool on one program
MAIN = "mica_compare_main"

# Upstream lowers these by transform ops only. Run by `transform-interpreter`, before all passes.
SCRIPT = "\n".join(["module attributes {transform.with_named_sequence} {",
                    "  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {",
                    *(f'''    %{name} = transform.structured.match ops{{["linalg.{name}"]}} in %module : (!transform.any_op) -> {handle}
    transform.foreach %{name} : {handle} {{
    ^bb0(%op: {handle}):
      {lowering}
    }}''' for name, handle, lowering in (
    ("pack", '!transform.op<"linalg.pack">', 'transform.structured.lower_pack %op : (!transform.op<"linalg.pack">) -> '
     '(!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)'),
    ("unpack", '!transform.op<"linalg.unpack">', 'transform.structured.lower_unpack %op : (!transform.op<"linalg.unpack">) -> '
     '(!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">, '
     '!transform.op<"tensor.extract_slice">)'),
    ("softmax", "!transform.any_op", "transform.structured.decompose_interface %op : (!transform.any_op) -> !transform.any_op"))),
                    "    transform.yield\n  }\n}\n"])
# From tensors to buffers. What is left of tosa, tensor and linalg afterwards is linalg on memrefs.
TO_BUFFERS = """
transform-preload-library{transform-library-paths=SCRIPT},transform-interpreter,
func.func(tosa-to-scf,tosa-make-broadcastable,tosa-to-linalg-named,canonicalize,tosa-layerwise-constant-fold,tosa-make-broadcastable,
tosa-to-linalg,tosa-to-arith{include-apply-rescale=true use-32-bit=true},tosa-to-tensor),
canonicalize,cse,
func.func(linalg-generalize-named-ops,linalg-fuse-elementwise-ops),convert-elementwise-to-linalg,canonicalize,symbol-dce,
eliminate-empty-tensors,empty-tensor-to-alloc-tensor,
one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map
 allow-return-allocs-from-loops=true},
canonicalize,cse,drop-equivalent-buffer-results,buffer-deallocation-pipeline,convert-bufferization-to-memref,canonicalize,cse"""
TO_LLVM = """
expand-realloc,expand-strided-metadata,lower-affine,convert-scf-to-cf,func.func(math-expand-ops),convert-vector-to-llvm,
arith-expand,convert-math-to-llvm,convert-math-to-libm,convert-complex-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,
convert-func-to-llvm,convert-arith-to-llvm,convert-cf-to-llvm,convert-ub-to-llvm,reconcile-unrealized-casts"""
LOOPS = "func.func(convert-linalg-to-loops)"
AFFINE = """
func.func(convert-linalg-to-affine-loops,affine-loop-invariant-code-motion,affine-scalrep,
affine-super-vectorize{virtual-vector-size=16 vectorize-reductions=true},canonicalize,cse,convert-vector-to-scf)"""
PIPELINES = {name: "builtin.module(" + ",".join((TO_BUFFERS, middle, TO_LLVM)).replace("\n", "") + ")"
             for name, middle in (("loops", LOOPS), ("affine", AFFINE))}


class Tensor:
    """One argument or result: element type, sizes (-1: dynamic), and the bytes where they are known."""

    def __init__(self, dtype, shape, data=b""):
        self.dtype, self.shape, self.data = dtype, shape, data

    def type(self, kind="tensor", dtype=""):
        return f"{kind}<{''.join(('?' if d < 0 else str(d)) + 'x' for d in self.shape)}{dtype or self.dtype}>"

    def values(self):
        """The elements as numbers; integers are signed, i1 is 0 or 1."""
        if self.dtype == "bf16":
            return [struct.unpack("<f", struct.pack("<I", b << 16))[0] for (b,) in struct.iter_unpack("<H", self.data)]
        if self.dtype == "f8E4M3FN":
            return [real_inputs.decode_f8(b) for b in self.data]
        code = {**{d: c for d, (_, c) in real_inputs.FORMATS.items()}, "f16": "e", "i1": "B"}[self.dtype]
        values = [x for (x,) in struct.iter_unpack("<" + code, self.data)]
        return [x & 1 for x in values] if self.dtype == "i1" else values

    def save(self, path):
        descr = {"bf16": "<V2", "f8E4M3FN": "|V1", "f16": "<f2"}.get(self.dtype) or real_inputs.FORMATS[self.dtype][0]
        header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({''.join(f'{d}, ' for d in self.shape)}), }}"
        header += " " * ((64 - (len(header) + 11) % 64) % 64) + "\n"
        path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + self.data)

    @staticmethod
    def load(path, dtype):
        data = path.read_bytes()
        (size,) = struct.unpack("<H", data[8:10])
        header = eval(data[10:10 + size].decode(), {"__builtins__": {}}, {"True": True, "False": False})
        return Tensor(dtype, list(header["shape"]), data[10 + size:])


class Failure(Exception):
    """A tool refused the program, or the program did not run: the stage and what was said."""


def run(stage, command):
    try:
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        raise Failure(f"{stage}: longer than {TIME_LIMIT} s")
    if done.returncode:
        errors = [re.sub(r"^.*?\berror: ", "", l).strip() for l in done.stderr.splitlines() if "error: " in l]
        said = errors[0] if errors else f"exit code {done.returncode}, " + (done.stderr.splitlines() or ["no message"])[0]
        raise Failure(f"{stage}: {said if len(said) < 160 else said[:said.rindex(' ', 0, 160)] + ' ...'}")
    return done.stdout


def shaped(text):
    """`4x?xf32` as mica-compile --list prints it."""
    *dims, dtype = re.sub(r"^.*: ", "", text.strip()).split("x")
    if dtype not in BYTES:
        raise Failure(f"this comparison has no input for the type {text}")
    return Tensor(dtype, [-1 if d == "?" else int(d) for d in dims])


def signature(tools, path, entry):
    """(entry, arguments, results) of a file's only function, or of the named one."""
    for line in run("mica-compile --list", [tools["mica-compile"], path, "--list"]).splitlines():
        match = re.match(r"(\w+)\((.*)\) -> \((.*)\)", line)
        if match and entry in ("", match.group(1)):
            return match.group(1), *([shaped(t) for t in match.group(i).split(", ") if t] for i in (2, 3))
    raise Failure("mica-compile --list: no such function")


def random_tensor(argument, seed):
    """Floats uniform in [-1, 1), integers in [-8, 8); a dynamic size is 4."""
    shape = [4 if d < 0 else d for d in argument.shape]
    draw, count = random.Random(seed), math.prod(shape)
    if argument.dtype in ("bf16", "f32"):
        bits = array.array("f", (draw.uniform(-1, 1) for _ in range(count))).tobytes()
        if argument.dtype == "bf16":  # the upper half: rounded towards zero
            bits = b"".join(bits[i + 2:i + 4] for i in range(0, len(bits), 4))
        return Tensor(argument.dtype, shape, bits)
    code = {"f64": "d", "f16": "e", "i64": "q", "i32": "i", "i16": "h", "i8": "b", "i1": "B"}.get(argument.dtype)
    if not code:
        raise Failure(f"no random values of the type {argument.dtype}")
    if argument.dtype in ("f64", "f16"):
        values = [draw.uniform(-1, 1) for _ in range(count)]
    else:
        values = [draw.randrange(2) if code == "B" else draw.randrange(-8, 8) for _ in range(count)]
    return Tensor(argument.dtype, shape, struct.pack(f"<{count}{code}", *values))


def published_tensor(spec, folder):
    values = real_inputs.values_of(spec, folder)
    if spec["dtype"].startswith("f8"):
        values = [real_inputs.encode_f8(v) for v in values]
    return Tensor(spec["dtype"], spec["shape"], struct.pack(f"<{len(values)}{real_inputs.FORMATS[spec['dtype']][1]}", *values))


# ---- upstream --------------------------------------------------------------------------------------------------------


def elementwise(source, target, rank, value, result, body):
    """linalg.generic that maps the tensor `value` to `result` element by element."""
    dims = ", ".join(f"d{i}" for i in range(rank))
    same = f"affine_map<({dims}) -> ({dims})>"
    kinds = ", ".join(['"parallel"'] * rank)
    yield (f"{result} = linalg.generic {{indexing_maps = [{same}, {same}], iterator_types = [{kinds}]}} "
           f"ins({value} : {source.type()}) outs({result}e : {target.type()}) {{")
    yield f"^bb0(%in: {source.dtype}, %out: {target.dtype}):"
    yield from body
    yield f"linalg.yield %y : {target.dtype}"
    yield f"}} -> {target.type()}"


def call(entry, formal, given, results, name):
    """A call of the program on the buffers %m0, %m1, ...: it may write to them, so nothing is copied for it."""
    names = []
    for i, (f, g) in enumerate(zip(formal, given)):
        yield f"{name}t{i} = bufferization.to_tensor %m{i} restrict writable : {g.type('memref')} to {g.type()}"
        yield f"{name}a{i} = tensor.cast {name}t{i} : {g.type()} to {f.type()}"
        names.append(f"{name}a{i}")
    types = ", ".join(f.type() for f in formal)
    yield f"{name}:{len(results)} = func.call @{entry}({', '.join(names)}) : ({types}) -> ({', '.join(r.type() for r in results)})"


def print_bits(result, value, name):
    """Prints a result's bits as integers: the printed form of a float has six digits only."""
    wide, rank = Tensor("i64", result.shape), len(result.shape)
    dynamic = []
    for d in [i for i, size in enumerate(result.shape) if size < 0]:
        yield f"{name}c{d} = arith.constant {d} : index"
        yield f"{name}d{d} = tensor.dim {value}, {name}c{d} : {result.type()}"
        dynamic.append(f"{name}d{d}")
    yield f"{name}e = tensor.empty({', '.join(dynamic)}) : {wide.type()}"
    bits = f"i{8 * BYTES[result.dtype]}"
    if result.dtype == "i64":
        body = ["%zero = arith.constant 0 : i64", "%y = arith.addi %in, %zero : i64"]
    elif result.dtype == "f64":
        body = ["%y = arith.bitcast %in : f64 to i64"]
    elif result.dtype.startswith("i"):
        body = [f"%y = arith.extui %in : {result.dtype} to i64"]
    else:
        body = [f"%x = arith.bitcast %in : {result.dtype} to {bits}", f"%y = arith.extui %x : {bits} to i64"]
    yield from elementwise(result, wide, rank, value, name, body)
    yield f"{name}u = tensor.cast {name} : {wide.type()} to tensor<*xi64>"
    yield f"func.call @printMemrefI64({name}u) : (tensor<*xi64>) -> ()"


def driver(entry, formal, given, results, samples, calls):
    """The function that feeds, prints and times the program: results first, then nanoseconds per sample of `calls` calls."""
    yield "func.func private @printMemrefI64(tensor<*xi64>) attributes {llvm.emit_c_interface}"
    yield "func.func private @nanoTime() -> i64 attributes {llvm.emit_c_interface}"
    yield "func.func private @printI64(i64)"
    yield "func.func private @printNewline()"
    yield f"func.func @{MAIN}() {{"
    for i, g in enumerate(given):
        # An i1 constant's hexadecimal form is packed, so it is given as bytes.
        stored = Tensor("i8" if g.dtype == "i1" else g.dtype, g.shape)
        yield f'%c{i} = arith.constant dense<"0x{g.data.hex()}"> : {stored.type()}'
        if g.dtype == "i1":
            yield f"%v{i}e = tensor.empty() : {g.type()}"
            yield from elementwise(stored, g, len(g.shape), f"%c{i}", f"%v{i}", ["%y = arith.trunci %in : i8 to i1"])
        yield f"%m{i} = memref.alloc() {{alignment = 64}} : {g.type('memref')}"
        yield (f"bufferization.materialize_in_destination {'%v' if g.dtype == 'i1' else '%c'}{i} in restrict writable %m{i} : "
               f"({g.type()}, {g.type('memref')}) -> ()")
    yield from call(entry, formal, given, results, "%r")
    for i, r in enumerate(results):
        yield from print_bits(r, f"%r#{i}", f"%p{i}")
    for name, value in (("lo", 0), ("one", 1), ("samples", samples), ("calls", calls)):
        yield f"%{name} = arith.constant {value} : index"
    yield "scf.for %i = %lo to %samples step %one {"
    yield "%s = func.call @nanoTime() : () -> i64"
    yield "scf.for %j = %lo to %calls step %one {"
    yield from call(entry, formal, given, results, "%q")
    yield "}"
    yield "%f = func.call @nanoTime() : () -> i64"
    yield "%d = arith.subi %f, %s : i64"
    yield "func.call @printI64(%d) : (i64) -> ()"
    yield "func.call @printNewline() : () -> ()"
    yield "}"
    yield "return"
    yield "}"


def keep_calls(text, entry):
    """Marks the program's function and the driver so that LLVM neither inlines the calls that are timed nor drops them."""
    def mark(name, attributes):
        def add(match):
            head, old = re.match(r"(.*?)(?: attributes \{(.*)\})? \{$", match.group(0)).groups()
            return f"{head} attributes {{{', '.join(filter(None, [old, attributes]))}}} {{"
        return lambda t: re.sub(rf"^  llvm\.func @{name}\(.*\{{$", add, t, count=1, flags=re.M)
    return mark(MAIN, "no_inline, optimize_none")(mark(entry, "no_inline")(text))


def run_upstream(tools, pipeline, path, entry, formal, given, results, samples, scratch):
    """(results, milliseconds of a call); the first run has one call per sample and says how many the second needs."""
    parsed = run("mlir-opt, reading", [tools["mlir-opt"], path])
    module, resources = re.match(r"(.*\n)\}\n(.*)\Z", parsed, re.S).groups() if "\n}\n" in parsed else (parsed, "")
    calls, got = 1, None
    while True:
        source, lowered = scratch / "upstream.mlir", scratch / "upstream-llvm.mlir"
        lines = "\n".join(driver(entry, formal, given, results, samples if got else 3, calls))
        source.write_text(f"{module}{lines}\n}}\n{resources}")
        script = scratch / "script.mlir"
        script.write_text(SCRIPT)
        run("mlir-opt", [tools["mlir-opt"], source, "-o", lowered,
                         f"--pass-pipeline={PIPELINES[pipeline].replace('SCRIPT', str(script))}"])
        text = lowered.read_text()
        left = sorted(set(re.findall(r"^ +(?:%[\w:, %]+ = )?\"?((?!llvm\.|builtin\.)[a-z_]+\.[a-z_]\w*)", text, re.M)))
        if left:
            raise Failure(f"mlir-opt: no error, but not lowered: {', '.join(left[:4])}")
        lowered.write_text(keep_calls(text, entry))
        said = run("mlir-runner", [tools["mlir-runner"], lowered, "-O3", "-e", MAIN, "-entry-point-result=void",
                                   "--shared-libs=" + ",".join(str(s) for s in tools["libraries"])])
        times = [int(l) for l in said.splitlines() if re.fullmatch(r"\d+", l)]
        if got:
            return got, statistics.median(times) / calls / 1e6
        got = []
        for r, block in zip(results, said.split("Unranked Memref base@")[1:]):
            sizes = re.search(r"sizes = \[(.*?)\]", block).group(1)
            body = re.sub(r"\n\d+\s*$", "", block.split("data =", 1)[1])
            if r is results[-1]:  # the times follow
                body = body[:body.rindex("]") + 1]
            bits = [int(x) for x in re.findall(r"-?\d+", body)]
            code = {8: "q", 4: "I", 2: "H", 1: "B"}[BYTES[r.dtype]]
            got.append(Tensor(r.dtype, [int(s) for s in re.findall(r"\d+", sizes)], struct.pack(f"<{len(bits)}{code}", *bits)))
        if min(times) > 1e9:
            samples = min(samples, 5)
        calls = min(max(int(20e6 / max(min(times), 50)), 1), 200_000)  # 20 ms a sample


# ---- Mica ------------------------------------------------------------------------------------------------------------


def run_mica(tools, path, entry, given, results, samples, scratch):
    """(results, milliseconds of a run)."""
    folder = scratch / "artifact"
    run("mica-compile", [tools["mica-compile"], path, "-o", folder, "--force", "--dump-passes=off"])
    command = [tools["mica-run"], folder, f"--entry={entry}", "--threads=1"]
    command += [f"--input=@{scratch / f'in{i}.npy'}" for i in range(len(given))]
    command += [f"--output=@{scratch / f'out{i}.npy'}" for i in range(len(results))]
    run("mica-run", command)
    got = [Tensor.load(scratch / f"out{i}.npy", r.dtype) for i, r in enumerate(results)]
    pattern = r"median ([0-9.]+) ms, fastest ([0-9.]+) ms"
    first = re.search(pattern, run("mica-run", [*command, f"--repeat={samples}"]))
    repeat = min(max(int(20 * samples / max(float(first.group(2)), 1e-3)), samples), 20_000)
    return got, float(re.search(pattern, run("mica-run", [*command, f"--repeat={repeat}"])).group(1))


# ---- verdicts --------------------------------------------------------------------------------------------------------


def against_published(case, inputs):
    def judge(got):
        worst, right = 0.0, True
        for expected in case["expected"]:
            values = got[expected["result"]].values()
            wanted = (got[expected["equals_result"]].values() if "equals_result" in expected else
                      [int(v) if isinstance(v, bool) else v for v in real_inputs.values_of(expected, inputs)])
            ok, difference = real_inputs.agree(values, wanted, expected["tolerance"])
            right, worst = right and ok, max(worst, difference)
        return right, worst
    judge.__doc__ = " and ".join(sorted({"an exact result published" if t == "exact" else
                                         f"{t['atol']:g} + {t['rtol']:g} |x| allowed by the publisher"
                                         for t in (e["tolerance"] for e in case["expected"])}))
    return judge


def against_reference(tools, path, entry, given, results, scratch):
    command = [tools["mica-compile"], path, "--evaluate", f"--entry={entry}"]
    command += [f"--input=@{scratch / f'in{i}.npy'}" for i in range(len(given))]
    run("mica-compile --evaluate", command + [f"--output=@{scratch / f'ref{i}.npy'}" for i in range(len(results))])
    reference = [Tensor.load(scratch / f"ref{i}.npy", r.dtype) for i, r in enumerate(results)]

    def judge(got):
        worst, right = 0.0, True
        for a, b in zip(got, reference):
            x, y = a.values(), b.values()
            norm = math.sqrt(sum(v * v for v in y)) or 1.0
            error = math.sqrt(sum((u - v) ** 2 for u, v in zip(x, y))) / norm
            right = right and a.shape == b.shape and error <= REL_L2.get(a.dtype, 0.0)
            worst = max(worst, error)
        return right, worst
    judge.__doc__ = f"a relative L2 error of {max(REL_L2.get(r.dtype, 0.0) for r in results):g} allowed"
    return judge


class Outcome:
    """What one way of running made of one program."""

    def __init__(self, attempt, judge):
        self.ms, self.note = None, ""
        try:
            got, self.ms = attempt()
            right, worst = judge(got)
            self.verdict = "right" if right else "off"
            self.note = "" if right else f"runs; off by {worst:.3g}, with {judge.__doc__}"
        except Failure as failure:
            self.note = str(failure)
            self.verdict = "does not run" if self.note.startswith(("mlir-runner", "mica-run")) else "does not compile"


def compare(tools, path, case, inputs, samples):
    """One row: (name, outcomes by column) or (name, why it is left out)."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        try:
            entry, formal, results = signature(tools, path, case["entry"] if case else "")
            size = sum(math.prod(abs(d) for d in f.shape) * BYTES[f.dtype] for f in formal)
            if size > LARGEST_ARGUMENTS:
                return path.name, (f"left out: its {len(formal)} arguments are {size / 1e9:.1f} GB, which upstream would have to "
                                   "read as text, since `mlir-runner` takes no inputs")
            given = ([published_tensor(s, inputs) for s in case["inputs"]] if case else
                     [random_tensor(f, i) for i, f in enumerate(formal)])
            for i, g in enumerate(given):
                g.save(scratch / f"in{i}.npy")
            judge = against_published(case, inputs) if case else against_reference(tools, path, entry, given, results, scratch)
        except Failure as failure:
            reason = failure

            def refuse():
                raise reason

            def read():
                run("mlir-opt, reading", [tools["mlir-opt"], path])
                raise Failure("not tried: nothing to compare with")
            return path.name, {"mica": Outcome(refuse, None), **{name: Outcome(read, None) for name in PIPELINES}}
        outcomes = {"mica": Outcome(lambda: run_mica(tools, path, entry, given, results, samples, scratch), judge)}
        for name in PIPELINES:
            outcomes[name] = Outcome(
                lambda: run_upstream(tools, name, path, entry, formal, given, results, samples, scratch), judge)
        return path.name, outcomes


def milliseconds(value):
    return "" if value is None else "< 0.001" if value < 0.001 else f"{value:.3g}" if value < 100 else f"{value:.0f}"


def page(rows, samples):
    """The text of docs/Compare.md."""
    columns = ("mica", "loops", "affine")
    compared = [(n, o) for n, o in rows if isinstance(o, dict)]
    yield f"""# Comparison with `mlir-opt` + `mlir-runner`

This page compares Mica with upstream's own tools, version 22.1: which results are right, and how long a call takes. Both run the files of
[Real inputs](RealInputs.md) on the same inputs. A script makes this page:

    python3 tools/scripts/compare_upstream.py build ../shared/inputs --write=docs/Compare.md

Verdicts:

- **right**: the result is within the publisher's tolerance of the published result. Models come without one; their result is compared with
  the reference evaluator's on seeded random inputs, by relative L2 error (the limits of the element types are those of
  [`mica-run --golden-data`](Tools/mica-run.md#checking)).
- **off**: the program runs, and its result is outside that tolerance. Upstream's loops accumulate in the order and in the element type of
  the program, so long sums of `f32` or `bf16` lose precision there. Mica and the reference evaluator keep more of it.

Times:

- A time is that of one call in milliseconds, with one thread: the median of at least {samples} samples (5 if a call takes over a second)
  after a warm-up call.
- All times are of one machine, on which other programs ran. The ratio in the last column is therefore more reliable than the times: it is
  the better of the two upstream times divided by Mica's. Above 1, Mica is faster.
- The last column is empty where a time is below 0.005 ms, which only measures the call and the clock, and where no upstream result is
  right.
- Upstream's calls allocate and free their results, and Mica's write to buffers that are reused. This is part of the comparison.

Upstream provides passes and leaves the schedule to its users. The fixed pipelines below fuse elementwise ops, and the second one vectorizes
affine loops. Neither tiles nor packs.

| file | Mica | ms | upstream, loops | ms | upstream, affine | ms | upstream / Mica |
|---|---|---|---|---|---|---|---|"""
    for name, outcomes in compared:
        cells = [cell for c in columns for cell in (outcomes[c].verdict, milliseconds(outcomes[c].ms))]
        times = [outcomes[c].ms for c in columns[1:] if outcomes[c].verdict == "right"]
        mine, ratio = outcomes["mica"].ms, ""
        if outcomes["mica"].verdict == "right" and times and min(mine, *times) >= 0.005:
            ratio = f"{min(times) / mine:.2g}"
        yield f"| {name} | {' | '.join(cells)} | {ratio} |"
    yield "\n| of %d files | compile | run | right |\n|---|---|---|---|" % len(compared)
    titles = {"mica": "Mica", "loops": "upstream, loops", "affine": "upstream, affine"}
    for title, chosen in [*((titles[c], (c,)) for c in columns), ("upstream, either", columns[1:])]:
        verdicts = [{o[c].verdict for c in chosen} for _, o in compared]
        ran = sum(bool(v & {"right", "off"}) for v in verdicts)
        compiled = sum(v != {"does not compile"} for v in verdicts)
        yield f"| {title} | {compiled} | {ran} | {sum('right' in v for v in verdicts)} |"
    yield "\nFor each file that fails or is left out, the first error, how far its result is off, or the reason:\n"
    for name, outcomes in rows:
        if isinstance(outcomes, str):
            yield f"- `{name}`: {outcomes}."
            continue
        said = {}
        for c in columns:
            if outcomes[c].note:
                said.setdefault(outcomes[c].note, []).append(titles[c])
        for note, who in said.items():
            yield f"- `{name}`, {' and '.join(who)}: {note}".replace("upstream, loops and upstream, affine", "upstream")
    yield "\nThe pipelines for `mlir-opt --pass-pipeline=...`, without test passes. `mlir-runner -O3` runs the result:\n"
    for name, middle in (("loops", LOOPS), ("affine", AFFINE)):
        yield f"- {name}: `builtin.module(`BUFFERS`,{middle.strip()},`LLVM`)`".replace("\n", "")
    for name, text in (("BUFFERS", TO_BUFFERS), ("LLVM", TO_LLVM)):
        yield f"\n{name}:\n\n" + "\n".join("    " + line for line in text.strip().splitlines())
    yield "\nSCRIPT, for ops that upstream lowers only by transform ops:\n\n" + "\n".join("    " + l for l in SCRIPT.splitlines())


def main():
    def positive(text):
        if int(text) < 1:
            raise ValueError(text)
        return int(text)
    parser = real_inputs.argumentParser(__doc__)
    parser.add_argument("--llvm", type=pathlib.Path, default=pathlib.Path("/usr/lib/llvm-22"))
    parser.add_argument("--samples", type=positive, metavar="N", default=9)
    parser.add_argument("--write", type=pathlib.Path)
    options = parser.parse_args()
    build, inputs, llvm, samples = options.build, options.inputs, options.llvm, options.samples
    tools = {name: build / "bin" / name for name in ("mica-compile", "mica-run")}
    tools.update({name: llvm / "bin" / name for name in ("mlir-opt", "mlir-runner")})
    tools["libraries"] = [llvm / "lib" / f"libmlir_{name}.so" for name in ("runner_utils", "c_runner_utils")]
    for path in (*(p for p in tools.values() if isinstance(p, pathlib.Path)), *tools["libraries"], inputs):
        if not path.exists():
            print(f"compare_upstream.py: {path} is not there", file=sys.stderr)
            return 2
    jobs = [(inputs, None, inputs.parent)]
    if inputs.is_dir():
        jobs = [(p, None, inputs) for folder in ("models", "models/unsupported") for p in sorted((inputs / folder).glob("*.mlir"))]
        manifest = inputs / "ops" / "manifest.json"
        jobs += [(inputs / "ops" / case["file"], case, inputs / "ops")
                 for case in (json.loads(manifest.read_text()) if manifest.exists() else [])]
    rows = []
    for path, case, folder in jobs:
        if options.only in path.name:
            rows.append(compare(tools, path, case, folder, samples))
            print(path.name, file=sys.stderr)
    text = "\n".join(page(rows, samples)) + "\n"
    if options.write:
        options.write.write_text(text)
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
