"""Fails if a program or library of the std half needs LLVM, MLIR or CUDA, directly or through what it needs.

usage: check_needed.py FILE...
"""
import re
import subprocess
import sys

FORBIDDEN = re.compile(r"LLVM|MLIR|libcuda|libclang", re.IGNORECASE)


def needed(file):
    """Names in the dynamic section's NEEDED entries, as the linker wrote them."""
    text = subprocess.run(["readelf", "-d", file], check=True, capture_output=True, text=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", text)


def loaded(file):
    """Every library the loader would map for `file`."""
    text = subprocess.run(["ldd", file], check=True, capture_output=True, text=True).stdout
    return [line.split()[0] for line in text.splitlines() if line.strip()]


failed = False
for file in sys.argv[1:]:
    direct = needed(file)
    if not direct:
        print(f"{file}: error: needs no library at all; is it a dynamic program?")
        failed = True
    for name in sorted(set(direct + loaded(file))):
        if FORBIDDEN.search(name):
            print(f"{file}: error: needs {name}")
            failed = True
    print(f"{file}: needs {' '.join(direct)}")
sys.exit(failed)
