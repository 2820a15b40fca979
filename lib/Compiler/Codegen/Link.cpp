//===- Link.cpp - linking program.so ------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Uses LLD as a library, so that no linker has to be installed. The program depends only on the system's libm and libc,
// by their sonames; their files are searched for here in the usual folders.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Codegen/Codegen.h"

#include "dialects/Mica/IR/SymbolUses.h"
#include "mica/Support/Files.h"
#include "mica/Support/Text.h"

#include "lld/Common/Driver.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

LLD_HAS_DRIVER(elf)

using namespace mica;
using namespace mica::compiler;

/// The path of the system's shared library `name`; "" if it is in none of the usual folders.
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

/// Runs the linker; returns its messages if it fails, else "".
static std::string runLinker(const std::vector<std::string> &arguments) {
  std::vector<const char *> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  std::string messages;
  llvm::raw_string_ostream os(messages);
  lld::Result result = lld::lldMain(pointers, os, os, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode == 0)
    return "";
  return messages.empty() ? "the linker printed no message" : llvm::StringRef(messages).trim().str();
}

/// Adds the symbols that the shared library `path` defines.
static Status addDefined(const std::string &path, llvm::StringSet<> &names) {
  auto binary = llvm::object::ObjectFile::createObjectFile(path);
  const auto *elf = binary ? llvm::dyn_cast<llvm::object::ELFObjectFileBase>(binary->getBinary()) : nullptr;
  if (!elf) {
    std::string problem = binary ? "not an ELF file" : llvm::toString(binary.takeError());
    return Error{ErrorCode::InvalidInput, "--link=" + path + ": not a shared library: " + problem,
                 "give a .so file for this machine"};
  }
  for (llvm::object::ELFSymbolRef symbol : elf->getDynamicSymbolIterators()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (flags && name && !(*flags & llvm::object::SymbolRef::SF_Undefined))
      names.insert(*name);
    llvm::consumeError(flags.takeError());
    llvm::consumeError(name.takeError());
  }
  return Status::ok();
}

Status compiler::checkExternals(mlir::ModuleOp host, const std::vector<std::string> &libraries) {
  std::vector<mlir::LLVM::LLVMFuncOp> called;
  const SymbolUses uses(host);
  for (auto function : host.getOps<mlir::LLVM::LLVMFuncOp>())
    if (function.isExternal() && !function.getName().starts_with("llvm.") && uses.isUsed(function))
      called.push_back(function);
  if (called.empty())
    return Status::ok();
  llvm::StringSet<> defined;
  for (const std::string &library : libraries)
    MICA_RETURN_IF_ERROR(addDefined(library, defined));
  for (const char *library : {"libm.so.6", "libc.so.6"})
    if (std::string path = findSystemLibrary(library); !path.empty())
      MICA_RETURN_IF_ERROR(addDefined(path, defined));
  std::vector<std::string> missing;
  for (mlir::LLVM::LLVMFuncOp function : called) {
    if (defined.contains(function.getName()))
      continue;
    missing.push_back("@" + function.getName().str());
    mlir::InFlightDiagnostic error = function.emitError()
                                     << "function '@" << function.getName() << "' has no body, and ";
    if (libraries.empty())
      error << "no library is linked";
    else
      error << "none of the linked libraries has it (" << joinNames(libraries) << ")";
  }
  if (missing.empty())
    return Status::ok();
  return Error{
      ErrorCode::InvalidInput,
      "not linked: " + joinNames(missing) + (missing.size() == 1 ? " is" : " are") + " undefined",
      "give the library: --link=lib.so. A declaration with llvm.emit_c_interface is looked for as _mlir_ciface_NAME"};
}

/// A full disk is an Io error; missing symbols are a fault of Mica, and `hint` helps to find it.
static Error linkError(const std::string &output, const std::string &problem, const std::string &hint) {
  const llvm::StringRef text = problem;
  const bool isFile =
      text.contains("cannot open output file") || text.contains("failed to open") || text.contains("failed to write");
  return {isFile ? ErrorCode::Io : ErrorCode::Internal, output + " could not be linked: " + problem,
          isFile ? "is the disk full, or the folder read-only?" : hint};
}

/// Fails if the file system of `output` has no room for what is linked of `inputs`: the linker writes a mapped file,
/// for which a full disk is a signal that ends the process.
static Status checkRoom(const std::string &output, llvm::ArrayRef<std::string> inputs) {
  constexpr uint64_t kTables = 32 * 1024; // of symbols, and headers
  uint64_t needed = kTables;
  for (const std::string &input : inputs) {
    uint64_t size = 0;
    if (!llvm::sys::fs::file_size(input, size))
      needed += size;
  }
  llvm::SmallString<128> path(output);
  llvm::ErrorOr<llvm::sys::fs::space_info> space = std::errc::not_supported;
  if (!llvm::sys::fs::make_absolute(path))
    space = llvm::sys::fs::disk_space(llvm::sys::path::parent_path(path));
  if (!space || space->available >= needed)
    return Status::ok();
  return Error{ErrorCode::Io,
               "cannot write '" + output + "': " + std::make_error_code(std::errc::no_space_on_device).message(),
               "the disk is full: free some space, or choose a folder on another disk"};
}

Status compiler::linkProgram(const std::vector<std::string> &objectFiles, const std::string &output,
                             const std::vector<std::string> &libraries) {
  MICA_RETURN_IF_ERROR(checkRoom(output, objectFiles));
  std::vector<std::string> arguments = {
      "ld.lld", "-shared",    "--hash-style=gnu", "--gc-sections", "--as-needed",    "-z", "noexecstack", "-z",
      "relro",  "--build-id", "-soname",          "program.so",    "--no-undefined", "-o", output};
  arguments.insert(arguments.end(), objectFiles.begin(), objectFiles.end());
  for (const char *library : {"libm.so.6", "libc.so.6"}) {
    std::string path = findSystemLibrary(library);
    if (path.empty())
      return Error{ErrorCode::Unsupported, std::string("cannot find ") + library + ", which is needed to link programs",
                   "install the C library's run-time package (libc6)"};
    arguments.push_back(path);
  }
  for (const std::string &library : libraries) {
    arguments.push_back(library);
    arguments.push_back("-rpath=" + llvm::sys::path::parent_path(library).str());
  }
  const std::string problem = runLinker(arguments);
  if (problem.empty())
    return Status::ok();
  return linkError("program.so", problem,
                   "a kernel calls a function that no library has; kernels/*/kernel.ll shows which");
}

Status compiler::linkCodeObject(llvm::StringRef object, const std::string &output) {
  const std::string input = output + ".o";
  MICA_RETURN_IF_ERROR(writeFile(input, std::string_view(object)));
  MICA_RETURN_IF_ERROR(checkRoom(output, {input}));
  const std::string problem = runLinker({"ld.lld", "-shared", "--no-undefined", "-o", output, input});
  llvm::sys::fs::remove(input);
  if (problem.empty())
    return Status::ok();
  return linkError(output, problem,
                   "the kernel calls a function that the device has no code for; kernel.gcn beside it shows which");
}
