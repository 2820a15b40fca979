//===- ComparePrograms.cpp - whether all ranks have one program ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See ComparePrograms.h.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Ranks/ComparePrograms.h"

#include "mica/Support/Hash.h"

#include <algorithm>
#include <array>

namespace mica::runtime {

namespace {

using artifact::Manifest;

/// In the order in which one follows from the other: the first that differs is the reason.
enum Part : size_t { Compiler, Source, Options, Target, Constants, NumKernels, Kernels, Tasks, Code, kParts };
using Hashes = std::array<uint64_t, kParts>;

uint64_t hashOf(std::string_view text) { return hash64(text.data(), text.size()); }

uint64_t hashOfKernel(const artifact::KernelRecord &kernel) { return hashOf(kernel.name + '\n' + kernel.hash); }

Hashes hashesOf(const Manifest &manifest, const std::string &tasksHash) {
  std::string options, target = manifest.target + '\n' + manifest.cpu, constants, code;
  for (const auto &[name, value] : manifest.options)
    options += name + '=' + value + '\n';
  for (const std::string &feature : manifest.cpuFeatures)
    target += '\n' + feature;
  for (const artifact::ConstantRecord &constant : manifest.constants)
    constants += constant.name + '\n';
  for (const artifact::FileRecord &file : manifest.files)
    if (file.path == "program.so")
      code = file.hash;
  uint64_t kernels = 0;
  for (const artifact::KernelRecord &kernel : manifest.kernels)
    kernels = kernels * 31 + hashOfKernel(kernel);
  return {hashOf(manifest.micaVersion + '\n' + manifest.llvmVersion),
          hashOf(manifest.inputHash),
          hashOf(options),
          hashOf(target),
          hashOf(constants),
          manifest.kernels.size(),
          kernels,
          hashOf(tasksHash),
          hashOf(code)};
}

std::string describe(size_t part, const Manifest &manifest) {
  switch (part) {
  case Compiler:
    return "it was compiled by another version of Mica or LLVM; here: Mica " + manifest.micaVersion + ", LLVM " +
           manifest.llvmVersion;
  case Source:
    return "it was compiled from another text than the " + manifest.inputFile + " here";
  case Options:
    return "it was compiled with other options";
  case Target:
    return "it was compiled for another CPU; here: " + manifest.cpu;
  case Constants:
    return "it has other weights";
  case NumKernels:
    return "it has another number of kernels; here: " + std::to_string(manifest.kernels.size());
  case Tasks:
    return "its host/tasks.json differs";
  default:
    return "its program.so differs";
  }
}

} // namespace

Status comparePrograms(const Manifest &manifest, const std::string &tasksHash, Communicator &ranks) {
  static const std::atomic<bool> never{false};
  GroupCall call;
  call.self = ranks.rank();
  const Hashes own = hashesOf(manifest, tasksHash);
  std::vector<Hashes> hashes(size_t(ranks.size()));
  call.send = own.data();
  call.receive = hashes.data();
  call.count = sizeof own;
  MICA_RETURN_IF_ERROR(ranks.run(call, never));
  // All ranks see the same, so they come to the same result.
  size_t rank = 0, part = kParts;
  for (size_t i = 1; i < hashes.size(); ++i) {
    const auto differs =
        size_t(std::mismatch(hashes[i].begin(), hashes[i].end(), hashes[0].begin()).first - hashes[i].begin());
    if (differs < part) {
      part = differs;
      rank = i;
    }
  }
  if (part == kParts)
    return {};
  std::string what = describe(part, manifest);
  if (part == Kernels) {
    std::vector<uint64_t> kernels, received(manifest.kernels.size() * hashes.size());
    for (const artifact::KernelRecord &kernel : manifest.kernels)
      kernels.push_back(hashOfKernel(kernel));
    call.send = kernels.data();
    call.receive = received.data();
    call.count = int64_t(kernels.size() * sizeof(uint64_t));
    MICA_RETURN_IF_ERROR(ranks.run(call, never));
    for (size_t i = 0; i < kernels.size(); ++i)
      if (received[rank * kernels.size() + i] != received[i]) {
        what = "the first kernel that differs is '" + manifest.kernels[i].name + "'";
        break;
      }
  }
  return Error{ErrorCode::InvalidInput, "rank " + std::to_string(rank) + " has another program than rank 0: " + what,
               "compile once, and give all ranks the same artifact"};
}

} // namespace mica::runtime
