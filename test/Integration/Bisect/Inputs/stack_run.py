#!/usr/bin/env python3
"""Runs a program of stack_opt.py and prints what it prints.

usage: stack_run.py FILE
"""
import sys
import time


def run(lines, stack):
    i = 0
    while i < len(lines):
        words = lines[i].split()
        i += 1
        if words[0] == "push":
            stack.append(float(words[1]))
        elif words[0] == "push-time":
            stack.append(time.time_ns() % 1000003)
        elif words[0] in ("add", "mul"):
            b, a = stack.pop(), stack.pop()
            stack.append(a + b if words[0] == "add" else a * b)
        elif words[0] == "print":
            print("top", stack.pop())
        elif words[0] == "repeat":
            body = []
            while lines[i].strip() != "}":
                body.append(lines[i])
                i += 1
            i += 1
            for _ in range(int(words[1])):
                run(body, stack)
        else:
            sys.exit(f"stack_run: error: unknown word {words[0]}")


run([line for line in open(sys.argv[1]).read().splitlines() if line.strip()], [])
