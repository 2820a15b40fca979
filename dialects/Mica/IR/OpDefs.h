//===- OpDefs.h - includes of the generated op definitions -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: included by the files that are generated from OpDefs.cpp.in.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_IR_OPDEFS_H
#define MICA_DIALECTS_MICA_IR_OPDEFS_H

#include "dialects/Mica/IR/Assembly.h"
#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#endif // MICA_DIALECTS_MICA_IR_OPDEFS_H
