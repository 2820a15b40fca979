//===- DeviceCode.h - files of a kernel's code for a GPU --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   cuda    kernel.ptx                       which the driver, or ptxas, assembles
//   rocm    kernel.gcn     kernel.hsaco      assembly, and the code object that AMD's loaders take
//   spirv   kernel.spvasm  kernel.spv        the module as LLVM prints it, and as OpenCL's implementations take it
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_DEVICECODE_H
#define MICA_LIB_COMPILER_DEVICECODE_H

#include "mica/Artifact/Manifest.h"
#include "mica/Compiler/Codegen.h"

namespace mica::compiler {

/// Names of the files in a kernel's folder; `binary` is "" where there is only a text.
struct DeviceFiles {
  std::string text, binary;
};
DeviceFiles deviceFilesOf(const CodeTarget &target);

/// Whether `target` is a GPU of NVIDIA's.
bool isPtx(const CodeTarget &target);

/// Writes the binary file of `code` as `output`. Not on several threads at once.
Status writeDeviceBinary(const CodeTarget &target, const GeneratedCode &code, const std::string &output);

/// The entries of `code`, whose text lies in `file`, with their registers and memory where that is known: of AMD's code always, of PTX
/// where ptxas is installed (Ptxas.h), which then writes its binary as `cubin` (where not "").
Result<std::vector<artifact::DeviceEntry>> describeDeviceCode(const CodeTarget &target, const GeneratedCode &code,
                                                              const std::string &file, const std::string &cubin);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_DEVICECODE_H
