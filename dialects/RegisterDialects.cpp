//===- RegisterDialects.cpp - registering all dialects ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See RegisterDialects.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/RegisterDialects.h"

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "dialects/MicaSim/IR/MicaSimDialect.h"
#include "dialects/StableHLO/IR/CHLODialect.h"
#include "dialects/StableHLO/IR/SdyDialect.h"
#include "dialects/StableHLO/IR/StableHLODialect.h"
#include "dialects/StableHLO/IR/VHLODialect.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

void mica::registerMicaDialects(mlir::DialectRegistry &registry) {
  registry.insert<MicaDialect, sched::MicaSchedDialect, check::MicaCheckDialect, codegen::MicaCodegenDialect,
                  sim::MicaSimDialect, stablehlo::StableHLODialect, hlocheck::CheckDialect, chlo::CHLODialect,
                  vhlo::VHLODialect, sdy::SdyDialect>();
}

void mica::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  registerMicaDialects(registry);
}

const mlir::DialectRegistry &mica::allDialects() {
  static const mlir::DialectRegistry all = [] {
    mlir::DialectRegistry registry;
    mica::registerAllDialects(registry);
    return registry;
  }();
  return all;
}
