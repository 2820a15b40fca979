//===- Assemble.cpp - assembling text to an object file -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Uses LLVM's assembler as a library, as `llvm-mc -filetype=obj` does.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Codegen/Codegen.h"

#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mica;
using namespace mica::compiler;

/// Collects the assembler's messages.
static void collectDiagnostic(const llvm::SMDiagnostic &diagnostic, void *sink) {
  llvm::raw_string_ostream os(*static_cast<std::string *>(sink));
  diagnostic.print(nullptr, os, /*ShowColors=*/false);
}

Result<std::string> compiler::assemble(llvm::StringRef assembly, const CodeTarget &target, llvm::StringRef name) {
  codegen::initializeTargets();
  std::string error;
  llvm::Triple triple(target.triple);
  const llvm::Target *found = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!found)
    return Error{ErrorCode::Internal, "no assembler for " + target.triple + ": " + error, ""};
  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registers(found->createMCRegInfo(triple));
  std::unique_ptr<llvm::MCAsmInfo> asmInfo(found->createMCAsmInfo(*registers, triple, options));
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(found->createMCSubtargetInfo(triple, target.cpu, target.features));
  std::unique_ptr<llvm::MCInstrInfo> instructions(found->createMCInstrInfo());
  llvm::SourceMgr sources;
  std::string problems;
  sources.setDiagHandler(collectDiagnostic, &problems);
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(assembly, name, /*RequiresNullTerminator=*/false),
                             llvm::SMLoc());
  llvm::MCContext context(triple, asmInfo.get(), registers.get(), subtarget.get(), &sources, &options);
  std::unique_ptr<llvm::MCObjectFileInfo> objectInfo(found->createMCObjectFileInfo(context, /*PIC=*/true));
  context.setObjectFileInfo(objectInfo.get());
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream os(bytes);
  std::unique_ptr<llvm::MCAsmBackend> backend(found->createMCAsmBackend(*subtarget, *registers, options));
  std::unique_ptr<llvm::MCCodeEmitter> emitter(found->createMCCodeEmitter(*instructions, context));
  std::unique_ptr<llvm::MCObjectWriter> writer = backend->createObjectWriter(os);
  std::unique_ptr<llvm::MCStreamer> streamer(found->createMCObjectStreamer(
      triple, context, std::move(backend), std::move(writer), std::move(emitter), *subtarget));
  std::unique_ptr<llvm::MCAsmParser> parser(llvm::createMCAsmParser(sources, context, *streamer, *asmInfo));
  std::unique_ptr<llvm::MCTargetAsmParser> targetParser(
      found->createMCAsmParser(*subtarget, *parser, *instructions, options));
  if (!targetParser)
    return Error{ErrorCode::Internal, "no assembler for " + target.triple, ""};
  parser->setTargetParser(*targetParser);
  if (parser->Run(/*NoInitialTextSection=*/false))
    return Error{ErrorCode::InvalidInput, name.str() + " does not assemble: " + problems,
                 "correct the line, or undo the edit with --reset"};
  return bytes.str().str();
}

bool compiler::definesSymbol(llvm::StringRef object, llvm::StringRef symbol) {
  auto file = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(object, "object"));
  if (!file) {
    llvm::consumeError(file.takeError());
    return false;
  }
  for (const llvm::object::SymbolRef &each : (*file)->symbols()) {
    llvm::Expected<llvm::StringRef> name = each.getName();
    llvm::Expected<uint32_t> flags = each.getFlags();
    if (!name)
      llvm::consumeError(name.takeError());
    if (!flags)
      llvm::consumeError(flags.takeError());
    if (name && flags && *name == symbol && !(*flags & llvm::object::SymbolRef::SF_Undefined))
      return true;
  }
  return false;
}
