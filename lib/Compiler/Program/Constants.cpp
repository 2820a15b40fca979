//===- Constants.cpp - weights between IR and constants.bin -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Constants.h. constants.bin is mapped, not read, so that a resumed compile reads only the weights it accesses.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Program/Constants.h"

#include "mica/ABI/Kernel.h"
#include "mica/Support/Checked.h"
#include "mica/Support/MappedFile.h"
#include "mica/Support/MemoryLimit.h"
#include "mica/Support/Schemas.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <map>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

std::vector<DenseResourceElementsAttr> compiler::collectResources(Operation *root) {
  std::vector<DenseResourceElementsAttr> found;
  llvm::DenseSet<Attribute> seen;
  AttrTypeWalker walker;
  walker.addWalk([&](DenseResourceElementsAttr attr) {
    if (seen.insert(attr).second)
      found.push_back(attr);
  });
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { walker.walk(op->getAttrDictionary()); });
  return found;
}

std::optional<std::vector<char>> compiler::bytesOfConstant(ElementsAttr value) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return std::nullopt;
    return std::vector<char>(blob->getData().begin(), blob->getData().end());
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense || isa<DenseStringElementsAttr>(value))
    return std::nullopt;
  std::vector<char> bytes;
  if (dense.getElementType().isInteger(1)) {
    for (bool element : dense.getValues<bool>())
      bytes.push_back(element);
    return bytes;
  }
  llvm::ArrayRef<char> raw = dense.getRawData();
  if (!dense.isSplat())
    return std::vector<char>(raw.begin(), raw.end());
  const std::optional<int64_t> size = checkedBytes(dense.getType().getShape(), static_cast<int64_t>(raw.size()));
  if (!size || *size > memoryLimit())
    return std::nullopt;
  bytes.reserve(static_cast<size_t>(*size));
  for (int64_t i = 0, count = dense.getNumElements(); i < count; ++i)
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  return bytes;
}

int64_t compiler::placeConstants(std::vector<PlacedConstant> &constants) {
  int64_t size = 0;
  std::multimap<uint64_t, const PlacedConstant *> placed;
  for (PlacedConstant &constant : constants) {
    uint64_t hash = llvm::xxh3_64bits(
        llvm::ArrayRef(reinterpret_cast<const uint8_t *>(constant.data.data()), constant.data.size()));
    bool isKnown = false;
    for (auto [it, end] = placed.equal_range(hash); it != end && !isKnown; ++it)
      if (it->second->data == constant.data) {
        constant.offset = it->second->offset;
        isKnown = true;
      }
    if (isKnown)
      continue;
    constant.offset = llvm::alignTo(size, MICA_BUFFER_ALIGNMENT);
    size = constant.offset + constant.data.size();
    placed.emplace(hash, &constant);
  }
  return size;
}

std::string compiler::writeConstants(llvm::StringRef path, const std::vector<PlacedConstant> &constants,
                                     int64_t present) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code, present > 0 ? llvm::sys::fs::OF_Append : llvm::sys::fs::OF_None);
  if (code)
    return (llvm::Twine("cannot write '") + path.str() + "': " + code.message()).str();
  int64_t at = present;
  for (const PlacedConstant &constant : constants) {
    if (constant.offset < at)
      continue; // shares its bytes with an earlier one
    os.write_zeros(constant.offset - at);
    os.write(constant.data.data(), constant.data.size());
    at = constant.offset + constant.data.size();
  }
  os.close();
  if (os.has_error()) {
    code = os.error();
    os.clear_error();
    return (llvm::Twine("cannot write '") + path.str() + "': " + code.message()).str();
  }
  return "";
}

std::string compiler::printConstantsIndex(llvm::StringRef file, const std::vector<PlacedConstant> &constants) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, 1);
  json.object([&] {
    json.attribute("schema", schemaNumber(Schema::Constants));
    json.attribute("file", file);
    json.attributeArray("constants", [&] {
      for (const PlacedConstant &constant : constants)
        json.object([&] {
          json.attribute("name", constant.name);
          json.attribute("offset", constant.offset);
          json.attribute("bytes", static_cast<int64_t>(constant.data.size()));
        });
    });
  });
  os << "\n";
  return text;
}

