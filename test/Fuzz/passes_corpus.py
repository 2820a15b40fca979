# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What mica-fuzz-passes works on: programs with the pipelines that are made for them, and every pass of Mica's with options.

Programs are the chunks of the tree's test inputs, with the passes of their RUN lines; the snapshots of compiles for cpu, sim and cuda,
with the passes that follow; and programs drawn from the dialects' ODS.
"""
import json
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("test/Passes", "test/Dialect", "test/Integration", "test/Tools", "test/Fuzz/Corpus/mlir", "docs/examples")
OWN = r"(?:mica-[\w-]+|convert-(?:tosa-to-)?mica[\w-]*|bufferize-mica[\w-]*)"
# Compiled for their snapshots: contractions, rows, convolutions, buffers, loops, tosa, gathers.
RECORDED = ("docs/examples/transformer/block.mlir", "docs/examples/classifier/classifier.mlir", "test/Integration/gather-scatter.mlir",
            "test/Integration/bf16-subnormals.mlir")
TARGETS = ("cpu", "sim", "cuda")
INTEGERS = [0, 1, -1, 2, 3, 16, 64, 1024, 2**31, 2**62, 2**63 - 1]
TEXTS = ["", "none", "all", "warn", "safe", "f16", "bf16", "main", "*", "bounds+race", "x"]
MOST = 12000  # characters of a program


def chunks(file):
    """(text, line) of each part of a split file, without the lines for the test runner."""
    for chunk in file.read_text(errors="replace").split("// -----"):
        lines = [line for line in chunk.splitlines() if line.strip() and not re.match(r"\s*//", line)]
        if lines and sum(map(len, lines)) < MOST:
            yield "\n".join(lines) + "\n"


def run_pipelines(text):
    """The pipelines of a file's RUN lines, as parsePassPipeline takes them."""
    runs = " ".join(line.split("RUN:", 1)[1].rstrip("\\ ") for line in text.splitlines() if "RUN:" in line)
    found = re.findall(r"--pass-pipeline=(?:'([^']*)'|\"([^\"]*)\")", runs)
    pipelines = [a or b for a, b in found]
    for match in re.finditer(rf"\s--?({OWN})(?:=(?:'([^']*)'|\"([^\"]*)\"|(\S+)))?(?=\s|$)", runs):
        options = match[2] or match[3] or match[4]
        pipelines.append(match[1] + (f"{{{options}}}" if options else ""))
    return sorted(set(pipelines))


def from_tests():
    for folder in FOLDERS:
        for file in sorted((SOURCE / folder).rglob("*.mlir")):
            pipelines = run_pipelines(file.read_text(errors="replace"))
            for number, text in enumerate(chunks(file)):
                yield {"name": f"{file.relative_to(SOURCE)}:{number}", "text": text, "pipelines": pipelines}


def from_folder(folder):
    """Its files, each with the pipeline of its first line."""
    for file in sorted(folder.glob("*.mlir")):
        first, text = file.read_text(errors="replace").split("\n", 1)
        yield {"name": file.name, "text": text, "pipelines": first.removeprefix("// PIPELINE: ").split(" ; ")}


def from_records(build, work):
    """The snapshots of compiles, each with the four passes that follow."""
    for path in RECORDED:
        for target in TARGETS:
            artifact = work / "records" / f"{pathlib.Path(path).stem}-{target}"
            done = subprocess.run([build / "bin" / "mica-compile", SOURCE / path, f"--target={target}", "-o", artifact, "--force",
                                   "--dump-format=files"], capture_output=True, text=True)
            record = artifact / "passes_dump"
            if done.returncode != 0 or not (record / "index.json").exists():
                print(f"passes_corpus.py: {path} for {target}: {done.stderr[-200:]}", file=sys.stderr)
                continue
            passes = json.loads((record / "index.json").read_text())["passes"]
            for file in sorted(record.glob("[0-9]*.mlir")):
                position = int(file.name[:4])
                text = file.read_text(errors="replace")
                if len(text) < 2 * MOST:
                    yield {"name": f"{path}-{target}/{file.name}", "text": text,
                           "pipelines": [p["pass"] + p["options"] for p in passes[position:position + 4]]}


def from_ods(build, work, count, seed):
    """Programs of one to four ops, each as a module of its own."""
    sys.path.insert(0, str(SOURCE / "test" / "Ods"))
    import generate
    pool = generate.load_pool(work / "ods", dialects=("arith", "math", "index", "tensor", "tosa", "linalg", "vector", "memref"))
    for number in range(seed, seed + count):
        yield {"name": f"ods:{number}", "text": generate.joined([generate.Program(number, pool)]), "pipelines": []}


def all_passes(build):
    """Every pass of Mica's without options, and with one of each kind of value for each of its options."""
    text = subprocess.run([build / "bin" / "mica-opt", "--help-all"], capture_output=True, text=True).stdout
    found, current, option = [], None, None
    for line in text.splitlines():
        if match := re.match(rf"\s+--({OWN})\s+-\s", line):
            current = match[1]
            found.append(current)
        elif match := re.match(r"\s+--([\w-]+)(?:=<(\w+)>)?\s+-\s", line):
            option = match[1]
            if current and line.startswith("        --"):
                kind = match[2]
                values = (["true", "false"] if kind is None else TEXTS if kind == "string" else INTEGERS if kind in ("long", "int", "uint", "ulong") else [])
                found += [f"{current}{{{option}={value}}}" for value in values if value != ""]
            else:
                current = None
        elif (match := re.match(r"\s+=([\w-]+)\s+-\s", line)) and current:
            found.append(f"{current}{{{option}={match[1]}}}")
    return found


def write(build, work, ods=300, seed=1, records=True, folder=None):
    """CORPUS.json in `work`; gives its path. With `folder`, of its programs alone."""
    programs = [*from_folder(folder)] if folder else [*from_tests(), *(from_records(build, work) if records else ())]
    if ods:
        programs += from_ods(build, work, ods, seed)
    file = work / "corpus.json"
    file.write_text(json.dumps({"programs": programs, "passes": all_passes(build)}))
    return file, len(programs)
