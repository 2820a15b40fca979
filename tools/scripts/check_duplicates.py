#!/usr/bin/env python3
"""Reports passages of code that stand twice: ten lines or more with the same tokens, names aside.

usage: check_duplicates.py [SOURCE_DIR] [--lines N]
Reads the C++, C, Python and JavaScript that git tracks under dialects, include, lib, passes and tools, or, outside of a checkout, all of
it. Exit code 1 where a passage is found; one line for each pair, longest first: FILE:FIRST-LAST ~ FILE:FIRST-LAST (N lines).

What is the same: keywords, literals and punctuation are equal, and the names of one passage can be renamed to those of the other, one to
one. Where lines break makes no difference. A passage has as many lines as the longer of its two places has lines with code on them;
comments, includes, imports and namespaces are passed over, and what closes a passage without a word in it does not lengthen it.

What is no passage: a list. At least two thirds of its lines have a shape (the tokens with all names alike) that three lines of it have, as in
registrations, tables, enums, and switches whose cases are a call each: sharing code there would hide the list.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys

FOLDERS = ["dialects", "include", "lib", "passes", "tools"]
TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|[A-Za-z_]\w*|\d[\w.]*|[^\s\w]')
SKIPPED = re.compile(r"\s*(#|import |from \w[\w.]* import|using namespace|namespace |\} // namespace|(public|private|protected):)")
SKIPPED_PY = re.compile(r"\s*(import |from \w[\w.]* import)")
KEYWORDS = set("""alignas auto bool break case catch char class const constexpr continue default delete do double else enum explicit extern false
float for friend if inline int int32_t int64_t long mutable namespace new noexcept nullptr operator override private protected public return short
signed sizeof static static_cast dyn_cast cast isa reinterpret_cast const_cast struct switch template this throw true try typedef typename uint32_t
uint64_t unsigned using virtual void volatile while size_t std and as assert async await def del elif except finally from global import in is
lambda None nonlocal not or pass raise True False with yield function let var typeof of null undefined failure success""".split())
WINDOW = 48  # tokens that are compared before a passage is drawn out to both sides; ten lines have 60 and more


def tracked(source):
    try:
        listed = subprocess.run(["git", "ls-files", *FOLDERS], cwd=source, check=True, capture_output=True, text=True).stdout.split("\n")
    except (subprocess.CalledProcessError, FileNotFoundError):
        listed = []
    if not any(listed):
        listed = [str(file.relative_to(source)) for folder in FOLDERS for file in (source / folder).rglob("*")]
    return sorted(name for name in listed if re.search(r"\.(c|cpp|h|py|js)$", name) and (source / name).is_file())


def is_name(token):
    return (token[0].isalpha() or token[0] == "_") and token not in KEYWORDS


class File:
    """The tokens of a file that count, and the line of each."""

    def __init__(self, path):
        text = path.read_text(errors="replace")
        is_python = path.suffix == ".py"
        blocks = r'""".*?"""' if is_python else r"/\*.*?\*/"
        text = re.sub(blocks, lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
        comment = re.compile(r"(^|\s)#.*" if is_python else r"(^|\s)//.*")
        skipped = SKIPPED_PY if is_python else SKIPPED
        self.tokens, self.lines = [], []
        for number, line in enumerate(text.split("\n"), 1):
            if skipped.match(line):
                continue
            for token in TOKEN.findall(comment.sub("", line)):
                self.tokens.append(token)
                self.lines.append(number)
        self.shapes = ["n" if is_name(token) else token for token in self.tokens]

    def passage(self, first, last):
        """[(line, tokens)] of the lines in tokens `first` to `last`; a line of which only a part lies there counts if a word does."""
        lines = {}
        for at in range(first, last):
            lines.setdefault(self.lines[at], []).append(at)
        return [(number, [self.shapes[at] for at in ats]) for number, ats in lines.items()
                if any(re.match(r"[\w\"']", self.tokens[at]) for at in ats)]


def extent(one, a, other, b):
    """How many tokens from `a` and `b` on are the same, names renamed one to one."""
    forth, back, length = {}, {}, 0
    most = min(len(one.tokens) - a, len(other.tokens) - b, b - a if one is other else len(one.tokens))
    while length < most and one.shapes[a + length] == other.shapes[b + length]:
        x, y = one.tokens[a + length], other.tokens[b + length]
        if one.shapes[a + length] == "n" and (forth.setdefault(x, y) != y or back.setdefault(y, x) != x):
            break
        length += 1
    return length


def is_list(lines):
    """Whether most lines are the rows of a list: each of a shape that three of the lines have."""
    shapes = collections.Counter(" ".join(tokens) for _, tokens in lines)
    return sum(count for count in shapes.values() if count >= 3) * 3 >= len(lines) * 2


def find(files, least):
    windows = collections.defaultdict(list)
    for name, file in files.items():
        for at in range(len(file.tokens) - WINDOW + 1):
            windows[hash(tuple(file.shapes[at:at + WINDOW]))].append((name, at))
    found, covered = [], {}
    for places in windows.values():
        for i, (one, a) in enumerate(places):
            for other, b in places[i + 1:]:
                # The rest of a passage that was found from an earlier token.
                diagonal = (one, other, b - a)
                if covered.get(diagonal, -1) > a:
                    continue
                length = extent(files[one], a, files[other], b)
                if length < WINDOW:
                    continue
                covered[diagonal] = a + length
                first, second = files[one].passage(a, a + length), files[other].passage(b, b + length)
                if max(len(first), len(second)) >= least and not is_list(first):
                    found.append((max(len(first), len(second)), one, first, other, second))
    return sorted(found, key=lambda each: (-each[0], each[1], each[2][0][0]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--lines", type=int, default=10)
    options = parser.parse_args()
    files = {name: File(options.source / name) for name in tracked(options.source)}
    found = find(files, options.lines)
    for length, one, first, other, second in found:
        print(f"{one}:{first[0][0]}-{first[-1][0]} ~ {other}:{second[0][0]}-{second[-1][0]} ({length} lines)")
    return 1 if found else 0


sys.exit(main())
