//===- ComplexEntry.h - entries with complex arguments and results ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Callers pass and get complex tensors, as the program was written. Its code takes and gives two tensors for each, the
// real and the imaginary parts. The manifest has entries as callers see them.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ARTIFACT_COMPLEXENTRY_H
#define MICA_ARTIFACT_COMPLEXENTRY_H

#include "mica/Artifact/Manifest.h"

namespace mica::artifact {

/// Whether an argument or a result of `entry` is complex.
bool usesComplex(const EntryRecord &entry);

/// `entry` as its code has it: two arguments or results for each complex one. Their names end with ".re" and ".im".
EntryRecord splitComplex(const EntryRecord &entry);

/// Which arguments and results of an entry are the imaginary part of the one before.
struct ImaginaryParts {
  std::vector<bool> args, results;
};

/// The inverse of splitComplex; names are those of the real parts. A result that updates an argument need not be
/// marked. One that is only half of a complex argument becomes a result of real numbers that updates none.
EntryRecord joinComplex(const EntryRecord &code, const ImaginaryParts &imaginary);

/// What users call the arguments or results of the code after "result" or "arg", by their positions: "0", "1.re",
/// "1.im".
std::vector<std::string> partNames(const std::vector<TensorSpec> &specs);

/// The tensors of the code for those of a caller, and back. `specs`: of the caller, args or results.
std::vector<HostTensor> splitTensors(std::vector<HostTensor> tensors);
std::vector<HostTensor> joinTensors(std::vector<HostTensor> tensors, const std::vector<TensorSpec> &specs);
/// The same for numbers that belong to each element, such as bounds: those of complex elements get a last dimension of
/// 2.
std::vector<HostTensor> joinNumbers(std::vector<HostTensor> tensors, const std::vector<TensorSpec> &specs);

} // namespace mica::artifact

#endif // MICA_ARTIFACT_COMPLEXENTRY_H
