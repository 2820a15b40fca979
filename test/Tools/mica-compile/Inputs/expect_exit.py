#!/usr/bin/env python3
"""Runs a command and passes only when it ends with the exit code named: expect_exit.py CODE COMMAND..."""
import subprocess
import sys

code = subprocess.run(sys.argv[2:], check=False).returncode
if code != int(sys.argv[1]):
    print(f"exit code {code}, expected {sys.argv[1]}: {' '.join(sys.argv[2:])}", file=sys.stderr)
    sys.exit(1)
