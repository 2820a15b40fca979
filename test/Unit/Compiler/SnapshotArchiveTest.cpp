//===- SnapshotArchiveTest.cpp - snapshots and the ops made of them -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Snapshot/SnapshotArchive.h"

#include "dialects/RegisterDialects.h"
#include "lib/Compiler/Snapshot/SnapshotArchiveReader.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <random>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

namespace {

DialectRegistry registry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

struct SnapshotArchiveTest : public ::testing::Test {
  SnapshotArchiveTest() : context(registry()), other(registry()) {
    context.allowUnregisteredDialects();
    other.allowUnregisteredDialects();
  }

  OwningOpRef<ModuleOp> parse(llvm::StringRef text) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(text, ParserConfig(&context, /*verifyAfterParse=*/false));
    EXPECT_TRUE(module) << text.str();
    return module;
  }
  /// Everything there is to see of an op.
  static std::string printed(Operation *op) {
    std::string text;
    llvm::raw_string_ostream os(text);
    op->print(os, OpPrintingFlags().printGenericOpForm().enableDebugInfo());
    return text;
  }
  /// What comes out of a archive with `text` in it, in another context.
  std::string there(Operation *op) {
    SnapshotArchive archive(&context);
    archive.fingerprint(op);
    archive.keep("snapshot");
    Result<std::unique_ptr<ReadSnapshotArchive>> read =
        ReadSnapshotArchive::read(archive.contents(), "test.pack", &other);
    EXPECT_TRUE(read) << (read ? "" : read.error().message);
    if (!read || (*read)->snapshots().size() != 1)
      return "";
    Result<OwningOpRef<Operation *>> built = buildSnapshot((*read)->snapshots()[0].bytes, (*read)->tables(), &other);
    EXPECT_TRUE(built) << (built ? "" : built.error().message);
    return built ? printed(built->get()) : "";
  }

  MLIRContext context, other;
};

constexpr llvm::StringLiteral kPrograms[] = {
    // Attributes in properties and beside them, constants, aliases.
    R"(#map = affine_map<(d0) -> (d0 + 1)>
       func.func @f(%a: tensor<4xf32> {x.y = 1 : i8} loc("m.py":3:1)) -> tensor<4xf32> attributes {k.maps = [#map, #map]} {
         %c = arith.constant dense<[1.0, 2.0, 0x7FC00000, -0.0]> : tensor<4xf32>
         %s = mica.add %a, %c : tensor<4xf32> loc(fused<"tag">["m.py":4:2, callsite("g"("m.py":9:9) at "m.py":1:1)])
         return %s : tensor<4xf32>
       })",
    // Blocks that are named before they come, with arguments.
    R"(func.func @f(%n: i32, %c: i1) -> i32 {
         cf.cond_br %c, ^end(%n : i32), ^more
       ^more:
         cf.br ^end(%n : i32)
       ^end(%x: i32):
         return %x : i32
       })",
    // Values that are used before they come.
    R"("test.graph"() ({
         %a = "test.f"(%b, %b) : (i32, i32) -> i32
         %b:2 = "test.g"(%a) : (i32) -> (i32, f8E4M3FN)
         "test.h"(%b#1, %b#0) {odd = #test.what<1, "x">} : (f8E4M3FN, i32) -> ()
       }) : () -> ())",
    // Distinct attributes, of which two must stay one.
    R"("test.a"() {x = distinct[0]<1 : i32>, y = [distinct[1]<1 : i32>, distinct[0]<1 : i32>]} : () -> ()
       "test.b"() {x = distinct[0]<1 : i32>} : () -> ())",
    // Segments, nested modules, symbols, resources.
    R"(module @k {
         func.func private @g(memref<?x4xf32, strided<[?, 1], offset: ?>>) -> index
         func.func @f(%m: memref<8x4xf32>, %i: index) {
           %v = memref.subview %m[%i, 0] [2, 4] [1, 1] : memref<8x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
           %w = arith.constant dense_resource<weights> : tensor<1xf32>
           scf.for %j = %i to %i step %i { memref.prefetch %m[%j, %i], read, locality<3>, data : memref<8x4xf32> }
           return
         }
       }
       {-# dialect_resources: { builtin: { weights: "0x040000000000803F" } } #-})",
};

