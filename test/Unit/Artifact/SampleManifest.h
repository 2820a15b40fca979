//===- SampleManifest.h - a small artifact description for tests -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A program with one static and one dynamic kernel, a constant and an arena; every record of the manifest occurs.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TEST_UNIT_ARTIFACT_SAMPLEMANIFEST_H
#define MICA_TEST_UNIT_ARTIFACT_SAMPLEMANIFEST_H

#include "mica/Artifact/Manifest.h"

namespace mica::artifact {

inline Manifest sampleManifest() {
  Manifest m;
  m.micaVersion = "0.1.0";
  m.llvmVersion = "22.1.8";
  m.inputFile = "my model.mlir";
  m.inputHash = "0123456789abcdef0123456789abcdef";
  m.target = "cpu";
  m.triple = "x86_64-pc-linux-gnu";
  m.cpu = "skylake-avx512";
  m.cpuFeatures = {"avx2", "fma"};
  m.options = {{"opt-level", "3"}, {"vector-bits", "512"}};
  m.entries = {{"forward", {{"x", DType::F32, {-1, 8}}}, {{"", DType::F32, {-1, 4}}}}};
  KernelRecord matmul;
  matmul.name = "matmul_bias";
  matmul.rootKind = "matmul";
  matmul.opIds = {"3f2a91c07b1e", "0123456789ab"};
  matmul.opKinds = {"linalg.matmul", "mica.add"};
  matmul.bindings = {{{"", DType::F32, {-1, 8}}, Access::Read},
                     {{"", DType::F32, {8, 4}}, Access::Read},
                     {{"", DType::F32, {-1, 4}}, Access::Write}};
  matmul.scalarArgs = 1;
  matmul.grid = -1;
  matmul.scratchBytes = 4096;
  matmul.flops = -1;
  matmul.hash = "00112233445566778899aabbccddeeff";
  matmul.strategy = "matmul 8x32 register tile";
  KernelRecord fill;
  fill.name = "fill";
  fill.rootKind = "elementwise";
  fill.opIds = {"aaaaaaaaaaaa"};
  fill.opKinds = {"linalg.fill"};
  fill.bindings = {{{"", DType::F32, {4}}, Access::ReadWrite}};
  fill.flops = 0;
  m.kernels = {matmul, fill};
  m.constants = {{"mica_1234", {"", DType::F32, {8, 4}}, 64, 128}};
  m.ops = {{"3f2a91c07b1e", "linalg.matmul", "forward", 0, "f00d", {{"my model.mlir", 3, 8}, {"net.py", 12, 0}}},
           {"0123456789ab", "mica.add", "forward", 1, "beef", {}}};
  m.sites = {{"matmul_bias", {"3f2a91c07b1e", "0123456789ab"}}, {"fill", {"aaaaaaaaaaaa"}}};
  m.files = {{"input.mlirbc", {}, "mica-compile: read", "aa"},
             {"program.so", {"input.mlirbc"}, "mica-compile: ld.lld", "bb"}};
  return m;
}

inline std::vector<TaskList> sampleTaskLists() {
  TaskList list;
  list.name = "forward_0";
  list.parameters = 2;
  list.scalars = 3;
  list.arenaBytes = 256;
  list.buffers = {{BufferKind::Parameter, 0, 0, -1, -1, {"x", DType::F32, {-1, 8}}},
                  {BufferKind::Constant, 0, 0, 128, -1, {"", DType::F32, {8, 4}}},
                  {BufferKind::Arena, 0, 64, 64, -1, {"", DType::F32, {4}}},
                  {BufferKind::Dynamic, 0, 0, -1, 2, {"", DType::F32, {-1, 4}}}};
  list.tasks = {{"fill", {2}, {}, {}, 1, "cpu:0"}, {"matmul_bias", {0, 1, 3}, {0, 0, 1}, {0}, 0, "cpu:0"}};
  return {list};
}

} // namespace mica::artifact

#endif // MICA_TEST_UNIT_ARTIFACT_SAMPLEMANIFEST_H
