//===- MicaSchedDialect.h - the dialect `mica_sched` ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The dialect class and its operations.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICASCHED_IR_MICASCHEDDIALECT_H
#define MICA_DIALECTS_MICASCHED_IR_MICASCHEDDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#include "dialects/MicaSched/IR/MicaSchedDialect.h.inc"

#define GET_OP_CLASSES
#include "dialects/MicaSched/IR/MicaSchedOps.h.inc"

#endif // MICA_DIALECTS_MICASCHED_IR_MICASCHEDDIALECT_H
