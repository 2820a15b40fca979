"""What tlparse demands of a log with --strict and --strict-compile-id, as rules of its own: knows nothing of Mica's reader or writer.

tlparse deserialises each envelope into one struct: a key it knows has to have the type of that struct's member, in Rust's sense (a number that
fits, no fraction where an integer is expected, no half characters); a key it does not know may be anything. Then the parser of the kind
reads the payload. Each of these counts as a failure: --strict ends with exit code 1 at the first.
"""
import json
import re

U32, U64 = (0, 2**32 - 1), (0, 2**64 - 1)
I32 = (-2**31, 2**31 - 1)
GLOG = re.compile(r"[VIWEC]\d{2}\d{2} \d{2}:\d{2}:\d{2}.\d{6} (?P<thread>\d+)(?P<pathname>[^:]+):(?P<line>\d+)\] (?P<json>.)")


class Bad(Exception):
    pass


def integer(limits):
    def check(value, where):
        if type(value) is not int or not limits[0] <= value <= limits[1]:
            raise Bad(f"{where}: {value!r} is no integer from {limits[0]} to {limits[1]}")
    return check


def text(value, where):
    if not isinstance(value, str):
        raise Bad(f"{where}: {value!r} is no text")
    if any(0xD800 <= ord(c) <= 0xDFFF for c in value):
        raise Bad(f"{where}: half a character in {value!r}")


def number(value, where):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Bad(f"{where}: {value!r} is no number")


def listOf(check):
    def checkAll(value, where):
        if not isinstance(value, list):
            raise Bad(f"{where}: {value!r} is no list")
        for i, element in enumerate(value):
            check(element, f"{where}[{i}]")
    return checkAll


def optional(check):
    return lambda value, where: None if value is None else check(value, where)


def struct(required, **members):
    """An object: what is `required` is there, what is known has its type; other keys may be anything."""
    def check(value, where):
        if not isinstance(value, dict):
            raise Bad(f"{where}: {value!r} is no object")
        for key in required:
            if key not in value:
                raise Bad(f"{where} lacks {key}")
        for key, member in members.items():
            if key in value:
                (member if key in required else optional(member))(value[key], f"{where}.{key}")
    return check


EMPTY = struct([])
FRAME = struct(["filename", "line", "name"], filename=integer(U32), line=integer(I32), name=text, loc=text, uninterned_filename=text)
STACK = listOf(FRAME)
GUARDS = listOf(struct(["code"], code=text, stack=STACK, user_stack=STACK))


def string(value, where):
    if not isinstance(value, list) or len(value) != 2:
        raise Bad(f"{where}: {value!r} is no pair")
    text(value[0], where)
    integer(U32)(value[1], where)


SECONDS = {key: number for key in ("start_time", "entire_frame_compile_time_s", "backend_compile_time_s", "inductor_compile_time_s", "code_gen_time_s", "dynamo_time_before_restart_s")}
COUNTS = {key: integer(U64) for key in ("cache_size", "accumulated_cache_size", "guard_count", "shape_env_guard_count", "graph_op_count", "graph_node_count", "graph_input_count")}
METRICS = struct([], co_name=text, co_filename=text, co_firstlineno=integer(I32), fail_type=text, fail_reason=text, fail_user_frame_filename=text, fail_user_frame_lineno=integer(U32),
                 non_compliant_ops=listOf(text), compliant_custom_ops=listOf(text), restart_reasons=listOf(text), **SECONDS, **COUNTS)
NAMED = struct(["name"], name=text)
ENVELOPE = {
    "rank": integer(U32), "has_payload": text, "stack": STACK,
    "str": string, "dynamo_start": struct([], stack=STACK), "dynamo_output_graph": EMPTY, "optimize_ddp_split_graph": EMPTY, "optimize_ddp_split_child": NAMED,
    "compiled_autograd_graph": EMPTY, "dynamo_guards": EMPTY, "aot_forward_graph": EMPTY, "aot_backward_graph": EMPTY, "aot_inference_graph": EMPTY, "aot_joint_graph": EMPTY,
    "inductor_pre_grad_graph": EMPTY, "inductor_post_grad_graph": EMPTY, "dynamo_cpp_guards_str": EMPTY, "inductor_output_code": struct([], filename=text),
    "compilation_metrics": METRICS, "graph_dump": NAMED, "link": struct(["name", "url"], name=text, url=text),
    "artifact": struct(["name", "encoding"], name=text, encoding=text), "dump_file": NAMED, "chromium_event": EMPTY, "exported_program": EMPTY,
}
# Kinds with members that no writer of ours uses: a log that has one is not known to be taken.
UNUSED = {"bwd_compilation_metrics", "aot_autograd_backward_compilation_metrics", "symbolic_shape_specialization", "propagate_real_tensors_provenance", "guard_added",
          "create_unbacked_symbol", "create_symbol", "expression_created", "missing_fake_kernel", "mismatched_fake_kernel", "memoizer_artifacts", "describe_storage",
          "describe_tensor", "describe_source", "guard_added_fast"}
