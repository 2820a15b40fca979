//===- OpenCL/Backend.h - back ends upon an open library --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The functions of mica/Runtime/OpenCL.h on a library that is open: tests replace some of its functions.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_OPENCL_BACKEND_H
#define MICA_LIB_RUNTIME_OPENCL_BACKEND_H

#include "lib/Runtime/OpenCL/Library.h"
#include "mica/Runtime/OpenCL.h"

namespace mica::runtime::opencl {

/// As createOpenCLBackend(), by the functions of `library`.
Result<std::unique_ptr<Backend>> createBackend(std::shared_ptr<const Library> library, int number, std::string name);

} // namespace mica::runtime::opencl

#endif // MICA_LIB_RUNTIME_OPENCL_BACKEND_H
