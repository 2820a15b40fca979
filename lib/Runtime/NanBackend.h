//===- NanBackend.h - a back end whose kernels' results are examined -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Private to lib/Runtime; the switch nan-check. The thread that completes a launch looks at what it wrote, so nobody
// waits for it but the launches that read it.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_NANBACKEND_H
#define MICA_LIB_RUNTIME_NANBACKEND_H

#include "mica/Runtime/Backend.h"
#include "mica/Runtime/Program.h"
#include "mica/Support/Switches.h"

#include <memory>

namespace mica::runtime {

/// `inner`, with the floats that each launch wrote looked at; a launch that made NaN or an infinity fails with what was
/// found. `program` must outlive the result.
std::unique_ptr<Backend> nanBackend(std::unique_ptr<Backend> inner, const Program &program, const Switches &switches);

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_NANBACKEND_H
