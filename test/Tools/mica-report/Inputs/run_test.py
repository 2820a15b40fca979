"""Runs the first RUN line of lit tests. usage: run_test.py FILE..."""
import subprocess
import sys

for file in sys.argv[1:]:
    text = open(file).read()
    command = text.splitlines()[0].removeprefix("// RUN: ").replace("%s", file)
    ended = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True)
    print(file, "passes" if ended.returncode == 0 else "FAILED: " + ended.stderr[:3000] + text[:2000])
