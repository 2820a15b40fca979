//===- Selection.h - the tensors that flags select ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: which tensors of a dump are meant, and how they are called in texts.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_DUMPTOOL_SELECTION_H
#define MICA_LIB_DUMPTOOL_SELECTION_H

#include "lib/DumpTool/Options.h"
#include "mica/Dump/Dump.h"

#include <string>
#include <vector>

namespace mica::dumptool {

/// Positions in `dump.tensors()`. NotFound where nothing is selected and something was asked for by name, with what
/// there is.
Result<std::vector<size_t>> select(const dump::Dump &dump, const Selection &selection);
bool isSelected(const dump::Dump &dump, size_t tensor, const Selection &selection);

/// What the source calls it, else its binding: "%q", "buffer 2", "constant 1".
std::string tensorName(const dump::Dump &dump, const dump::Tensor &tensor);
/// Where what a launch read comes from: "launch 7", "argument 0"; "" unknown.
std::string sourceText(const dump::Tensor &tensor);
/// "%q (64x64xf32)".
std::string tensorText(const dump::Dump &dump, const dump::Tensor &tensor);
/// "mica.matmul [3f2a91c07b1e] at model.mlir:3:8".
std::string opText(const dump::Op &op);
/// "kernel matmul_3, launch 7".
std::string launchText(const dump::Dump &dump, size_t launch);
/// The shortest digits that give the number back, at most `digits` of them.
std::string numberText(double value, int digits = 6);
/// A name for files: "12_q".
std::string memberName(const dump::Dump &dump, size_t tensor);

/// The elements of a tensor, or of the part that `slice` names.
Result<HostTensor> readPart(const dump::Dump &dump, const dump::Tensor &tensor,
                            const std::optional<std::string> &slice);

} // namespace mica::dumptool

#endif // MICA_LIB_DUMPTOOL_SELECTION_H
