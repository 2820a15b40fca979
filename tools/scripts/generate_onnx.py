#!/usr/bin/env python3
"""Writes the generated parts of docs/ONNX.md: which operators are supported, and what became of the test cases.

usage: generate_onnx.py SOURCE_DIR [--check]

Operators are the rows that lib/Import/ONNX/*.cpp add to the table; the cases are test/Onnx/results.tsv. With --check nothing
is written; the exit code is 1 if the page is not current.
"""
import pathlib
import re
import sys
import textwrap

SUBJECTS = {
    "Elementwise": "elementwise", "Activations": "activation functions", "Reductions": "reductions", "Parts": "parts and repetitions", "Shapes": "shapes and sizes", "Indexing": "gathers, scatters, padding",
    "Contractions": "matrix products", "Convolutions": "convolutions", "Pooling": "pooling", "Normalizations": "normalizations", "Attention": "attention, position embedding", "FusedAttention": "attention as ONNX Runtime fuses it",
    "Quantization": "quantization", "Images": "images", "Signals": "signals, determinants", "Selection": "sorting and selection",
    "Recurrent": "recurrent networks", "ControlFlow": "control flow", "Sequences": "sequences and optionals",
    "Losses": "losses and optimizers",
}


def operators(source):
    """Subject -> names of operators, and name -> reason of those that are refused."""
    supported, refused = {}, {}
    for subject in SUBJECTS:
        text = (source / f"lib/Import/ONNX/{subject}.cpp").read_text()
        supported[subject] = sorted(re.findall(r'table\.add(?:ForSequences)?\("([^"]+)"', text), key=str.lower)
        for name, reason in re.findall(r'table\.refuse\("([^"]+)",\s*"([^"]+)"', text):
            refused[name] = reason
        for names, reason in re.findall(r'for \(llvm::StringRef name :\s*\{([^}]*)\}\)\s*table\.refuse\(name, "([^"]+)"', text):
            for name in re.findall(r'"([^"]+)"', names):
                refused[name] = reason
    return supported, refused


def operator_table(source):
    supported, refused = operators(source)
    lines = ["| subject | operators |", "|---|---|"]
    for subject, title in SUBJECTS.items():
        lines.append(f"| {title} | {', '.join(f'`{name}`' for name in supported[subject])} |")
    lines += ["", "Refused with a reason of their own:", ""]
    reasons = {}
    for name, reason in sorted(refused.items()):
        reasons.setdefault(reason, []).append(name)
    for reason, names in sorted(reasons.items()):
        lines += textwrap.wrap(f"- {', '.join(f'`{n}`' for n in names)}: {reason}.", 130, subsequent_indent="  ",
                               break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


def case_table(source):
    lines = [l.rstrip("\n").split("\t") for l in open(source / "test/Onnx/results.tsv") if not l.startswith("#")]
    groups, reasons = {}, {}
    for case, verdict, reason in lines:
        groups.setdefault(case.split("/")[0], {}).setdefault(verdict, []).append(case)
        if verdict != "right":
            # Without the names of nodes and values, which differ from case to case.
            short = re.sub(r"node '[^']*' ", "", re.sub(r"(input|output) '[^']*' (?=is|holds)", r"\1 ", reason))
            reasons.setdefault((verdict, re.sub(r"\s+", " ", short)), []).append(case.split("/")[1].removeprefix("test_"))
    verdicts = sorted({v for group in groups.values() for v in group}, key=["right", "refused", "data", "wrong", "failed", "crash"].index)
    out = ["| cases | " + " | ".join(verdicts) + " |", "|---|" + "---|" * len(verdicts)]
    for name, group in sorted(groups.items()):
        out.append(f"| {name} | " + " | ".join(str(len(group.get(v, []))) for v in verdicts) + " |")
    total = [sum(len(g.get(v, [])) for g in groups.values()) for v in verdicts]
    out += ["| all | " + " | ".join(map(str, total)) + " |", "", "Those that are not right:", ""]
    for (verdict, reason), cases in sorted(reasons.items(), key=lambda item: (item[0][0], -len(item[1]))):
        out += textwrap.wrap(f"- {verdict} ({len(cases)}), {reason}: {', '.join(f'`{c}`' for c in cases)}.", 130,
                             subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return "\n".join(out)


def replaced(text, name, body):
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    head, rest = text.split(begin)
    return head + begin + "\n" + body + "\n" + end + rest.split(end)[1]


def main():
    source = pathlib.Path(sys.argv[1])
    page = source / "docs/ONNX.md"
    old = page.read_text()
    new = replaced(replaced(old, "operators", operator_table(source)), "cases", case_table(source))
    if "--check" in sys.argv:
        if new != old:
            print("docs/ONNX.md is not current: python3 tools/scripts/generate_onnx.py .")
        sys.exit(new != old)
    page.write_text(new)


if __name__ == "__main__":
    main()
