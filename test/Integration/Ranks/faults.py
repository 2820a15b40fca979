"""Plants faults in programs for several ranks, and looks for rank, exchange and line in what is reported.

usage: faults.py FOLDER --tools=DIR [--launch=threads,openmpi,mpich] [--only=NAME,...] [--target=TARGET] [--shim=LIB]

Each program is written for each rank: rank 1 takes a branch of its own. Its clean twin is the same text with a rank
that does not exist in place of 1, and has to run. Ends with the number of faults that were named and of twins that ran.
"""
import argparse
import glob
import os
import re
import signal
import subprocess
import sys
import threading
import time

import numpy as np

LAUNCHERS = {
    "threads": [],
    "openmpi": ["mpirun.openmpi", "--oversubscribe", "--allow-run-as-root"],
    "mpich": ["mpirun.mpich"],
}
PART = "tensor<3x6xf32>"
SUM = f"shard.all_reduce %x on @grid grid_axes = [0] : {PART} -> {PART}"
MAX = f"shard.all_reduce %x on @grid grid_axes = [0] reduction = max : {PART} -> {PART}"
ROTATE = f"shard.shift %x on @grid grid_axes = [0] shift_axis = 0 offset = 1 rotate : {PART} -> {PART}"
WIDE = (f"shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : {PART} -> tensor<9x6xf32>",
        f"tensor.extract_slice %a[0, 0] [3, 6] [1, 1] : tensor<9x6xf32> to {PART}")
TALL = (f"shard.all_gather %x on @grid grid_axes = [0] gather_axis = 1 : {PART} -> tensor<3x18xf32>",
        f"tensor.extract_slice %a[0, 0] [3, 6] [1, 1] : tensor<3x18xf32> to {PART}")
HALF = ("tensor.extract_slice %x[0, 0] [2, 6] [1, 1] : tensor<3x6xf32> to tensor<2x6xf32>",
        "shard.all_reduce %a on @grid grid_axes = [0] : tensor<2x6xf32> -> tensor<2x6xf32>",
        f"tensor.insert_slice %b into %x[0, 0] [2, 6] [1, 1] : tensor<2x6xf32> into {PART}")
DOUBLE = (f"arith.extf %x : {PART} to tensor<3x6xf64>",
          "shard.all_reduce %a on @grid grid_axes = [0] : tensor<3x6xf64> -> tensor<3x6xf64>",
          f"arith.truncf %b : tensor<3x6xf64> to {PART}")
LONG = """%%%0 = scf.for %i = %first to %last step %one iter_args(%t = %x) -> (PART) {
      %m = math.sin %t : PART
      scf.yield %m : PART
    }""".replace("PART", PART).replace("%%%0", "%{0}")
SCATTER = (f"shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : {PART} -> tensor<9x6xf32>",
           f"shard.reduce_scatter %a on @grid grid_axes = [0] scatter_axis = 0 : tensor<9x6xf32> -> {PART}")
GATHER = (f"shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : {PART} -> tensor<9x6xf32>",
          f"shard.all_slice %a on @grid grid_axes = [0] slice_axis = 0 : tensor<9x6xf32> -> {PART}")
TRANSPOSE = f"shard.all_to_all %x on @grid grid_axes = [0] split_axis = 0 concat_axis = 0 : {PART} -> {PART}"
ROW = f"shard.all_reduce %x on @grid grid_axes = [1] : {PART} -> {PART}"
COLUMN = f"shard.all_reduce %x on @grid grid_axes = [0] : {PART} -> {PART}"
BOUNDS = ("arith.addi %first, %last : index",
          f"tensor.extract %x[%a, %first] : {PART}",
          f"tensor.insert %b into %x[%first, %first] : {PART}")
STOP = """%%%0 = scf.for %i = %first to %endless step %one iter_args(%t = %x) -> (PART) {
      %m = arith.negf %t : PART
      scf.yield %m : PART
    }""".replace("PART", PART).replace("%%%0", "%{0}")


def ranks_of(grid):
    count = 1
    for size in grid:
        count *= size
    return count


def cast(root):
    return f"shard.broadcast %x on @grid grid_axes = [0] root = [{root}] : ({PART}) -> {PART}"


def send(to):
    return f"shard.send %x on @grid grid_axes = [0] destination = [{to}] : ({PART}) -> {PART}"


def recv(source):
    return f"shard.recv %x on @grid grid_axes = [0] source = [{source}] : ({PART}) -> {PART}"


def loop(last):
    """An exchange in each of `last` iterations."""
    return """%{0} = scf.for %i = %first to LAST step %one iter_args(%t = %x) -> (PART) {
      %m = shard.all_reduce %t on @grid grid_axes = [0] reduction = max : PART -> PART
      scf.yield %m : PART
    }""".replace("PART", PART).replace("LAST", last)


