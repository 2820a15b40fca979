"""Writes logs of what graphs do at run time, and of what became of their nodes.

usage: run_logs.py ranks DIR COUNT | nodes FILE, or run_logs.py trace FILE to say what a trace of estimated times holds
"""
import json
import pathlib
import sys

from trace_log import Log


def ranks(folder, count):
    """COUNT ranks. The last one lacks a collective and runs its graphs in another order; rank 1 is slow."""
    for rank in range(count):
        log = Log(rank)
        last = rank == count - 1
        names = ["all_gather_into_tensor", "all_reduce", "reduce_scatter_tensor"]
        for graph in range(2):
            log.record("dynamo_start", {"stack": log.frames(("/work/train.py", 10 + graph, "main", "step()"))}, (graph, 0, 0))
            planned = [f"torch.ops._c10d_functional.{name}.default" for name in names]
            if last and graph == 1:
                planned[1] = planned[2]
            log.artifact("inductor_collective_schedule", (graph, 0, 0), json.dumps(planned), "json")
            code = "def call(args):\n" + "".join(f"    buf{i} = torch.ops._c10d_functional.{name}.default(arg)\n" + (f"    torch.ops._c10d_functional.wait_tensor.default(buf{i})\n" if i or graph else "")
                                                   for i, name in enumerate(names[: 3 - graph]))
            log.record("inductor_output_code", {"filename": "/tmp/x/c.py"}, (graph, 0, 0), code)
            slow = 4 if rank == 1 and graph == 0 else 1
            log.artifact("inductor_runtime_and_tensor_meta", (graph, 0, 0), json.dumps({"ops": [
                {"name": "mm", "type": "compute", "estimated_runtime_ns": 2000 * slow, "outputs": [{"shape": [4, 4]}]},
                {"name": "all_reduce", "type": "collective", "estimated_runtime_ns": 1000, "outputs": [{"shape": [4, 5 if rank in (2, 3) else 4]}]}]}), "json")
            log.record("compilation_metrics", {"compile_id": f"{graph}/0", "co_name": "step", "co_filename": "/work/train.py", "co_firstlineno": 10, "graph_op_count": 3, "duration_us": 900}, (graph, 0, 0))
        log.artifact("graph_execution", None, json.dumps({"graph_execution_order": ["0/0", "1/0", "0/0"] if not last else ["0/0", "0/0", "1/0"]}), "json")
        log.write(pathlib.Path(folder) / f"dedicated_log_torch_trace_rank_{rank}_abcd.log")


def nodes(path):
    """A compile with the graphs before and after Inductor's passes, its code, and the mappings between them."""
    log = Log()
    cid = (0, 0, 0)
    log.record("dynamo_start", {"stack": log.frames(("/work/train.py", 10, "main", "step()"))}, cid)
    log.artifact("before_pre_grad_graph", cid, 'class GraphModule(torch.nn.Module):\n    def forward(self, x: "f32[8, 8]", w: "f32[8, 8]"):\n'
                 '        linear: "f32[8, 8]" = torch.nn.functional.linear(x, w);  x = w = None\n        relu: "f32[8, 8]" = torch.relu(linear)\n        unused: "f32[8]" = torch.sum(relu)\n        return (relu,)\n')
    log.artifact("after_post_grad_graph", cid, 'class <lambda>(torch.nn.Module):\n    def forward(self, arg0_1: "f32[8, 8]", arg1_1: "f32[8, 8]"):\n'
                 '        permute: "f32[8, 8]" = torch.ops.aten.permute.default(arg1_1, [1, 0])\n        mm: "f32[8, 8]" = torch.ops.aten.mm.default(arg0_1, permute)\n        relu_1: "f32[8, 8]" = torch.ops.aten.relu.default(mm)\n        return (relu_1,)\n')
    log.record("inductor_output_code", {"filename": "/tmp/x/c.py"}, cid, "# kernel path: /tmp/x/k.py\ntriton_poi_fused_relu_0 = async_compile.triton('triton_poi_fused_relu_0', '''\n''')\n\ndef call(args):\n"
               "    # [Provenance debug handles] extern_kernels.mm:1\n    extern_kernels.mm(arg0_1, permute, out=buf0)\n    # [Provenance debug handles] triton_poi_fused_relu_0:2\n    triton_poi_fused_relu_0.run(buf1, 64, stream=stream0)\n    return (buf1,)\n")
    mapping = {"preToPost": {"linear": ["permute", "mm"], "relu": ["relu_1"]}, "postToPre": {"permute": ["linear"], "mm": ["linear"], "relu_1": ["relu"]},
               "cppCodeToPost": {"triton_poi_fused_relu_0:2": ["relu_1"], "mm:1": ["mm"]}, "postToCppCode": {"relu_1": ["triton_poi_fused_relu_0:2"], "mm": ["mm:1"]}, "version": 2.0}
    log.artifact("inductor_provenance_tracking_node_mappings", cid, json.dumps(mapping), "json")
    log.record("compilation_metrics", {"compile_id": "0/0", "co_name": "step", "co_filename": "/work/train.py", "co_firstlineno": 10, "graph_op_count": 3, "duration_us": 900}, cid)
    log.write(path)


def trace(path):
    events = json.loads(pathlib.Path(path).read_text())
    threads, names, ends = {}, {}, {}
    for event in events:
        thread = event["pid"], event.get("tid")
        if event["name"] == "process_name":
            names[event["pid"]] = event["args"]["name"]
        elif event["name"] == "thread_name":
            threads[thread] = event["args"]["name"]
        else:
            assert event["ts"] == ends.get(thread, 0), event
            ends[thread] = event["ts"] + event["dur"]
    ops = [event for event in events if event["ph"] == "X"]
    print(f"{len(names)} processes, {len(threads)} threads, {len(ops)} ops, end to end")
    print(f"{names[1]}, {threads[1, 1]}: " + ", ".join(f"{op['name']} {op['dur']}" for op in ops if (op["pid"], op["tid"]) == (1, 1)))


if __name__ == "__main__":
    if sys.argv[1] == "trace":
        trace(sys.argv[2])
    elif sys.argv[1] == "ranks":
        ranks(sys.argv[2], int(sys.argv[3]))
    else:
        nodes(sys.argv[2])
