"""Faults in Mica's own pipeline, for planted.py: programs in Mica's dialect, compiled with a faulty pass in one of its phases, or
in LLVM's passes on the code of kernels."""
import array
import json
import os
import random
import re
import resource
import shutil
import subprocess
import time

T = "tensor<17x17xf32>"
DRAWS = 20

# Phase, targets, faults: each is planted once for each target.
PHASES = {
    "tensor": (["swap-mica", "swap-matmul", "other-mica", "lost-mica", "wrong-constant"], ["other-mica", "lost-mica", "swap-mica"]),
    "dispatch": (["swap-subf", "add-to-sub", "mul-to-add", "missing-accumulate", "swap-dispatch"], ["mul-to-add", "wrong-fill", "wrong-constant"]),
    "schedule": (["swap-buffers", "lost-task", "arena-overlap", "swap-subf"], ["swap-buffers", "lost-task"]),
    "kernel": (["short-loop", "lost-store", "short-mask", "wrong-padding", "swap-subf"], ["late-loop", "add-to-sub", "lost-store"]),
    "lowered": (["swap-llvm", "rename-llvm", "erase-llvm", "move-llvm", "select-llvm"], ["swap-llvm", "rename-llvm", "erase-llvm"]),
}
# Of MicaMiscompilingLLVMPasses: in the LLVM IR of a kernel.
LLVM_FAULTS = ["swap-subtraction", "add-to-sub", "mul-to-add", "swap-division", "swap-select", "invert-compare", "wrong-constant", "lost-store",
               "late-loop", "max-to-min"]


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", **more)


def with_variables(variables):
    return {**os.environ, **variables}