def block(ops):
    """A branch: `ops` in order, the names of their results %a, %b, ...; it gives the last one."""
    ops = [ops] if isinstance(ops, str) else list(ops)
    names, text = "abcdefg", []
    for name, op in zip(names, ops):
        text.append(op.replace("{0}", name) if op.startswith("%") else f"%{name} = {op}")
    return text, f"%{names[len(ops) - 1]}" if ops else "%x"


def program(one, others, rank, grid=(3,)):
    numbers = "array<i64: " + ", ".join(map(str, grid)) + ">"
    axes = "array<i64: " + ", ".join(map(str, range(len(grid)))) + ">"
    sharding = f"{{mica_sched.sharding = {{grid = {numbers}, shape = array<i64: {3 * ranks_of(grid)}, 6>, axes = [{axes}, array<i64>]}}}}"
    lines = [f"shard.grid @grid(shape = {'x'.join(map(str, grid))})",
             f"func.func @main(%x: {PART} {sharding}) -> ({PART} {sharding}) {{",
             "  %first = arith.constant 0 : index", "  %one = arith.constant 1 : index",
             "  %last = arith.constant 3000 : index", "  %two = arith.constant 2 : index", "  %three = arith.constant 3 : index", "  %endless = arith.constant 4000000000000 : index",
             f"  %who = arith.constant {rank} : index",
             "  %rank = shard.process_linear_index on @grid : index",
             "  %is = arith.cmpi eq, %rank, %who : index",
             f"  %0 = scf.if %is -> ({PART}) {{"]
    for branch, end in ((one, "  } else {"), (others, "  }")):
        ops, last = block(branch)
        lines += [f"    {op}" for op in ops] + [f"    scf.yield %s : {PART}" % last, end]
    return "\n".join(lines + [f"  return %0 : {PART}", "}"]) + "\n"


def lines_in(pattern, name, text):
    """`pattern` with positions in place of @one and @others: the first op of a branch, or a later one (@one+1)."""
    lines = text.splitlines()
    first = {"one": next(i for i, line in enumerate(lines) if "scf.if" in line) + 2,
             "others": lines.index("  } else {") + 2}
    for branch, line in first.items():
        for later in (2, 1, 0):
            pattern = pattern.replace(f"@{branch}+{later}" if later else f"@{branch}", f"{name}.mlir:{line + later}:")
    return pattern


