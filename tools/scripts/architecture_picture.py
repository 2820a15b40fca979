#!/usr/bin/env python3
"""Draws docs/pictures/architecture.svg, the picture of docs/Architecture.md: the areas of the code, and the way of a program through them.

usage: architecture_picture.py [OUTPUT.svg] [--check]

--check compares instead: exit code 1 if the picture is stale, or names an area that is not in the tree.
"""
import html
import pathlib
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
WIDTH = 940
INK, SOFT, LINE, PAPER = "#1f2328", "#59636e", "#8c959f", "#ffffff"
COMPILER, STD, FILES = ("#ddf4ff", "#0969da"), ("#dafbe1", "#1a7f37"), ("#fff8c5", "#9a6700")

# The phases, what the IR is after each, and the areas that make it so.
PHASES = [
    ("input", "as parsed and checked", "lib/Compiler/Input, dialects"),
    ("tensor", "mica and linalg; op ids", "passes/Tensor"),
    ("dispatch", "kernels and dispatches", "passes/Dispatch"),
    ("schedule", "buffers and task lists", "passes/Schedule"),
    ("kernel", "tiled, vectorized loops", "passes/Codegen/CPU, GPU"),
    ("lowered", "LLVM dialect", "passes/Codegen/CPU, GPU"),
    ("object", ".ll, .s, .o, program.so", "lib/Compiler/Codegen"),
]


