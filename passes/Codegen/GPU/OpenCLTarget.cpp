//===- OpenCLTarget.cpp - the target opencl -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What follows the colon of --target=opencl is the device's number, and what it has beyond or lacks of the usual:
// "1", "fp16", "1+nofp64". A device has 64-bit integers and f64 unless it is said not to; bf16 and, unless it is said
// to have it, f16 are stored as integers and computed in f32, so that the same artifact runs on any device.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/SPIRVTarget.h"

using namespace mlir;
using namespace mica;
using codegen::CodeTarget;

namespace {
/// What kernels are compiled for.
struct Device {
  int number = 0;
  bool hasF16 = false, hasF64 = true;
};
} // namespace

/// Nothing if `text` has another form.
static std::optional<Device> readDevice(StringRef text) {
  Device device;
  bool isFirst = true;
  for (; !text.empty(); isFirst = false) {
    auto [part, rest] = text.split('+');
    text = rest;
    if (part == "fp16")
      device.hasF16 = true;
    else if (part == "nofp64")
      device.hasF64 = false;
    else if (!isFirst || part.getAsInteger(10, device.number) || device.number < 0)
      return std::nullopt;
  }
  return device;
}

namespace {
struct OpenCLTarget final : SPIRVTargetBase {
  OpenCLTarget() : SPIRVTargetBase("opencl") {}

  Result<CodeTarget> deviceCode(StringRef chip) const override {
    if (!readDevice(chip))
      return Error{ErrorCode::InvalidInput, "'" + chip.str() + "' names no OpenCL device",
                   "give a number of mica-run --list-devices, and fp16 or nofp64 if the device has f16 or lacks f64: "
                   "--target=opencl:1, opencl:fp16, opencl:1+nofp64"};
    return makeCode(name().str() + (chip.empty() ? "" : ":" + chip.str()));
  }

  void setChip(StringRef chip, PipelineOptions &options) const override { options.openclDevice = chip.str(); }
  bool supportsHostFunctions() const override { return true; }

protected:
  int deviceNumber(const PipelineOptions &options) const override { return deviceOf(options).number; }

  std::vector<std::string> emulatedFloats(const PipelineOptions &options) const override {
    return deviceOf(options).hasF16 ? std::vector<std::string>{"bf16"} : std::vector<std::string>{"bf16", "f16"};
  }

  SelectHostFallbackPassOptions hostFallback(const PipelineOptions &options) const override {
    SelectHostFallbackPassOptions fallback = DeviceTarget::hostFallback(options);
    if (!deviceOf(options).hasF64)
      fallback.missingTypes = {"f64"};
    return fallback;
  }

private:
  static Device deviceOf(const PipelineOptions &options) {
    return readDevice(StringRef(options.openclDevice)).value_or(Device());
  }
};
} // namespace

const codegen::Target &mica::getOpenCLTarget() {
  static const OpenCLTarget target;
  return target;
}
