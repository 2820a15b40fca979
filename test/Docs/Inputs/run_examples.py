"""Runs each ```mlir block of a page through a command that reads standard input.

usage: run_examples.py PAGE COMMAND [ARGUMENT ...]
"""
import re
import subprocess
import sys

page, command = sys.argv[1], sys.argv[2:]
examples = re.findall(r"```mlir\n(.*?)```", open(page).read(), re.S)
for example in examples:
    done = subprocess.run(command, input=example, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{example}\n{done.stderr}")
print(f"{len(examples)} examples ran")
