//===- OpIds.cpp - ids of operations in locations ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Walks location trees; see OpIds.h. Locations are immutable and shared, so a tree can be a DAG with many paths to one
// node: every walk tracks visited nodes.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/OpIds.h"

#include "dialects/Mica/IR/CallPaths.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;

std::string mica::makeOpId(llvm::StringRef function, llvm::StringRef kind, int64_t ordinal) {
  llvm::SHA256 hash;
  hash.update((function + "\n" + kind + "\n" + llvm::Twine(ordinal)).str());
  std::array<uint8_t, 32> digest = hash.final();
  return llvm::toHex(digest, /*LowerCase=*/true).substr(0, kOpIdLength);
}

/// The id in `attr` (the metadata of a fused location), empty if there is none.
static llvm::StringRef idOfMetadata(Attribute attr) {
  auto text = dyn_cast_or_null<StringAttr>(attr);
  if (!text || !text.getValue().starts_with(mica::kOpIdPrefix))
    return {};
  llvm::StringRef id = text.getValue().drop_front(mica::kOpIdPrefix.size());
  return id.size() == mica::kOpIdLength && llvm::all_of(id, llvm::isHexDigit) ? id : llvm::StringRef();
}

static bool isLinePosition(Attribute attr) {
  auto fused = dyn_cast<FusedLoc>(attr);
  auto tag = fused ? dyn_cast_or_null<StringAttr>(fused.getMetadata()) : StringAttr();
  return tag && tag.getValue() == mica::kLinePositionTag;
}

/// Calls `visit` on each location of the tree once, parents first; stops when it returns false. Positions in printed
/// snapshots are skipped. Of an inlined operation, the caller comes first unless `calleeFirst`.
static void walkTree(Location root, llvm::function_ref<bool(LocationAttr)> visit, bool calleeFirst = false) {
  llvm::SmallPtrSet<const void *, 8> seen;
  llvm::SmallVector<LocationAttr> stack{LocationAttr(root)};
  while (!stack.empty()) {
    LocationAttr loc = stack.pop_back_val();
    if (!seen.insert(loc.getAsOpaquePointer()).second)
      continue;
    if (!visit(loc))
      return;
    if (isLinePosition(loc))
      continue;
    llvm::TypeSwitch<LocationAttr>(loc)
        .Case<FusedLoc>([&](FusedLoc fused) {
          for (Location child : llvm::reverse(fused.getLocations()))
            stack.push_back(child);
        })
        .Case<NameLoc>([&](NameLoc name) { stack.push_back(name.getChildLoc()); })
        .Case<CallSiteLoc>([&](CallSiteLoc call) {
          stack.push_back(calleeFirst ? call.getCaller() : call.getCallee());
          stack.push_back(calleeFirst ? call.getCallee() : call.getCaller());
        });
  }
}

llvm::SmallVector<llvm::StringRef> mica::getOpIds(Location loc) {
  llvm::SmallSetVector<llvm::StringRef, 4> ids;
  auto add = [&](LocationAttr node) {
    if (auto fused = dyn_cast<FusedLoc>(node))
      if (llvm::StringRef id = idOfMetadata(fused.getMetadata()); !id.empty())
        ids.insert(id);
    return true;
  };
  // The first id names the operation: that of an inlined operation, not of the call.
  walkTree(loc, add, /*calleeFirst=*/true);
  return ids.takeVector();
}

static void addCallers(Location loc, llvm::SmallVectorImpl<Location> &callers) {
  if (auto fused = dyn_cast<FusedLoc>(loc)) {
    // Of operations that were fused, the first is the one that messages name.
    for (Location child : fused.getLocations())
      if (!isLinePosition(child) && (fused.getLocations().size() == 1 || mica::hasOpIds(child)))
        return addCallers(child, callers);
  } else if (auto name = dyn_cast<NameLoc>(loc)) {
    addCallers(name.getChildLoc(), callers);
  } else if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    addCallers(call.getCallee(), callers);
    callers.push_back(call.getCaller());
    addCallers(call.getCaller(), callers);
  }
}

llvm::SmallVector<Location> mica::getCallers(Location loc) {
  llvm::SmallVector<Location> callers;
  addCallers(loc, callers);
  return callers;
}

