//===- Markers.h - how kernels of the simulator are written between two passes ----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// convert-gpu-to-sim writes a kernel as an ordinary function that calls functions without a body, one for each thing
// that mica-sim-split-at-barriers knows how to do. What each is for stands in an attribute of its declaration, which
// the conversions to the LLVM dialect leave alone. Calls are never moved across each other, so neither are points.
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

/// Memory spaces as numbers.
inline constexpr unsigned kWorkgroupSpace = 3, kPrivateSpace = 5;

/// The text of the site of `op`, to be kept in its location until its instructions need it: "memref.load at
/// k.mlir:3:5".
mlir::Location nameSite(mlir::Operation *op);
/// That text again, from the location of anything made of the operation.
std::string siteText(mlir::Location loc);

/// The site with `text` of `kernel`, which may be made by this.
int32_t siteOf(mlir::Operation *kernel, llvm::StringRef text);

/// Declares markers in a module, each at its first use.
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
  /// `constants`: of the service, behind its name.
  void service(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name,
               llvm::ArrayRef<mlir::Attribute> constants, mlir::ValueRange operands);

private:
  mlir::ModuleOp module;
  int64_t next = 0;
};

} // namespace mica::sim

#endif // MICA_PASSES_CODEGEN_SIM_MARKERS_H
