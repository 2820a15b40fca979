"""Mica's own directives of assembly formats (dialects/Mica/IR/Assembly.h) in the notation of TableGen's pages.

Imported by generate_docs.py and op_grammar.py.
"""
import re

DIRECTIVE = re.compile(r"(?:``\s+)?custom<(Clauses|Types)>\(((?:[^()]|\([^()]*\))*)\)")
GRAMMAR = re.compile(r"^operation ::= .*?(?=^```)", re.M | re.S)
WIDTH = 110  # columns


def clause(name, variables):
    """`axis=` and its variables as TableGen would write them."""
    text = "`" + re.match(r"\w+", name)[0] + "`"
    if "=" in name:
        text += f" `=` {' '.join(variables[:1])}" if len(variables) == 1 else f" `=` custom<DynamicIndexList>({', '.join(variables)})"
    elif "()" in name:
        text += f" `(` {variables[0]} `)`"
    elif "$" in name:
        text += " " + " `:` ".join(variables)
    return f"({text})?" if name.endswith("?") else text


def expand(match):
    if match[1] == "Types":
        return "(type | functional-type(operands, results))"
    clauses = []
    for item in re.findall(r'\\"[^"]*\\"|type\(\$\w+\)|\$\w+', match[2]):
        if item.startswith("\\"):
            clauses.append((item.strip('\\"'), []))
        else:
            clauses[-1][1].append(item)
    return "{ " + " ".join(clause(name, variables) for name, variables in clauses) + " }"


def wrap(text):
    """`text` in lines of at most WIDTH columns, cut at blanks, indented as TableGen does."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line = " " * len("operation ::=")
        line += (" " if line else "") + word
    return "\n".join(lines + [line]) + "\n"


def readable(text):
    """TableGen's page with its grammars readable: clauses in braces go in any order."""
    return GRAMMAR.sub(lambda match: wrap(DIRECTIVE.sub(expand, match[0])) if "custom<" in match[0] else match[0], text)
