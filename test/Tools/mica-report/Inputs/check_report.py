"""Reads a log and the report of it, each by itself, and says where the report lost or invented anything.

usage: check_report.py REPORT_DIR LOG [--rank-folder=rank_0/]      prints what it found, then "report and log agree" or differences
"""
import base64
import hashlib
import json
import pathlib
import re
import sys
import zlib

CONTEXT = {"rank", "compiled_autograd_id", "frame_id", "frame_compile_id", "attempt", "has_payload", "stack"}
PREFIX = re.compile(rb"^([VIWEC])(\d{4}) (\d\d:\d\d:\d\d\.\d{6}) (\d+) ([^:]+):(\d+)\] (.*)$", re.S)


def read_log(path):
    """[(envelope or None, payload or None, bad)] of a log whose prefixes are sound."""
    records = []
    lines = pathlib.Path(path).read_bytes().split(b"\n")
    for line in lines:
        crlf = line.endswith(b"\r")
        if line in (b"", b"\r"):
            continue
        if line.startswith(b"\t"):
            if records and records[-1][3] and crlf:
                line = line[:-1]
            records[-1][1] = line[1:] if records[-1][1] is None else records[-1][1] + b"\n" + line[1:]
            continue
        match = PREFIX.match(line[:-1] if crlf else line)
        try:
            envelope = json.loads(match.group(7))
        except (ValueError, AttributeError):
            envelope = None
        records.append([envelope, None, match, crlf])
    return records


def kind_of(envelope):
    return next(key for key in envelope if key not in CONTEXT)


def id_text(envelope, attempt=True):
    a, f, c = (envelope.get(k) for k in ("compiled_autograd_id", "frame_id", "frame_compile_id"))
    if a is None and f is None and c is None:
        return None
    text = "" if a is None else f"!{a}"
    if f is not None or c is not None:
        text += ("/" if text else "") + f"{'-' if f is None else f}/{'-' if c is None else c}"
    n = envelope.get("attempt") or 0
    return text + (f"_{n}" if n and attempt else "")


def data(report, name):
    text = (report / "data" / f"{name}.js").read_text()
    return json.loads(zlib.decompress(base64.b64decode(re.fullmatch(r'micaData\("[\w]+","([A-Za-z0-9+/=]*)"\)\n', text).group(1))))


def status_of(metrics):
    """tlparse's states, but a null list of reasons is no restart and an unsaid number of ops is not none."""
    metrics = [m if isinstance(m, dict) else {} for m in metrics]
    if not metrics:
        return "unfinished"
    if any(m.get("fail_type") or m.get("fail_reason") for m in metrics):
        return "failed"
    if any(m.get("restart_reasons") for m in metrics):
        return "restarted"
    said = [m["graph_op_count"] for m in metrics if m.get("graph_op_count") is not None]
    return "empty" if said and not any(said) else "ok"


