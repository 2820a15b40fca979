"""Writes trace logs line by line as the format prescribes, for tests: sound ones, and any damage on top.

usage: trace_log.py sample FILE | export FILE | ranks DIR | attack FILE
"""
import hashlib
import json
import pathlib
import sys

MARK = "mica_attack"  # what an attack would leave behind: a property of window, an element, a file


class Log:
    def __init__(self, rank=None):
        self.lines, self.rank, self.clock, self.strings = [], rank, 0, {}

    def raw(self, text):
        self.lines.append(text)

    def record(self, kind, metadata, compile_id=None, payload=None, extra=None):
        """compile_id: (frame, compile, attempt) or (autograd, frame, compile, attempt)."""
        envelope = {kind: metadata}
        if self.rank is not None:
            envelope["rank"] = self.rank
        if compile_id is not None:
            keys = ["compiled_autograd_id", "frame_id", "frame_compile_id", "attempt"]
            for key, value in zip(keys[4 - len(compile_id):], compile_id):
                if value is not None:
                    envelope[key] = value
        envelope.update(extra or {})
        if payload is not None:
            envelope["has_payload"] = hashlib.md5(payload.encode()).hexdigest()
        self.clock += 1
        self.raw(f"V0703 09:15:{self.clock // 1000 % 60:02}.{self.clock % 1000:03}000 4711 lib/Compiler/Some.cpp:12] " + json.dumps(envelope))
        if payload is not None:
            for line in payload.split("\n"):
                self.raw("\t" + line)

    def string(self, text):
        if text not in self.strings:
            self.strings[text] = len(self.strings)
            self.record("str", [text, self.strings[text]])
        return self.strings[text]

    def frames(self, *frames):
        return [{"line": line, "name": name, "filename": self.string(file), "loc": loc} for file, line, name, loc in frames]

    def event(self, name, phase, at, cid=None, /, **args):
        event = {"name": name, "ts": 1751534100000000 + at, "args": args, "ph": phase, "cat": "dynamo_timed", "tid": 0, "pid": 0}
        self.record("chromium_event", {}, cid, json.dumps(event, indent=0))

    def artifact(self, name, compile_id, payload, encoding="string"):
        self.record("artifact", {"name": name, "encoding": encoding}, compile_id, payload)

    def compile(self, frame, number, ops=3, body="", fail=None, restarts=(), recompile=None, file="/work/model/train.py", fn="forward", cache="miss"):
        """A whole compile, from start to metrics."""
        cid = (frame, number, 0)
        at = frame * 1000000 + number * 100000 + 1000
        self.event("dynamo", "B", at, cid, compile_id=f"{frame}/{number}")
        self.record("dynamo_start", {"stack": self.frames((file, 10, "main", "train()"), (file, 20 + frame, "train", f"model(x{frame})"))}, cid)
        self.record("describe_storage", {"id": 0, "describer_id": 0, "size": 64}, cid)
        self.record("describe_tensor", {"id": 0, "ndim": 2, "dtype": "torch.float32", "device": "device(type='cpu')", "size": [4, 4], "stride": [4, 1], "is_leaf": True, "storage": 0, "describer_id": 0}, cid)
        self.record("describe_source", {"describer_id": 0, "id": 0, "source": "L['x']"}, cid)
        if recompile:
            self.artifact("recompile_reasons", cid, json.dumps([recompile], indent=0), "json")
        for attempt in range(1 if restarts else 0, -1, -1):
            last = (frame, number, 1 if restarts and attempt == 0 else 0)
            self.record("dynamo_output_graph", {"sizes": {"x": [4, 4]}}, last, f"def forward(self, x):\n    # attempt {last[2]}\n    return x + {number}\n{body}")
        if not fail:
            self.event("inductor_compile", "B", at + 100, cid, compile_id=f"{frame}/{number}")
            self.artifact("fx_graph_runnable", last, f"import torch\nprint({frame}, {number})\n")
            self.record("inductor_output_code", {"filename": f"/tmp/x/c{frame}{number}.py"}, last, f"import torch\n\ndef call(args):\n    return args[{number}]\n{body}")
            key = json.dumps({"key": f"f{frame}{number}", "components": ["[h] gm: " + "k" * 1500]})
            self.artifact("fx_graph_cache_" + cache, last, key, "json")
            self.event("inductor_compile", "E", at + 3000, cid, compile_id=f"{frame}/{number}", components=["[h] gm: " + "k" * 1500])
            self.record("dynamo_cpp_guards_str", {}, last, "TREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- x.size()[0] == 4\n")
        self.event("dynamo", "E", at + 5000 + number, cid, compile_id=f"{frame}/{number}", components=["[h] gm: " + "k" * 1500])
        self.record("compilation_metrics", {
            "compile_id": f"{frame}/{number}", "co_name": fn, "co_filename": file, "co_firstlineno": 20 + frame, "graph_op_count": None if fail else ops,
            "graph_node_count": ops + 2, "guard_count": 8, "fail_type": fail and fail[0], "fail_reason": fail and fail[1],
            "fail_user_frame_filename": fail and file, "fail_user_frame_lineno": fail and 22, "restart_reasons": list(restarts) or None,
            "recompile_reason": recompile, "duration_us": 5000 + number, "inductor_config": json.dumps({"max_autotune": False})}, last)

    def write(self, path):
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(path).write_text("\n".join(self.lines) + "\n")


