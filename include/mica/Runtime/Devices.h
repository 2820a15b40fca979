//===- Devices.h - the devices of a program --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Which back end goes with which device name. A context makes what its program needs; who wants to put something around
// a back end makes them here and hands them to the context.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_DEVICES_H
#define MICA_RUNTIME_DEVICES_H

#include "mica/Runtime/Context.h"

namespace mica::runtime {

/// The devices that tasks of `program` name, in the order they are met; "cpu:0" where there are no tasks.
std::vector<std::string> deviceNames(const Program &program);

/// The back end of device `name` ("cpu:0", "sim:0", "gpu:1"), by the threads and switches of `options`. Fails with
/// Unsupported where there is no such device.
Result<std::unique_ptr<Backend>> createBackend(const std::string &name, const ContextOptions &options);

/// One for each of deviceNames().
Result<std::vector<std::unique_ptr<Backend>>> createBackends(const Program &program, const ContextOptions &options);

/// A device that programs can name.
struct DeviceInfo {
  std::string name;
  std::string text;       ///< what it is, or why it is not there
  bool available = false; ///< programs run on it here
};
/// All of this machine; gpu:0 also where there is none, with the reason.
std::vector<DeviceInfo> listDevices();

} // namespace mica::runtime

#endif // MICA_RUNTIME_DEVICES_H
