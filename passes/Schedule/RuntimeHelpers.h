//===- RuntimeHelpers.h - host code that prints and calls ------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// Parts of convert-mica-sched-to-llvm: what code on buffers in a host function needs beside the services of the
// runtime.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_RUNTIMEHELPERS_H
#define MICA_PASSES_SCHEDULE_RUNTIMEHELPERS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mica {

/// Functions without a body become functions of the LLVM dialect; those on buffers take descriptors by pointer.
mlir::LogicalResult declareHelpers(mlir::ModuleOp program, const mlir::LLVMTypeConverter &converter);

/// Gives each helper that is declared a body that calls through the pointer the runtime fills.
void connectHelpers(mlir::ModuleOp program);

/// Leaves of the vector dialect only what its conversion to LLVM takes. An error where a vector is too long for that.
mlir::LogicalResult lowerHostVectors(mlir::func::FuncOp function);

} // namespace mica

#endif // MICA_PASSES_SCHEDULE_RUNTIMEHELPERS_H