COMPILE_ID = ("compiled_autograd_id", "frame_id", "frame_compile_id", "attempt")
# Of the log as a whole, not of a compile: PyTorch writes such records without a compile id too.
GLOBAL = {"mica_version", "tool", "outcome", "pipeline", "passes", "comparisons", "test", "snapshots"}


class Strict:
    """Takes the lines of a log in turn, as (number, text), and collects what tlparse would fail on."""

    def __init__(self):
        self.wrong, self.strings, self.rank, self.isRanked = [], {}, None, False

    def rule(self, holds, line, what):
        if not holds:
            self.wrong.append((line, what))

    def line(self, number_, line):
        match = GLOG.search(line)
        self.rule(match, number_, "tlparse finds no prefix of a record")
        if match:
            # raw.jsonl holds them as 64 bits.
            self.rule(int(match.group("thread")) <= U64[1] and int(match.group("line")) <= U64[1], number_, "a number of the prefix has more than 64 bits")
        return line[match.start("json"):] if match else None

    def record(self, number_, envelope, pairs, payload):
        """`envelope`: the parsed object; `pairs`: its members as they stand; `payload`: its text, or None."""
        try:
            self.members(pairs)
            for key, check in ENVELOPE.items():
                if envelope.get(key) is not None:
                    check(envelope[key], key)
            for key in COMPILE_ID:
                if envelope.get(key) is not None:
                    integer(U32)(envelope[key], key)
        except Bad as bad:
            return self.rule(False, number_, f"tlparse refuses the envelope: {bad}")
        for key in UNUSED & set(envelope):
            self.rule(False, number_, f"{key}: not known whether tlparse takes it")
        # Keys of tlparse's own in raw.jsonl.
        for key in ("timestamp", "thread", "pathname", "lineno", "payload_filename"):
            self.rule(key not in envelope, number_, f"{key} is a key of raw.jsonl")
        if envelope.get("str") is not None:
            known = self.strings.setdefault(envelope["str"][1], envelope["str"][0])
            return self.rule(known == envelope["str"][0], number_, f"string {envelope['str'][1]} stands for another text")
        if self.isRanked:
            self.rule(envelope.get("rank") == self.rank, number_, f"tlparse leaves out records of another rank: {envelope.get('rank')} after {self.rank}")
        elif envelope.get("rank") is not None:
            self.rank, self.isRanked = envelope["rank"], True
        self.frames(number_, envelope.get("stack"))
        self.frames(number_, (envelope.get("dynamo_start") or {}).get("stack"))
        if "dynamo_guards" in envelope:
            self.guards(number_, payload)
        metrics = envelope.get("compilation_metrics")
        self.rule(not metrics or metrics.get("fail_type") is None or metrics.get("fail_reason") is not None, number_, "a failure without its reason ends tlparse")
        artifact = envelope.get("artifact")
        self.rule(not artifact or artifact["encoding"] in ("string", "json"), number_, f"tlparse knows no encoding {artifact and artifact['encoding']}")
        named = artifact or envelope.get("graph_dump") or {}
        self.rule("/" not in named.get("name", "") and named.get("name") not in ("", ".", ".."), number_, f"the product {named.get('name')!r} names no file")
        if not any(envelope.get(key) is not None for key in COMPILE_ID) and "stack" not in envelope:
            isGlobal = bool(artifact and (artifact["name"] in GLOBAL or re.match(r"\d{4}_", artifact["name"])))
            self.rule(isGlobal or self.isOfNoCompile(envelope, payload), number_, "a record of a compile without its id")

    def isOfNoCompile(self, envelope, payload):
        try:
            return "chromium_event" in envelope and json.loads(payload)["args"]["compile_id"] == "None"
        except (ValueError, KeyError, TypeError):
            return False

    def members(self, pairs):
        """A struct's member stands once; text is whole."""
        if isinstance(pairs, tuple):  # an object: (key, value) in the order of the text
            keys = [key for key, _ in pairs]
            if len(set(keys)) != len(keys):
                raise Bad(f"a key stands twice: {keys}")
            for key, value in pairs:
                text(key, "key")
                self.members(value)
        elif isinstance(pairs, list):
            for value in pairs:
                self.members(value)
        elif isinstance(pairs, str):
            text(pairs, "text")

    def frames(self, number_, stack):
        for frame in stack or []:
            self.rule(frame["filename"] in self.strings, number_, f"no record before this one says what string {frame['filename']} is")

    def guards(self, number_, payload):
        try:
            guards = json.loads(payload or "")
            GUARDS(guards, "guards")
        except (ValueError, Bad) as bad:
            return self.rule(False, number_, f"tlparse refuses the guards: {bad}")
        for guard in guards:
            self.frames(number_, guard.get("stack"))
            self.frames(number_, guard.get("user_stack"))