def sample(path, rank=None, variant=0):
    """One compile of each status, a recompile, records without compile, kinds nobody knows."""
    log = Log(rank)
    log.record("artifact", {"name": "torch_version", "encoding": "json"}, None, '{"version": "2.9.0"}')
    log.compile(0, 0, cache="hit" if variant else "miss")
    log.compile(0, 1, recompile="0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5")
    log.compile(0, 2, recompile="0/1: tensor 'x' size mismatch at index 0. expected 5, actual 6")
    log.compile(1, 0, restarts=["graph break: print() is not supported"])
    log.compile(2, 0, ops=0)
    log.compile(3, 0, fail=("BackendCompilerFailed", "backend raised:\nRuntimeError: no kernel for 'softmax'"))
    log.record("dynamo_start", {"stack": log.frames(("/work/model/train.py", 10, "main", "train()")) + [{"line": 3, "name": "lost", "filename": -1, "loc": None}]}, (4, 0, 0))
    log.record("symbolic_shape_specialization", {"symbol": "s0", "sources": ["L['x'].size()[0]"], "value": "4", "reason": "x.view(4, -1)", "user_stack": log.frames(("/work/model/train.py", 22, "train", "x.view(4, -1)"))}, (0, 1, 0))
    log.record("link", {"name": "dashboard", "url": "https://example.org/run/1"}, (0, 0, 0))
    log.record("kind_of_the_future", {"depth": {"a": [1, 2]}}, (0, 0, 0))
    log.record("kind_of_the_future_with_text", {}, (0, 0, 0), "text of the future")
    log.record("compilation_metrics_runtime", {"compile_id": "0/0", "triton_us": 12}, (0, 0, None))
    if rank is not None:
        log.artifact("inductor_collective_schedule", (0, 0, 0), json.dumps(["all_reduce", "all_gather"][:2 - variant]), "json")
        log.artifact("graph_execution", (0, 1, 0), json.dumps({"graphs": ["0/0", "0/1"][::-1 if variant else 1]}), "json")
        log.artifact("inductor_runtime_and_tensor_meta", (0, 2, 0), json.dumps({"ops": [{"name": "mm", "estimated_runtime_ns": rank, "outputs": [{"shape": [4, 4 + variant]}]}]}), "json")
    if variant:
        log.compile(5, 0)
    log.write(path)


def changed(path):
    """The sample after a change of the program: another cache, one compile more, code and guards of 1/0 that differ, other times."""
    sample(path, variant=1)
    text = pathlib.Path(path).read_text()
    lines = text.split("\n")
    for i, line in enumerate(lines):
        if '"inductor_output_code"' in line and '"frame_id": 1,' in line:
            end = next(j for j in range(i + 1, len(lines)) if not lines[j].startswith("\t"))
            payload = "\n".join(p[1:] for p in lines[i + 1:end]).replace("return args[0]", "x = args[0]\n    return x + x")
            lines[i] = line[:line.index('"has_payload"')] + f'"has_payload": "{hashlib.md5(payload.encode()).hexdigest()}"}}'
            lines[i + 1:end] = ["\t" + p for p in payload.split("\n")]
        elif '"compilation_metrics"' in line and '"compile_id": "1/0"' in line:
            lines[i] = line.replace('"guard_count": 8', '"guard_count": 9').replace('"duration_us": 5000', '"duration_us": 9000')
    pathlib.Path(path).write_text("\n".join(lines))


def export(path):
    """A draft export: guards that were evaluated, a decision made by data, kernels that are missing or wrong; nothing failed."""
    log = Log()
    stack = log.frames(("/work/model/export.py", 7, "main", "export(model)"), ("/work/model/net.py", 31, "forward", "if x.sum() > 0:"))
    guard = {"prefix": "eval", "expr": "Eq(s0, 4)", "expr_node_id": 7, "symbol_to_sources": {"s0": ["L['x'].size()[0]"]}, "frame_locals": {"locals": {"x": "Tensor"}, "symbols": {"s0": 4}}, "user_stack": stack, "stack": stack}
    log.record("expression_created", {"method": "eq", "result": "Eq(s0, 4)", "result_id": 7, "arguments": ["s0", "4"], "argument_ids": [1, 2], "user_stack": stack, "stack": stack}, (0, 0, 0))
    log.record("guard_added", guard, (0, 0, 0))
    log.record("propagate_real_tensors_provenance", {**guard, "expr": "u0 > 0", "result": "True"}, (0, 0, 0))
    log.record("missing_fake_kernel", {"op": "mylib.foo", "reason": "no fake impl"}, (0, 0, 0))
    log.record("mismatched_fake_kernel", {"op": "mylib.bar", "reason": "shapes [4] and [5]"}, (0, 0, 0))
    log.record("exported_program", {}, (0, 0, 0), "ExportedProgram:\n    class GraphModule(torch.nn.Module): ...\n")
    log.write(path)