def processor_seconds():
    """Of all processes that were started and have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def bisect(planted, options, arguments, env=None):
    """Runs mica-bisect, and notes in `planted` what it found."""
    report = os.path.join(planted.folder, "report")
    begin, used = time.time(), processor_seconds()
    done = run(["mica-bisect", *arguments, "-o", report, f"--budget={options.budget}", "--no-cache"], env=env)
    planted.seconds, planted.processor = time.time() - begin, processor_seconds() - used
    planted.output = done.stdout + done.stderr
    with open(os.path.join(planted.folder, "bisect.txt"), "w") as file:
        file.write(planted.output)
    planted.verdict, planted.has_pass, planted.has_step, planted.reduced, planted.step = "", False, False, 0, ""
    if not os.path.exists(os.path.join(report, "verdict.json")):
        return
    with open(os.path.join(report, "verdict.json")) as file:
        verdict = json.load(file)
    planted.verdict = verdict["verdict"]
    culprit = verdict["culprit"]
    if planted.verdict not in ("miscompile", "crash") or not culprit:
        return
    # Of a pass in the middle of a pipeline, the program that its input is made of is what a person reads.
    planted.reduced = culprit["source_ops"] or culprit["reduced_ops"]
    step = culprit["step"] or {"kind": "none", "location": ""}
    planted.has_pass = (step["name"] if step["kind"] == "LLVM pass" else culprit["pass"]) == planted.faulty_pass
    planted.step = step["kind"]
    planted.has_step = planted.has_pass and planted.has_step_of(step)


def is_step_at(planted, step):
    """Ops that passes have made may have no line."""
    return any(step["location"].startswith(f"program.mlir:{line}:") for line in planted.lines) or (
        not planted.lines and step["location"] == "" and step["op"] == planted.op)


class MicaProgram:
    """A function of three matrices that returns what it does not use."""

    def __init__(self, rng, ops):
        self.rng, self.lines = rng, []
        self.depth = {f"%x{i}": 0 for i in range(3)}
        self.used = set()
        while len(self.lines) < ops:
            self.draw()
        self.results = [v for v in self.depth if v.startswith("%v") and v not in self.used]
        self.inputs = [f"--input=random:{i + 7}" for i in range(3)]

    def pick(self):
        value = self.rng.choice([v for v in self.depth if self.depth[v] < 3][-6:])
        self.used.add(value)
        return value

    def make(self, text, *operands, kind=T, depth=None):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = " + text.format(*operands))
        if kind == T:
            self.depth[name] = 1 + max((self.depth.get(o, 0) for o in operands), default=0) if depth is None else depth
        return name

    def draw(self):
        choice = self.rng.choice(["two", "two", "two", "one", "one", "matmul", "softmax", "row", "transpose", "constant", "exp"])
        a = self.pick()
        if choice == "two":
            op = self.rng.choice(["mica.add", "mica.sub", "mica.mul", "mica.max", "mica.sub"])
            self.make(op + f" {{0}}, {{1}} : {T}", a, self.pick())
        elif choice == "one":
            self.make(self.rng.choice(["mica.abs", "mica.neg", "mica.tanh"]) + f" {{0}} : {T}", a)
        elif choice == "exp":
            self.make(f"mica.exp {{0}} : {T}", self.make(f"mica.tanh {{0}} : {T}", a), depth=1)
        elif choice == "matmul":
            self.make(f"mica.matmul {{0}}, {{1}} : {T}", a, self.pick())
        elif choice == "softmax":
            self.make(f"mica.softmax {{0}} axis = 1 : {T}", a, depth=1)
        elif choice == "row":
            row = self.make(f"mica.reduce {self.rng.choice(['sum', 'max'])} {{0}} dims = [1] keep_dims : ({T}) -> tensor<17x1xf32>", a, kind="row")
            self.make(f"mica.sub {{0}}, {row} : ({T}, tensor<17x1xf32>) -> {T}", a)
        elif choice == "transpose":
            self.make(f"mica.transpose {{0}} permutation = [1, 0] : ({T}) -> {T}", a)
        else:
            self.make(f"mica.constant dense<{self.rng.randint(1, 15) / 8}> : {T}", depth=0)

    def text(self):
        arguments = ", ".join(f"%x{i}: {T}" for i in range(3))
        kinds = ", ".join([T] * len(self.results))
        return "\n".join([f"func.func @f({arguments}) -> ({kinds}) {{", *self.lines, f"  return {', '.join(self.results)} : {kinds}", "}", ""])

    def ops(self):
        return len(self.lines)


def are_different(right, wrong):
    """By more than roundings: the maximum of a softmax may be another, for example."""
    return any(a != a or b != b or abs(a - b) > 1e-2 * max(1, abs(a)) for a, b in zip(right, wrong))


class PlantedPhase:
    """A fault in a phase, of which it is known that it can be seen. The attributes are those of planted.Planted."""

    faulty_pass = "test-fault"

    def __init__(self, options, fault, phase, target, seed):
        self.fault, self.level, self.how, self.after, self.target = fault, phase, "pattern", target, target
        self.options = options
        rng = random.Random(f"{seed} {fault} {phase} {target}")
        self.drawn = 0
        self.said = ""
        for draw in range(DRAWS):
            self.folder = os.path.join(options.work, f"{phase}-{fault}-{target}")
            shutil.rmtree(self.folder, ignore_errors=True)
            os.makedirs(self.folder)
            self.file = os.path.join(self.folder, "program.mlir")
            program = MicaProgram(rng, int(20 * 5 ** rng.random()))
            self.inputs, self.ops = program.inputs, program.ops()
            with open(self.file, "w") as file:
                file.write(program.text())
            if self.plant(rng):
                self.drawn = draw + 1
                return

    def has_step_of(self, step):
        return is_step_at(self, step)

    def artifact(self, name):
        return os.path.join(self.folder, name)

    def set_fault(self, at, log=False):
        """With `at` of 0 the fault is nowhere."""
        fault = f"{self.level}:test-fault{{fault={self.fault} at={at or 1000000} how=pattern{' log=true' if log else ''}}}"
        self.flags = ["--load-pass-plugin=" + self.options.plugin, "--add-passes=" + fault, "--target=" + self.target]
        self.env = None

    def compile(self, name):
        return run(["mica-compile", self.file, *self.flags, "--force", "-o", self.artifact(name)], env=self.env)

    def outputs(self, name):
        folder = self.artifact(name + "-out")
        os.makedirs(folder, exist_ok=True)
        with open(self.file) as file:
            count = re.search(r"^  return (.*) : ", file.read(), re.M).group(1).count("%")
        files = [os.path.join(folder, f"{i}.npy") for i in range(count)]
        done = run(["mica-run", self.artifact(name), "--entry=f", *self.inputs, *[f"--output=@{f}" for f in files]])
        self.said = done.stderr
        if done.returncode:
            return None
        return [number for f in files for number in array.array("f", open(f, "rb").read()[-17 * 17 * 4:])]

    def read_place(self, planted):
        """Where the change was made, from the lines about it."""
        self.lines = [number for line in planted for number in re.findall(r'program\.mlir"?:(\d+)', line)]
        self.op = planted[0].split(" ")[2] if planted else ""

    def plant(self, rng):
        self.set_fault(0)
        if self.compile("right").returncode:
            return False
        right = self.outputs("right")
        at = rng.randint(1, 4)
        while at > 0:
            planted = self.plant_at(at, rng)
            if planted:
                self.read_place(planted)
                wrong = self.outputs("artifact")
                return right is not None and wrong is not None and are_different(right, wrong)
            at //= 2
        return False

    def plant_at(self, at, rng):
        """Compiles with the fault at one place; returns the lines that say where, or none."""
        self.set_fault(at, log=True)
        done = self.compile("artifact")
        self.set_fault(at)
        return [line for line in done.stderr.splitlines() if line.startswith("planted in") and done.returncode == 0]

    def bisect(self, options):
        bisect(self, options, [self.file, *self.flags, "--entry=f", *self.inputs], self.env)


class PlantedCode(PlantedPhase):
    """A fault in the LLVM IR of a kernel: the step is one of LLVM's passes on one function."""

    def __init__(self, options, fault, phase, target, seed):
        self.faulty_pass = "test-" + fault
        super().__init__(options, fault, phase, target, seed)

    def set_fault(self, at, log=False, function=None):
        self.flags = ["--load-llvm-pass-plugin=" + self.options.llvm_plugin, "--target=" + self.target]
        self.env = with_variables({"MICA_TEST_LLVM_FAULT": self.fault, "MICA_TEST_LLVM_FAULT_AT": str(at or 1000000),
                                   "MICA_TEST_LLVM_FAULT_LOG": "1" if log else "0", **({"MICA_TEST_LLVM_FAULT_IN": function} if function else {})})

    def plant_at(self, at, rng):
        """In one of the functions that have such a place."""
        planted = super().plant_at(at, rng)
        if not planted:
            return []
        line = rng.choice(sorted(planted))
        self.set_fault(at, function=self.function_of(line))
        return [line] if self.compile("artifact").returncode == 0 else []

    @staticmethod
    def function_of(line):
        return line.split(" ")[2].rstrip(":")

    def read_place(self, planted):
        self.function = self.function_of(planted[0])

    def has_step_of(self, step):
        return step["kind"] == "LLVM pass" and step["op"] == self.function
