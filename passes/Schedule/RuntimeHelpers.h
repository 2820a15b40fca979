//===- RuntimeHelpers.h - host code that prints and calls ------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// Parts of convert-mica-sched-to-llvm: what code on buffers in a host function needs besides the runtime's services.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_RUNTIMEHELPERS_H
#define MICA_PASSES_SCHEDULE_RUNTIMEHELPERS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mica {

/// Converts declarations to the LLVM dialect; those with buffers take descriptors by pointer.
mlir::LogicalResult declareHelpers(mlir::ModuleOp program, const mlir::LLVMTypeConverter &converter);

/// Gives each declared helper a body that calls through the pointer that the runtime fills.
void connectHelpers(mlir::ModuleOp program);

/// Leaves of the vector dialect only what its conversion to LLVM takes. An error where a vector is too long for that.
mlir::LogicalResult lowerHostVectors(mlir::func::FuncOp function);

} // namespace mica

#endif // MICA_PASSES_SCHEDULE_RUNTIMEHELPERS_H
