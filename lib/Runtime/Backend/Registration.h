//===- Registration.h - back ends by target -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The std half of a target: the devices that run its programs. The compiler half is passes/Codegen/Target.h; both carry
// the row of mica/Support/Targets.h that has their name.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_BACKEND_REGISTRATION_H
#define MICA_LIB_RUNTIME_BACKEND_REGISTRATION_H

#include "mica/Runtime/Devices.h"
#include "mica/Support/Targets.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mica::runtime {

/// One target's back end. A target that Mica only compiles for has a row too, whose `create` says what its kernels are
/// for.
struct BackendRegistration {
  std::string_view target; ///< as in mica/Support/Targets.h
  /// The back end of device `number`, which logs name `name`.
  Result<std::unique_ptr<Backend>> (*create)(int number, const std::string &name, const ContextOptions &options);
  /// The devices of the target that are here, or one that says why none is. Null: none are ever listed.
  std::vector<DeviceInfo> (*list)();
};

/// One row per target.
std::span<const BackendRegistration> backendRegistrations();

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_BACKEND_REGISTRATION_H
