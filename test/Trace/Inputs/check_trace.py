"""Holds logs against the rules of the TORCH_TRACE format and those of `tlparse --strict` (tlparse_rules.py), knowing nothing of Mica's
reader or writer.

usage: check_trace.py LOG...     prints a line per log; exit code 1 where a rule is broken
"""
import hashlib
import json
import pathlib
import re
import sys

import tlparse_rules

NAME = re.compile(r"dedicated_log_torch_trace_(?:rank_(\d+)_)?[A-Za-z0-9_]{8}\.log")
PREFIX = re.compile(r"V(\d\d)(\d\d) (\d\d):(\d\d):(\d\d)\.\d{6} \d+ ([^:\s]+):\d+\] (\{.*\})")
ORDER = ["rank", "compiled_autograd_id", "frame_id", "frame_compile_id", "attempt", "has_payload", "stack", "mica"]
RESERVED = {*ORDER, "severity", "timestamp", "pathname", "thread"}
LONGEST = 1 << 20


def strict_json(text):
    def refuse(word):
        raise ValueError(f"{word} is no JSON")
    return json.loads(text, parse_constant=refuse)


class Checker:
    def __init__(self, path):
        self.path, self.wrong, self.kinds = path, [], {}
        self.strings, self.started, self.ended, self.open = {}, set(), set(), {}
        self.strict = tlparse_rules.Strict()

    def rule(self, holds, line, what):
        if not holds:
            self.wrong.append(f"{self.path.name}:{line}: {what}")

    def run(self):
        name = NAME.fullmatch(self.path.name)
        self.rule(name, 0, "the name is not that of a log")
        data = self.path.read_bytes()
        self.rule(data.endswith(b"\n"), 0, "the last line has no newline")
        self.rule(b"\r" not in data, 0, "a carriage return")
        lines = data.decode("utf-8").split("\n")[:-1]
        at = 0
        while at < len(lines):
            number, line = at + 1, lines[at]
            at += 1
            payload = []
            while at < len(lines) and lines[at].startswith("\t"):
                payload.append(lines[at][1:])
                at += 1
            match = PREFIX.fullmatch(line)
            self.strict.line(number, line)
            self.rule(match, number, f"not a record: {line[:80]!r}")
            if match:
                self.record(number, match, payload, name and name.group(1))
        self.wrong += [f"{self.path.name}:{line}: {what}" for line, what in self.strict.wrong]
        for thread, stack in self.open.items():
            self.rule(not stack, 0, f"spans of {thread} that never end: {stack}")
        self.rule(self.ended <= self.started, 0, f"compiles that end and never begin: {self.ended - self.started}")
        return self

    def record(self, number, match, payload, rank):
        month, day, hour, minute, second = (int(match.group(i)) for i in range(1, 6))
        self.rule(1 <= month <= 12 and 1 <= day <= 31 and hour < 24 and minute < 60 and second <= 60, number, "no such time")
        text = match.group(7)
        self.rule(text.isascii(), number, "the JSON is not ASCII")
        self.rule(len(text) < LONGEST, number, "the JSON is longer than a megabyte; that belongs into the payload")
        try:
            pairs = json.loads(text, object_pairs_hook=tuple)
            envelope = strict_json(text)
        except ValueError as error:
            return self.rule(False, number, f"the JSON: {error}")
        self.strict.record(number, envelope, pairs, "\n".join(payload) if payload else None)
        keys = [key for key, _ in pairs]
        self.rule(len(set(keys)) == len(keys), number, "a key stands twice")
        kinds = [key for key in keys if key not in RESERVED]
        self.rule(len(kinds) == 1 and keys[0] == kinds[0], number, f"one kind should stand first: {keys}")
        rest = [ORDER.index(key) for key in keys[1:] if key in ORDER]
        self.rule(rest == sorted(rest), number, f"the order of keys: {keys}")
        kind = kinds[0] if kinds else ""
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        if not sum(self.kinds.values()) > 1:
            self.rule(kind == "artifact" and envelope[kind].get("name", "").endswith("_version"), number, "the first record should name the version")
        for key in ORDER[:5]:
            self.rule(key not in envelope or (type(envelope[key]) is int and envelope[key] >= 0), number, f"{key} should be a number")
        has = envelope.get("has_payload")
        if has is None:
            self.rule(not payload, number, "a payload that the record does not announce")
        else:
            self.rule(hashlib.md5("\n".join(payload).encode()).hexdigest() == has and payload, number, "the payload's hash")
        value = envelope[kind] if kind else None
        compile_id = tuple(envelope.get(key) for key in ORDER[1:4])
        if kind == "str":
            self.rule(keys == ["str"] and isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and type(value[1]) is int, number, "a string is [text, number] alone")
            self.rule(value[1] not in self.strings, number, f"string {value[1]} is defined twice")
            self.strings[value[1]] = value[0]
            return
        self.rule((envelope.get("rank") is None) == (rank is None) and str(envelope.get("rank")) == str(rank), number, f"the rank of the name is {rank}, of the record {envelope.get('rank')}")
        if kind == "artifact":
            self.rule(value.get("encoding") in ("string", "json") and value.get("name") and has, number, "an artifact has name, encoding and payload")
            if value.get("encoding") == "json":
                try:
                    strict_json("\n".join(payload))
                except ValueError as error:
                    self.rule(False, number, f"the payload should be JSON: {error}")
        elif kind == "dynamo_start":
            self.started.add(compile_id)
            self.stack(number, value.get("stack"))
        elif kind == "compilation_metrics":
            self.ended.add(compile_id)
        elif kind == "chromium_event":
            self.event(number, value, payload)
        if "stack" in envelope:
            self.rule(compile_id == (None, None, None), number, "a stack stands instead of a compile id")
            self.stack(number, envelope["stack"])

    def stack(self, number, frames):
        self.rule(isinstance(frames, list), number, "a stack is a list of frames")
        for frame in frames or []:
            self.rule(set(frame) == {"line", "name", "filename", "loc"}, number, f"a frame: {frame}")
            self.rule(frame.get("filename") in self.strings, number, f"string {frame.get('filename')} is used before it is defined")
            self.rule(type(frame.get("line")) is int and isinstance(frame.get("name"), str) and isinstance(frame.get("loc"), (str, type(None))), number, f"a frame: {frame}")

    def event(self, number, value, payload):
        self.rule(value == {}, number, "an event's metadata is empty")
        try:
            event = strict_json("\n".join(payload))
        except ValueError as error:
            return self.rule(False, number, f"the event: {error}")
        self.rule({"name", "ts", "args", "ph", "cat", "tid", "pid"} <= set(event) and "compile_id" in event["args"], number, f"an event has name, ts, args with compile_id, ph, cat, tid, pid: {list(event)}")
        self.rule(event["cat"] != "mica" or event["ph"] == "i" or type(event["args"].get("span")) is int, number, "an event of ours names its span")
        self.rule(1e15 < event["ts"] < 1e16, number, "ts is in microseconds since 1970")
        stack = self.open.setdefault((event["pid"], event["tid"]), [])
        span = event["args"].get("span")
        if event["ph"] == "B":
            self.rule(event["args"].get("parent") == (stack[-1][1] if stack else None), number, f"the span around {event['name']} is another")
            stack.append((event["name"], span))
        elif event["ph"] == "E":
            self.rule(stack and stack.pop() == (event["name"], span), number, f"the end of {event['name']} is not that of the innermost span")
        else:
            self.rule(event["ph"] == "i", number, f"ph {event['ph']}")


def main():
    wrong = []
    for argument in sys.argv[1:]:
        checker = Checker(pathlib.Path(argument)).run()
        wrong += checker.wrong
        rank = NAME.fullmatch(checker.path.name)
        print(f"rank {rank.group(1) if rank else None}: " + ", ".join(f"{n} {kind}" for kind, n in sorted(checker.kinds.items())) + f"; {len(checker.ended)} compiles")
    for line in wrong[:20]:
        print("WRONG", line)
    print("the rules hold" if not wrong else f"{len(wrong)} rules broken")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
