//===- Driver.cpp - the CUDA driver of this machine -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Cuda/Driver.h"

#include "lib/Runtime/SharedLibrary.h"

namespace mica::runtime::cuda {

Result<std::shared_ptr<const Driver>> Driver::open(const std::string &library) {
  MICA_ASSIGN_OR_RETURN(
      SharedLibrary loaded,
      SharedLibrary::open(library, "install NVIDIA's driver, or compile with --target=cpu or --target=sim"));
  std::shared_ptr<Driver> driver(new Driver());
  driver->handle = loaded.get();
#define MICA_CUDA_LOAD(name, symbol, parameters) loaded.find(driver->name, symbol, /*isNeeded=*/true);
#define MICA_CUDA_LOAD_OPTIONAL(name, symbol, parameters) loaded.find(driver->name, symbol, /*isNeeded=*/false);
  MICA_CUDA_FUNCTIONS(MICA_CUDA_LOAD)
  MICA_CUDA_OPTIONAL_FUNCTIONS(MICA_CUDA_LOAD_OPTIONAL)
#undef MICA_CUDA_LOAD
#undef MICA_CUDA_LOAD_OPTIONAL
  if (!loaded.missing().empty())
    return Error{ErrorCode::Unsupported, library + " lacks " + loaded.missing(),
                 "install a newer driver: CUDA 11.4 or later"};
  if (Code code = driver->init(0))
    return Error{ErrorCode::Unsupported, library + " does not start: " + driver->text(code),
                 "nvidia-smi says whether driver and devices work"};
  if (Code code = driver->deviceGetCount(&driver->devices))
    return driver->check(code, "cannot count the devices").error();
  driver->driverGetVersion(&driver->driverVersion);
  return std::shared_ptr<const Driver>(std::move(driver));
}

Driver::~Driver() {
  if (handle)
    dlclose(handle);
}

std::string Driver::text(Code code) const {
  const char *name = nullptr, *what = nullptr;
  if (getErrorName(code, &name) != kSuccess || !name)
    name = "unknown";
  if (getErrorString(code, &what) != kSuccess || !what)
    what = "the driver has no text for it";
  return std::string(what) + " (" + name + ", " + std::to_string(code) + ")";
}

Status Driver::check(Code code, const std::string &what) const {
  if (code == kSuccess)
    return {};
  return Error{ErrorCode::Io, "CUDA: " + what + ": " + text(code),
               isSticky(code) ? "the device's state is lost: run the program again" : ""};
}

bool isSticky(Code code) {
  // Illegal address, launch timeout, context destroyed, assert, stack, instruction, misaligned, address space, pc,
  // launch failed; and ECC, NVLink and contained errors of the hardware.
  switch (code) {
  case 214:
  case 220:
  case 221:
  case 226:
  case 700:
  case 702:
  case 709:
  case 710:
  case 714:
  case 715:
  case 716:
  case 717:
  case 718:
  case 719:
    return true;
  default:
    return false;
  }
}

} // namespace mica::runtime::cuda
