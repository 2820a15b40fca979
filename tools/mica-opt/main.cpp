//===- main.cpp - mica-opt --------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Runs passes over IR files: upstream's mlir-opt driver with Mica's dialects and passes beside upstream's.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/RegisterDialects.h"
#include "passes/RegisterPasses.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mica::registerAllPasses();
  mlir::DialectRegistry registry;
  mica::registerAllDialects(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Mica's pass driver\n", registry));
}