class Picture:
    def __init__(self):
        self.parts, self.areas = [], set()

    def text(self, x, y, text, size=12, fill=INK, anchor="start", weight="normal", mono=False):
        family = ' font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace"' if mono else ""
        self.parts.append(f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" text-anchor="{anchor}" '
                          f'font-weight="{weight}"{family}>{html.escape(text)}</text>')

    def box(self, x, y, width, height, colors, title, lines=(), areas="", dashed=False):
        """A box with a title, lines of text, and below them its areas of the tree."""
        fill, stroke = colors
        dash = ' stroke-dasharray="4 3"' if dashed else ""
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{fill}" stroke="{stroke}"{dash}/>')
        self.text(x + width / 2, y + 18, title, 13, weight="bold", anchor="middle")
        for k, line in enumerate(lines):
            self.text(x + width / 2, y + 35 + 15 * k, line, 11, anchor="middle")
        for k, area in enumerate(areas.split(", ") if areas else []):
            self.areas.add(area)
            self.text(x + width / 2, y + 36 + 15 * len(lines) + 13 * k, area, 10, fill=SOFT, anchor="middle", mono=True)

    def arrow(self, *points, label="", at=None):
        path = " ".join(f"{x},{y}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{LINE}" stroke-width="1.5" marker-end="url(#head)"/>')
        if label:
            self.text(*at, label, 11, fill=SOFT)

    def frame(self, y, height, colors, title, tools, title_below=False):
        self.parts.append(f'<rect x="10" y="{y}" width="{WIDTH - 20}" height="{height}" rx="10" fill="{PAPER}" stroke="{colors[1]}"/>')
        line = y + height - 14 if title_below else y + 22
        self.text(24, line, title, 14, fill=colors[1], weight="bold")
        self.text(WIDTH - 24, line, tools, 11, fill=SOFT, anchor="end", mono=True)


def draw():
    p = Picture()
    # The compiler half: seven phases in a row, below them what drives and records them.
    p.frame(10, 312, COMPILER, "Compiler half (C++20, LLVM/MLIR)", "mica-opt  mica-compile  mica-diff  mica-bisect  mica-reduce  mica-test-gen  mica-lsp-server")
    step, width = 130, 116
    for k, (name, what, areas) in enumerate(PHASES):
        x = 22 + step * k
        words = what.split("; ") if "; " in what else what.rsplit(" ", 1) if len(what) > 19 else [what]
        p.box(x, 76, width, 98, COMPILER, name, words[:2], "")
        for n, area in enumerate(areas.split(", ")):
            whole = area if "/" in area or area == "dialects" else "passes/Codegen/" + area
            p.areas.add(whole)
            p.text(x + width / 2, 140 + 13 * n, whole.replace("passes/Codegen/", "…/Codegen/").replace("lib/Compiler/", "…/Compiler/"), 10,
                   fill=SOFT, anchor="middle", mono=True)
        if k:
            p.arrow((x - step + width, 112), (x - 3, 112))
    p.text(24, 62, "model.mlir", 12, weight="bold", mono=True)
    p.arrow((80, 66), (80, 74))
    p.box(22, 206, 246, 100, COMPILER, "Driver", ["options to artifact, one step after", "the other; starts the passes"],
          "lib/Compiler/Driver, lib/Compiler/Program")
    p.box(282, 206, 246, 100, COMPILER, "Recorder", ["a snapshot after every pass, remarks,", "logs, reproducers"],
          "lib/Compiler/Record, lib/Compiler/Snapshot")
    p.box(542, 206, 182, 100, COMPILER, "Emit and rebuild", ["writes the artifact; rebuilds", "what an edit changed"],
          "lib/Compiler/Emit, lib/Compiler/Rebuild")
    p.box(738, 206, 180, 100, COMPILER, "Reference", ["evaluator; naive lowering", "that shares no pass"],
          "dialects/Mica/Reference, passes/Codegen/Reference")
    p.arrow((145, 206), (145, 177), label="runs", at=(150, 196))
    p.arrow((405, 177), (405, 203), label="every pass", at=(410, 196))
    p.arrow((828, 177), (828, 192), (633, 192), (633, 203))
    # The files between the halves.
    p.box(22, 356, 430, 62, FILES, "Artifact (a folder, moves to any machine)", ["program.so, kernels/, host/tasks.json, passes_dump/, manifest.json"],
          "lib/Artifact")
    p.box(488, 356, 430, 62, FILES, "Trace log (TORCH_TRACE format)", ["compiles, passes, caches, runs"], "lib/Trace")
    p.arrow((590, 306), (590, 338), (237, 338), (237, 353), label="writes", at=(245, 350))
    p.arrow((690, 306), (690, 353), label="logs", at=(696, 346))
    # The std half.
    p.frame(452, 240, STD, "Std half (C++20, no LLVM)", "mica-run  mica-bench  mica-report  mica-dump  libmica.so", title_below=True)
    p.box(22, 474, 180, 74, STD, "Back ends", ["cpu, sim, cuda"], "lib/Runtime/Backend")
    p.box(226, 474, 180, 74, STD, "Runtime", ["contexts, task lists, devices"], "lib/Runtime")
    p.box(430, 474, 230, 74, STD, "mica-run", ["compiles, runs, checks, prints"], "lib/RunTool")
    p.box(22, 578, 180, 74, STD, "Comparison", ["bounds, inputs, .npy"], "lib/Compare")
    p.box(226, 578, 180, 74, STD, "C API", ["libmica.so"], "lib/C")
    p.box(430, 578, 230, 74, FILES, "Run folder", ["inputs, results, events"])
    p.box(688, 474, 230, 178, STD, "Report", ["pages for the browser about", "artifacts, runs and trace logs;", "comparison of two of them"], "lib/Report")
    p.arrow((316, 418), (316, 471), label="loads", at=(322, 441))
    p.arrow((430, 511), (409, 511))
    p.arrow((226, 511), (205, 511))
    p.arrow((316, 578), (316, 551))
    p.arrow((440, 548), (440, 563), (112, 563), (112, 575))
    p.arrow((545, 548), (545, 575), label="writes", at=(551, 567))
    p.arrow((660, 615), (685, 615))
    p.arrow((800, 418), (800, 471), label="reads", at=(806, 441))
    p.arrow((452, 387), (470, 387), (470, 434), (740, 434), (740, 471))
    missing = sorted(area for area in p.areas if not (SOURCE / area).is_dir())
    if missing:
        sys.exit("not in the tree: " + ", ".join(missing))
    height = 702
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        'font-family="system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif" role="img">',
        "<title>The areas of Mica and the way of a program through them</title>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0,0 L8,4 L0,8 z" fill="{LINE}"/></marker></defs>',
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>', *p.parts, "</svg>"]) + "\n"


def main():
    files = [argument for argument in sys.argv[1:] if argument != "--check"]
    output = pathlib.Path(files[0]) if files else SOURCE / "docs" / "pictures" / "architecture.svg"
    picture = draw()
    if "--check" in sys.argv:
        if not output.exists() or output.read_text() != picture:
            sys.exit(f"{output.name} is stale: run tools/scripts/architecture_picture.py")
        print(f"{output.name} is current")
        return
    output.write_text(picture)


main()
