#!/usr/bin/env python3
"""Finds code that compares with the name of a target or of one of its devices.

usage: check_targets.py SOURCE_DIR

Names are those of lib/Support/Targets.cpp. A comparison is ==, !=, starts_with, consume_front or .Case beside a target's name in quotes,
or beside a target's or device's name with a colon.
"""
import pathlib
import re
import sys

BEFORE = re.compile(r'(==|!=|starts_with\(|consume_front\(|\.Case\()\s*$')
AFTER = re.compile(r'^\s*(==|!=)')


def main():
    root = pathlib.Path(sys.argv[1])
    table = (root / "lib" / "Support" / "Targets.cpp").read_text()
    names = sorted(set(re.findall(r'\.name = "(\w+)"', table)))
    devices = sorted(set(re.findall(r'\.device = "(\w+)"', table)) | set(names))
    quoted = re.compile(r'"(?:(?:%s)|(?:%s):[^"]*)"' % ("|".join(names), "|".join(devices)))
    errors, files = [], 0
    for folder in ("include", "lib", "dialects", "passes", "tools"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".h", ".cpp"):
                continue
            files += 1
            for number, line in enumerate(file.read_text().splitlines(), 1):
                code = line.split("//")[0] if not line.lstrip().startswith("//") else ""
                for match in quoted.finditer(code):
                    if BEFORE.search(code[: match.start()]) or AFTER.match(code[match.end():]):
                        errors.append(f"{file.relative_to(root)}:{number}: compares with a target's name: {match.group(0)}")
    print("\n".join(errors) if errors else f"{files} files, no comparison of target names")
    sys.exit(1 if errors else 0)


main()