def attack(path):
    """Script in every text that reaches a page, names that leave their folder, addresses that act."""
    log = Log()
    js = f"window.{MARK}=1"
    texts = [f"<script>{js}</script>", f"<img src=x onerror=\"{js}\">", f"</script><script>{js}</script>", f"\"><svg onload={js}>", f"javascript:{js}",
             f"${{{js}}}", f"{{{{constructor.constructor('{js}')()}}}}", f"<!--<script>{js}", "&lt;script&gt;", "\u202e\u2028\u2029</style><style>*{display:none}"]
    evil = " ".join(texts)
    for i, text in enumerate(texts):
        log.compile(i, 0, body=evil, file="/x/" + text, fn=text + "n" * 5000 * (i == 0), recompile=evil, restarts=[evil] if i % 2 else (), fail=(text, evil) if i % 3 == 0 else None)
        cid = (i, 0, 0)
        for name in (text, "../../" + MARK, "/tmp/" + MARK, "..\\..\\" + MARK, "a/../../../" + MARK, ".", "..", "", "con\x00" + MARK, "x" * 5000, ".htaccess", "index.html", "raw.jsonl", "fx_graph_runnable.2"):
            log.artifact(name, cid, evil)
            log.artifact(name, cid, json.dumps({evil: evil}), "json")
        for url in (f"javascript:{js}", f" javascript:{js}", f"JaVaScRiPt:{js}", f"data:text/html,<script>{js}</script>", f"vbscript:{js}", "file:///etc/passwd", f"https://x/\" onclick=\"{js}", "//x/y", evil):
            log.record("link", {"name": evil, "url": url}, cid)
        log.record("graph_dump", {"name": "../" + text, "type": evil, "filename": evil}, cid, evil)
        log.record("dump_file", {"name": evil}, cid, evil)
        log.record("inductor_output_code", {"filename": "../../" + MARK + ".sh"}, cid, evil)
        log.record(text, {text: evil}, cid)
        log.record(text + "2", {text: evil}, cid, evil)
        log.record("symbolic_shape_specialization", {"symbol": evil, "sources": [evil], "value": evil, "reason": evil, "user_stack": log.frames((evil, 1, evil, evil))}, cid)
        log.record("missing_fake_kernel", {"op": evil, "reason": evil}, cid)
        log.record("describe_tensor", {"id": evil, "dtype": evil, "device": evil, "size": [evil], "stride": evil and [evil], "describer_id": 0, "is_" + evil: True}, cid)
        log.event(text, "B", i * 1000, cid, compile_id=text)
        log.event(text, "E", i * 1000 + 500, cid, compile_id=text)
    log.artifact("torch_version", None, json.dumps(evil), "json")
    log.record("dynamo_start", {"stack": [{"line": evil, "name": {"a": evil}, "filename": evil, "loc": evil}]}, (99, 0, 0))
    log.record("dynamo_start", {"stack": evil}, (98, 0, 0))
    log.record("compilation_metrics", evil, (98, 0, 0))
    log.record("compilation_metrics", [evil], (97, 0, 0))
    log.record("describe_tensor", evil, (97, 0, 0))
    log.record("describe_tensor", {"size": evil, "stride": 3}, (97, 1, 0))
    log.record("artifact", {"name": "unknown_encoding", "encoding": evil}, (97, 0, 0), evil)
    log.record("link", {"name": evil}, (97, 0, 0))
    log.record("dynamo_start", {}, (10 ** 18, 10 ** 18, 10 ** 18))
    log.raw(evil)
    log.raw("\t" + evil)
    log.raw("V0703 09:15:00.000000 4711 " + "<b>" + ":1] {" + json.dumps(evil) + ": ")
    log.write(path)


if __name__ == "__main__":
    what, target = sys.argv[1:3]
    if what == "sample":
        sample(target)
    elif what == "changed":
        changed(target)
    elif what == "attack":
        attack(target)
    elif what == "export":
        export(target)
    elif what == "ranks":
        for r in range(3):
            sample(f"{target}/dedicated_log_torch_trace_rank_{r}_abcd123{r}.log", r, variant=int(r == 2))
        (pathlib.Path(target) / "dedicated_log_torch_trace_rank_7_empty000.log").write_text("")
        (pathlib.Path(target) / "notes.log").write_text("not a trace\n")
    else:
        sys.exit(__doc__)
