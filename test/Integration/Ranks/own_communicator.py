"""A communicator of the caller's: two processes that exchange by a pipe, without MPI (mica_context_create_ranked).

usage: own_communicator.py ARTIFACT LIBRARY

ARTIFACT is test/Integration/Ranks/block.mlir. Its results are compared with those of ranks on threads.
"""
import ctypes
import multiprocessing
import sys

import mica.runtime
import numpy as np
from mica._capi import ContextOptions, ErrorStruct, library, use_library

ALL_GATHER, ALL_REDUCE, BROADCAST = 0, 1, 4


class Call(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int32) for name in ("kind", "dtype", "reduction", "root", "send_to", "receive_from", "num_members", "self")] + [
        ("members", ctypes.c_void_p), ("send", ctypes.c_void_p), ("receive", ctypes.c_void_p), ("count", ctypes.c_int64), ("element_bytes", ctypes.c_int64)]


NUMBER = ctypes.CFUNCTYPE(ctypes.c_int32)
NAME = ctypes.CFUNCTYPE(ctypes.c_char_p)
START = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(Call), ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p, ctypes.c_int64)
TEST = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int32), ctypes.c_void_p, ctypes.c_int64)
ABORT = ctypes.CFUNCTYPE(None, ctypes.c_int32)
CLOSE = ctypes.CFUNCTYPE(None)


class Table(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("library", NAME), ("rank", NUMBER), ("size", NUMBER), ("start", START), ("test", TEST),
                ("abort", ABORT), ("close", CLOSE)]


def run(rank, pipe, artifact, path, values, queue):
    use_library(path)
    raw = ctypes.CDLL(path)
    raw.mica_ranks_combine.argtypes = [ctypes.c_int32, ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
    kinds = []

    def start(pointer, request, message, capacity):
        call = pointer.contents
        bytes_ = call.count * call.element_bytes
        kinds.append(call.kind)
        own = ctypes.string_at(call.send, bytes_)
        pipe.send_bytes(own)
        other = pipe.recv_bytes()
        parts = [own, other] if rank == 0 else [other, own]
        if call.kind == ALL_GATHER:
            ctypes.memmove(call.receive, b"".join(parts), 2 * bytes_)
        elif call.kind == BROADCAST:
            ctypes.memmove(call.receive, parts[call.root], bytes_)
        elif call.kind == ALL_REDUCE:
            ctypes.memmove(call.receive, parts[0], bytes_)
            raw.mica_ranks_combine(call.dtype, call.reduction, call.receive, parts[1], call.count)
        else:
            ctypes.memmove(message, b"not written\0", min(capacity, 12))
            return -1
        request[0] = 1
        return 0

    def test(request, complete, message, capacity):
        complete[0] = 1
        return 0

    table = Table(1, NAME(lambda: b"a pipe"), NUMBER(lambda: rank), NUMBER(lambda: 2), START(start), TEST(test), ABORT(lambda code: None), CLOSE(lambda: None))

    def create(program, options, handle):
        error = ErrorStruct()
        create = raw.mica_context_create_ranked
        create.argtypes = [ctypes.c_void_p] * 5
        if create(program, ctypes.addressof(options._obj), ctypes.addressof(table), ctypes.addressof(handle._obj), ctypes.addressof(error)):
            raise RuntimeError(error.message.decode())

    library().mica_context_create = create
    try:
        context = mica.runtime.Context(mica.runtime.Program(artifact), threads=1)
        results = [np.array(result) for result in context.run(*values)]
        context.close()
        table.version = 7
        try:
            mica.runtime.Context(mica.runtime.Program(artifact))
            refused = "taken"
        except RuntimeError as error:
            refused = str(error)
        queue.put((rank, results, kinds.count(ALL_REDUCE), refused))
    except Exception as error:
        queue.put((rank, [], 0, repr(error)))


def main():
    artifact, path = sys.argv[1:]
    rng = np.random.default_rng(1)
    shapes = [(6, 8), (4, 8, 3), (4, 8, 3), (4, 8, 3), (4, 3, 8), (8, 16), (16, 8)]
    values = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
    context = multiprocessing.get_context("spawn")
    queue, ends = context.Queue(), context.Pipe()
    processes = [context.Process(target=run, args=(rank, ends[rank], artifact, path, values, queue)) for rank in range(2)]
    for process in processes:
        process.start()
    found = dict((rank, rest) for rank, *rest in (queue.get(timeout=120) for _ in processes))
    for process in processes:
        process.join()
    use_library(path)
    with mica.runtime.Context(mica.runtime.Program(artifact), threads=1) as threads:
        wanted = [np.array(result) for result in threads.run(*values)]
    for rank, (results, sums, refused) in sorted(found.items()):
        if sums != 2 or len(results) != len(wanted) or any(not np.array_equal(a, b) for a, b in zip(results, wanted)):
            sys.exit(f"rank {rank}: {sums} sums, {refused}, {results}, wanted {wanted}")
        if "has version 7 of the interface between ranks" not in refused:
            sys.exit(f"rank {rank}: {refused}")
    print("ranks of the caller's communicator: the same results")


if __name__ == "__main__":
    main()
