//===- Targets.cpp - the list of compilation targets --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A target is added here and in lib/Support/Targets.cpp.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Targets.h"

#include "passes/Codegen/CPU/Passes.h"
#include "passes/Codegen/GPU/GPUTarget.h"
#include "passes/Codegen/Sim/Passes.h"

const mica::codegen::Target *mica::lookupTarget(llvm::StringRef text) {
  llvm::StringRef name = text.split(':').first;
  for (const codegen::Target *target :
       {&getCPUTarget(), &getSimTarget(), &getCUDATarget(), &getROCmTarget(), &getOpenCLTarget(), &getSPIRVTarget()})
    if (target->name() == name)
      return target;
  return nullptr;
}

bool mica::PipelineOptions::TargetParser::parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef text,
                                                std::string &value) {
  value = text.str();
  return !lookupTarget(value) && option.error("unknown target '" + text + "', expected " + targetSyntax());
}
