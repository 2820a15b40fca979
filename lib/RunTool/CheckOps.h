//===- CheckOps.h - comparing op by op ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: what kernels wrote, against the reference's value of the ops fused into them.
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
/// of the ops of its site: it agrees if it is the same as one of them. Prints a line each and the first that differs;
/// true where none does. A tensor without a counterpart of its type and size (a packed weight, say) is said to have
/// none and is no difference.
Result<bool> compareOps(std::span<const CapturedTensor> captured, const artifact::Manifest &manifest,
                        const std::filesystem::path &folder, const Tolerance &tolerance);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_CHECKOPS_H
