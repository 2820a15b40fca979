//===- ShardFlag.h - shardings from the command line --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// --shard=%x=[0,-];result0=[0,-];grid=2x4: how arguments and results of a program are distributed among ranks.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_DRIVER_SHARDFLAG_H
#define MICA_LIB_COMPILER_DRIVER_SHARDFLAG_H

#include "mica/Support/Status.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <string_view>
#include <vector>

namespace mica {
struct AnnotateProgramOptions;
} // namespace mica

namespace mica::compiler {
struct CompileOptions;

/// The value of the flag that uses annotations of StableHLO.
inline constexpr std::string_view kShardAnnotations = "annotations";

/// What the flag says, before a program is known.
struct ShardFlag {
  struct Tensor {
    std::string text;                       ///< "%x=[0,-]", for messages
    std::string function;                   ///< "": main, or the only function
    std::string name;                       ///< "%x", "0", "result0"
    std::vector<std::vector<int64_t>> axes; ///< by dimension: the axes of the grid that split it
  };
  std::vector<int64_t> grid;
  std::vector<Tensor> tensors;

  /// InvalidInput: a syntax error, an axis that the grid does not have or that splits two dimensions, no grid.
  static Result<ShardFlag> parse(const std::string &text);
};

/// Whether --shard has a meaning, by itself and beside the other flags. InvalidInput otherwise.
Status checkShardFlag(const CompileOptions &options);

/// Finds the values in `program`, as read from the file named `file` with the text `source` ("": bytecode). `canonical`
/// becomes the flag with positions instead of names.
Result<AnnotateProgramOptions> resolveShardFlag(const ShardFlag &flag, mlir::ModuleOp program, llvm::StringRef source,
                                                llvm::StringRef file, std::string &canonical);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_DRIVER_SHARDFLAG_H
