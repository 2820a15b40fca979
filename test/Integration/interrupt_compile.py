#!/usr/bin/env python3
"""Ctrl-C (SIGINT) during a compile: exit code 130, and nothing is left behind.

usage: interrupt_compile.py MICA_COMPILE MODEL FOLDER
"""
import pathlib
import shutil
import signal
import subprocess
import sys
import time


def main():
    compiler, model, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    interrupted = 0
    for attempt in range(40):
        child = subprocess.Popen([compiler, model, "-o", str(folder / "artifact")], stderr=subprocess.DEVNULL)
        # The moment that matters: the temporary folder is there and being filled.
        while child.poll() is None and not any(p.name.startswith(".") for p in folder.iterdir()):
            time.sleep(0.0005)
        time.sleep(0.001 * attempt)
        child.send_signal(signal.SIGINT)
        code = child.wait()
        if code == 0:
            shutil.rmtree(folder / "artifact")
        elif code != 130:
            print(f"exit code {code}, expected 130")
            return 1
        else:
            interrupted += 1
        left = [p.name for p in folder.iterdir()]
        if left:
            print(f"left behind: {left}")
            return 1
    print(f"interrupted {interrupted} of 40")
    return 0 if interrupted > 10 else 1


if __name__ == "__main__":
    sys.exit(main())