Location mica::withCaller(Location callee, Location caller) {
  if (isa<UnknownLoc>(caller))
    return callee;
  llvm::SmallVector<CallSiteLoc> path;
  Location last = callee;
  for (auto site = dyn_cast<CallSiteLoc>(last); site; site = dyn_cast<CallSiteLoc>(last)) {
    path.push_back(site);
    last = site.getCaller();
  }
  Location location = CallSiteLoc::get(last, caller);
  for (CallSiteLoc site : llvm::reverse(path))
    location = CallSiteLoc::get(site.getCallee(), location);
  return location;
}

std::string mica::opIdsText(Location loc) {
  llvm::SmallVector<llvm::StringRef> ids = getOpIds(loc);
  if (ids.empty())
    return std::string(kOpIdLength, ' ');
  std::string text = ids.front().str();
  for (Location caller : getCallers(loc))
    if (llvm::SmallVector<llvm::StringRef> call = getOpIds(caller); !call.empty())
      text += "," + call.front().str();
  return text;
}

std::string mica::callPathText(Location loc) {
  std::string text;
  for (Location caller : getCallers(loc))
    if (llvm::SmallVector<FileLineColLoc> at = getSourcePositions(caller); !at.empty())
      text += (", called at " + at.back().getFilename().getValue() + ":" + llvm::Twine(at.back().getLine()) + ":" +
               llvm::Twine(at.back().getColumn()))
                  .str();
  return text;
}

bool mica::hasOpIds(Location loc) {
  bool found = false;
  walkTree(loc, [&](LocationAttr node) {
    if (auto fused = dyn_cast<FusedLoc>(node))
      found = !idOfMetadata(fused.getMetadata()).empty();
    return !found;
  });
  return found;
}

Location mica::withOpIds(Location loc, llvm::ArrayRef<llvm::StringRef> ids) {
  MLIRContext *context = loc.getContext();
  for (llvm::StringRef id : llvm::reverse(ids))
    loc = FusedLoc::get(context, {loc}, StringAttr::get(context, kOpIdPrefix + id));
  return loc;
}

Location mica::withoutOpIds(Location loc) {
  if (!hasOpIds(loc))
    return loc;
  if (auto fused = dyn_cast<FusedLoc>(loc)) {
    llvm::SmallVector<Location> children;
    for (Location child : fused.getLocations())
      children.push_back(withoutOpIds(child));
    bool isId = !idOfMetadata(fused.getMetadata()).empty();
    return FusedLoc::get(children, isId ? Attribute() : fused.getMetadata(), loc.getContext());
  }
  if (auto name = dyn_cast<NameLoc>(loc))
    return NameLoc::get(name.getName(), withoutOpIds(name.getChildLoc()));
  auto call = cast<CallSiteLoc>(loc);
  return CallSiteLoc::get(withoutOpIds(call.getCallee()), withoutOpIds(call.getCaller()));
}

Location mica::withTag(Location loc, StringRef tag) {
  return FusedLoc::get(loc.getContext(), {loc}, StringAttr::get(loc.getContext(), tag));
}

bool mica::hasTag(Location loc, StringRef tag) {
  bool found = false;
  walkTree(loc, [&](LocationAttr node) {
    if (auto fused = dyn_cast<FusedLoc>(node))
      if (auto text = dyn_cast_or_null<StringAttr>(fused.getMetadata()))
        found = text.getValue() == tag;
    return !found;
  });
  return found;
}

llvm::SmallVector<FileLineColLoc> mica::getSourcePositions(Location loc) {
  llvm::SmallSetVector<Attribute, 4> found;
  walkTree(loc, [&](LocationAttr node) {
    // FileLineColLoc is a view of FileLineColRange; the start of a range is used.
    if (auto position = dyn_cast<FileLineColRange>(node))
      found.insert(FileLineColLoc::get(position.getFilename(), position.getStartLine(), position.getStartColumn()));
    return true;
  });
  return llvm::map_to_vector<4>(found, [](Attribute attr) { return cast<FileLineColLoc>(attr); });
}

FileLineColLoc mica::findLinePosition(Location loc) {
  FileLineColLoc position;
  walkTree(loc, [&](LocationAttr node) {
    if (isLinePosition(node))
      position = dyn_cast<FileLineColLoc>(cast<FusedLoc>(node).getLocations().front());
    return !position;
  });
  return position;
}

void mica::propagateIdsToBody(Operation *op) {
  Location loc = op->getLoc();
  if (!hasOpIds(loc))
    return;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      if (!hasOpIds(inner->getLoc()))
        inner->setLoc(isa<UnknownLoc>(inner->getLoc()) ? loc : withOpIds(inner->getLoc(), getOpIds(loc)));
    });
}
