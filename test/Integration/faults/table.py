"""Faults of programs that run, each with a clean twin: the statement, line and element that a message must name.

`// HERE` marks the line at fault in programs.py. `plain`: host functions run the whole program, whose operations have no ids. `op`, `operands`, `element` and `tensor` are what the structured error and the headline say;
None where the fault has no such thing. `says` are further texts of the message. `ends`: the process ends, so that there is no error.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "checks")]
from arithmetic import HOST  # noqa: E402
from programs import (ALLOCATED, ARGUMENT, ASYNC, ATOMIC, BODY, BROADCAST, CALLED, CARRIED, CHAIN, COLLAPSED, DISCARDED, ENDLESS, EXTRACT,
                      GATHERED, GENERATED, HISTOGRAM, HOST_INDEX, HOST_SCALAR, INSERTED, ITERATED, KERNEL_LOOP, LAUNCHING_LOOP, LOADED_VECTOR, LOCAL, LOOP, LOOP_LOG, MATMUL, MATRIX,
                      NAMED, PARALLEL, PART, PRINTED_INSERTION, PURE_LOOP, RECURSION, RECURSIVE_BODY, REDUCED, REDUCTION, REMAINDER,
                      RESHAPE, SCATTER, SEARCH, SEARCHES, SECOND_BODY, SETTLED_LOOP, STORE, SWITCH, TRANSPOSED, TRIANGLE, UNCHANGING, UNINITIALIZED,
                      UPDATED, VECTOR, VIEW)  # noqa: E402


def row(count, bad, at, good):
    """`good` everywhere but at element `at`."""
    return ",".join(str(bad if i == at else good) for i in range(count))


def fault(name, program, switches, inputs, clean, op, operands=None, element=None, tensor=None, says=(), code=3, **more):
    return dict(name=name, program=program, switches=switches, inputs=inputs, clean=clean, op=op, operands=operands, element=element,
                tensor=tensor, says=list(says), code=code, **more)


def cases():
    yield from nans()
    yield from arithmetic()
    yield from accesses()
    yield from hangs()
    yield from more()
    yield from sizes()


def more():
    yield fault("reduced_division", REDUCED, "", ["4x8xi32=9", "4x8xi32=" + row(32, 0, 13, 2)], ["4x8xi32=9", "4x8xi32=2"], "arith.divsi", "9, 0", "[1]", "%q")
    yield fault("transposed_remainder", TRANSPOSED, "assert-level=all", ["4x8xi32=" + row(32, 0, 13, 2), "8x4xi32=9"], ["4x8xi32=2", "8x4xi32=9"], "arith.remui",
                "9, 0", "[5, 1]", "%q")
    yield fault("second_body", SECOND_BODY, "", ["8xi32=9", "8xi32=1,2,3,9,5,6,7,8"], ["8xi32=10", "8xi32=1"], "arith.divui", "9, 0", "[3]", "%q")
    yield fault("collapsed_division", COLLAPSED, "assert-level=safe", ["2x4xi32=1,1,1,1,1,0,1,1", "8xi32=7"], ["2x4xi32=2", "8xi32=7"], "arith.ceildivsi",
                "7, 0", "[5]", "%q")
    yield fault("affine_remainder", REMAINDER, "", ["8xi32=" + row(8, 0, 5, 2)], ["8xi32=2"], "affine.apply", "3, 0", "[5]", "%q")
    yield fault("host_switch", SWITCH, "", ["index=1", "i32=5", "i32=0"], ["index=2", "i32=5", "i32=0"], "arith.remui", "5, 0")
    yield fault("plain_async", ASYNC, "", ["4xi64=9", "i64=0"], ["4xi64=9", "i64=2"], "arith.divsi", "9, 0", plain=True)
    yield fault("matrix_extract", MATRIX, "", ["3x5xf32=1", "4xi64=0,1,2,2", "4xi64=4,4,5,0"], ["3x5xf32=1", "4xi64=0,1,2,2", "4xi64=4"], "tensor.extract",
                "2, 5", "[2]", "%q", ["outside %t", "index 5 in dimension 1, whose extent is 5"])
    yield fault("triangle", TRIANGLE, "", ["5x5xf32=1", "index=6"], ["5x5xf32=1", "index=5"], "memref.store",
                says=["outside %x .5x5xf32, updated in a copy.: index 5 in dimension 0, whose extent is 5"])
    yield fault("histogram", HISTOGRAM, "assert-level=safe", ["8xi32=0,1,2,3,4,0,1,2", "4xi32=0"], ["8xi32=0,1,2,3,3,0,1,2", "4xi32=0"], "memref.atomic_rmw",
                says=["outside %h .4xi32, updated in a copy.: index 4 in dimension 0, whose extent is 4"])
    yield fault("part_of_a_buffer", PART, "", ["16xf32=1", "index=10", "index=7"], ["16xf32=1", "index=10", "index=6"], "memref.subview", code=1,
                says=[r"slice \[10\] \[7\] \[1\]", "16 elements"])
    yield fault("outside_of_a_view", VIEW, "", ["16xf32=1", "8xf32=0", "index=2", "index=4"], ["16xf32=1", "8xf32=0", "index=2", "index=8"], "memref.load",
                says=["outside %v, a view of .*index 4 in dimension 0, whose extent is 4"])
    yield fault("loaded_vector", LOADED_VECTOR, "", ["20xf32=1", "4xf32=0", "index=17"], ["20xf32=1", "4xf32=0", "index=16"], "vector.load",
                says=["outside %x", "index 20 in dimension 0, whose extent is 20"])
    yield fault("inserted_in_a_loop", INSERTED, "", ["6xf32=1", "3xi64=0,6,2"], ["6xf32=1", "3xi64=0,5,2"], "tensor.insert",
                says=["index 6 in dimension 0, whose extent is 6"])
    yield fault("gathered", GATHERED, "", ["6x4xf32=1", "3x1xi64=0,6,2"], ["6x4xf32=1", "3x1xi64=0,5,2"], "tensor.gather", "6, 0", "[1, 0]", "%g",
                ["outside %t", "index 6 in dimension 0, whose extent is 6"])
    yield fault("iterated", ITERATED, "nan-check", ["4x4xf32=1", "4x4xf32=0.2"], ["4x4xf32=1", "4x4xf32=2"], "mica.sqrt", "-0.2", "[0, 0]", "%q",
                ["originates here"])


def nans():
    nan = "nan-check"
    neg4 = "4x8xf32=" + row(32, -3, 19, 2)
    zero = "4x8xf32=0"
    one = "4x8xf32=1"
    for op, call, bad in (("log", "math.log", "-3"), ("sqrt", "math.sqrt", "-3"), ("rsqrt", "math.rsqrt", "-3")):
        yield fault(f"chain_{op}", CHAIN.format(f"mica.{op} %0 : tensor<4x8xf32>"), nan, [neg4, zero], ["4x8xf32=2", zero], f"mica.{op}", bad,
                    "[2, 3]", "%q", [f"{call}\\(-3\\)", "originates here"])
    yield fault("chain_exp", CHAIN.format("mica.exp %0 : tensor<4x8xf32>").replace("mica.softmax %1 axis = 1", "mica.neg %1"), nan, ["4x8xf32=" + row(32, 100, 5, 1), one], [one, one],
                "mica.exp", "101", "[0, 5]", "%q", ["gives inf"])
    yield fault("chain_div", CHAIN.format("mica.div %0, %b : tensor<4x8xf32>"), nan, [zero, "4x8xf32=" + row(32, 0, 9, 1)], [zero, one],
                "mica.div", "0, 0", "[1, 1]", "%q", ["arith.divf\\(0, 0\\)"])
    for name, text, operands in (
            ("body_log", "    %s = arith.addf %x, %y : f32\n    %l = math.log %s : f32 // HERE\n    linalg.yield %l : f32", "-2"),
            ("body_inf_minus_inf", "    %s = math.exp %x : f32\n    %z = arith.subf %s, %s : f32 // HERE\n    linalg.yield %z : f32", "inf, inf"),
            ("body_power", "    %s = arith.addf %x, %y : f32\n    %c = arith.constant 0.5 : f32\n    %l = math.powf %s, %c : f32 // HERE\n"
             "    linalg.yield %l : f32", "-2, 0.5")):
        bad = "90" if "inf" in name else "-2"
        yield fault(name, BODY.format("f32", text), nan, ["8xf32=" + row(8, bad, 4, 1), "8xf32=0"], ["8xf32=1", "8xf32=0"],
                    text.split("// HERE")[0].split("= ")[-1].split()[0], operands, "[4]", "%q")
    yield fault("nan_constant", BODY.format("f32", "    %n = arith.constant 0x7FC00000 : f32\n    %c = arith.cmpf olt, %x, %y : f32\n"
                                            "    %s = arith.select %c, %n, %x : f32 // HERE\n    linalg.yield %s : f32"), nan,
                ["8xf32=" + row(8, -1, 6, 1), "8xf32=0"], ["8xf32=1", "8xf32=0"], "arith.select", "nan, -1", "[6]", "%q")
    yield fault("half_overflow", BODY.format("f16", "    %s = arith.mulf %x, %y : f16 // HERE\n    linalg.yield %s : f16"), nan,
                ["8xf16=" + row(8, 60000, 3, 1), "8xf16=2"], ["8xf16=1", "8xf16=2"], "arith.mulf", "60000, 2", "[3]", "%q")
    yield fault("before_a_reduction", REDUCTION, nan, ["3x5xf32=" + row(15, -4, 7, 1)], ["3x5xf32=1"], "mica.rsqrt", "-4", "[1, 2]", "%q")
    yield fault("behind_a_matmul", MATMUL, nan, ["4x8xf32=" + ",".join("-1" if 8 <= i < 16 else "1" for i in range(32)), "8x8xf32=1"],
                ["4x8xf32=1", "8x8xf32=1"], "mica.log", "-8", "[1, 0]", "%q")
    yield fault("in_place", CARRIED, nan, ["8xf32=" + row(8, 3, 2, 1), "index=3"], ["8xf32=2", "index=2"], "math.sqrt", "-1", "[0]", "%q")
    yield fault("in_a_called_function", CALLED, nan, ["4xf32=1,2,3,4", "4xf32=1,-5,2,3"], ["4xf32=1", "4xf32=2"], "mica.log", "-5", "[1]",
                "%q", ["in_a_called_function.mlir:7:8"])
    yield fault("named_locations", NAMED, nan, ["4xf32=-1,-1,4,-1"], ["4xf32=-1"], "mica.sqrt", "-4", "[2]", None,
                ["model.py:12:9", "scores"], line=12, file="model.py")
    yield fault("host_scalar_div", HOST_SCALAR.format("arith.divf %0, %y : f32"), nan, ["4xf32=0", "f32=0"], ["4xf32=0", "f32=1"],
                "arith.divf", "0, 0", None, "%q", ["host function of entry 'f'"])
    yield fault("host_scalar_log", HOST_SCALAR.format("math.log %0 : f32"), nan, ["4xf32=-1", "f32=0"], ["4xf32=2", "f32=1"],
                "math.log", "-1", None, "%q", ["host function of entry 'f'"])
    yield fault("overwrites_its_input", SCATTER, nan, ["10x4xf32=-3e38", "3xi64=1,5,5", "3x4xf32=2e38"],
                ["10x4xf32=3", "3xi64=1,5,5", "3x4xf32=2"], "mica.scatter", "3e+38, 2e+38", None, None, ["found by running the entry again"])
    yield fault("loops_on_buffers", LOOP_LOG, nan, ["10xf32=" + row(10, -1, 4, 1)], ["10xf32=1"], "math.log", "-2", None)
    yield fault("discarded", DISCARDED, nan, ["8xf32=" + row(8, -2, 5, 1)], ["8xf32=1"], "math.log", "-2", "[5]", "%q",
                ["discard"], code=0)


def arithmetic():
    divide = "    %s = arith.addi %x, %x : {0}\n    %d = arith.{1} %s, %y : {0} // HERE\n    linalg.yield %d : {0}"
    for op, dtype, why in (("divsi", "i32", "division by zero"), ("remsi", "i64", "division by zero"), ("divui", "i32", "division by zero"),
                           ("floordivsi", "i32", "division by zero"), ("ceildivsi", "i64", "division by zero")):
        yield fault(f"zero_{op}", BODY.format(dtype, divide.format(dtype, op)), "", [f"8x{dtype}=7", f"8x{dtype}=" + row(8, 0, 4, 3)],
                    [f"8x{dtype}=7", f"8x{dtype}=3"], f"arith.{op}", "14, 0", "[4]", "%q", [why])
    yield fault("overflowing_division", BODY.format("i32", "    %d = arith.divsi %x, %y : i32 // HERE\n    linalg.yield %d : i32"), "",
                ["8xi32=" + row(8, -2147483648, 6, 5), "8xi32=-1"], ["8xi32=5", "8xi32=-1"], "arith.divsi", "-2147483648, -1", "[6]", "%q")
    for op in ("shli", "shrui", "shrsi"):
        yield fault(f"far_{op}", BODY.format("i32", divide.format("i32", op)), "assert-level=safe", ["8xi32=7", "8xi32=" + row(8, 40, 1, 3)],
                    ["8xi32=7", "8xi32=3"], f"arith.{op}", "14, 40", "[1]", "%q", ["shift by"])
    assertion = ("    %c = arith.cmpi slt, %x, %y : i32\n    cf.assert %c, \"must grow\" // HERE\n    %d = arith.subi %y, %x : i32\n"
                 "    linalg.yield %d : i32")
    yield fault("assert_in_a_body", BODY.format("i32", assertion), "", ["8xi32=1", "8xi32=" + row(8, 1, 3, 2)], ["8xi32=1", "8xi32=2"],
                "cf.assert", None, "[3]", "%q", ["must grow"])
    yield fault("updated_division", UPDATED.format("i32", "    %d = arith.divsi %x, %y : i32 // HERE\n    linalg.yield %d : i32"), "",
                ["8xi32=7", "8xi32=" + row(8, 0, 2, 3)], ["8xi32=7", "8xi32=3"], "arith.divsi", "7, 0", "[2]")
    yield fault("plain_division", RECURSION.format("", " // HERE", ""), "", ["i64=3", "4xi64=9", "i64=0"], ["i64=3", "4xi64=9", "i64=2"],
                "arith.divsi", "9, 0", plain=True)
    yield fault("plain_assert", RECURSION.format("", "", " // HERE"), "", ["i64=3", "4xi64=-9", "i64=1"], ["i64=3", "4xi64=9", "i64=2"],
                "cf.assert", says=["positive"], plain=True)
    yield fault("recursive_body", RECURSIVE_BODY, "", ["2x3xi32=8", "2x3xi32=3,9,9,9,0,9", "i64=0"], ["2x3xi32=8", "2x3xi32=3", "i64=2"], "arith.remsi",
                "8, 0", "[1, 1]", "%q")
    yield fault("vector_division", VECTOR, "", ["16xi32=5", "16xi32=" + row(16, 0, 6, 1)], ["16xi32=5", "16xi32=2"], "arith.divsi", "5, 0")
    yield fault("loop_division", LOOP.format("divsi"), "", ["10xi32=1", "i32=0"], ["10xi32=1", "i32=3"], "arith.divsi", "1, 0", None)
    yield fault("loop_shift", LOOP.format("shli"), "assert-level=safe", ["10xi32=1", "i32=40"], ["10xi32=1", "i32=3"], "arith.shli", "1, 40", None)
    good = ["10xi32=1", "index=10", "i32=3"]
    yield fault("host_assert", HOST.format(" // HERE", "", ""), "", ["10xi32=5", "index=10", "i32=3"], good, "cf.assert",
                says=["too large"])
    yield fault("host_division", HOST.format("", "", " // HERE"), "", ["10xi32=0", "index=10", "i32=3"], good, "arith.divsi", "3, 0")
    yield fault("host_index_division", HOST_INDEX.format("%q = arith.divui %d, %k : index // HERE\n"
                "  %s = tensor.extract_slice %t[0] [%q] [1] : tensor<?xf32> to tensor<?xf32>\n  return %s : tensor<?xf32>"), "",
                ["4xi64=0", "6xf32=1"], ["4xi64=2", "6xf32=1"], "arith.divui", "6, 0")


def accesses():
    yield fault("extract_in_a_body", EXTRACT, "assert-level=safe", ["10xf32=1", "8xi64=" + row(8, 12, 5, 3)], ["10xf32=1", "8xi64=3"],
                "tensor.extract", "12", "[5]", "%q", ["index 12 in dimension 0, whose extent is 10", "%t"])
    yield fault("store_in_a_loop", STORE, "assert-level=safe", ["10xi32=1", "10xi32=" + row(10, 11, 7, 2)], ["10xi32=1", "10xi32=2"],
                "memref.store", None, None, None, ["index 11 in dimension 0, whose extent is 10"])
    yield fault("host_load", HOST.format("", " // HERE", ""), "assert-level=all", ["10xi32=1", "index=12", "i32=3"],
                ["10xi32=1", "index=10", "i32=3"], "memref.load", None, None, None, ["index 10 in dimension 0, whose extent is 10"])
    yield fault("host_extract", HOST_INDEX.format("%q = tensor.extract %t[%k] : tensor<?xf32> // HERE\n"
                "  %s = tensor.splat %q : tensor<4xf32>\n  %c = tensor.cast %s : tensor<4xf32> to tensor<?xf32>\n  return %c : tensor<?xf32>"),
                "assert-level=safe", ["4xi64=6", "6xf32=1"], ["4xi64=5", "6xf32=1"], "tensor.extract", None, None, None,
                ["index 6 in dimension 0, whose extent is 6", "outside %t"])
    yield fault("slice_sizes", HOST_INDEX.format("%q = tensor.extract_slice %t[0] [%k] [1] : tensor<?xf32> to tensor<?xf32> // HERE\n"
                "  %s = mica.exp %q : tensor<?xf32>\n  return %s : tensor<?xf32>"), "", ["4xi64=7", "6xf32=1"], ["4xi64=6", "6xf32=1"],
                "tensor.extract_slice", code=1, says=["7", "6"])
    yield fault("reshape_sizes", RESHAPE, "", ["6xf32=1", "2xindex=2,4"], ["6xf32=1", "2xindex=2,3"], "tensor.reshape", code=1,
                says=["6 elements are not 8"])
    yield fault("uninitialized_element", UNINITIALIZED, "uninitialized-read-check", ["index=17"], ["index=20"], "affine.load",
                says=["uninitialized", "\\[17\\]"])


    yield fault("plain_parallel_insertion", PRINTED_INSERTION, "", ["4xf32=1", "index=3"], ["4xf32=1", "index=2"], "tensor.parallel_insert_slice", code=1,
                says=[r"slice \[3\]", "3 elements"], plain=True)
    yield fault("local_buffer", LOCAL, "", ["4xi32=0,4,5,1", "4xf32=0"], ["4xi32=0,4,3,1", "4xf32=0"], "memref.load",
                says=["outside %t .inside the kernel.: index 5 in dimension 0, whose extent is 5"])
    yield fault("endless_search", SEARCH, "", ["4xi32=1,2,3,4", "i32=9"], ["4xi32=1,2,9,4", "i32=9"], "memref.load",
                says=["%m", "index 4 in dimension 0, whose extent is 4"])
    yield fault("endless_search_body", SEARCHES, "", ["8xi32=1,2,3,4,5,6,7,8", "4xi32=3,9,1,1"], ["8xi32=1,2,3,4,5,6,7,8", "4xi32=3,8,1,1"],
                "tensor.extract", "8", "[1]", "%q", says=["index 8 in dimension 0, whose extent is 8"])
    yield fault("plain_load", RECURSION.format(" // HERE", "", ""), "", ["i64=3", "4xi64=9", "i64=4"], ["i64=3", "4xi64=9", "i64=2"],
                "memref.load", says=["index 4 in dimension 0, whose extent is 4", "entry 'f'"], plain=True)
    yield fault("named_argument", ARGUMENT, "", ["4xi32=1", "index=-2"], ["4xi32=1", "index=3"], "memref.load",
                says=["outside %table: index -2 in dimension 0, whose extent is 4"])
    yield fault("named_copy", PARALLEL, "", ["8xi32=40", "index=9", "i32=2"], ["8xi32=40", "index=8", "i32=2"], "memref.load",
                says=["outside %table: index 8 in dimension 0, whose extent is 8"])


def hangs():
    yield fault("endless_after_a_counter", SETTLED_LOOP.format(" // HERE"), "hang-timeout=0.2", ["i64=-10", "4xf32=1"], ["i64=100000", "4xf32=1"],
                "scf.while", code=4, says=["makes no progress", "carries -1, %t"])
    yield fault("endless_arithmetic", PURE_LOOP, "hang-timeout=0.5", ["i64=10", "i64=0"], ["i64=10", "i64=1"], "scf.while", code=4,
                says=["makes no progress", "carries 0", "[0-9]+ iterations"])
    yield fault("long_arithmetic", PURE_LOOP, "loop-timeout=0.5", ["i64=1000000000000000", "i64=1"], ["i64=10", "i64=1"], "scf.while", code=4,
                says=["has run for", "[0-9]+ iterations", "carries [0-9]+"])
    yield fault("endless_in_a_kernel", KERNEL_LOOP, "hang-timeout=0.5", ["8xi64=10", "8xi64=" + row(8, 0, 3, 1)], ["8xi64=10", "8xi64=1"],
                "scf.while", code=4, says=["no kernel has made progress", "carries 0", "[0-9]+ iterations"], ends=True)
    yield fault("long_in_a_kernel", KERNEL_LOOP, "loop-timeout=0.5", ["8xi64=" + row(8, 10**15, 3, 1), "8xi64=1"], ["8xi64=10", "8xi64=1"],
                "scf.while", code=4, says=["has run for", "carries [0-9]+", "[0-9]+ iterations"], ends=True)
    yield fault("endless_around_kernels", LAUNCHING_LOOP, "hang-timeout=0.5", ["8xf32=1", "8xf32=0", "f32=9"], ["8xf32=1", "8xf32=1", "f32=9"],
                "scf.while", code=4, says=["makes no progress", "%x|%a", "[0-9]+ iterations"])
    yield fault("long_around_kernels", LAUNCHING_LOOP, "loop-timeout=0.5", ["8xf32=0", "8xf32=1e-3", "f32=1e9"], ["8xf32=1", "8xf32=1", "f32=9"],
                "scf.while", code=4, says=["has run for", "[0-9]+ iterations"])


def sizes():
    yield fault("negative_allocation", ALLOCATED, "", ["8xf32=1", "8xi64=" + row(8, -4, 3, 2)], ["8xf32=1", "8xi64=2"], "memref.alloc", code=1,
                says=["would have the size -4 in dimension 0", "in kernel"])
    yield fault("unchanging_condition", UNCHANGING, "", ["i64=10", "i64=9", "f32=1.5"], ["i64=10", "i64=10", "f32=1.5"], "scf.while",
                says=["0 iterations; it carries 10, 1.5"])
    yield fault("broadcast_sizes", BROADCAST, "", ["2x4xf32=1", "3x4xf32=1"], ["3x4xf32=1", "1x4xf32=1"], "tosa.add", code=1,
                says=["argument 1 .%y. is 3, but dimension 0 of %a is 2"])
    yield fault("index_division", BODY.format("index", "    %s = index.divs %x, %y // HERE\n    linalg.yield %s : index"), "",
                ["8xindex=7", "8xindex=" + row(8, 0, 3, 2)], ["8xindex=7", "8xindex=2"], "index.divs", "7, 0", "[3]", "%q")
    yield fault("generated_division", GENERATED, "", ["index=3", "6xi64=" + row(6, 0, 2, 1)], ["index=3", "6xi64=1"], "arith.divsi", "0, 0", "[0, 2]", "%q")
    yield fault("atomic_division", ATOMIC, "", ["4xi32=8", "4xi32=" + row(4, 0, 2, 1)], ["4xi32=8", "4xi32=1"], "arith.divsi", "8, 0")
    yield fault("endless_in_a_body", ENDLESS, "", ["8xi64=10", "8xi64=" + row(8, 9, 3, 10)], ["8xi64=10", "8xi64=10"], "scf.while", None, "[3]", "%q",
                ["the loop never ends", "it carries 10, 0.5"])
