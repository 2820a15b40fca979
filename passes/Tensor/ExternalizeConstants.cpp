//===- ExternalizeConstants.cpp - externalizing large constants -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   dense<[...85 numbers...]>, dense_resource<some_exporter_name>  =>  dense_resource<mica_<hash of the bytes>>
//
// A resource's bytes are not copied: the new handle refers to the blob of the old one, which the context owns.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/ConstantNames.h"
#include "passes/Tensor/Passes.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/xxhash.h"

namespace mica {
#define GEN_PASS_DEF_EXTERNALIZECONSTANTS
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;

std::string mica::constantName(llvm::ArrayRef<char> bytes) {
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
  return "mica_" + llvm::utohexstr(hash.high64, /*LowerCase=*/true, 16) +
         llvm::utohexstr(hash.low64, /*LowerCase=*/true, 16);
}

DenseResourceElementsAttr mica::constantResource(RankedTensorType type, std::vector<char> bytes) {
  auto kept = std::make_shared<std::vector<char>>(std::move(bytes));
  llvm::ArrayRef<char> data(*kept);
  auto &manager = DenseResourceElementsHandle::getManagerInterface(type.getContext());
  const std::string name = constantName(data);
  if (auto *entry = manager.getBlobManager().lookup(name);
      entry && entry->getBlob() && entry->getBlob()->getData() == data)
    return DenseResourceElementsAttr::get(
        type, DenseResourceElementsHandle(entry, cast<BuiltinDialect>(manager.getDialect())));
  AsmResourceBlob blob =
      UnmanagedAsmResourceBlob::allocateWithAlign(data, alignof(std::max_align_t), [kept](void *, size_t, size_t) {});
  return DenseResourceElementsAttr::get(type, manager.insert(name, std::move(blob)));
}

/// Bytes of the elements of `type` in a resource; -1 if elements are not whole bytes.
static int64_t bytesOf(ShapedType type) {
  Type element = type.getElementType();
  if (!element.isIntOrIndexOrFloat())
    return -1;
  int64_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  if (bits == 1)
    return type.getNumElements(); // a resource has one byte per i1
  if (!llvm::isPowerOf2_64(bits))
    return -1; // there are gaps between elements in memory
  return bits % 8 == 0 ? type.getNumElements() * bits / 8 : -1;
}

namespace {
class ExternalizeConstants : public mica::impl::ExternalizeConstantsBase<ExternalizeConstants> {
public:
  using ExternalizeConstantsBase::ExternalizeConstantsBase;

  void runOnOperation() override {
    AttrTypeReplacer replacer;
    replacer.addReplacement(
        [&](DenseResourceElementsAttr attr) { return std::pair(rename(attr), WalkResult::skip()); });
    replacer.addReplacement([&](DenseElementsAttr attr) { return std::pair(externalize(attr), WalkResult::skip()); });
    replacer.addReplacement([&](SparseElementsAttr attr) { return std::pair(filled(attr), WalkResult::skip()); });
    // Other attributes are read by passes: the cases of cf.switch, the strides of a convolution.
    getOperation()->walk([&](Operation *op) {
      if (op->hasTrait<OpTrait::ConstantLike>() || isa<SymbolOpInterface>(op))
        replacer.replaceElementsIn(op);
    });
  }

private:
  Attribute rename(DenseResourceElementsAttr attr) {
    AsmResourceBlob *blob = attr.getRawHandle().getBlob();
    if (!blob)
      return attr; // reported by mica-tensor-verify-input; weights of a snapshot are attached later
    ShapedType type = attr.getType();
    if (type.getNumElements() <= limit && bytesOf(type) == static_cast<int64_t>(blob->getData().size()))
      return inlined(type, blob->getData());
    std::string name = mica::constantName(blob->getData());
    if (attr.getRawHandle().getKey() == name)
      return attr;
    return DenseResourceElementsAttr::get(type, handleOf(name, blob->getData(), nullptr));
  }

  /// Converts a sparse constant to a dense one; unchanged if it is not numeric.
  Attribute filled(SparseElementsAttr attr) {
    Type element = attr.getElementType();
    if (isa<FloatType>(element))
      return externalize(DenseElementsAttr::get(attr.getType(), llvm::to_vector(attr.getValues<APFloat>())));
    if (element.isIntOrIndex())
      return externalize(DenseElementsAttr::get(attr.getType(), llvm::to_vector(attr.getValues<APInt>())));
    return attr;
  }

  /// The constant as a dense elements attribute.
  static Attribute inlined(ShapedType type, llvm::ArrayRef<char> bytes) {
    if (!type.getElementType().isInteger(1))
      return DenseElementsAttr::getFromRawBuffer(type, bytes);
    llvm::SmallVector<bool> values;
    for (char byte : bytes)
      values.push_back(byte != 0);
    return DenseElementsAttr::get(type, values);
  }

  Attribute externalize(DenseElementsAttr attr) {
    if (isa<DenseStringElementsAttr>(attr) || attr.isSplat() || attr.getNumElements() <= limit ||
        bytesOf(attr.getType()) < 0)
      return attr;
    auto copy = std::make_shared<std::vector<char>>();
    if (attr.getElementType().isInteger(1)) {
      for (bool value : attr.getValues<bool>())
        copy->push_back(value);
    } else {
      copy->assign(attr.getRawData().begin(), attr.getRawData().end());
    }
    llvm::ArrayRef<char> bytes(*copy);
    return DenseResourceElementsAttr::get(attr.getType(), handleOf(mica::constantName(bytes), bytes, copy));
  }

  /// The resource `name`, created if it does not exist. `owner`, if not null, owns `bytes`; else the context does.
  DenseResourceElementsHandle handleOf(llvm::StringRef name, llvm::ArrayRef<char> bytes,
                                       std::shared_ptr<std::vector<char>> owner) {
    auto it = handles.find(name);
    if (it != handles.end())
      return it->second;
    auto &manager = DenseResourceElementsHandle::getManagerInterface(&getContext());
    // Another program of this context may have the same weights; if a resource has the same name but other contents,
    // insert() makes the name unique.
    if (auto *known = manager.getBlobManager().lookup(name);
        known && known->getBlob() && known->getBlob()->getData() == bytes) {
      DenseResourceElementsHandle handle(known, cast<BuiltinDialect>(manager.getDialect()));
      return handles.try_emplace(name, handle).first->second;
    }
    AsmResourceBlob blob = UnmanagedAsmResourceBlob::allocateWithAlign(bytes, alignof(std::max_align_t),
                                                                       [owner](void *, size_t, size_t) {});
    DenseResourceElementsHandle handle = manager.insert(name, std::move(blob));
    return handles.try_emplace(name, handle).first->second;
  }

  llvm::StringMap<DenseResourceElementsHandle> handles;
};
} // namespace
