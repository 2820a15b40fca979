#!/usr/bin/env python3
"""Runs a command on a terminal of its own and prints what it wrote there: on_terminal.py COMMAND..."""
import os
import pty
import sys

pid, terminal = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm-256color"
    os.execvp(sys.argv[1], sys.argv[1:])
text = b""
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:  # how a terminal says that the other side is gone
        break
    if not part:
        break
    text += part
os.waitpid(pid, 0)
sys.stdout.write(text.decode(errors="replace").replace("\r\n", "\n"))
