//===- Golden.cpp - stored inputs and results ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See Golden.h.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Golden.h"

#include "mica/Compare/Npy.h"
#include "mica/Compare/TensorProto.h"

#include <string>

namespace fs = std::filesystem;

namespace mica::runtool {

static std::optional<fs::path> firstThatExists(const fs::path &npy, const fs::path &proto) {
  std::error_code error;
  if (fs::exists(npy, error))
    return npy;
  if (fs::exists(proto, error))
    return proto;
  return std::nullopt;
}

std::optional<fs::path> goldenInput(const fs::path &folder, size_t index) {
  const std::string number = std::to_string(index);
  return firstThatExists(folder / "in" / (number + ".npy"), folder / ("input_" + number + ".pb"));
}

std::optional<fs::path> goldenOutput(const fs::path &folder, size_t index) {
  const std::string number = std::to_string(index);
  return firstThatExists(folder / "out" / (number + ".npy"), folder / ("output_" + number + ".pb"));
}

Result<HostTensor> readGolden(const fs::path &file, DType expected) {
  return file.extension() == ".pb" ? readTensorProto(file, expected) : readNpy(file, expected);
}

} // namespace mica::runtool
