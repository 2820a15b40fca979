#!/usr/bin/env python3
"""Times a tensor-parallel transformer block on two ranks: exchanges beside kernels, and what ledger and checks cost.

usage: bench_ranks.py --tools=DIR [--launch=openmpi|mpich] [--pairs=N] [--repeat=N] [--shim=LIB --delay=US] [--tokens=N]

The block works on two halves of a batch, so one half is computed while the sums of the other are exchanged. Each number
is the median of the ratios of pairs of runs, one with and one without, in turns; a run is the median of --repeat calls.
With --shim (MicaDelayMessages.so) each sum takes --delay microseconds more, as on a slow link. With --show, the share of
the time in exchanges in which kernels run is read from a trace (switch rank-trace).
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile

LAUNCHERS = {"openmpi": ["mpirun.openmpi", "--oversubscribe", "--allow-run-as-root", "-n", "2"], "mpich": ["mpirun.mpich", "-n", "2"]}
MAPS = """#x = affine_map<(h, s, d, m) -> (s, m)>
#w = affine_map<(h, s, d, m) -> (h, m, d)>
#q = affine_map<(h, s, d, m) -> (h, s, d)>
#qk = affine_map<(h, s, t, d) -> (h, s, d)>
#kk = affine_map<(h, s, t, d) -> (h, t, d)>
#score = affine_map<(h, s, t, d) -> (h, s, t)>
#p = affine_map<(h, s, d, t) -> (h, s, t)>
#v = affine_map<(h, s, d, t) -> (h, t, d)>
#o = affine_map<(h, s, d, t) -> (h, s, d)>
#oh = affine_map<(s, m, h, d) -> (h, s, d)>
#wo = affine_map<(s, m, h, d) -> (h, d, m)>
#y = affine_map<(s, m, h, d) -> (s, m)>
"""


def block(number, x, tokens, width, heads, head, hidden):
    """The two parts of a block on `x`, attention and MLP; `number` tells the names of two blocks apart."""
    def tensor(*sizes):
        return "tensor<" + "x".join(map(str, sizes)) + "xf32>"
    xs, w, wo = tensor(tokens, width), tensor(heads, width, head), tensor(heads, head, width)
    q, s = tensor(heads, tokens, head), tensor(heads, tokens, tokens)
    up, h, down = tensor(width, hidden), tensor(tokens, hidden), tensor(hidden, width)
    def filled(name, kind):
        return (f"  %{name}e = tensor.empty() : {kind}\n"
                f"  %{name} = linalg.fill ins(%zero : f32) outs(%{name}e : {kind}) -> {kind}\n")
    def contract(name, maps, a, ta, b, tb, into, tc):
        return f"  %{name} = linalg.contract indexing_maps = [{maps}] ins({a}, {b} : {ta}, {tb}) outs(%{into} : {tc}) -> {tc}\n"
    n = str(number)
    text = filled("f" + n, q) + filled("g" + n, s) + filled("i" + n, xs)
    for part in "qkv":
        text += contract(part + n, "#x, #w, #q", x, xs, f"%{part}_weight", w, "f" + n, q)
    text += contract("scores" + n, "#qk, #kk, #score", f"%q{n}", q, f"%k{n}", q, "g" + n, s)
    text += f"  %weights{n} = mica.softmax %scores{n} axis = 2 : {s}\n"
    text += contract("mixed" + n, "#p, #v, #o", f"%weights{n}", s, f"%v{n}", q, "f" + n, q)
    text += contract("attended" + n, "#oh, #wo, #y", f"%mixed{n}", q, "%o_weight", wo, "i" + n, xs)
    attention, text = text, f"  %residual{n} = mica.add {x}, %attended{n} : ({xs}, {xs}) -> {xs}\n"
    text += f"  %hidden{n} = mica.matmul %residual{n}, %up_part : ({xs}, {up}) -> {h}\n"
    text += f"  %active{n} = mica.relu %hidden{n} : {h}\n"
    text += f"  %out{n} = mica.matmul %active{n}, %down_part : ({h}, {down}) -> {xs}\n"
    return attention, text + f"  %sum{n} = mica.add %residual{n}, %out{n} : ({xs}, {xs}) -> {xs}\n"


def program(tokens, ranks=2, width=256, heads=8, head=32, hidden=1024):
    x = f"tensor<{tokens}x{width}xf32>"
    w, wo = f"tensor<{heads}x{width}x{head}xf32>", f"tensor<{heads}x{head}x{width}xf32>"
    up, down = f"tensor<{width}x{hidden}xf32>", f"tensor<{hidden}x{width}xf32>"
    text = MAPS + f"shard.grid @ranks(shape = {ranks})\n"
    text += f"func.func @main(%x0: {x}, %x1: {x}, %wq: {w}, %wk: {w}, %wv: {w}, %wo: {wo}, %up: {up}, %down: {down}) -> ({x}, {x}) {{\n"
    text += "  %heads = shard.sharding @ranks split_axes = [[0]] : !shard.sharding\n"
    text += "  %columns = shard.sharding @ranks split_axes = [[], [0]] : !shard.sharding\n"
    text += "  %zero = arith.constant 0.0 : f32\n"
    for name, of, how, kind in (("q_weight", "wq", "heads", w), ("k_weight", "wk", "heads", w), ("v_weight", "wv", "heads", w),
                                ("o_weight", "wo", "heads", wo), ("up_part", "up", "columns", up), ("down_part", "down", "heads", down)):
        text += f"  %{name} = shard.shard %{of} to %{how} annotate_for_users : {kind}\n"
    # Exchanges are made in the order of the text: those of one half have kernels of the other beside them.
    blocks = [block(number, f"%x{number}", tokens, width, heads, head, hidden) for number in (0, 1)]
    text += blocks[0][0] + blocks[1][0] + blocks[0][1] + blocks[1][1]
    return text + f"  return %sum0, %sum1 : {x}, {x}\n}}\n"


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        with open(f"{folder}/block.mlir", "w") as file:
            file.write(program(options.tokens))
        subprocess.run([f"{options.tools}/mica-compile", f"{folder}/block.mlir", "-o", f"{folder}/block", "--dump-passes=off"],
                       check=True, stdout=subprocess.DEVNULL)

    def run(self, switches, delay=0, repeat=None):
        """The median time of a call, in ms."""
        environment = dict(os.environ, MICA_DEBUG=switches, OMPI_MCA_btl="self,vader")
        if delay:
            environment.update(LD_PRELOAD=self.options.shim, MICA_TEST_DELAY_US=str(delay))
        done = subprocess.run(LAUNCHERS[self.options.launch] + [f"{self.options.tools}/mica-run", f"{self.folder}/block", "--threads=2",
                              f"--repeat={repeat or self.options.repeat}"], capture_output=True, text=True, env=environment)
        found = re.search(r"median ([0-9.,]+) (us|ms|s)\b", done.stdout)
        if done.returncode != 0 or not found:
            sys.exit(f"{done.stdout}\n{done.stderr}")
        return float(found.group(1).replace(",", "")) * {"us": 1e-3, "ms": 1, "s": 1e3}[found.group(2)]

    def compare(self, name, one, other, delay=0):
        """Prints the ratio of the times with the switches `one` and `other`."""
        ratios, first, second = [], [], []
        for pair in range(self.options.pairs):
            # Who comes first changes.
            runs = [(one, first), (other, second)]
            for switches, times in runs if pair % 2 else reversed(runs):
                times.append(self.run(switches, delay))
            ratios.append(first[-1] / second[-1])
        print(f"{name}: {statistics.median(ratios):.3f} ({statistics.median(first):.3f} ms / {statistics.median(second):.3f} ms, "
              f"{len(ratios)} pairs, {min(ratios):.3f} to {max(ratios):.3f})", flush=True)
        return statistics.median(ratios)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--launch", default="openmpi", choices=sorted(LAUNCHERS))
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--repeat", type=int, default=50)
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--shim", default="")
    parser.add_argument("--delay", type=int, default=3000)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mica-bench-ranks") as folder:
        bench = Bench(options, folder)
        wanted = options.only.split(",") if options.only else ["overlap", "slow", "ledger", "check"]
        if options.show:
            bench.run(f"rank-trace={folder}/trace", options.delay if options.shim else 0, repeat=5)
            print(subprocess.run([f"{options.tools}/mica-report", f"{folder}/trace", "--text"], capture_output=True, text=True).stdout, end="")
        if "overlap" in wanted:
            bench.compare("rank-overlap on / off", "", "rank-overlap=off")
        if "slow" in wanted and options.shim:
            bench.compare(f"rank-overlap on / off, sums {options.delay} us slower", "", "rank-overlap=off", options.delay)
        if "ledger" in wanted:
            bench.compare("hang-timeout=30 (ledgers are watched) / off", "hang-timeout=30", "")
        if "check" in wanted:
            bench.compare("rank-check / off", "rank-check", "")
            bench.compare("rank-check, hang-timeout=30 / off", "rank-check,hang-timeout=30", "")


if __name__ == "__main__":
    main()
