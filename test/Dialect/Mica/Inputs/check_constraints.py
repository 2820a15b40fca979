"""Checks that each labelled constraint of a dialect's operations has a negative test.

usage: check_constraints.py FOLDER_OF_TD_FILES INVALID_MLIR...
A constraint (C3) of `mica.matmul` needs a function @matmul_c3 whose expected error holds "(C3)".
"""
import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
tests = {}
for path in sys.argv[2:]:
    for chunk in pathlib.Path(path).read_text().split("// -----"):
        for name in re.findall(r"func\.func @(\w+)\(", chunk):
            tests[name] = chunk

missing, operations, constraints = [], 0, 0
for path in sorted(folder.glob("*Ops.td")):
    text = path.read_text()
    for match in re.finditer(r'def Mica_\w+Op\s*:\s*\w+<"(\w+)".*?\n}\n', text, re.S):
        operation, body = match.group(1), match.group(0)
        labels = re.findall(r"- \((C\d+)\)", body)
        operations += 1
        constraints += len(labels)
        if not labels:
            missing.append(f"{operation}: no constraint is labelled")
        for label in labels:
            test = f"{operation}_{label.lower()}"
            if f"({label})" not in tests.get(test, ""):
                missing.append(f"{operation}: ({label}) has no function @{test} that expects it")
print("\n".join(missing) if missing else f"{operations} operations, {constraints} constraints, all tested")
sys.exit(1 if missing else 0)
