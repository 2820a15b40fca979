//===- CHLODialect.h - the dialect chlo ---------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Special functions and broadcasting ops that frameworks write beside those of stablehlo.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_STABLEHLO_IR_CHLODIALECT_H
#define MICA_DIALECTS_STABLEHLO_IR_CHLODIALECT_H

#include "dialects/StableHLO/IR/StableHLODialect.h"

#include "dialects/StableHLO/IR/CHLODialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/StableHLO/IR/CHLOAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/StableHLO/IR/CHLOOps.h.inc"

#endif // MICA_DIALECTS_STABLEHLO_IR_CHLODIALECT_H
