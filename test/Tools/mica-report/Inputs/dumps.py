"""Writes dumps of other compilers, in the forms that their documentation gives, with texts that no MLIR here can parse.

usage: dumps.py FOLDER
"""
import gzip
import json
import os
import sys

TTIR = """#loc = loc("/home/user/add.py":7:0)
module {
  tt.func public @add_kernel(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc("/home/user/add.py":7:0), %arg1: !tt.ptr<f32> loc("/home/user/add.py":7:0), %arg2: i32 loc("/home/user/add.py":7:0)) attributes {noinline = false} {
    %c1024_i32 = arith.constant 1024 : i32 loc(#loc1)
    %0 = tt.get_program_id x : i32 loc(#loc2)
    %1 = arith.muli %0, %c1024_i32 : i32 loc(#loc3)
    %2 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32> loc(#loc4)
    %3 = tt.splat %1 : i32 -> tensor<1024xi32> loc(#loc4)
    %4 = arith.addi %3, %2 : tensor<1024xi32> loc(#loc4)
    %5 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>> loc(#loc5)
    %6 = tt.addptr %5, %4 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32> loc(#loc5)
    %7 = tt.load %6 : tensor<1024x!tt.ptr<f32>> loc(#loc6)
    %8 = arith.addf %7, %7 : tensor<1024xf32> loc(#loc7)
    tt.store %6, %8 : tensor<1024x!tt.ptr<f32>> loc(#loc8)
    tt.return loc(#loc9)
  } loc(#loc)
} loc(#loc)
#loc1 = loc(unknown)
#loc2 = loc("/home/user/add.py":8:24)
#loc3 = loc("/home/user/add.py":9:24)
#loc4 = loc("/home/user/add.py":10:28)
#loc5 = loc("/home/user/add.py":11:24)
#loc6 = loc("/home/user/add.py":11:16)
#loc7 = loc("sum"(#loc10))
#loc8 = loc("/home/user/add.py":13:21)
#loc9 = loc("/home/user/add.py":13:4)
#loc10 = loc("/home/user/add.py":12:15)
"""
LAYOUT = '#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>\n'
PYTHON = "\n" * 6 + """def add_kernel(x, out, n):
    pid = tl.program_id(axis=0)
    start = pid * 1024
    offsets = start + tl.arange(0, 1024)
    value = tl.load(x + offsets)
    total = value + value
    tl.store(x + offsets, total)
"""


def ttgir():
    text = TTIR.replace("module {", 'module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {')
    for shape in ("tensor<1024xi32>", "tensor<1024xf32>", "tensor<1024x!tt.ptr<f32>>"):
        text = text.replace(shape, shape[:-1] + ", #blocked>")
    return LAYOUT + text


