#!/usr/bin/env python3
"""Runs mica-compile on file systems of growing size until one is large enough: every failure says that the disk is full,
has exit code 1 and leaves nothing.

usage: disk_full.py MICA_COMPILE MODEL FOLDER
The file systems are tmpfs mounts in a namespace of their own; prints SKIPPED with the reason where the
system permits none.
"""
import os
import pathlib
import subprocess
import sys


def main():
    compiler, model, folder = sys.argv[1], os.path.abspath(sys.argv[2]), pathlib.Path(sys.argv[3]).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    full = whole = 0
    for size in (8, 40, 120, 200, 300, 450, 600, 800, 8000):
        # The exit code, the errors and what is left, separated by lines of their own.
        script = (f'mount -t tmpfs -o size={size}k none "$1" || exit 99; "$2" "$3" -o "$1/artifact" 2>&1; '
                  'echo "exit $?"; ls -A "$1"; echo "end"')
        prefix = ["unshare", "-m" if os.geteuid() == 0 else "-rm"]
        try:
            run = subprocess.run(prefix + ["sh", "-c", script, "sh", str(folder), compiler, model],
                                 capture_output=True, text=True, check=False)
        except OSError as error:
            print(f"SKIPPED: no file system of a fixed size can be mounted: {error}")
            return 0
        if "end\n" not in run.stdout:
            print(f"SKIPPED: no file system of a fixed size can be mounted: {run.stderr.strip()}")
            return 0
        said, _, rest = run.stdout.partition("exit ")
        code, *left = rest.split("\n")[:-2]
        if code == "0":
            whole += left == ["artifact"]
            continue
        if code != "1" or left or "No space left on device" not in said or "hint: " not in said:
            print(f"at {size} KiB: exit code {code}, left: {left}\n{said}")
            return 1
        full += 1
    print(f"full disks: {full}, large enough: {whole}")
    return 0 if full and whole else 1


if __name__ == "__main__":
    sys.exit(main())
