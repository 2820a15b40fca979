//===- ProgramHeader.cpp - the program header ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Codegen/ProgramHeader.h"

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"
#include "dialects/MicaSched/IR/HostOp.h"
#include "dialects/MicaSched/IR/Signatures.h"
#include "mica/ABI/Host.h"
#include "mica/ABI/Program.h"
#include "mica/ABI/Sim.h"
#include "mica/Support/Version.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

#include <cstddef>

using namespace mlir;
using namespace mica;

/// The number of members that a table of pointers behind its version has before the member at `offset`.
static constexpr size_t membersBefore(size_t offset) { return offset / sizeof(void *); }

/// The number of members of the table that `op` indexes; 0 if it is not a table of services.
static size_t tableMembers(LLVM::GEPOp op) {
  auto table = dyn_cast<LLVM::LLVMStructType>(op.getElemType());
  if (!table || table.isIdentified() || table.getBody().empty() || !table.getBody().front().isInteger(32))
    return 0;
  return table.getBody().size();
}

/// Whether `base` is the table of Memory.h.
static bool isMemoryApi(Value base) {
  auto load = base.getDefiningOp<LLVM::LoadOp>();
  auto address = load ? load.getAddr().getDefiningOp<LLVM::AddressOfOp>() : LLVM::AddressOfOp();
  return address && address.getGlobalName() == MICA_MEMORY_API_SYMBOL;
}

/// Determines features from the tables that code declares: a struct up to the last member that it uses.
static uint64_t featuresOfServices(ModuleOp program) {
  uint64_t features = 0;
  auto visit = [&](LLVM::GEPOp op) {
    const size_t members = tableMembers(op);
    if (isMemoryApi(op.getBase())) {
      features |= MICA_FEATURE_SIZES;
      if (members > membersBefore(offsetof(mica_memory_api_v1, allocate_aligned)))
        features |= MICA_FEATURE_SHAPES;
      return;
    }
    if (op->getParentOfType<ModuleOp>() != program) // only host functions use host services
      return;
    if (members == membersBefore(offsetof(mica_host_api_v1, report)) + 1)
      features |= MICA_FEATURE_CHECKS;
    if (members > membersBefore(offsetof(mica_host_api_v1, allocate)))
      features |= MICA_FEATURE_SIZES;
    if (members > membersBefore(offsetof(mica_host_api_v1, allocate_aligned)))
      features |= MICA_FEATURE_SHAPES;
    if (members > membersBefore(offsetof(mica_host_api_v1, mark)))
      features |= MICA_FEATURE_RELEASES;
  };
  program.walk(visit);
  return features;
}

uint64_t compiler::requiredFeatures(ModuleOp program) {
  uint64_t features = featuresOfServices(program);
  if (program->hasAttr(check::kReportsAttr))
    features |= MICA_FEATURE_REPORTS;
  if (program.lookupSymbol(sched::kHostOpBegin))
    features |= MICA_FEATURE_HOST_OPS;
  auto note = [&](ModuleOp module) {
    if (sched::hasMemoryApi(module))
      features |= MICA_FEATURE_SIZES;
    if (module.lookupSymbol(MICA_SIM_API_SYMBOL))
      features |= MICA_FEATURE_SIMULATOR | MICA_FEATURE_SIMULATOR_MEMORY;
  };
  note(program);
  for (ModuleOp kernel : program.getOps<ModuleOp>()) {
    note(kernel);
    for (auto function : kernel.getOps<LLVM::LLVMFuncOp>()) {
      if (function.getName().starts_with("mica_check_record_") || function.getName().starts_with("mica_check_loop_"))
        features |= MICA_FEATURE_CHECKS;
      if (function->hasAttr(check::kShadowsAttr))
        features |= MICA_FEATURE_CHECKS | MICA_FEATURE_SHADOWS;
    }
    if (!kernel.getOps<mlir::gpu::GPUModuleOp>().empty())
      features |= MICA_FEATURE_GPU;
    if (kernel->hasAttr(mica::codegen::kDeviceChecksAttr))
      features |= MICA_FEATURE_GPU_CHECKS;
    if (kernel->hasAttr(mica::codegen::kDeviceMemoryAttr))
      features |= MICA_FEATURE_GPU_MEMORY;
  }
  return features;
}

void compiler::addProgramHeader(ModuleOp host, uint64_t features) {
  OpBuilder builder = OpBuilder::atBlockEnd(host.getBody());
  const Location loc = host.getLoc();
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  LLVM::GlobalOp::create(builder, loc, i32, /*isConstant=*/true, LLVM::Linkage::External, "mica_abi_version",
                         builder.getI32IntegerAttr(MICA_ABI_VERSION));

  constexpr size_t kProducerBytes = sizeof(mica_program_header_v1::producer);
  std::string producer = "mica " + std::string(version());
  producer.resize(kProducerBytes); // padded with NUL
  producer.back() = '\0';
  Type text = LLVM::LLVMArrayType::get(builder.getI8Type(), kProducerBytes);
  Type type = LLVM::LLVMStructType::getLiteral(host.getContext(), {i32, i32, i64, i32, i32, text});
  auto header = LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, LLVM::Linkage::External,
                                       MICA_PROGRAM_HEADER_SYMBOL, Attribute(), /*alignment=*/8);
  builder.createBlock(&header.getInitializerRegion());
  const std::pair<Type, Attribute> members[] = {
      {i32, builder.getI32IntegerAttr(MICA_ABI_VERSION)},
      {i32, builder.getI32IntegerAttr(sizeof(mica_program_header_v1))},
      {i64, builder.getI64IntegerAttr(static_cast<int64_t>(features))},
      {i32, builder.getI32IntegerAttr(MICA_SANITIZER_NONE)},
      {i32, builder.getI32IntegerAttr(0)},
      {text, builder.getStringAttr(producer)},
  };
  Value value = LLVM::UndefOp::create(builder, loc, type);
  for (auto [index, member] : llvm::enumerate(members)) {
    Value constant = LLVM::ConstantOp::create(builder, loc, member.first, member.second);
    value = LLVM::InsertValueOp::create(builder, loc, value, constant, static_cast<int64_t>(index));
  }
  LLVM::ReturnOp::create(builder, loc, value);
}
