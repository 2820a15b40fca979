//===- CheckOps.h - comparing results of ops ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: compares the tensors that kernels wrote with the reference values of their fused ops.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_CHECKOPS_H
#define MICA_LIB_RUNTOOL_CHECKOPS_H

#include "lib/RunTool/Capture.h"
#include "mica/Artifact/Manifest.h"
#include "mica/Compare/Compare.h"

#include <filesystem>
#include <span>

namespace mica::runtool {

/// Compares each captured tensor with the values in `folder` (ops.json and .npy files of mica-compile --evaluate=ops)
/// of the ops of its site: it agrees if it equals one of them. Prints one line each, and details of the first that
/// differs; returns whether none differs. A tensor without a counterpart of its type and size (such as a packed weight)
/// is reported as such and is not a difference.
Result<bool> compareOps(std::span<const CapturedTensor> captured, const artifact::Manifest &manifest,
                        const std::filesystem::path &folder, const Tolerance &tolerance);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_CHECKOPS_H