def main():
    report, log = pathlib.Path(sys.argv[1]), sys.argv[2]
    folder = next((a.split("=")[1] for a in sys.argv[3:] if a.startswith("--rank-folder=")), "")
    wrong = []

    def expect(holds, *what):
        if not holds:
            wrong.append(" ".join(map(str, what)))

    records = read_log(log)
    sound_event, strings = {}, {}
    expected_raw, events, products, ids, metrics, starts = [], [], {}, [], {}, {}
    for envelope, payload, prefix, _ in records:
        if envelope is None:
            if payload is not None:
                products.setdefault(None, []).append(payload)
            continue
        kind = kind_of(envelope)
        if kind == "str":
            strings[envelope[kind][1]] = envelope[kind][0]
            continue
        cid, base = id_text(envelope), id_text(envelope, attempt=False)
        if kind == "chromium_event":
            try:
                events.append(json.loads(payload))
                continue
            except ValueError:
                pass
        expected_raw.append((envelope, prefix, payload))
        if payload is not None:
            products.setdefault(cid, []).append(payload)
        if base is not None:
            ids.append(base)
        if kind == "dynamo_start" and not (envelope.get("attempt") or 0):
            if metrics.get(base) and metrics[base][-1]:
                metrics[base].append([])  # the id began anew
            metrics.setdefault(base, [[]])
        if kind.endswith("compilation_metrics") or kind.endswith("compilation_metrics_runtime"):
            metrics.setdefault(base, [[]])[-1].append(envelope[kind])

    raw = [json.loads(line) for line in (report / folder / "raw.jsonl").read_text().splitlines()]
    table = raw[0]["string_table"]
    expect(all(table[i] == s for i, s in strings.items()) and len(table) == max(strings, default=-1) + 1, "string table", table, strings)
    expect(len(raw) - 1 == len(expected_raw), "raw.jsonl holds", len(raw) - 1, "records, the log", len(expected_raw))
    for line, (envelope, prefix, payload) in zip(raw[1:], expected_raw):
        added = {k: line.pop(k, None) for k in ("timestamp", "thread", "pathname", "lineno", "payload_filename")}
        expect(line == envelope, "raw.jsonl:", line, envelope)
        expect(added["thread"] == int(prefix.group(4)) and added["pathname"] == prefix.group(5).decode() and added["lineno"] == int(prefix.group(6)), added)
        expect(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z?", added["timestamp"] or ""), "timestamp", added)
        if payload is not None:
            expect((report / added["payload_filename"]).read_bytes() == payload, "payload file", added)

    shown = json.loads((report / "chromium_events.json").read_text())
    if not folder:
        expect(len(shown) == len(events), "events", len(shown), len(events))
        for event, original in zip(shown, events):
            for key, value in (event.get("args") or {}).items():
                found = re.fullmatch(r"as in event (\d+) of this file", value) if isinstance(value, str) else None
                if found:
                    event["args"][key] = next(v for v in shown[int(found.group(1))]["args"].values() if v == original["args"][key])
            expect(event == original, "event", event, original)

    directory = json.loads((report / folder / "compile_directory.json").read_text())
    listed = {key: [a for a in value["artifacts"] if "md5" in a] for key, value in directory.items()}
    for cid, payloads in products.items():
        have = listed.get("unknown" if cid is None else f"[{cid}]", [])
        expect(len(have) == len(payloads), cid, "lists", len(have), "products, the log has", len(payloads))
        for artifact, payload in zip(have, payloads):
            expect((report / artifact["url"]).read_bytes() == payload, artifact["url"], "is not the payload")
            expect(artifact["md5"] == hashlib.md5(payload).hexdigest() and artifact["bytes"] == len(payload), artifact)
        names = [a["name"] for a in have]
        expect(len(set(names)) == len(names), "names are not unique:", names)
    expect(sum(map(len, listed.values())) == sum(map(len, products.values())), "products", sum(map(len, listed.values())))

    top = data(report, "report")
    number = next(i for i, entry in enumerate(top["logs"]) if entry["folder"] == folder)
    page = data(report, f"log{number}")
    compiles = {row[0]: row for row in page["compiles"]}
    expect([row[0] for row in page["compiles"] if row[0]] == list(dict.fromkeys(ids)), "compile ids", list(compiles), list(dict.fromkeys(ids)))
    for cid, rounds in metrics.items():
        if cid is None:
            continue
        want = "unfinished" if not rounds[-1] else status_of([m for r in rounds for m in r])
        expect(compiles[cid][1] == want, cid, "is", compiles[cid][1], "and should be", want)
    expect(sum(kind[2] for kind in page["kinds"]) >= len(records), "kinds count", page["kinds"])
    texts = [text for i in range(len(top["packs"])) for text in data(report, f"pack{i}")]
    for row in page["compiles"]:
        for product in json.loads(texts[row[14]])["products"]:
            if product[5] >= 0:
                expect(hashlib.md5((report / product[9]).read_bytes()).hexdigest() == product[10], "page text", product)
                expect(texts[product[5]] == (report / product[9]).read_bytes().decode("utf-8", "replace"), "page text", product[:2])

    states = {}
    for cid, row in compiles.items():
        if cid:
            states.setdefault(row[1], []).append(cid)
    print(f"{len(records)} records, {len(events)} events, {sum(map(len, products.values()))} products")
    print("; ".join(f"{state}: {' '.join(c)}" for state, c in sorted(states.items())))
    for line in wrong[:20]:
        print("WRONG", line[:400])
    print("report and log agree" if not wrong else f"{len(wrong)} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
