//===- Markers.h - markers in the simulator's kernels -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// convert-gpu-to-sim converts a kernel to an ordinary function with calls of external marker functions, one for each
// operation that mica-sim-split-at-barriers implements. An attribute of its declaration says what it is, which the
// conversions to the LLVM dialect keep. Calls are never reordered, and neither are convergence points.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_SIM_MARKERS_H
#define MICA_PASSES_CODEGEN_SIM_MARKERS_H

#include "dialects/MicaSim/IR/MicaSimDialect.h"
#include "mica/ABI/Sim.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace mica::sim {

/// Memory spaces as integers.
inline constexpr unsigned kWorkgroupSpace = 3, kPrivateSpace = 5;

/// The location of `op` with the text of its site, "memref.load at k.mlir:3:5", which is kept until its instructions
/// need it.
mlir::Location nameSite(mlir::Operation *op);
/// That text, from the location of anything created from the op.
std::string siteText(mlir::Location loc);

/// The number of the site `text` of `kernel`, which is added if new.
int32_t siteOf(mlir::Operation *kernel, llvm::StringRef text);

/// Declares markers in a module, each on first use.
class Markers {
public:
  explicit Markers(mlir::ModuleOp module) : module(module) {}

  /// A marker of `name` (made unique unless `shared`), with `attr` = `value`.
  mlir::func::FuncOp declare(llvm::StringRef name, mlir::FunctionType type, llvm::StringRef attr, mlir::Attribute value,
                             bool shared);

  mlir::Value uniform(mlir::OpBuilder &builder, mlir::Location loc, mica_sim_uniform field);
  mlir::Value lane(mlir::OpBuilder &builder, mlir::Location loc, int32_t field);
  mlir::ResultRange point(mlir::OpBuilder &builder, mlir::Location loc, mica_sim_point_kind kind, int32_t site,
                          llvm::ArrayRef<int32_t> imm, mlir::TypeRange results, mlir::ValueRange operands);
  /// Calls the marker of a service; `constants` are its constant arguments.
  void service(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name,
               llvm::ArrayRef<mlir::Attribute> constants, mlir::ValueRange operands);

private:
  mlir::ModuleOp module;
  int64_t next = 0;
};

} // namespace mica::sim

#endif // MICA_PASSES_CODEGEN_SIM_MARKERS_H
