"""Plants faults in programs for several ranks, and looks for rank, exchange and line in what is reported.

usage: faults.py FOLDER --tools=DIR [--launch=threads,openmpi,mpich] [--only=NAME] [--shim=LIB]

Each program is written for each rank: rank 1 takes a branch of its own. Its clean twin is the same text with a rank
that does not exist in place of 1, and has to run. Ends with the number of faults that were named and of twins that ran.
"""
import argparse
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
RANKS = 3
PART = "tensor<3x6xf32>"
SHARDING = "{mica_sched.sharding = {grid = array<i64: 3>, shape = array<i64: 9, 6>, axes = [array<i64: 0>, array<i64>]}}"
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
STOP = """%%%0 = scf.for %i = %first to %endless step %one iter_args(%t = %x) -> (PART) {
      %m = arith.negf %t : PART
      scf.yield %m : PART
    }""".replace("PART", PART).replace("%%%0", "%{0}")


def cast(root):
    return f"shard.broadcast %x on @grid grid_axes = [0] root = [{root}] : ({PART}) -> {PART}"


def send(to):
    return f"shard.send %x on @grid grid_axes = [0] destination = [{to}] : ({PART}) -> {PART}"


def recv(source):
    return f"shard.recv %x on @grid grid_axes = [0] source = [{source}] : ({PART}) -> {PART}"


def block(ops):
    """A branch: `ops` in order, the names of their results %a, %b, ...; it gives the last one."""
    ops = [ops] if isinstance(ops, str) else list(ops)
    names, text = "abcdefg", []
    for name, op in zip(names, ops):
        text.append(op.replace("{0}", name) if op.startswith("%") else f"%{name} = {op}")
    return text, f"%{names[len(ops) - 1]}" if ops else "%x"


def program(one, others, rank):
    lines = ["shard.grid @grid(shape = 3)",
             f"func.func @main(%x: {PART} {SHARDING}) -> ({PART} {SHARDING}) {{",
             "  %first = arith.constant 0 : index", "  %one = arith.constant 1 : index",
             "  %last = arith.constant 3000 : index", "  %endless = arith.constant 4000000000000 : index",
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
    ("killed", [STOP, SUM.replace("%x", "%a")], SUM, [r"rank 1|node 1|KILLED BY SIGNAL: 9|EXIT CODE: 9"], ""),
]
SLOW = ("slow-rank", [LONG, SUM.replace("%x", "%a")], SUM)


def rank_of(pid):
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            variables = dict(v.split(b"=", 1) for v in file.read().split(b"\0") if b"=" in v)
    except OSError:
        return None
    return variables.get(b"OMPI_COMM_WORLD_RANK", variables.get(b"PMI_RANK"))


def kill_rank(name, number, after):
    """Kills the process of rank `number` that runs `name`, `after` seconds from now."""
    time.sleep(after)
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                line = file.read()
        except OSError:
            continue
        if b"mica-run\0" in line and name.encode() in line and rank_of(pid) == str(number).encode():
            os.kill(int(pid), signal.SIGKILL)


class Runner:
    def __init__(self, options):
        self.folder, self.tools = options.folder, options.tools
        self.named = self.ran = 0

    def compile(self, name, text):
        base = os.path.join(self.folder, name)
        with open(base + ".mlir", "w") as file:
            file.write(text)
        subprocess.run([f"{self.tools}/mica-compile", base + ".mlir", "-o", base, "--force", "--dump-passes=off"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL if "twin" in name else None)
        return base

    def run(self, launcher, base, switches, others=None, variables=(), killed=None):
        tool = [f"{self.tools}/mica-run"]
        arguments = [f"--input=@{self.folder}/x.npy", f"--output=@{base}.npy"]
        if launcher == "threads":
            command = tool + [base, "--ranks=threads"] + arguments
        elif others:
            command = LAUNCHERS[launcher] + ["-n", "1"] + tool + [base] + arguments + [":", "-n", str(RANKS - 1)] + \
                tool + [others] + arguments
        else:
            command = LAUNCHERS[launcher] + ["-n", str(RANKS)] + tool + [base] + arguments
        environment = dict(os.environ, **dict(variables))
        if switches:
            environment["MICA_DEBUG"] = switches
        if killed is not None:
            threading.Thread(target=kill_rank, args=(base, killed, 3), daemon=True).start()
        try:
            return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)
        except subprocess.TimeoutExpired as late:
            sys.exit(f"{' '.join(command)}\ndid not end\n{late.stdout}\n{late.stderr}")

    def fault(self, launcher, name, done, wanted):
        text = done.stdout + done.stderr
        missing = [w for w in wanted if not re.search(w, text)]
        if done.returncode == 0 or missing:
            sys.exit(f"{name} by {launcher}: exit code {done.returncode}, not reported: {missing}\n{text}")
        self.named += 1

    def twin(self, launcher, name, done):
        if done.returncode != 0 or "warning" in done.stderr:
            sys.exit(f"clean twin of {name} by {launcher}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        self.ran += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--tools", required=True)
    parser.add_argument("--launch", default="threads")
    parser.add_argument("--only", default="")
    parser.add_argument("--shim", default="", help="a library that loses the second all_reduce of rank 1")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    np.save(f"{options.folder}/x.npy", -1 - np.arange(54, dtype=np.float32).reshape(9, 6))
    runner = Runner(options)
    launchers = options.launch.split(",")
    for name, one, others, wanted, switches in FAULTS:
        if options.only and name not in options.only.split(","):
            continue
        text = program(one, others, 1)
        wanted = [lines_in(w, name, text) for w in wanted]
        faulty = runner.compile(name, text)
        # Without a rank 1 of its own, all wait for each other there, too.
        clean = None if name == "waits-for-each-other" else runner.compile(name + "-twin", program(one, others, 7))
        for launcher in launchers:
            if name == "killed" and launcher == "threads":
                continue
            killed = 1 if name == "killed" else None
            runner.fault(launcher, name, runner.run(launcher, faulty, switches, killed=killed), wanted)
            if clean:
                runner.twin(launcher, name, runner.run(launcher, clean, switches))
    for launcher in launchers:
        name, one, others = SLOW
        if options.only and name not in options.only.split(","):
            break
        runner.twin(launcher, name, runner.run(launcher, runner.compile(name, program(one, others, 1)), HANG))
    if not options.only or "other-program" in options.only:
        first = runner.compile("one-program", program(SUM, SUM, 1))
        second = runner.compile("other-program", program(MAX, MAX, 1))
        for launcher in launchers:
            if launcher == "threads":
                continue
            runner.fault(launcher, "other-program", runner.run(launcher, first, "", others=second),
                         [r"rank 1 has another program than rank 0: it was compiled from another text"])
            runner.twin(launcher, "one-program", runner.run(launcher, first, "", others=first))
            if options.shim:
                done = runner.run(launcher, first, HANG, variables=[("LD_PRELOAD", options.shim)])
                runner.fault(launcher, "lost-message", done,
                             [r"waits in all_reduce number 1, .*one-program\.mlir:1[14]",
                              r"all ranks of its group are in it: a message was lost"])
    print(f"{runner.named} faults are named, {runner.ran} twins ran")


if __name__ == "__main__":
    main()
