//===- AcceptedOps.cpp - ops that are supported as input --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See AcceptedOps.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/AcceptedOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

/// Dialects whose ops are supported.
static bool isAcceptedDialect(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"builtin", "func", "mica", "linalg", "stablehlo", "chlo", "check", "tosa", "tensor"}, true)
      .Cases({"arith", "math", "scf", "ml_program", "index", "cf", "ub"}, true)
      .Cases({"memref", "affine", "vector", "bufferization", "llvm", "shard"}, true)
      .Case("mica_sched", true) // a recorded snapshot
      .Default(false);
}

/// Dialects whose ops are supported in host functions only.
static bool isHostDialect(llvm::StringRef name) {
  return llvm::is_contained({"async", "complex", "sparse_tensor"}, name);
}

/// Why an op is not supported even in host functions; empty if it is.
static llvm::StringRef reasonAgainstOnHost(llvm::StringRef op) {
  return llvm::StringSwitch<llvm::StringRef>(op)
      .Case("tosa.custom", "replace it before the export")
      .Cases({"tosa.matmul_t_block_scaled", "tosa.cast_from_block_scaled", "tosa.cast_to_block_scaled"},
             "there is no code for block-scaled types; multiply by the scales before the export")
      .Cases({"memref.dma_start", "memref.dma_wait"}, "there is no engine that copies; write memref.copy")
      .Cases({"async.coro.id", "async.coro.begin", "async.coro.free", "async.coro.end", "async.coro.save",
              "async.coro.suspend"},
             "coroutines are made of async.execute and async.func; give those")
      .Cases({"arith.scaling_extf", "arith.scaling_truncf"},
             "there is no code for block-scaled types; write arith.extf or truncf, and multiply by the scale")
      .Case("vector.vscale", "vectors have fixed lengths; write the number")
      .Default("");
}

/// Why an op of a supported dialect is not supported; empty if it is.
static llvm::StringRef reasonAgainst(llvm::StringRef op) {
  return llvm::StringSwitch<llvm::StringRef>(op)
      .Case("ml_program.global_store", "programs have no state between calls: pass the value in and out")
      .Cases({"tosa.variable", "tosa.variable_read", "tosa.variable_write"},
             "programs keep no state between calls; pass the value in and out")
      .Cases({"memref.realloc", "memref.extract_aligned_pointer_as_index"}, "allocate, copy and load instead")
      .Cases({"llvm.func", "llvm.call", "llvm.mlir.global", "llvm.alloca"},
             "only scalar operations of llvm are supported: use func.func")
      .Case("func.call_indirect", "use a direct call")
      .Default(reasonAgainstOnHost(op));
}

/// The hint for ops of dialect `name`.
static std::string adviceForDialect(llvm::StringRef name) {
  if (llvm::is_contained({"gpu", "nvgpu", "nvvm", "rocdl", "spirv", "omp", "async"}, name))
    return "it is specific to a device or runtime: use the program before that lowering";
  if (name == "mhlo")
    return "convert it to stablehlo first: mlir-hlo-opt --hlo-legalize-to-stablehlo";
  if (name == "chlo")
    return "docs/StableHLO.md lists its ops that are supported; others: stablehlo-opt --chlo-legalize-to-stablehlo";
  if (name == "torch")
    return "convert it first: torch-mlir-opt --torch-backend-to-linalg-on-tensors-backend-pipeline";
  if (name.empty())
    return "its dialect is not registered";
  return "programs are made of mica, linalg, tosa, stablehlo, tensor, memref, affine, vector, bufferization, arith, "
         "math, scf, "
         "cf, "
         "func, index and ml_program";
}

std::optional<mica::OpRefusal> mica::refusalOf(llvm::StringRef name, bool isRegistered, bool onHost) {
  size_t dot = name.find('.');
  llvm::StringRef dialect = dot == llvm::StringRef::npos ? llvm::StringRef() : name.take_front(dot);
  if (!isRegistered)
    return OpRefusal{isAcceptedDialect(dialect)
                         ? ("dialect '" + dialect + "' of MLIR 22 has no op '" + name + "'").str()
                         : ("op '" + name + "' belongs to an unknown dialect").str(),
                     adviceForDialect(dialect)};
  std::string what = ("op '" + name + "' is not supported as input").str();
  if (onHost && (isAcceptedDialect(dialect) || isHostDialect(dialect))) {
    llvm::StringRef reason = reasonAgainstOnHost(name);
    return reason.empty() ? std::nullopt : std::optional(OpRefusal{std::move(what), reason.str()});
  }
  if (!isAcceptedDialect(dialect))
    return OpRefusal{std::move(what), adviceForDialect(dialect)};
  if (llvm::StringRef reason = reasonAgainst(name); !reason.empty())
    return OpRefusal{std::move(what), reason.str()};
  return std::nullopt;
}
