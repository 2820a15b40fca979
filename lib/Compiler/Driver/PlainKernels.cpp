//===- PlainKernels.cpp - kernels of the reference lowering among others ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// --plain-kernels: copies of some kernels, as phase schedule leaves them, go through the reference lowering and take
// the places of those that the pipeline makes. Their callers see no difference: bindings and scalars are the same.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "lib/Compiler/Driver/Compilation.h"
#include "mica/Compiler/Program/Describe.h"
#include "mica/Support/Text.h"
#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

static ModuleOp findKernel(ModuleOp program, llvm::StringRef name) {
  for (ModuleOp kernel : kernelsOf(program))
    if (kernel.getName().value_or("") == name)
      return kernel;
  return {};
}

/// A kernel has two more arguments than its bindings and scalars, part and parts; here part 0 is all the work.
static void addParts(ModuleOp kernel) {
  auto function = cast<func::FuncOp>(sched::kernelFunction(kernel).getOperation());
  OpBuilder builder(kernel.getContext());
  for (int i = 0; i < 2; ++i)
    (void)function.insertArgument(function.getNumArguments(), builder.getIndexType(), {}, function.getLoc());
  function->setAttr(sched::kGridAttr, builder.getI64IntegerAttr(1));
  function->setAttr(sched::kStrategyAttr, builder.getStringAttr("reference lowering"));
}

Status Compilation::copyPlainKernels() {
  if (options.plainKernels.empty())
    return Status::ok();
  if (!kernels)
    return Error{ErrorCode::InvalidInput, "--plain-kernels needs phase kernel, which this compile does not have",
                 "leave out --compile-to"};
  plainKernels = ModuleOp::create(program().getLoc());
  for (const std::string &name : options.plainKernels) {
    ModuleOp kernel = findKernel(program(), name);
    if (!kernel) {
      std::vector<std::string> names;
      for (ModuleOp known : kernelsOf(program()))
        names.push_back(known.getName().value_or("").str());
      return Error{ErrorCode::InvalidInput, "--plain-kernels: the program has no kernel '" + name + "'",
                   unknownNameHint(name, names)};
    }
    ModuleOp copy = kernel.clone();
    plainKernels->push_back(copy);
    // An assertion that fails would end the process here; the program in question is one in which none does.
    copy.walk([](Operation *op) {
      if (isa<cf::AssertOp, check::FailedOp>(op))
        op->erase();
    });
  }
  MICA_RETURN_IF_ERROR(lowerPlainKernels(buildReferenceKernels));
  for (ModuleOp kernel : kernelsOf(*plainKernels))
    addParts(kernel);
  return Status::ok();
}

Status Compilation::lowerPlainKernels(llvm::function_ref<void(OpPassManager &)> build) {
  PassManager pm(&context, "builtin.module");
  pm.enableVerifier(options.verifyEach);
  build(pm);
  if (failed(pm.run(*plainKernels)))
    return Error{ErrorCode::Unsupported, "the reference lowering does not take " + joinNames(options.plainKernels),
                 "leave the kernel out of --plain-kernels"};
  return Status::ok();
}

ModuleOp Compilation::plainFormOf(ModuleOp kernel) {
  return plainKernels ? findKernel(*plainKernels, kernel.getName().value_or("")) : ModuleOp();
}

Status Compilation::placePlainKernels() {
  if (!plainKernels)
    return Status::ok();
  MICA_RETURN_IF_ERROR(
      lowerPlainKernels([this](OpPassManager &pm) { buildReferenceKernelCode(pm, target.host.emulatedFloats); }));
  for (ModuleOp kernel : llvm::to_vector(kernelsOf(program())))
    if (ModuleOp plain = plainFormOf(kernel)) {
      plain->moveBefore(kernel);
      kernel.erase();
    }
  return Status::ok();
}