/// Parses an index into its members "file" and "constants". False with `error` set if it is malformed.
static bool parseIndex(llvm::StringRef path, llvm::json::Value &holder, const llvm::json::Array *&entries,
                       std::string &file, std::string &error) {
  auto text = llvm::MemoryBuffer::getFile(path);
  if (!text) {
    error = (llvm::Twine("cannot read '") + path + "': " + text.getError().message()).str();
    return false;
  }
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse((*text)->getBuffer());
  if (!parsed)
    llvm::consumeError(parsed.takeError());
  else
    holder = std::move(*parsed);
  const llvm::json::Object *index = holder.getAsObject();
  entries = index ? index->getArray("constants") : nullptr;
  std::optional<llvm::StringRef> name = index ? index->getString("file") : std::nullopt;
  if (entries && name) {
    file = name->str();
    return true;
  }
  error = (llvm::Twine("'") + path + "' is damaged: not a list of constants").str();
  return false;
}

bool compiler::readConstantsIndex(llvm::StringRef path, std::vector<PlacedConstant> &constants, std::string &error) {
  if (!llvm::sys::fs::exists(path))
    return true;
  llvm::json::Value holder(nullptr);
  const llvm::json::Array *entries = nullptr;
  std::string file;
  if (!parseIndex(path, holder, entries, file, error))
    return false;
  for (const llvm::json::Value &value : *entries)
    if (const llvm::json::Object *entry = value.getAsObject()) {
      PlacedConstant constant;
      constant.name = entry->getString("name").value_or("").str();
      constant.offset = entry->getInteger("offset").value_or(0);
      constant.data = llvm::ArrayRef<char>(nullptr, static_cast<size_t>(entry->getInteger("bytes").value_or(0)));
      constants.push_back(std::move(constant));
    }
  return true;
}

/// The constants.json that snapshots in `directory` refer to; "" if none.
static std::string findIndex(llvm::StringRef directory) {
  llvm::SmallString<256> at(directory.empty() ? "." : directory);
  for (int level = 0; level < 3; ++level) {
    for (const char *name : {"constants.json", "passes_dump/constants.json"}) {
      llvm::SmallString<256> path(at);
      llvm::sys::path::append(path, name);
      if (llvm::sys::fs::exists(path))
        return path.str().str();
    }
    llvm::sys::path::append(at, "..");
  }
  return "";
}

bool compiler::attachConstants(Operation *root, llvm::StringRef directory, std::string &error) {
  std::vector<DenseResourceElementsAttr> missing;
  for (DenseResourceElementsAttr attr : collectResources(root))
    if (!attr.getRawHandle().getBlob())
      missing.push_back(attr);
  if (missing.empty())
    return true;
  std::string indexPath = findIndex(directory);
  if (indexPath.empty())
    return true;
  llvm::json::Value holder(nullptr);
  const llvm::json::Array *entries = nullptr;
  std::string file;
  if (!parseIndex(indexPath, holder, entries, file, error))
    return false;
  llvm::SmallString<256> path(llvm::sys::path::parent_path(indexPath));
  llvm::sys::path::append(path, file);
  Result<std::unique_ptr<MappedFile>> opened = MappedFile::open(path.str().str());
  if (!opened) {
    error = "the weights cannot be read: " + opened.error().message;
    return false;
  }
  std::shared_ptr<MappedFile> bytes = std::move(*opened);
  llvm::StringMap<std::pair<int64_t, int64_t>> places;
  for (const llvm::json::Value &value : *entries)
    if (const llvm::json::Object *entry = value.getAsObject())
      places[entry->getString("name").value_or("")] = {entry->getInteger("offset").value_or(-1),
                                                       entry->getInteger("bytes").value_or(-1)};
  for (DenseResourceElementsAttr attr : missing) {
    llvm::StringRef key = attr.getRawHandle().getKey();
    auto place = places.find(key);
    // If another snapshot defined the name in this context, the parser appends a number: mica_<hash>_1.
    if (auto [name, digits] = key.rsplit('_');
        place == places.end() && !digits.empty() && digits.find_first_not_of("0123456789") == llvm::StringRef::npos)
      place = places.find(name);
    if (place == places.end())
      continue;
    auto [offset, size] = place->second;
    if (offset < 0 || size < 0 || size > bytes->size() || offset > bytes->size() - size) {
      error = (llvm::Twine("'") + path.str().str() + "' ends before constant '" + attr.getRawHandle().getKey().str() +
               "': " + std::to_string(bytes->size()) + " bytes, needed " + std::to_string(size) + " at " +
               std::to_string(offset))
                  .str();
      return false;
    }
    llvm::ArrayRef<char> data(bytes->contents().data() + offset, size);
    // The blob keeps the mapping alive.
    attr.getRawHandle().getResource()->setBlob(
        UnmanagedAsmResourceBlob::allocateWithAlign(data, MICA_BUFFER_ALIGNMENT, [bytes](void *, size_t, size_t) {}));
  }
  return true;
}
