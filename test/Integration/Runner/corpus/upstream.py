# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What stock mlir-opt and mlir-runner print for a program."""
import pathlib
import re
import subprocess

# Upstream lowers these by transform ops only.
SCRIPT = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %pack = transform.structured.match ops{["linalg.pack"]} in %m : (!transform.any_op) -> !transform.op<"linalg.pack">
    transform.foreach %pack : !transform.op<"linalg.pack"> {
    ^bb0(%op: !transform.op<"linalg.pack">):
      transform.structured.lower_pack %op : (!transform.op<"linalg.pack">) -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
    }
    %unpack = transform.structured.match ops{["linalg.unpack"]} in %m : (!transform.any_op) -> !transform.op<"linalg.unpack">
    transform.foreach %unpack : !transform.op<"linalg.unpack"> {
    ^bb0(%op: !transform.op<"linalg.unpack">):
      transform.structured.lower_unpack %op : (!transform.op<"linalg.unpack">) -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">)
    }
    %softmax = transform.structured.match ops{["linalg.softmax"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.foreach %softmax : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      transform.structured.decompose_interface %op : (!transform.any_op) -> !transform.any_op
    }
    %func = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.tensor.decompose_concat
    } : !transform.any_op
    transform.yield
  }
}
"""
# Without arith-expand and math-expand-ops, which lose the sign of zeros.
TENSORS = """func.func(tosa-to-scf,tosa-make-broadcastable),tosa-to-mlprogram,func.func(tosa-to-linalg-named,tosa-make-broadcastable,tosa-to-linalg,
tosa-to-arith{include-apply-rescale=true use-32-bit=false},tosa-to-tensor),
convert-elementwise-to-linalg,
one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops=true},
convert-bufferization-to-memref,
func.func(convert-linalg-to-loops,scf-forall-to-for)"""
LLVM = """expand-realloc,convert-vector-to-scf,func.func(lower-vector-multi-reduction),expand-strided-metadata,lower-affine,convert-scf-to-cf,
func.func(memref-expand),expand-strided-metadata,lower-affine,convert-scf-to-cf,
convert-complex-to-libm,convert-complex-to-standard,convert-vector-to-llvm,convert-math-to-llvm,convert-math-to-libm,convert-complex-to-llvm,
convert-index-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-arith-to-llvm,convert-cf-to-llvm,convert-ub-to-llvm,
reconcile-unrealized-casts"""
ASYNC = """async-func-to-async-runtime,async-to-async-runtime,async-runtime-ref-counting,async-runtime-ref-counting-opt,convert-linalg-to-loops,convert-scf-to-cf,
convert-async-to-llvm,convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-vector-to-llvm,convert-cf-to-llvm,
reconcile-unrealized-casts"""
PIPELINES = {
    "default": f"builtin.module({TENSORS},{LLVM})",
    "script": f"builtin.module(transform-preload-library{{transform-library-paths=SCRIPT}},transform-interpreter,canonicalize,{TENSORS},{LLVM})",
    "transform": f"builtin.module(transform-interpreter,test-transform-dialect-erase-schedule,canonicalize,{TENSORS},{LLVM})",
    "cf": f"builtin.module({LLVM})",
    "funcs": f"builtin.module(convert-math-to-funcs,{TENSORS},{LLVM})",
    # To LLVM, expm1 and log1p lose what is small, and calls of libm for complex f32 pass it wrong
    # (docs/UpstreamFindings.md).
    "libm": f"builtin.module({TENSORS},convert-math-to-libm,{LLVM})",
    "complex": f"builtin.module({TENSORS},{LLVM.replace('convert-complex-to-libm,convert-complex-to-standard', 'convert-complex-to-standard,convert-complex-to-libm')})",
    "async": f"builtin.module({ASYNC})",
    "sparse": "builtin.module(sparsifier)",
}
PIPELINES = {name: text.replace("\n", "") for name, text in PIPELINES.items()}


class Stock:
    def __init__(self, llvm, scratch):
        self.bin, self.lib, self.scratch = pathlib.Path(llvm) / "bin", pathlib.Path(llvm) / "lib", pathlib.Path(scratch)
        (self.scratch / "script.mlir").write_text(SCRIPT)

    def run(self, program):
        """(text, "") or (None, why it does not run)."""
        pipeline = PIPELINES[program.pipeline].replace("SCRIPT", str(self.scratch / "script.mlir"))
        source = self.scratch / "stock.mlir"
        source.write_text(program.text)
        lowered = subprocess.run([self.bin / "mlir-opt", source, f"--pass-pipeline={pipeline}"], capture_output=True, text=True)
        if lowered.returncode:
            return None, "mlir-opt: " + first_line(lowered.stderr)
        names = ["runner_utils", "c_runner_utils", "float16_utils", *program.libraries]
        libraries = ",".join(str(self.lib / f"libmlir_{name}.so") for name in names)
        flags = ["-O0"] if program.pipeline == "async" else []  # coroutines are split only where a level is given
        done = subprocess.run([self.bin / "mlir-runner", "-e", "main", "-entry-point-result=void", *flags, f"-shared-libs={libraries}"],
                              input=lowered.stdout.encode(), capture_output=True)
        if done.returncode:
            return None, f"mlir-runner: exit {done.returncode}: " + first_line(done.stderr.decode(errors="replace"))
        return normalized(done.stdout.decode(errors="replace")), ""


def normalized(text):
    """The text of a run with addresses, which no run repeats, as 0x0."""
    return re.sub(r"base@ = (0x[0-9a-f]+|\(nil\))", "base@ = 0x0", text)


def first_line(text):
    lines = [l for l in text.splitlines() if "error" in l] or text.splitlines() or [""]
    return lines[0].strip()[:200]
