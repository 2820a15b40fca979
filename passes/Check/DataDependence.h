//===- DataDependence.h - which values depend on input data -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// For mica-check-insert: positions, divisors and steps that input data may make wrong, as opposed to those that the
// compiler computes from sizes and loop counters.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CHECK_DATADEPENDENCE_H
#define MICA_PASSES_CHECK_DATADEPENDENCE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mica {

/// Whether `value` is read from memory.
bool isLoadedValue(mlir::Value value);

/// Whether `is` holds for one of the values from which `value` is computed: also through branches and loops, whose
/// counters come from their bounds. Values in `clean` are known to depend on none; those that are found to are added.
bool comesFrom(mlir::Value value, llvm::function_ref<bool(mlir::Value)> is, llvm::DenseSet<mlir::Value> &clean);

/// Which values of a function depend on loaded or given values. Valid while the function does not change.
class DataDependence {
public:
  /// `shares`, the number of work partitions of a kernel, is set by the runtime. With `ofSizes`, sizes count as data.
  explicit DataDependence(mlir::Value shares, bool ofSizes = false) : shares(shares), ofSizes(ofSizes) {}

  bool dependsOnData(mlir::Value value);
  bool anyDependsOnData(mlir::ValueRange values);

  /// Whether `op` accesses memory at a position, with a number of lanes, or through a view of memory, that depends on
  /// data.
  bool accessesByData(mlir::Operation *op);

  /// Whether `op` reads an element or a vector of a buffer at a position that depends on data.
  bool readsByData(mlir::Operation *op);

private:
  mlir::Value shares;
  const bool ofSizes;
  llvm::DenseSet<mlir::Value> clean;
};

} // namespace mica

#endif // MICA_PASSES_CHECK_DATADEPENDENCE_H
