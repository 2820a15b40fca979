//===- OpenCL.h - OpenCL devices --------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Uses OpenCL drivers by the loader's library, which is opened on the first call. No headers are needed.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_OPENCL_H
#define MICA_RUNTIME_OPENCL_H

#include "mica/Runtime/Backend.h"

namespace mica::runtime {

/// Device `number` of the drivers that the loader `library` finds, for programs of --target=opencl. Fails with
/// Unsupported if there is no loader, no such device, or it cannot run kernels; the message says why.
Result<std::unique_ptr<Backend>> createOpenCLBackend(int number, std::string name,
                                                     const std::string &library = "libOpenCL.so.1");

/// A device of a list.
struct OpenCLDevice {
  std::string text;    ///< name, version, units, memory, driver
  std::string problem; ///< why it cannot run kernels; "" if it can
};
/// All devices. Fails as createOpenCLBackend().
Result<std::vector<OpenCLDevice>> describeOpenCLDevices(const std::string &library = "libOpenCL.so.1");

} // namespace mica::runtime

#endif // MICA_RUNTIME_OPENCL_H