TEST_F(SnapshotArchiveTest, OpsComeOutAsTheyWentIn) {
  for (llvm::StringRef program : kPrograms) {
    OwningOpRef<ModuleOp> module = parse(program);
    ASSERT_TRUE(module);
    std::string expected = printed(*module), is = there(*module);
    // Blobs of resources are no part of a snapshot.
    expected = expected.substr(0, expected.find("\n{-#"));
    is = is.substr(0, is.find("\n{-#"));
    EXPECT_EQ(is.substr(0, is.find_last_not_of('\n') + 1), expected.substr(0, expected.find_last_not_of('\n') + 1));
  }
}

TEST_F(SnapshotArchiveTest, HashesSayWhetherAnythingChanged) {
  OwningOpRef<ModuleOp> module = parse(kPrograms[0]);
  SnapshotArchive archive(&context);
  const uint64_t before = archive.fingerprint(*module).hash;
  OwningOpRef<Operation *> copy = module->getOperation()->clone();
  EXPECT_EQ(archive.fingerprint(copy.get()).hash, before);
  auto expectChange = [&](llvm::StringRef what, llvm::function_ref<void(Operation *)> change) {
    OwningOpRef<Operation *> changed = module->getOperation()->clone();
    changed.get()->walk([&](Operation *op) {
      if (op->getName().getStringRef() == "mica.add")
        change(op);
    });
    EXPECT_NE(archive.fingerprint(changed.get()).hash, before) << what.str();
  };
  expectChange("attribute", [&](Operation *op) { op->setAttr("x.z", UnitAttr::get(&context)); });
  expectChange("location", [&](Operation *op) { op->setLoc(UnknownLoc::get(&context)); });
  expectChange("operand", [&](Operation *op) { op->setOperand(1, op->getOperand(0)); });
  expectChange("type", [&](Operation *op) { op->getResult(0).setType(Float32Type::get(&context)); });
  expectChange("order", [&](Operation *op) { op->moveBefore(op->getPrevNode()); });
}

TEST_F(SnapshotArchiveTest, IdentityIsThatOfTheObjects) {
  for (llvm::StringRef program : kPrograms) {
    OwningOpRef<ModuleOp> module = parse(program);
    ASSERT_TRUE(module);
    SnapshotArchive archive(&context);
    const SnapshotArchive::Fingerprint seen = archive.fingerprint(*module);
    EXPECT_EQ(seen.identity, SnapshotArchive::identityOf(*module)) << program.str();
    // Equal ops elsewhere are others.
    OwningOpRef<ModuleOp> copy = module->clone();
    EXPECT_EQ(archive.fingerprint(*copy).hash, seen.hash) << program.str();
    EXPECT_NE(SnapshotArchive::identityOf(*copy), seen.identity) << program.str();
  }
}

/// Functions and modules are alike by themselves and in what they lie in, and what lies around them is known without
/// looking into them.
TEST_F(SnapshotArchiveTest, PartsThatAreKnownNeedNoLook) {
  OwningOpRef<ModuleOp> module = parse(R"(
    module @k { func.func @f(%a: i32) -> i32 { return %a : i32 } func.func private @g() }
    %c = arith.constant 1 : i32
    func.func @h() { cf.br ^end ^end: return }
    "test.use"(%c) : (i32) -> ())");
  ASSERT_TRUE(module);
  SnapshotArchive archive(&context);
  const SnapshotArchive::Fingerprint seen = archive.fingerprint(*module);
  const std::vector<SnapshotArchive::Part> parts = archive.parts();
  const SnapshotArchive::Heads heads = archive.heads();
  std::vector<std::string> names;
  for (const auto &[op, snapshot, firstHead, endHead] : parts) {
    EXPECT_EQ(static_cast<int64_t>(endHead - firstHead), snapshot.ops);
    names.push_back(SymbolTable::getSymbolName(op).str());
    const SnapshotArchive::Fingerprint alone = archive.fingerprint(op);
    EXPECT_EQ(alone.hash, snapshot.hash) << names.back();
    EXPECT_EQ(alone.identity, snapshot.identity) << names.back();
    EXPECT_EQ(SnapshotArchive::identityOf(op), snapshot.identity) << names.back();
  }
  EXPECT_EQ(names, (std::vector<std::string>{"f", "g", "k", "h"}));
  // Of which ones does not matter.
  for (unsigned mask = 0; mask < 1u << parts.size(); ++mask) {
    auto known = [&](Operation *op) -> SnapshotArchive::Known {
      for (size_t i = 0; i < parts.size(); ++i)
        if (parts[i].op == op && (mask >> i & 1))
          return {parts[i].fingerprint, {heads.all, parts[i].firstHead, parts[i].endHead}};
      return {};
    };
    const SnapshotArchive::Fingerprint around = archive.fingerprintAround(*module, known);
    EXPECT_EQ(around.hash, seen.hash) << mask;
    EXPECT_EQ(around.identity, seen.identity) << mask;
    EXPECT_EQ(around.ops, seen.ops) << mask;
    ASSERT_TRUE(archive.heads().all) << mask;
    EXPECT_EQ(*archive.heads().all, *heads.all) << mask;
  }
  // What is in between counts.
  parts.back().op->setAttr("x", UnitAttr::get(&context));
  auto all = [&](Operation *op) {
    return SnapshotArchive::Known{llvm::find_if(parts, [&](auto &part) { return part.op == op; })->fingerprint};
  };
  EXPECT_EQ(archive.fingerprintAround(*module, all).hash, seen.hash) << "h is taken as it was";
  module->getBody()->back().setAttr("x", UnitAttr::get(&context));
  EXPECT_NE(archive.fingerprintAround(*module, all).hash, seen.hash);
}

