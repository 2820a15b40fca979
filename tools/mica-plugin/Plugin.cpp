//===- Plugin.cpp - Mica's dialects and passes as a plugin for mlir-opt -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The entry points mlir-opt looks up in a plugin: one for dialects, one for passes.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/RegisterDialects.h"
#include "passes/RegisterPasses.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Mica", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) { mica::registerMicaDialects(*registry); }};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Mica", LLVM_VERSION_STRING, [] { mica::registerMicaPasses(); }};
}
