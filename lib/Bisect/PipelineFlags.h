//===- PipelineFlags.h - a pipeline written as flags of mlir-opt --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: reports of others mostly have their passes as flags; by hand one writes the names.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_PIPELINEFLAGS_H
#define MICA_LIB_BISECT_PIPELINEFLAGS_H

#include "mica/Support/Status.h"

#include "mlir/IR/MLIRContext.h"

#include <string>

namespace mica::bisect {

/// "builtin.module(func.func(a),b{x=1})" of "--a -b='x=1'" or "a,b{x=1}", or of commands as reports have them,
/// "mlir-opt in.mlir -pass-pipeline='builtin.module(func.func(a))' | mlir-opt -b='x=1' | mlir-runner ...": passes that
/// are of functions alone are nested, as mlir-opt does it. A pipeline with an op around some passes gets
/// builtin.module(...) around it where it has none. InvalidInput names the pass.
Result<std::string> pipelineOfFlags(const std::string &text, mlir::MLIRContext &context);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_PIPELINEFLAGS_H
