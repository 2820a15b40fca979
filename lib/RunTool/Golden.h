//===- Golden.h - stored inputs and results ----------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A folder of golden data is in/0.npy, ..., out/0.npy, ..., as a run writes it, or input_0.pb, ..., output_0.pb, ...,
// as test data of ONNX models have it.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTOOL_GOLDEN_H
#define MICA_RUNTOOL_GOLDEN_H

#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include <filesystem>
#include <optional>

namespace mica::runtool {

/// The file of input `index` in `folder`; nothing where there is none.
std::optional<std::filesystem::path> goldenInput(const std::filesystem::path &folder, size_t index);

/// The file of result `index`; nothing where there is none.
std::optional<std::filesystem::path> goldenOutput(const std::filesystem::path &folder, size_t index);

/// The tensor in such a file.
Result<HostTensor> readGolden(const std::filesystem::path &file, DType expected);

} // namespace mica::runtool

#endif // MICA_RUNTOOL_GOLDEN_H