TEST_F(SnapshotArchiveTest, EveryChangeInPlaceIsAnotherIdentity) {
  OwningOpRef<ModuleOp> module = parse(R"("test.two"() ({ ^bb0: "test.end"() {x = 1 : i8} : () -> () }, {}) : () -> ()
    %0:2 = "test.def"() : () -> (i32, i32)
    %c = arith.constant 1 : i32
    "test.use"(%0#0) : (i32) -> ())");
  ASSERT_TRUE(module);
  llvm::SmallVector<Operation *> ops;
  for (Operation &op : *module->getBody())
    ops.push_back(&op);
  uint64_t last = SnapshotArchive::identityOf(*module);
  auto changed = [&] { return std::exchange(last, SnapshotArchive::identityOf(*module)) != last; };
  EXPECT_FALSE(changed());
  ops[3]->setOperand(0, ops[1]->getResult(1));
  EXPECT_TRUE(changed());
  ops[3]->setAttr("y", UnitAttr::get(&context));
  EXPECT_TRUE(changed());
  ops[1]->getResult(0).setType(IndexType::get(&context));
  EXPECT_TRUE(changed());
  ops[3]->setLoc(NameLoc::get(StringAttr::get(&context, "elsewhere")));
  EXPECT_TRUE(changed());
  ops[2]->setAttr("value", IntegerAttr::get(IntegerType::get(&context, 32), 2)); // a property
  EXPECT_TRUE(changed());
  ops[2]->moveAfter(ops[3]);
  EXPECT_TRUE(changed());
  // The same block in the other region.
  ops[0]->getRegion(1).takeBody(ops[0]->getRegion(0));
  EXPECT_TRUE(changed());
  ops[0]->getRegion(1).front().addArgument(IndexType::get(&context), ops[0]->getLoc());
  EXPECT_TRUE(changed());
  ops[3]->erase();
  EXPECT_TRUE(changed());
  EXPECT_FALSE(changed());
}

TEST_F(SnapshotArchiveTest, KindsAreCounted) {
  OwningOpRef<ModuleOp> module = parse(kPrograms[0]);
  SnapshotArchive archive(&context);
  EXPECT_EQ(archive.fingerprint(*module).ops, 5);
  const std::vector<std::pair<llvm::StringRef, int64_t>> expected{
      {"arith.constant", 1}, {"builtin.module", 1}, {"func.func", 1}, {"func.return", 1}, {"mica.add", 1}};
  EXPECT_EQ(archive.kinds(), expected);
}

/// Of a part it is known what was in it when what lies around it was looked at.
TEST_F(SnapshotArchiveTest, ChangedKindsOfAPartAreCounted) {
  OwningOpRef<ModuleOp> module = parse(R"(
    func.func @other(%a: f32) -> f32 { %0 = arith.negf %a : f32 return %0 : f32 }
    func.func @f(%a: f32) -> f32 {
      %0 = arith.addf %a, %a : f32
      %1 = arith.mulf %0, %a : f32
      %2 = arith.mulf %1, %a : f32
      return %2 : f32
    })");
  ASSERT_TRUE(module);
  SnapshotArchive archive(&context);
  archive.fingerprint(*module);
  const SnapshotArchive::Part part = archive.parts().back();
  const SnapshotArchive::Heads before{archive.heads().all, part.firstHead, part.endHead};
  Block &body = part.op->getRegion(0).front();
  Operation *add = &body.front(), *first = add->getNextNode(), *second = first->getNextNode();
  first->setAttr("changed", UnitAttr::get(&context));
  second->replaceAllUsesWith(ValueRange{first->getResult(0)});
  second->erase();
  OpBuilder::atBlockBegin(&body).clone(*add);
  archive.fingerprint(part.op);
  std::string found;
  for (const SnapshotArchive::KindChange &change : archive.kindChanges(before))
    found += (change.kind + llvm::formatv(" +{0} -{1} ~{2}; ", change.added, change.removed, change.changed)).str();
  EXPECT_EQ(found, "arith.addf +1 -0 ~0; arith.mulf +0 -1 ~1; ");
  EXPECT_TRUE(archive.kindChanges({}).empty()) << "nothing is known of before";
}

/// A archive can be read as it grows, from another thread, and gives what it gives at once.
TEST_F(SnapshotArchiveTest, ATailGivesWhatIsAdded) {
  SnapshotArchive archive(&context);
  SnapshotArchive::Tail tail(archive);
  ReadSnapshotArchive growing("test.pack", &other);
  std::string all, names;
  auto take = [&] {
    for (llvm::StringRef entries; !(entries = tail.next()).empty(); all += entries)
      ASSERT_TRUE(growing.add(entries));
  };
  take();
  EXPECT_EQ(all, kSnapshotArchiveMagic);
  for (llvm::StringRef program : kPrograms) {
    OwningOpRef<ModuleOp> module = parse(program);
    archive.fingerprint(*module);
    archive.keep("snapshot");
    EXPECT_TRUE(llvm::StringRef(archive.contents()).starts_with(all));
    take();
    ASSERT_FALSE(growing.snapshots().empty());
    if (growing.hasDistinct())
      continue;
    Result<OwningOpRef<Operation *>> built = buildSnapshot(growing.snapshots().back().bytes, growing.tables(), &other);
    ASSERT_TRUE(built) << built.error().message;
    auto withoutBlobs = [](const std::string &text) { return text.substr(0, text.find("\n{-#")); };
    EXPECT_EQ(withoutBlobs(printed(built->get())), withoutBlobs(printed(*module)));
  }
  EXPECT_EQ(all, archive.contents());
  EXPECT_EQ(growing.snapshots().size(), std::size(kPrograms));
}

TEST_F(SnapshotArchiveTest, SnapshotsThatWereNotKeptAreNotThere) {
  OwningOpRef<ModuleOp> first = parse(kPrograms[0]), second = parse(kPrograms[1]);
  SnapshotArchive archive(&context);
  archive.fingerprint(*first);
  archive.fingerprint(*second);
  archive.keep("second");
  auto read = ReadSnapshotArchive::read(archive.contents(), "test.pack", &other);
  ASSERT_TRUE(read);
  ASSERT_EQ((*read)->snapshots().size(), 1u);
  EXPECT_EQ((*read)->snapshots()[0].name, "second");
}

/// Cut off, or with bytes changed, a archive is refused or gives other ops: nothing crashes. What a process that died
/// wrote last is left out.
TEST_F(SnapshotArchiveTest, DamageIsRefused) {
  other.getDiagEngine().registerHandler([](Diagnostic &) { return success(); });
  SnapshotArchive archive(&context);
  for (llvm::StringRef program : kPrograms) {
    archive.fingerprint(*parse(program));
    archive.keep("snapshot");
  }
  const std::string whole = archive.contents();
  auto use = [&](const std::string &data) {
    auto read = ReadSnapshotArchive::read(data, "test.pack", &other);
    if (!read)
      return size_t(0);
    for (const ReadSnapshotArchive::Snapshot &snapshot : (*read)->snapshots())
      (void)buildSnapshot(snapshot.bytes, (*read)->tables(), &other);
    return (*read)->snapshots().size();
  };
  EXPECT_EQ(use(whole), std::size(kPrograms));
  EXPECT_EQ(use(whole.substr(0, whole.size() - 1)), std::size(kPrograms) - 1);
  EXPECT_EQ(use("not a pack"), 0u);
  for (size_t length = 0; length < whole.size(); length += 7)
    use(whole.substr(0, length));
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = whole;
    for (int k = 0; k < 3; ++k)
      damaged[kSnapshotArchiveMagic.size() + random() % (damaged.size() - kSnapshotArchiveMagic.size())] =
          static_cast<char>(random());
    use(damaged);
  }
}

} // namespace
