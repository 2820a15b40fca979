//===- Devices.h - creating the devices of a program -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Maps device names to back ends. A context creates the devices that its program needs; a caller that wraps a back end
// creates them here and passes them to the context.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_DEVICES_H
#define MICA_RUNTIME_DEVICES_H

#include "mica/Runtime/Context.h"

namespace mica::runtime {

/// The devices that tasks of `program` name, in order of appearance; "cpu:0" if there are no tasks.
std::vector<std::string> deviceNames(const Program &program);

/// The back end of device `name` ("cpu:0", "sim:0", "gpu:1"), with the threads and switches of `options`. Fails with
/// Unsupported if there is no such device.
Result<std::unique_ptr<Backend>> createBackend(const std::string &name, const ContextOptions &options);

/// One for each of deviceNames().
Result<std::vector<std::unique_ptr<Backend>>> createBackends(const Program &program, const ContextOptions &options);

/// A device that programs can name.
struct DeviceInfo {
  std::string name;
  std::string text;       ///< description, or why it is not available
  bool available = false; ///< programs can run on it
};
/// All devices of this machine; gpu:0 is always listed, with the reason if it is not available.
std::vector<DeviceInfo> listDevices();

} // namespace mica::runtime

#endif // MICA_RUNTIME_DEVICES_H
