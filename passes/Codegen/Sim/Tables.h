//===- Tables.h - tables of the simulator's kernels -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private to passes/Codegen/Sim: the tables of include/mica/ABI/Sim.h as constants of a module, calls through the
// runtime's table, and the functions that launch kernels.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_SIM_TABLES_H
#define MICA_PASSES_CODEGEN_SIM_TABLES_H

#include "passes/Codegen/Sim/Markers.h"

#include "mlir/Analysis/Liveness.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <optional>

namespace mica::sim {

class Tables {
public:
  explicit Tables(mlir::ModuleOp module);

  mlir::ModuleOp module;
  mlir::Type pointer;
  /// The attributes of each marker that is declared.
  llvm::StringMap<mlir::DictionaryAttr> markers;

  mlir::Value number(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type, int64_t value) {
    return mlir::LLVM::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, value));
  }
  /// `base` plus a number of bytes.
  mlir::Value offset(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value base, int64_t bytes);
  /// The address of a NUL-terminated string.
  mlir::Value text(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef text);
  /// Bytes of a kernel argument, or of an operand of a point, up to the next one.
  int64_t argumentBytes(mlir::Type type);

  /// The alignment of accesses to values of `type` in memory of the simulator, which is aligned to 16 bytes; 0: that
  /// of the type.
  unsigned slotAlignment(mlir::Type type);

  /// Calls the service; returns its result, if it has one.
  mlir::Value callService(mlir::OpBuilder &builder, mlir::Location loc, size_t offset,
                          llvm::ArrayRef<mlir::Type> results, mlir::ValueRange operands);

  /// A marker of this service for `operands`, shared by equal calls.
  mlir::LLVM::LLVMFuncOp declareService(llvm::ArrayRef<mlir::Attribute> service, llvm::ArrayRef<mlir::Type> operands,
                                        mlir::Type result);

  /// A marker of the point `info` (kPointAttr), which takes `operands` and has no results.
  mlir::LLVM::LLVMFuncOp declarePoint(llvm::ArrayRef<int32_t> info, mlir::ValueRange operands);

  /// The arguments of a touch function after its first six.
  static llvm::ArrayRef<mica_sim_uniform> touchUniforms();
  /// The function that checks an access of `bytes` bytes, a multiple of `granule`; `kind`: mica_sim_access, not atomic.
  mlir::LLVM::LLVMFuncOp touchFunction(int32_t kind, int64_t bytes, int64_t granule);

  mlir::Liveness &livenessOf(mlir::LLVM::LLVMFuncOp function);

  /// Creates the mica_sim_kernel_v1 of `function`, from its regions and the table of its points.
  void makeKernel(mlir::LLVM::LLVMFuncOp function, llvm::ArrayRef<std::string> regions, llvm::ArrayRef<int32_t> points,
                  int64_t frameBytes);
  /// Defines the bodies of the functions that launch kernels, and of the other host markers.
  llvm::LogicalResult defineHostMarkers();
  void eraseMarkers();

private:
  /// The function `name` of Touch.c, with its callees.
  mlir::LLVM::LLVMFuncOp helper(llvm::StringRef name);
  /// Defines the external function that Touch.c declares: a call of the service.
  mlir::LLVM::LLVMFuncOp askFunction(mlir::LLVM::LLVMFuncOp declared);
  /// A touch function that calls `general` with constants for kind and bytes, and the arguments that `addLast` appends.
  mlir::LLVM::LLVMFuncOp
  callingFunction(llvm::StringRef name, mlir::LLVM::LLVMFuncOp general, int32_t kind, int64_t bytes,
                  llvm::function_ref<void(mlir::OpBuilder &, llvm::SmallVectorImpl<mlir::Value> &)> addLast);
  void defineLaunch(mlir::LLVM::LLVMFuncOp function, mlir::FlatSymbolRefAttr kernel, llvm::StringRef site);
  llvm::LogicalResult defineHostService(mlir::LLVM::LLVMFuncOp function, llvm::StringRef name);
  mlir::LLVM::GlobalOp makeGlobal(llvm::StringRef name, mlir::Type type, mlir::Attribute value,
                                  llvm::function_ref<mlir::Value(mlir::OpBuilder &)> init = {});
  mlir::LLVM::GlobalOp addressTable(llvm::StringRef name, llvm::ArrayRef<std::string> symbols);
  mlir::LLVM::GlobalOp textGlobal(llvm::StringRef text);

  mlir::OwningOpRef<mlir::ModuleOp> helpers; ///< Touch.c, loaded on demand
  llvm::StringMap<mlir::LLVM::GlobalOp> texts;
  llvm::DenseMap<std::pair<mlir::Attribute, mlir::Type>, mlir::LLVM::LLVMFuncOp> services;
  int64_t waits = 0;
  std::unique_ptr<mlir::Liveness> liveness;
  mlir::Operation *livenessOwner = nullptr;
};

} // namespace mica::sim

#endif // MICA_PASSES_CODEGEN_SIM_TABLES_H
