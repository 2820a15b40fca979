//===- Compress.cpp - compression -------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Compress.h"

#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <memory>

namespace mica {
namespace {

constexpr uint32_t kSkippable = 0x184d2a5a; ///< one of the magic numbers that RFC 8878, 3.1.2 reserves for users
constexpr size_t kHead = 8;                 ///< magic and size of a skippable frame
constexpr uint64_t kMaxBytes = uint64_t(4) << 30;
constexpr int kLevel = 1;

uint32_t littleEndian(std::string_view bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i)
    value |= static_cast<uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return value;
}

void append(std::string &out, uint32_t value) {
  for (int i = 0; i < 4; ++i)
    out += static_cast<char>(value >> (8 * i) & 0xff);
}

Error damaged(const std::string &file, const std::string &why) {
  return Error{ErrorCode::Damaged, file + ": " + why, "copy the file again, or make it again"};
}

} // namespace

struct Compressor::State {
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context{ZSTD_createCCtx(), ZSTD_freeCCtx};
  size_t pieceSize = ZSTD_CStreamOutSize();
  std::unique_ptr<char[]> piece = std::make_unique_for_overwrite<char[]>(pieceSize);
  std::string out;

  /// Cannot fail: the parameters are valid, and the buffer grows.
  void run(std::string_view part, ZSTD_EndDirective directive) {
    ZSTD_inBuffer in{part.data(), part.size(), 0};
    size_t left = 0;
    do {
      ZSTD_outBuffer next{piece.get(), pieceSize, 0};
      left = ZSTD_compressStream2(context.get(), &next, &in, directive);
      out.append(piece.get(), next.pos);
    } while (directive == ZSTD_e_end ? left != 0 : in.pos < in.size);
  }
};

Compressor::Compressor() : state(std::make_unique<State>()) {
  ZSTD_CCtx_setParameter(state->context.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(state->context.get(), ZSTD_c_checksumFlag, 1);
}
Compressor::~Compressor() = default;

void Compressor::add(std::string_view part) { state->run(part, ZSTD_e_continue); }

std::string Compressor::finish() {
  state->run({}, ZSTD_e_end);
  return std::move(state->out);
}

std::string compress(std::string_view contents) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  const size_t bound = ZSTD_compressBound(contents.size());
  const auto out = std::make_unique_for_overwrite<char[]>(bound);
  // Cannot fail with a buffer of the bound's size.
  return {out.get(), ZSTD_compress2(context.get(), out.get(), bound, contents.data(), contents.size())};
}

std::string skippableFrame(std::string_view contents) {
  std::string out;
  out.reserve(kHead + contents.size());
  append(out, kSkippable);
  append(out, static_cast<uint32_t>(contents.size()));
  out += contents;
  return out;
}

Result<std::string> decompress(std::string_view data, const std::string &file) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  ZSTD_inBuffer in{data.data(), data.size(), 0};
  // The size in a frame's header may be wrong, so the buffer grows with the data.
  std::string out;
  const size_t pieceSize = std::clamp<size_t>(data.size() * 8, 4 << 10, 1 << 20);
  const auto piece = std::make_unique_for_overwrite<char[]>(pieceSize);
  size_t state = 0;
  while (in.pos < in.size || state != 0) {
    ZSTD_outBuffer next{piece.get(), pieceSize, 0};
    const size_t before = in.pos;
    state = ZSTD_decompressStream(context.get(), &next, &in);
    if (ZSTD_isError(state))
      return damaged(file, std::string("is not what zstd wrote: ") + ZSTD_getErrorName(state));
    out.append(piece.get(), next.pos);
    if (out.size() > kMaxBytes)
      return damaged(file, "holds more than 4 GiB");
    if (next.pos == 0 && in.pos == before && in.pos == in.size)
      return damaged(file, "is cut off");
  }
  return out;
}

Result<std::string_view> findSkippable(std::string_view data, const std::string &file) {
  while (!data.empty()) {
    if (data.size() < kHead)
      return damaged(file, "is cut off");
    if (littleEndian(data, 0) == kSkippable) {
      const uint32_t size = littleEndian(data, 4);
      if (size > data.size() - kHead)
        return damaged(file, "is cut off");
      return data.substr(kHead, size);
    }
    const size_t size = ZSTD_findFrameCompressedSize(data.data(), data.size());
    if (ZSTD_isError(size))
      return damaged(file, std::string("is not what zstd wrote: ") + ZSTD_getErrorName(size));
    data.remove_prefix(size);
  }
  return data;
}

} // namespace mica
