//===- Passes.td - a pass that records others --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// For pass managers of tools that load pass plugins.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TOOLS_RECORDER_PASSES
#define MICA_TOOLS_RECORDER_PASSES

include "mlir/Pass/PassBase.td"

def RecordPass : Pass<"mica-record"> {
  let summary = "Run a pipeline and record its passes";
  let description = [{
    Runs the pipeline `passes` on the op, and writes Mica's record of it into `folder` (docs/Recording.md): what each pass
    changed, its time and remarks, and of a pass that fails its input and the command that runs it alone.

    ```
    mlir-opt --load-pass-plugin=MicaRecorder.so model.mlir \
      --pass-pipeline='builtin.module(mica-record{folder=record passes="canonicalize,func.func(cse)"})'
    ```
  }];
  let options = [
    Option<"folder", "folder", "std::string", /*default=*/"", "Folder that the record is written into">,
    Option<"passes", "passes", "std::string", /*default=*/"", "Passes to run and record, as --pass-pipeline takes them">
  ];
}

#endif // MICA_TOOLS_RECORDER_PASSES
