//===- EntryFunction.h - the function that the runtime calls ------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Creates the entry of a host function that the runtime calls: `mica_entry_<name>` of include/mica/ABI/Host.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_ENTRYFUNCTION_H
#define MICA_PASSES_SCHEDULE_ENTRYFUNCTION_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mica::sched {

/// Moves the body of `function` into `mica_entry_<name>`, whose first block reads the arguments, and whose last block
/// takes the status as its argument and returns it. Blocks of many ops become chains of short ones.
mlir::LLVM::LLVMFuncOp makeEntry(mlir::func::FuncOp function, const mlir::LLVMTypeConverter &converter);

} // namespace mica::sched

#endif // MICA_PASSES_SCHEDULE_ENTRYFUNCTION_H
