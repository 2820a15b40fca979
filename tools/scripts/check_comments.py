#!/usr/bin/env python3
"""Checks comments: lines with one have at most 120 columns, and DEBUG_TYPE names a pass.

usage: check_comments.py SOURCE_DIR [--fix]

Looks at the C++, C, TableGen, Python and JavaScript that git tracks, or, outside of a checkout, at all of it. With
--fix, words beyond column 120 of a comment that has its line for itself go to the next line. Exit code 1 where something is left.
"""
import pathlib
import re
import subprocess
import sys

WIDTH = 120
# A comment that has its line for itself.
WHOLE = {"//": re.compile(r"^(\s*)(///<|///|//)(\s*)(\S.*)$"), "#": re.compile(r"^(\s*)(#)( +)(\S.*)$")}
MARKS = {".cpp": "//", ".h": "//", ".c": "//", ".td": "//", ".js": "//", ".py": "#"}
# Where a comment behind code begins, outside of strings.
BEHIND = {"//": re.compile(r"""^(?:[^"'/]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|/(?!/))*(?<=\s)//"""),
          "#": re.compile(r"""^(?:[^"'#]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*\#""")}
# Texts over several lines, in which nothing is a comment: how one begins, and how it ends.
TEXTS = {".cpp": ('R"(', ')"'), ".h": ('R"(', ')"'), ".td": ("[{", "}]"), ".js": ("`", "`"), ".py": ('"""', '"""')}
# What begins an entry of a list or table, and so is no continuation.
ENTRY = re.compile(r"^(?:[-*]|\(?\w{1,2}[.)]|@\w|RUN:|[A-Z_-]+:)\s|.*\S {2,}\S")


def files(source):
    if (source / ".git").exists():
        names = subprocess.run(["git", "-C", source, "ls-files"], capture_output=True, text=True,
                               check=True).stdout.split("\n")
    else:
        names = [str(p.relative_to(source)) for p in source.rglob("*") if p.is_file()]
    return [source / n for n in sorted(names)
            if pathlib.Path(n).suffix in MARKS and "/Corpus/" not in n and (source / n).exists()]


def is_long_comment(text, mark):
    if len(text) <= WIDTH:
        return False
    # A link, or another word that no line can hold.
    if WHOLE[mark].match(text):
        return len(text.split()) > 2
    return BEHIND[mark].match(text) is not None


def outside_texts(lines, kind):
    """For each line whether it begins outside of texts over several lines."""
    begin, end = TEXTS.get(kind, ("\0", "\0"))
    inside, result = False, []
    for line in lines:
        result.append(not inside)
        at = 0
        while (at := line.find(end if inside else begin, at)) >= 0:
            at += len(end if inside else begin)
            inside = not inside
    return result


def wrap(lines, mark, outside):
    """`lines` with the words of long comments moved to the next line of the same paragraph, or to one of its own."""
    out, at = [], 0
    lines, outside = list(lines), list(outside)
    while at < len(lines):
        text = lines[at]
        match = WHOLE[mark].match(text)
        if not match or not outside[at] or len(text) <= WIDTH or len(text.split()) <= 2:
            out.append(text)
            at += 1
            continue
        indent, slashes, space, _ = match.groups()
        head = indent + slashes + space
        if banner := re.search(r"-{4,}(?====//$|$)", text):
            short = len(banner.group(0)) - (len(text) - WIDTH)
            out.append(text[:banner.start()] + "-" * max(short, 2) + text[banner.end():])
            at += 1
            continue
        cut = text.rfind(" ", len(head) + 1, WIDTH + 1)
        if cut <= len(head):
            out.append(text)
            at += 1
            continue
        out.append(text[:cut].rstrip())
        rest = text[cut:].strip()
        following = WHOLE[mark].match(lines[at + 1]) if at + 1 < len(lines) else None
        # An entry of a list goes on below its text.
        hang = re.match(r"(?:[-*]|\d+[.)]) +", match.group(4))
        carried = head + " " * (len(hang.group(0)) if hang else 0)
        continues = (following and following.group(1) + following.group(2) + following.group(3) == carried
                     and not ENTRY.match(following.group(4)) and not following.group(4).endswith("===//"))
        if continues:
            lines[at + 1] = carried + rest + " " + following.group(4)
        else:
            lines.insert(at + 1, carried + rest)
            outside.insert(at + 1, True)
        at += 1
    return out


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    source = pathlib.Path(sys.argv[1]).resolve()
    passes = {argument for td in source.rglob("passes/**/*Passes.td")
              for argument in re.findall(r'\bPass<"([\w-]+)"', td.read_text())}
    problems = []
    for path in files(source):
        mark = MARKS[path.suffix]
        text = path.read_text()
        lines = text.split("\n")
        outside = outside_texts(lines, path.suffix)
        if "--fix" in sys.argv and any(o and is_long_comment(line, mark) for line, o in zip(lines, outside)):
            lines = wrap(lines, mark, outside)
            path.write_text("\n".join(lines))
            outside = outside_texts(lines, path.suffix)
        name = path.relative_to(source)
        for number, line in enumerate(lines, 1):
            if outside[number - 1] and is_long_comment(line, mark):
                problems.append(f"{name}:{number}: a comment of {len(line)} columns")
            found = re.match(r'#define DEBUG_TYPE "(.*)"', line)
            if found and found.group(1) not in passes:
                problems.append(f"{name}:{number}: DEBUG_TYPE is no pass: {found.group(1)}")
    print("\n".join(problems + [f"{len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
