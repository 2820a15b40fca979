#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the code of an artifact tries (see program.c) works in a plain run and is refused by the kernel in a confined one.

usage: sandbox.py SOURCE_ROOT FOLDER
"""
import os
import pathlib
import shutil
import subprocess
import sys

source, folder = map(pathlib.Path, sys.argv[1:])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
artifact = folder / "artifact"
subprocess.run([sys.executable, pathlib.Path(__file__).parent / "make_artifact.py", source, artifact], check=True)
victim, secret = folder / "victim", folder / "secret"


def run(action, *flags, file=None):
    """Exit code and standard error of a run whose kernel does `action`."""
    victim.write_text("of the user")
    secret.write_text("of the user")
    environment = os.environ | {"FAKE_ACTION": action, "FAKE_FILE": str(file or folder / "new")}
    done = subprocess.run(["mica-run", artifact, "--entry=affine", "--input=2x3xf32=1", *flags], env=environment, capture_output=True,
                          text=True, start_new_session=True, timeout=60)
    return done.returncode, done.stderr


def reset():
    for path in (folder / "new",):
        if path.is_dir() and not path.is_symlink():
            path.rmdir()
        elif path.is_symlink() or path.exists():
            path.unlink()


failures = 0
# Actions that would end this test's own processes are tried confined only.
ONLY_CONFINED = ("kill-parent", "kill-all", "ptrace", "memory", "prlimit", "type")
FILES = {"truncate": victim, "read": secret, "unlink": victim, "write-by-child": victim, "chmod": victim, "utime": victim}
ACTIONS = ["write", "truncate", "read", "unlink", "mkdir", "symlink", "write-by-child", "chmod", "utime", "queue-signal", "tcp", "udp", "unix", "exec", *ONLY_CONFINED]
for action in ACTIONS:
    limits = "--sandbox=memory=8G" if action == "memory" else "--sandbox"
    for flags, expected in ((), 3), ((limits,), 0):
        if not flags and action in ONLY_CONFINED:
            continue
        reset()
        code, said = run(action, *flags, file=FILES.get(action))
        good = code == expected and victim.exists() | (not flags)
        if flags:
            good = good and victim.read_text() == "of the user" and not (folder / "new").exists() and not (folder / "new").is_symlink()
        if not good:
            failures += 1
            print(f"{action} {' '.join(flags)}: exit code {code}, expected {expected}\n{said}")
print(f"{len(ACTIONS)} actions, {failures} failures")
sys.exit(failures != 0)