# Name, what rank 1 does, what the others do, what has to be reported, switches.
CHECK = "rank-check"
HANG = "hang-timeout=2"
LEFT = "which (has finished the program|computes after)"
FAULTS = [
    ("skips-sum", [], SUM, [r"rank [02] waits in all_reduce number 1, .*at @others", r"for rank 1, " + LEFT], HANG),
    ("skips-shift", [], ROTATE, [r"rank 0 waits in shift number 1, .*at @others", r"for rank 1, " + LEFT], HANG),
    ("skips-one-of-two", [SUM], [SUM, MAX.replace("%x", "%a")],
     [r"rank [02] waits in all_reduce number 2, .*at @others+1", r"for rank 1, " + LEFT], HANG),
    ("other-order", [SUM, WIDE[0].replace("%x", "%a"), WIDE[1].replace("%a", "%b")],
     [WIDE[0], WIDE[1], SUM.replace("%x", "%b")],
     [r"ranks disagree: rank \d is in (all_reduce|all_gather) of", r"rank \d in (all_reduce|all_gather) of",
      r"at @one", r"at @others"], CHECK),
    ("other-reduction", MAX, SUM, [r"ranks disagree: rank \d is in all_reduce of", r"at @one", r"at @others"], CHECK),
    ("other-exchange", list(WIDE), SUM, [r"ranks disagree", r"at @one", r"at @others"], CHECK),
    ("other-dimension", list(TALL), list(WIDE), [r"ranks disagree", r"at @one", r"at @others"], CHECK),
    ("other-shape", list(HALF), SUM, [r"ranks disagree", r"at @one+1", r"at @others"], CHECK),
    ("other-type", list(DOUBLE), SUM, [r"ranks disagree", r"at @one+1", r"at @others"], CHECK),
    ("other-root", cast(0), cast(2), [r"ranks disagree", r"at @one", r"at @others"], CHECK),
    ("other-shift", ROTATE.replace("offset = 1", "offset = -1"), ROTATE,
     [r"ranks disagree|waits in shift", r"at @one|at @others"], CHECK + "," + HANG),
    ("no-sender", recv(0), [], [r"rank 1 waits in recv number 1, .*at @one", r"for rank 0, " + LEFT], HANG),
    ("waits-for-each-other", recv(2), recv(1), [r"rank 1 waits in recv .*at @one", r"for rank 2, which waits in recv .*at @others"],
     HANG),
    ("endless-rank", [STOP, SUM.replace("%x", "%a")], SUM,
     # Threads that compute are not hung, whoever waits for them; the loop is.
     [r"rank [02] waits in all_reduce number 1, .*at @others|rank 1: the loop .*at @one",
      r"for rank 1, which (computes after|has not begun any exchange)|at @one"], HANG + ",loop-timeout=4"),
    ("nan-on-one", ["math.log %x : " + PART, SUM.replace("%x", "%a")], SUM, [r"rank 1: .*NaN", r"at @one"], "nan-check"),
    ("skips-gather", [], list(GATHER), [r"rank [02] waits in all_gather number 1, .*at @others", r"for rank 1, " + LEFT], HANG),
    ("skips-all-to-all", [], TRANSPOSE, [r"rank [02] waits in all_to_all number 1, .*at @others", r"for rank 1, " + LEFT], HANG),
    ("skips-root", [], cast(1), [r"rank [02] waits in broadcast number 1, .*at @others", r"for rank 1, " + LEFT], HANG),
    ("scatters-instead", list(SCATTER), 
     [GATHER[0], "shard.all_to_all %a on @grid grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<9x6xf32> -> tensor<9x6xf32>",
      GATHER[1].replace("%a", "%b")],
     # With lines compared, the first exchanges differ already.
     [r"ranks disagree: rank \d is in (all_gather|reduce_scatter|all_to_all) of", r"at @one", r"at @others"], CHECK),
    ("leaves-loop-early", loop("%two"), loop("%three"), [r"rank [02] waits in all_reduce number 3, .*at @others+1",
                                                         r"for rank 1, " + LEFT], HANG),
    ("receives-instead", recv(0), SUM, [r"rank 1 waits in recv number 1, .*at @one",
                                        r"for rank 0, which waits in all_reduce .*at @others"], HANG),
    ("fails-check", [*BOUNDS, SUM.replace("%x", "%c")], SUM, [r"rank 1: .*(bounds|outside)", r"at @one+1"], ""),
    ("killed", [STOP, SUM.replace("%x", "%a")], SUM, [r"rank 1|node 1|KILLED BY SIGNAL: 9|EXIT CODE: 9"], ""),
    ("killed-while-waiting", SUM, [STOP, SUM.replace("%x", "%a")], [r"rank 1|node 1|KILLED BY SIGNAL: 9|EXIT CODE: 9"], ""),
    ("stopped", [STOP, SUM.replace("%x", "%a")], SUM,
     [r"rank [02] waits in all_reduce number 1, .*at @others", r"for rank 1, which (has not begun any exchange|computes after)"], HANG),
]
# The same, on a grid of 2 x 2.
GRID_FAULTS = [
    ("other-group-order", [ROW, COLUMN.replace("%x", "%a")], [COLUMN, ROW.replace("%x", "%a")],
     [r"ranks disagree: rank \d is in all_reduce of", r"at (@one|@one+1)", r"at (@others|@others+1)"], CHECK + "," + HANG),
    ("other-axis", [ROW, COLUMN.replace("%x", "%a")], [ROW, ROW.replace("%x", "%a")],
     [r"rank \d waits in all_reduce number 2", r"for rank \d, which"], HANG),
]
# What one rank compiled in another way.
BUILDS = [
    ("other-level", ["-O1"], "it was compiled with other options"),
    ("other-processor", ["--target=cpu:x86-64"], "it was compiled (with other options|for another CPU)"),
]
# Without a rank 1 of its own, all wait for each other there, too, or compute forever.
NO_TWIN = ("waits-for-each-other", "killed-while-waiting")
SLOW = ("slow-rank", [LONG, SUM.replace("%x", "%a")], SUM)


def rank_of(pid):
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            variables = dict(v.split(b"=", 1) for v in file.read().split(b"\0") if b"=" in v)
    except OSError:
        return None
    return variables.get(b"OMPI_COMM_WORLD_RANK", variables.get(b"PMI_RANK"))


def kill_rank(name, number, after, how=signal.SIGKILL):
    """Sends a signal to the process of rank `number` that runs `name`, `after` seconds from now."""
    time.sleep(after)
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                line = file.read()
        except OSError:
            continue
        if b"mica-run\0" in line and name.encode() in line and rank_of(pid) == str(number).encode():
            os.kill(int(pid), how)


