#!/usr/bin/env python3
"""Draws docs/pictures/session.svg, the picture of the README: what a pass did, and what a check finds after a kernel was edited.

usage: readme_picture.py BUILD_DIR [OUTPUT.svg]

Runs the tools on docs/examples/classifier in a temporary folder, and draws what they print as two terminal windows.
"""
import html
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

CHARACTER, LINE, MARGIN, WIDTH = 7.25, 17, 14, 118  # of a monospaced 12 px font; characters of a window
COLORS = {"+": "#3fb950", "-": "#f85149", "~": "#d29922", "$": "#79c0ff", "!": "#f85149"}


def run(command, folder, tools):
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True,
                          env={"PATH": f"{tools}:/usr/bin:/bin", "HOME": str(folder), "NO_COLOR": "1", "COLUMNS": str(WIDTH)})
    return (done.stdout + done.stderr).rstrip().splitlines()


def color(line):
    if line.startswith("$"):
        return COLORS["$"]
    if re.search(r"DIFFERENT|first that differs|got .* expected", line):
        return COLORS["!"]
    mark = re.match(r"same change in .*: (added|removed)|(added|removed|changed)", line)
    word = mark and (mark[1] or mark[2])
    return {"added": COLORS["+"], "removed": COLORS["-"], "changed": COLORS["~"]}.get(word, "#c9d1d9")


def window(title, lines, top):
    """The SVG of one window, and its height."""
    lines = [part for line in lines for part in textwrap.wrap(line, WIDTH, subsequent_indent="    ", drop_whitespace=False) or [""]]
    height = MARGIN * 2 + 26 + LINE * len(lines)
    width = WIDTH * CHARACTER + 2 * MARGIN
    parts = [f'<rect x="0" y="{top}" width="{width:.0f}" height="{height}" rx="8" fill="#0d1117" stroke="#30363d"/>',
             f'<text x="{MARGIN}" y="{top + 20}" fill="#8b949e">{html.escape(title)}</text>']
    for k, line in enumerate(lines):
        y = top + 26 + MARGIN + LINE * k + 8
        parts.append(f'<text x="{MARGIN}" y="{y}" fill="{color(line)}" xml:space="preserve">{html.escape(line)}</text>')
    return parts, height


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    source = pathlib.Path(__file__).resolve().parents[2]
    output = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else source / "docs" / "pictures" / "session.svg"
    model = source / "docs" / "examples" / "classifier"
    with tempfile.TemporaryDirectory() as name:
        folder, tools = pathlib.Path(name), build / "bin"
        run(f"cp {model}/classifier.mlir {model}/digits.npy . && mica-compile classifier.mlir -o classifier", folder, tools)
        first, second = "mica-diff classifier --stat", "mica-diff classifier mica-dispatch-drop-unit-dims"
        shown = [f"$ {first}", *run(first, folder, tools)[:8], "  ...", f"$ {second}", *run(second, folder, tools)[:8]]
        edit = "sed -i 's/arith.addf/arith.subf/' classifier/kernels/matmul_add_*/kernel.mlir"
        check = "mica-run classifier --input=@digits.npy --check-reference=ops --output=@out.npy"
        run(edit, folder, tools)
        said = run(check, folder, tools)
        wrong = next(k for k, line in enumerate(said) if line.startswith("ops:") and "DIFFERENT" in line)
        found = [f"$ {edit}", f"$ {check}", *said[:3], "  ...", *said[wrong:wrong + 4], "  ...",
                 *[line for line in said if line.startswith("ops: first")]]
    upper, height = window("What did each pass do?", shown, 1)
    lower, more = window("A kernel was edited: which op is wrong now?", found, height + 16)
    width = WIDTH * CHARACTER + 2 * MARGIN
    text = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 2:.0f}" height="{height + more + 18}" '
            'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="12">', *upper, *lower, "</svg>"]
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