LLIR = """; ModuleID = 'LLVMDialectModule'
source_filename = "LLVMDialectModule"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @add_kernel(ptr addrspace(1) %0, ptr addrspace(1) %1, i32 %2) !dbg !4 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !7
  %5 = shl i32 %4, 10, !dbg !8
  %6 = sext i32 %5 to i64, !dbg !9
  %7 = getelementptr float, ptr addrspace(1) %0, i64 %6, !dbg !9
  %8 = load float, ptr addrspace(1) %7, align 4, !dbg !9
  %9 = fadd float %8, %8, !dbg !10
  store float %9, ptr addrspace(1) %7, align 4, !dbg !11
  ret void, !dbg !11
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #0

attributes #0 = { nounwind }
!llvm.dbg.cu = !{!2}
!2 = distinct !DICompileUnit(language: DW_LANG_C, file: !3)
!3 = !DIFile(filename: "add.py", directory: "/home/user")
!4 = distinct !DISubprogram(name: "add_kernel", scope: !3, file: !3, line: 7)
!7 = !DILocation(line: 8, column: 24, scope: !4)
!8 = !DILocation(line: 9, column: 24, scope: !4)
!9 = !DILocation(line: 11, column: 16, scope: !4)
!10 = !DILocation(line: 12, column: 15, scope: !4)
!11 = !DILocation(line: 13, column: 21, scope: !4)
"""
PTX = """.version 8.4
.target sm_90
.visible .entry add_kernel(.param .u64 add_kernel_param_0)
{
	.loc	1 8 24
	mov.u32 	%r1, %ctaid.x;
	.loc	1 11 16
	ld.global.f32 	%f1, [%rd1];
	.loc	1 12 15
	add.f32 	%f2, %f1, %f1;
	.loc	1 13 21
	st.global.f32 	[%rd1], %f2;
	ret;
}
	.file	1 "/home/user/add.py"
"""
HLO = """HloModule jit_f, entry_computation_layout={(f32[8]{0})->f32[8]{0}}

%fused_computation (param_0.1: f32[8]) -> f32[8] {
  %param_0.1 = f32[8]{0} parameter(0)
  ROOT %multiply.1 = f32[8]{0} multiply(f32[8]{0} %param_0.1, f32[8]{0} %param_0.1)
}

ENTRY %main.4 (x: f32[8]) -> f32[8] {
  %x = f32[8]{0} parameter(0), metadata={op_name="x" source_file="/home/user/f.py" source_line=3}
  %add.2 = f32[8]{0} add(f32[8]{0} %x, f32[8]{0} %x), metadata={op_name="jit(f)/add" source_file="/home/user/f.py" source_line=4}
  ROOT %fusion = f32[8]{0} fusion(f32[8]{0} %add.2), kind=kLoop, calls=%fused_computation, metadata={op_name="jit(f)/mul" source_file="/home/user/f.py" source_line=5}
}
"""
# Newer versions name positions by frames of a table; older ones write literals on several lines.
FRAMES = """HloModule jit_g.1, is_scheduled=true

FileNames
1 "/home/user/g.py"
2 "/home/user/layers.py"

FunctionNames
1 "<module>"
2 "layer"

FileLocations
1 {file_name_id=1 function_name_id=1 line=9 end_line=9 column=0 end_column=10}
2 {file_name_id=2 function_name_id=2 line=4 end_line=4 column=8 end_column=20}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=2 parent_frame_id=2}


ENTRY main.4 {
  x = f32[2,2]{1,0} parameter(0), metadata={op_name="x"}
  c = f32[2,2]{1,0} constant({
    { 1, 2 },
    { 3, 4 }
  })
  ROOT add.2 = f32[2,2]{1,0} add(x, c), metadata={op_name="jit(g)/add" stack_frame_id=2}
}, execution_thread="main"
"""
FLOW = """module {
  flow.executable private @main_dispatch_0 {
    flow.executable.export public @elementwise workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @elementwise(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>) {
        return
      }
    }
  }
  util.func public @main(%arg0: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<8xf32>
    %1 = flow.dispatch @main_dispatch_0::@elementwise(%0) : (tensor<8xf32>) -> tensor<8xf32>
    %2 = hal.tensor.export %1 "output0" : tensor<8xf32> -> !hal.buffer_view
    util.return %2 : !hal.buffer_view
  }
}
"""


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as out:
        out.write(text)


def triton_log():
    """MLIR_ENABLE_DUMP=1: the module before each pass, of two kernels."""
    simple = TTIR.replace("    %8 = arith.addf", "    %20 = arith.constant 0 : i32 loc(#loc1)\n    %8 = arith.addf")
    log = "some line of the program\n"
    for kernel in ("add_kernel", "other_kernel"):
        for name, argument, text in (("Inliner", "inline", simple), ("Canonicalizer", "canonicalize", simple), ("ConvertTritonToTritonGPU", "convert-triton-to-tritongpu", TTIR), ("TritonGPUCoalesce", "tritongpu-coalesce", ttgir())):
            log += f"// -----// IR Dump Before {name} ({argument}) ('builtin.module' operation) //----- //\n{text.replace('add_kernel', kernel)}\n\n"
    return log


def hostile():
    """Names and texts that a page must show as they are."""
    bad = '<img src=x onerror=window.pwned=1>"><script>window.pwned=1</script>'
    name = "n" * 5000
    return (f"// -----// IR Dump Before {bad} ({bad}) ('builtin.module' operation: @\"{bad}\") //----- //\n"
            f"module {{\n  func.func @f() {{\n    \"{bad.replace(chr(34), chr(92) + chr(34))}\"() : () -> () loc(\"javascript:window.pwned=1\":1:1)\n    weird {bad}\n  }}\n}}\n"
            f"// -----// IR Dump After {name} ({name}) //----- //\nmodule {{\n  func.func @f() {{\n    test.{name} {{a = \"</script>{bad.replace(chr(34), '')}\"}}\n  }}\n}}\n")


