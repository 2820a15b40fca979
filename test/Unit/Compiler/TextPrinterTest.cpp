//===- TextPrinterTest.cpp - the printer of snapshots prints what upstream's does -------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Snapshot/TextPrinter.h"

#include "dialects/RegisterDialects.h"
#include "lib/Compiler/Snapshot/SnapshotArchive.h"
#include "lib/Compiler/Snapshot/SnapshotArchiveReader.h"
#include "mica/Compiler/Input/DynamicLists.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;
namespace fs = std::filesystem;

namespace {

DialectRegistry registry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

using Lines = std::map<Operation *, std::pair<unsigned, unsigned>>;

/// The text of `op` as upstream prints it, and where each op is in it.
std::string upstreamText(Operation *op, Lines &lines) {
  OpPrintingFlags flags;
  flags.elideLargeResourceString(0).assumeVerified();
  AsmState::LocationMap positions;
  AsmState state(op, flags, &positions);
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, state);
  os << "\n";
  lines = Lines(positions.begin(), positions.end());
  return text;
}

Lines linesOf(const Snapshot &snapshot) {
  Lines lines;
  for (const Snapshot::Line &line : snapshot.lines)
    lines[line.op] = {line.line, line.column};
  return lines;
}

struct TextPrinterTest : public ::testing::Test {
  TextPrinterTest() : context(registry()), printer(&context) { context.allowUnregisteredDialects(); }

  /// False where `op` is one of those that only upstream's printer prints.
  bool expectSame(Operation *op, const std::string &what, llvm::ArrayRef<BuiltOp> built = {}) {
    // The last one may have held resources.
    TextPrinter fresh(&context);
    std::optional<Snapshot> snapshot = (built.empty() ? fresh : printer).print(op, built);
    if (!snapshot)
      return false;
    Lines lines;
    EXPECT_EQ(snapshot->text, upstreamText(op, lines)) << what;
    EXPECT_EQ(linesOf(*snapshot), lines) << what;
    return true;
  }
  OwningOpRef<ModuleOp> parse(llvm::StringRef text) {
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    // MLIR's printers end by a signal on ops that lack operands of dynamic lists, which its verifiers do not count.
    if (module && failed(verifyDynamicLists(*module)))
      return nullptr;
    return module;
  }

  MLIRContext context;
  TextPrinter printer;
};

/// The programs of the tests and the examples: the parts between "// -----", each by itself.
std::vector<std::pair<std::string, std::string>> programs() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const char *folder : {"/docs/examples", "/test"})
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(std::string(MICA_SOURCE_DIR) + folder)) {
      if (entry.path().extension() != ".mlir" || entry.file_size() > 100000)
        continue;
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      llvm::SmallVector<llvm::StringRef> parts;
      const std::string whole = text.str();
      llvm::StringRef(whole).split(parts, "// -----");
      for (llvm::StringRef part : parts)
        all.emplace_back(entry.path().string(), part.str());
    }
  return all;
}

TEST_F(TextPrinterTest, ProgramsOfTheTests) {
  int same = 0, left = 0;
  for (const auto &[file, text] : programs()) {
    OwningOpRef<ModuleOp> module = parse(text);
    if (!module)
      continue;
    ++(expectSame(*module, file) ? same : left);
    // One inside another is printed without aliases.
    for (Operation &op : module->getOps())
      expectSame(&op, file);
    if (HasFailure())
      return;
  }
  EXPECT_GT(same, 400);
  EXPECT_LT(left, same / 50);
}

TEST_F(TextPrinterTest, OpsThatAreAlikeAreFilledIn) {
  OwningOpRef<ModuleOp> module = parse(R"(
    #map = affine_map<(d0, d1) -> (d0 * 2 + d1 - 1, d1 floordiv 3)>
    #set = affine_set<(d0) : (d0 - 3 >= 0)>
    func.func private @g(f32, f32) -> (f32, f32)
    func.func @f(%a: f32, %b: f32, %i: index, %m: memref<8x4xf32, #map>, %c: i1) -> f32 {
      %0:2 = func.call @g(%a, %b) : (f32, f32) -> (f32, f32)
      %1:2 = func.call @g(%0#1, %a) : (f32, f32) -> (f32, f32)
      %2 = arith.addf %1#0, %1#0 : f32
      %3 = arith.addf %0#0, %1#1 : f32
      %4 = arith.addf %2, %3 : f32
      %5 = arith.constant 1 : index
      %6 = arith.constant 1 : index
      %7 = memref.load %m[%i, %5] : memref<8x4xf32, #map>
      %8 = memref.load %m[%6, %i] : memref<8x4xf32, #map>
      affine.for %j = 0 to 8 {
        %10 = affine.apply affine_map<(d0)[s0] -> (d0 * 2 - s0)>(%j)[%i]
        %11 = affine.apply affine_map<(d0)[s0] -> (d0 * 2 - s0)>(%j)[%5]
        affine.if #set(%j) { memref.store %7, %m[%10, %11] : memref<8x4xf32, #map> }
      }
      cf.cond_br %c, ^end(%7 : f32), ^more
    ^more:
      cf.cond_br %c, ^end(%8 : f32), ^other
    ^other:
      cf.cond_br %c, ^end(%4 : f32), ^more
    ^end(%x: f32):
      return %x : f32
    })");
  ASSERT_TRUE(module);
  SnapshotArchive archive(&context);
  archive.fingerprint(*module);
  archive.keep("a");
  archive.keep("b");
  archive.fingerprint(*module->getOps<mlir::func::FuncOp>().begin());
  auto read = ReadSnapshotArchive::read(archive.contents(), "test.pack", &context);
  ASSERT_TRUE(read);
  for (const ReadSnapshotArchive::Snapshot &snapshot : (*read)->snapshots()) {
    std::vector<BuiltOp> built;
    auto op = buildSnapshot(snapshot.bytes, (*read)->tables(), &context, &built);
    ASSERT_TRUE(op);
    int64_t ops = 0;
    op->get()->walk([&](Operation *) { ++ops; });
    EXPECT_EQ(static_cast<int64_t>(built.size()), ops);
    EXPECT_TRUE(expectSame(op->get(), snapshot.name, built));
  }
}

TEST_F(TextPrinterTest, LeavesToUpstreamWhatDependsOnMore) {
  for (const char *program : {R"("test.a"() {x = distinct[0]<1 : i32>} : () -> ())",
                              R"(llvm.func @f(!llvm.struct<"list", (ptr, struct<"list">)>))"}) {
    OwningOpRef<ModuleOp> module = parse(program);
    ASSERT_TRUE(module) << program;
    EXPECT_FALSE(printer.print(*module)) << program;
  }
}

} // namespace
