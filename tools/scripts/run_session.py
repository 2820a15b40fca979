#!/usr/bin/env python3
"""Runs the commands of a page's ```sh blocks one by one, as a reader would paste them.

usage: run_session.py PAGE [BLOCK]      (BLOCK counts from 1; default: all)
Ends at the first command that fails, names it and its exit code.
"""
import re
import subprocess
import sys


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__)
        return 2
    blocks = re.findall(r"^```sh\n(.*?)^```", open(sys.argv[1]).read(), re.M | re.S)
    if len(sys.argv) == 3:
        blocks = [blocks[int(sys.argv[2]) - 1]]
    if not blocks:
        print(f"{sys.argv[1]}: no ```sh block")
        return 1
    # One shell for all, as in a terminal; each command is shown before it runs. `head` may close a pipe early.
    script = "set -eu\n" + "".join(f"{line}\n" for block in blocks for line in block.splitlines())
    return subprocess.run(["bash", "-x", "-c", script]).returncode


if __name__ == "__main__":
    sys.exit(main())
