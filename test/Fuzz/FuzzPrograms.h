//===- FuzzPrograms.h - what fuzzers of readers of programs share -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A context for one program, which keeps the errors that are reported.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TEST_FUZZ_FUZZPROGRAMS_H
#define MICA_TEST_FUZZ_FUZZPROGRAMS_H

#include "test/Fuzz/Fuzz.h"

#include "dialects/RegisterDialects.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace mica::fuzz {

class Programs {
public:
  Programs() : context(allDialects(), mlir::MLIRContext::Threading::DISABLED) {
    context.getDiagEngine().registerHandler([this](mlir::Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
        errors += diagnostic.str() + "\n";
    });
  }

  /// What is refused says why.
  void checkRefused(const char *what) { expect(!errors.empty(), what); }

  /// A program that was accepted is valid, and the same after it was printed and parsed.
  void checkProgram(mlir::ModuleOp module) {
    if (failed(mlir::verify(module))) {
      std::fputs(errors.c_str(), stderr);
      expect(false, "what is accepted is valid");
    }
    const std::string text = print(module);
    // In a context of its own, where resources keep their names.
    Programs other;
    mlir::OwningOpRef<mlir::ModuleOp> again =
        mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&other.context));
    if (!again) {
      std::fprintf(stderr, "%s%s\n", other.errors.c_str(), text.c_str());
      expect(false, "what is printed is read");
    }
    if (const std::string twice = print(*again); twice != text) {
      std::fprintf(stderr, "%s\nagain:\n%s\n", text.c_str(), twice.c_str());
      expect(false, "what is read again is the same");
    }
  }

  mlir::MLIRContext context;
  std::string errors;

private:
  static std::string print(mlir::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream out(text);
    module.print(out, mlir::OpPrintingFlags().printGenericOpForm());
    return text;
  }
};

} // namespace mica::fuzz

#endif // MICA_TEST_FUZZ_FUZZPROGRAMS_H