class Runner:
    def __init__(self, options):
        self.folder, self.tools = options.folder, options.tools
        self.flags = [f"--target={options.target}"] if getattr(options, "target", "") else []
        self.named = self.ran = 0

    def compile(self, name, text, flags=()):
        base = os.path.join(self.folder, name)
        with open(base + ".mlir", "w") as file:
            file.write(text)
        subprocess.run([f"{self.tools}/mica-compile", base + ".mlir", "-o", base, "--force", "--dump-passes=off", *self.flags, *flags],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL if "twin" in name else None)
        # Stand-ins of a driver take PTX alone.
        for file in glob.glob(base + "/kernels/*/kernel.cubin"):
            os.remove(file)
        return base

    def run(self, launcher, base, switches, others=None, variables=(), killed=None, how=signal.SIGKILL, ranks=3):
        tool = [f"{self.tools}/mica-run"]
        arguments = (["--no-rebuild"] if self.flags else []) + [f"--input=@{self.folder}/x{ranks}.npy", f"--output=@{base}.npy"]
        if launcher == "threads":
            command = tool + [base, "--ranks=threads"] + arguments
        elif others:
            command = LAUNCHERS[launcher] + ["-n", "1"] + tool + [base] + arguments + [":", "-n", str(ranks - 1)] + \
                tool + [others] + arguments
        else:
            command = LAUNCHERS[launcher] + ["-n", str(ranks)] + tool + [base] + arguments
        environment = dict(os.environ, **dict(variables))
        if switches:
            environment["MICA_DEBUG"] = switches
        if killed is not None:
            threading.Thread(target=kill_rank, args=(base, killed, 3, how), daemon=True).start()
        try:
            return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
        except subprocess.TimeoutExpired as late:
            sys.exit(f"{' '.join(command)}\ndid not end\n{late.stdout}\n{late.stderr}")

    def fault(self, launcher, name, done, wanted):
        text = done.stdout + done.stderr
        missing = [w for w in wanted if not re.search(w, text)]
        if done.returncode == 0 or missing:
            sys.exit(f"{name} by {launcher}: exit code {done.returncode}, not reported: {missing}\n{text}")
        self.named += 1

    def twin(self, launcher, name, done):
        warnings = [line for line in done.stderr.splitlines() if "warning" in line and "edited since the last build" not in line]
        if done.returncode != 0 or warnings:
            sys.exit(f"clean twin of {name} by {launcher}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        self.ran += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--tools", required=True)
    parser.add_argument("--launch", default="threads")
    parser.add_argument("--only", default="")
    parser.add_argument("--target", default="")
    parser.add_argument("--shim", default="", help="a library that loses the second all_reduce of rank 1")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    for ranks in (3, 4):
        np.save(f"{options.folder}/x{ranks}.npy", -1 - np.arange(18 * ranks, dtype=np.float32).reshape(3 * ranks, 6))
    runner = Runner(options)
    launchers = options.launch.split(",")
    for (name, one, others, wanted, switches), grid in [(f, (3,)) for f in FAULTS] + [(f, (2, 2)) for f in GRID_FAULTS]:
        if options.only and name not in options.only.split(","):
            continue
        text = program(one, others, 1, grid)
        wanted = [lines_in(w, name, text) for w in wanted]
        faulty = runner.compile(name, text)
        clean = None if name in NO_TWIN else runner.compile(name + "-twin", program(one, others, 7, grid))
        ranks = ranks_of(grid)
        for launcher in launchers:
            signalled = name.startswith("killed") or name == "stopped"
            if signalled and launcher == "threads":
                continue
            done = runner.run(launcher, faulty, switches, killed=1 if signalled else None, ranks=ranks,
                              how=signal.SIGSTOP if name == "stopped" else signal.SIGKILL)
            runner.fault(launcher, name, done, wanted)
            if clean:
                runner.twin(launcher, name, runner.run(launcher, clean, switches, ranks=ranks))
    for launcher in launchers:
        name, one, others = SLOW
        if options.only and name not in options.only.split(","):
            break
        runner.twin(launcher, name, runner.run(launcher, runner.compile(name, program(one, others, 1)), HANG))
    if not options.only or "other-program" in options.only:
        text = program(SUM, SUM, 1)
        first = runner.compile("one-program", text)
        second = runner.compile("other-program", program(MAX, MAX, 1))
        for launcher in launchers:
            if launcher == "threads":
                continue
            runner.fault(launcher, "other-program", runner.run(launcher, first, "", others=second),
                         [r"rank 1 has another program than rank 0: it was compiled from another text"])
            runner.twin(launcher, "one-program", runner.run(launcher, first, "", others=first))
            for kind, flags, wanted in BUILDS:
                runner.fault(launcher, kind, runner.run(launcher, first, "", others=runner.compile("one-program-" + kind, text, flags)),
                             [r"rank 1 has another program than rank 0: " + wanted])
            if options.shim:
                done = runner.run(launcher, first, HANG, variables=[("LD_PRELOAD", options.shim)])
                runner.fault(launcher, "lost-message", done,
                             [r"waits in all_reduce number 1, .*one-program\.mlir:1[14]",
                              r"all ranks of its group are in it: a message was lost"])
    print(f"{runner.named} faults are named, {runner.ran} twins ran")


if __name__ == "__main__":
    main()
