#!/usr/bin/env python3
"""Every flag in a command of the pages is one that the tool has, and every page is read.

usage: check_flags.py SOURCE_DIR

A command is a line of a code block, or code in a line, that begins with a tool. Tools are on PATH; a flag counts as known if `TOOL --help-all`
names it (mica-opt: --help-hidden).
"""
import pathlib
import re
import subprocess
import sys

# Of builds with assertions alone (make test-checked).
OF_CHECKED_BUILDS = {"mica-opt": {"--debug-only"}}
TOOLS = ["mica-bench", "mica-bisect", "mica-compile", "mica-diff", "mica-dump", "mica-opt", "mica-reduce", "mica-report", "mica-run", "mica-test-gen"]


def known(tool):
    text = subprocess.run([tool, "--help-hidden" if tool == "mica-opt" else "--help-all"], capture_output=True, text=True).stdout
    return set(re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", text)) | {"-h", "--help", "--help-all", "--help-list", "--version"} | OF_CHECKED_BUILDS.get(tool, set())


def commands(text):
    """Every command of `text`: lines of blocks, joined at a backslash, and code in a line."""
    text = re.sub(r"\\\n\s*", " ", text)
    for code in re.findall(r"```[^\n]*\n(.*?)```", text, re.S) + re.findall(r"^ {4,}(?:\$ )?(.*)$", text, re.M) + re.findall(r"`([^`\n]+)`", text):
        for line in code.splitlines():
            line = line.split(" # ")[0].split("  ")[0] if "  " in line.strip() else line
            for part in re.split(r"[|;]|&&|\|\|", line):
                found = re.match(r"\s*(?:\$ )?(?:[A-Z_]+=\S+ )*(?:not )?(?:build/bin/)?(" + "|".join(TOOLS) + r")(?![\w-])(.*)", part)
                if found:
                    # Quoted text is a value: pipelines have options of their own.
                    yield found[1], re.sub(r"'[^']*'|\"[^\"]*\"", "", found[2])


def main():
    source = pathlib.Path(sys.argv[1])
    pages = [source / "README.md", source / "CONTRIBUTING.md", *sorted((source / "docs").rglob("*.md"))]
    flags = {tool: known(tool) for tool in TOOLS}
    count = wrong = 0
    for page in pages:
        for tool, rest in commands(page.read_text()):
            for flag in re.findall(r"(?<!\S)(--?[A-Za-z][\w-]*)", rest):
                if flag.endswith("-") or flag == "--PASS":  # a name to be filled in
                    continue
                count += 1
                short = re.fullmatch(r"-[A-Za-z]\d?", flag)
                if flag not in flags[tool] and not (short and flag[:2] in flags[tool]) and "-" + flag not in flags[tool] and flag[1:] not in flags[tool]:
                    wrong += 1
                    print(f"{page.relative_to(source)}: {tool} has no flag {flag}")
    print(f"{len(pages)} pages, {count} flags in commands, {wrong} unknown")
    sys.exit(wrong != 0)


main()
