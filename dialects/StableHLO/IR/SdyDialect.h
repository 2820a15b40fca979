//===- SdyDialect.h - the dialect sdy -------------------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Annotations of programs for several devices, which JAX writes beside stablehlo.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_STABLEHLO_IR_SDYDIALECT_H
#define MICA_DIALECTS_STABLEHLO_IR_SDYDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/StableHLO/IR/SdyDialect.h.inc"

#define GET_OP_CLASSES
#include "dialects/StableHLO/IR/SdyOps.h.inc"

#endif // MICA_DIALECTS_STABLEHLO_IR_SDYDIALECT_H
