#!/usr/bin/env python3
"""Checks every #include of the tree against the table of who may include whom in docs/Architecture.md.

usage: check_layering.py [SOURCE_DIR]
Prints one line per forbidden include and exits 1, or prints a summary and exits 0.

The table is the one between the lines `<!-- layering:begin -->` and `<!-- layering:end -->`: first column an area (a
folder prefix), second column the areas it may include besides itself, third column whether it may name LLVM/MLIR. `X/*` is X and every area below it. No areas may include one another in a circle.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)
SOURCES = {".h", ".cpp", ".c", ".inc"}


def read_table(architecture):
    text = architecture.read_text()
    body = text.split("<!-- layering:begin -->")[1].split("<!-- layering:end -->")[0]
    table = {}
    for line in body.splitlines():
        cells = [c.strip().replace("`", "") for c in line.strip().strip("|").split("|")]
        if len(cells) < 3 or cells[0] in ("area", "") or set(cells[0]) <= {"-", ":"}:
            continue
        allowed = {a.strip() for a in cells[1].split(",") if a.strip() not in ("", "-")}
        table[cells[0]] = (allowed, cells[2] == "yes")
    for allowed, _ in table.values():
        for prefix in [a[:-2] for a in allowed if a.endswith("/*")]:
            allowed.discard(prefix + "/*")
            allowed.update(a for a in table if a == prefix or a.startswith(prefix + "/"))
    return table


def find_cycle(table):
    """Areas that may include one another in a circle, or None."""
    done, path = set(), []

    def visit(area):
        if area in path:
            return path[path.index(area):] + [area]
        if area in done or area not in table:
            return None
        path.append(area)
        for other in sorted(table[area][0] - {area}):
            if cycle := visit(other):
                return cycle
        path.pop()
        done.add(area)
        return None

    return next((cycle for area in table if (cycle := visit(area))), None)


def area_of(path, table):
    """The longest area of the table that `path` (relative, with /) lies in."""
    best = ""
    for area in table:
        if (path == area or path.startswith(area + "/")) and len(area) > len(best):
            best = area
    return best


def canonical(path):
    """lib/X and include/mica/X are one area: lib/X."""
    if path.startswith("include/mica/"):
        return "lib/" + path[len("include/mica/"):]
    if path.startswith("mica/"):
        return "lib/" + path[len("mica/"):]
    return path


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    table = read_table(root / "docs" / "Architecture.md")
    errors, files = [], 0
    for folder in ("include", "lib", "dialects", "passes", "tools"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in SOURCES:
                continue
            files += 1
            path = file.relative_to(root).as_posix()
            area = area_of(canonical(path), table)
            if not area:
                errors.append(f"{path}: lies in no area of the table in docs/Architecture.md")
                continue
            allowed, may_llvm = table[area]
            for match in INCLUDE.finditer(file.read_text()):
                name = match.group(1)
                line = file.read_text()[: match.start()].count("\n") + 1
                if name.startswith(("mlir/", "llvm/", "mlir-c/", "llvm-c/", "lld/")):
                    if not may_llvm:
                        errors.append(f"{path}:{line}: {area} may not include LLVM/MLIR: {name}")
                    continue
                if not name.startswith(("mica/", "dialects/", "passes/", "tools/")):
                    continue
                target = area_of(canonical(name), table)
                if target != area and target not in allowed:
                    errors.append(f"{path}:{line}: {area} may not include {target or 'an unlisted area'}: {name}")
    if cycle := find_cycle(table):
        errors.append("docs/Architecture.md: areas may include one another in a circle: " + " -> ".join(cycle))
    for error in errors:
        print(error)
    if not errors:
        print(f"layering: {files} files, no forbidden include")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