def main(folder):
    log = triton_log()
    write(f"{folder}/triton.log.txt", log)
    with gzip.open(f"{folder}/triton.log.gz", "wt") as out:
        out.write(log)
    for ending, text in (("ttir", TTIR), ("ttgir", ttgir()), ("llir", LLIR), ("ptx", PTX), ("source", TTIR), ("json", "{}")):
        write(f"{folder}/triton_dump/ab12cd/add_kernel.{ending}", text)
    event = {"event_type": "compilation", "pid": 1, "timestamp": "2026-01-01T00:00:00Z", "stack": [],
             "payload": {"metadata": {"name": "add_kernel", "hash": "ab12cd"}, "file_path": {}, "file_content": {"add_kernel.ttir": TTIR, "add_kernel.ttgir": ttgir(), "add_kernel.llir": LLIR, "add_kernel.ptx": PTX},
                         "python_source": {"file_path": "/home/user/add.py", "start_line": 7, "end_line": 13, "code": PYTHON.lstrip("\n")}}}
    write(f"{folder}/tritonparse.ndjson", json.dumps(event) + "\n" + json.dumps({"event_type": "launch", "grid": [1]}) + "\n{broken\n")
    renumbered = HLO.replace("%add.2", "%add.17").replace("fused_computation", "fused_computation.3")
    removed = "\n".join(line for line in HLO.replace("%add.2)", "%x)").split("\n") if "%add.2 =" not in line)
    for stage, text in (("before_optimizations", HLO), ("0003.simplification.after_pipeline-start.before_dce", renumbered), ("0004.simplification.after_dce.before_cse", removed), ("cpu_after_optimizations", removed), ("cpu_after_optimizations-buffer-assignment", "BufferAssignment:\n"), ("ir-no-opt", "")):
        if text:
            write(f"{folder}/xla/module_0001.jit_f.{stage}.txt", text)
    write(f"{folder}/xla/module_0001.jit_f.ir-with-opt.ll", LLIR)
    # Dots in the name of the module and in that of the stage; a log of the passes of one kernel.
    for stage in ("before_optimizations.txt", "0001.fusion.after_a.before_b.txt", "sm_8.0_gpu_after_optimizations.txt"):
        write(f"{folder}/xla_gpu/module_0007.jit_g.1.{stage}", FRAMES)
    write(f"{folder}/xla_gpu/module_0007.jit_g.1.sm_8.0_gpu_after_optimizations-memory-usage-report.txt", "Total bytes: 1\n")
    write(f"{folder}/xla_gpu/module_0007.jit_g.1.sm_8.0_gpu_after_optimizations.notes.txt", "no program\n")
    write(f"{folder}/xla_gpu/module_0007.jit_g.1.ptx", PTX)
    write(f"{folder}/xla_gpu/module_0007.jit_g.1.gemm_fusion.triton-passes.log", log)
    write(f"{folder}/xla/module_0001.jit_f.debug_options", "xla_dump_to: x\n")
    write(f"{folder}/tritonparse_logs/dedicated_log_triton_trace_user_.ndjson", json.dumps(event) + "\n")
    with gzip.open(f"{folder}/tritonparse_logs/f0_fc0_a0_cai-.ndjson.gz", "wt") as out:
        out.write(json.dumps(event) + "\n")
    for number, phase, text in ((1, "input", "util.func public @main() {\n  util.return\n}\n"), (6, "flow", FLOW), (7, "stream", FLOW.replace("flow.dispatch @", "stream.async.dispatch @")), (11, "hal", FLOW.replace("flow.executable", "hal.executable"))):
        write(f"{folder}/iree/model.{number}.{phase}.mlir", text)
    write(f"{folder}/iree_executables/configured_module_main_dispatch_0.mlir", FLOW)
    write(f"{folder}/iree_executables/module_main_dispatch_0.mlir", FLOW)
    write(f"{folder}/iree_executables/module_main_dispatch_0_cuda_nvptx_fb_benchmark.mlir", FLOW)
    for step in ("codegen", "linked", "optimized"):
        write(f"{folder}/iree_executables/module_main_dispatch_0_cuda_nvptx_fb.{step}.ll", LLIR)
    write(f"{folder}/iree_executables/module_main_dispatch_0_cuda_nvptx_fb.ptx", PTX)
    write(f"{folder}/hostile.txt", hostile())
    write(f"{folder}/add.py", PYTHON)
    write(f"{folder}/legacy.txt", "// *** IR Dump After Canonicalizer ***\n\"builtin.module\"() ({\n  \"old.op\"() {a = 1 : i32} : () -> ()\n}) : () -> ()\n\n// *** IR Dump After CSE ***\n\"builtin.module\"() ({\n}) : () -> ()\n")


main(sys.argv[1])
