//===- Link.cpp - program.so --------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// LLD as a library: no linker has to be installed where Mica runs. The program needs the system's libm and libc only; they
// are named in it by their file names as the dynamic linker knows them, found here in the usual folders.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Codegen/Codegen.h"

#include "mica/Support/Files.h"

#include "lld/Common/Driver.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

LLD_HAS_DRIVER(elf)

using namespace mica;
using namespace mica::compiler;

/// Where the dynamic library `name` of the system lies; "" if it is in none of the usual folders.
static std::string findSystemLibrary(llvm::StringRef name) {
  std::string machine = llvm::Triple(llvm::sys::getProcessTriple()).getArchName().str() + "-linux-gnu";
  for (const std::string &folder : {"/lib/" + machine, "/usr/lib/" + machine, std::string("/lib64"),
                                    std::string("/usr/lib64"), std::string("/lib"), std::string("/usr/lib")}) {
    std::string path = folder + "/" + name.str();
    if (llvm::sys::fs::exists(path))
      return path;
  }
  return "";
}

/// Runs the linker; what it says where it fails, else "".
static std::string runLinker(const std::vector<std::string> &arguments) {
  std::vector<const char *> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  std::string messages;
  llvm::raw_string_ostream os(messages);
  lld::Result result = lld::lldMain(pointers, os, os, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode == 0)
    return "";
  return messages.empty() ? "the linker says nothing" : llvm::StringRef(messages).trim().str();
}

Status compiler::linkProgram(const std::vector<std::string> &objectFiles, const std::string &output) {
  std::vector<std::string> arguments = {
      "ld.lld", "-shared",    "--hash-style=gnu", "--gc-sections", "--as-needed",    "-z", "noexecstack", "-z",
      "relro",  "--build-id", "-soname",          "program.so",    "--no-undefined", "-o", output};
  arguments.insert(arguments.end(), objectFiles.begin(), objectFiles.end());
  for (const char *library : {"libm.so.6", "libc.so.6"}) {
    std::string path = findSystemLibrary(library);
    if (path.empty())
      return Error{ErrorCode::Unsupported, std::string("cannot find ") + library + ", which programs are linked with",
                   "install the C library's run-time package (libc6)"};
    arguments.push_back(path);
  }
  const std::string problem = runLinker(arguments);
  if (problem.empty())
    return Status::ok();
  return Error{ErrorCode::Internal, "program.so could not be linked: " + problem,
               "a kernel calls a function that no library has; kernels/*/kernel.ll shows which"};
}

Status compiler::linkCodeObject(llvm::StringRef object, const std::string &output) {
  const std::string input = output + ".o";
  MICA_RETURN_IF_ERROR(writeFile(input, std::string_view(object)));
  const std::string problem = runLinker({"ld.lld", "-shared", "--no-undefined", "-o", output, input});
  llvm::sys::fs::remove(input);
  if (problem.empty())
    return Status::ok();
  return Error{ErrorCode::Internal, output + " could not be linked: " + problem,
               "the kernel calls a function that the device has no code for; kernel.gcn beside it shows which"};
}
