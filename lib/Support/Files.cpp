//===- Files.cpp - reading and writing files ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Reading and writing of single files, and messages of system errors.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Files.h"

#include "lib/Support/FileDescriptor.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace mica {
namespace {

std::string hintFor(int errnoValue) {
  switch (errnoValue) {
  case ENOSPC:
  case EDQUOT:
    return "the disk is full: free some space, or choose a folder on another disk";
  case EFBIG:
    return "a limit for the size of files is in force: raise it (ulimit -f), or write to a file system that takes "
           "larger files";
  case EACCES:
  case EPERM:
    return "choose a folder you may write to, or change its permissions";
  case EROFS:
    return "the file system is read-only: choose a folder elsewhere";
  case ENOENT:
    return "check the path";
  case ENOTDIR:
    return "a part of the path is a file, not a folder";
  case EISDIR:
    return "a file is needed, this is a folder";
  case EMFILE:
  case ENFILE:
    return "too many files are open: raise the limit (ulimit -n)";
  default:
    return "";
  }
}

Status writeAll(int descriptor, const fs::path &file, std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t n = ::write(descriptor, contents.data(), std::min<size_t>(contents.size(), 1 << 26));
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return systemError("write", file, errno);
    contents.remove_prefix(static_cast<size_t>(n));
  }
  return {};
}

/// Creates, truncates and writes a file, or writes to a device.
Status writePieces(const fs::path &file, std::span<const std::string_view> pieces) {
  FileDescriptor descriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!descriptor)
    return systemError("write", file, errno);
  for (std::string_view piece : pieces)
    MICA_RETURN_IF_ERROR(writeAll(descriptor.get(), file, piece));
  if (descriptor.close() != 0)
    return systemError("write", file, errno);
  return {};
}

} // namespace

Error systemError(std::string_view verb, const fs::path &path, int errnoValue) {
  const ErrorCode code = errnoValue == ENOENT ? ErrorCode::NotFound : ErrorCode::Io;
  return Error{code, "cannot " + std::string(verb) + " " + path.string() + ": " + std::strerror(errnoValue),
               hintFor(errnoValue)};
}

Status readPieces(const fs::path &file, const std::function<void(std::string_view)> &take) {
  FileDescriptor descriptor(file == "-" ? ::dup(STDIN_FILENO) : ::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  const fs::path shown = file == "-" ? fs::path("<stdin>") : file;
  if (!descriptor)
    return systemError("read", shown, errno);
  // Pieces of a megabyte; a small file is read in one piece, with one more byte to detect its end. Most files are
  // small, and the first access to memory costs more than reading.
  size_t length = size_t(1) << 20;
  struct ::stat about = {};
  if (::fstat(descriptor.get(), &about) == 0 && S_ISREG(about.st_mode))
    length = std::clamp<size_t>(static_cast<size_t>(about.st_size) + 1, 4096, length);
  const auto piece = std::make_unique_for_overwrite<char[]>(length);
  for (;;) {
    const ssize_t n = ::read(descriptor.get(), piece.get(), length);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return systemError("read", shown, errno);
    if (n == 0)
      return {};
    take(std::string_view(piece.get(), static_cast<size_t>(n)));
  }
}

Result<std::string> readFile(const fs::path &file) {
  std::string contents;
  std::error_code ignored;
  if (const uintmax_t size = fs::file_size(file, ignored); !ignored)
    contents.reserve(static_cast<size_t>(size));
  MICA_RETURN_IF_ERROR(readPieces(file, [&](std::string_view piece) { contents += piece; }));
  return contents;
}

/// Whether folders are no longer created, and the number of threads that are creating one. Not a lock: a forked child
/// has no other thread that would release it.
static std::atomic<bool> isMakingStopped{false};
static std::atomic<int> makers{0};

void stopMakingFolders() {
  isMakingStopped = true;
  for (int waited = 0; makers > 0 && waited < 1000; ++waited)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

Status makeFolder(const fs::path &folder) {
  std::error_code error;
  ++makers;
  if (isMakingStopped) {
    --makers;
    while (true)
      ::pause();
  }
  fs::create_directories(folder, error);
  --makers;
  if (error && !fs::is_directory(folder))
    return systemError("make the folder", folder, error.value());
  return {};
}

Result<ScratchFolder> ScratchFolder::create(std::string_view prefix) {
  std::error_code error;
  std::string pattern = (fs::temp_directory_path(error) / (std::string(prefix) + "-XXXXXX")).string();
  if (error || !::mkdtemp(pattern.data()))
    return systemError("make", pattern, error ? error.value() : errno);
  ScratchFolder made;
  made.folder = std::move(pattern);
  return made;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!folder.empty())
    fs::remove_all(folder, ignored);
}

Status writeFile(const fs::path &file, std::string_view contents) { return writeFile(file, {contents}); }

Status writeFile(const fs::path &file, std::initializer_list<std::string_view> pieces) {
  if (file.has_parent_path())
    MICA_RETURN_IF_ERROR(makeFolder(file.parent_path()));
  return writePieces(file, {pieces.begin(), pieces.size()});
}

Status writeFileAtomic(const fs::path &file, std::string_view contents) { return writeFileAtomic(file, {contents}); }

Status writeFileAtomic(const fs::path &file, std::initializer_list<std::string_view> pieces) {
  return writeFileAtomic(file, std::span<const std::string_view>(pieces.begin(), pieces.size()));
}

Status writeFileAtomic(const fs::path &file, std::span<const std::string_view> pieces) {
  // A device or a pipe (/dev/stdout) is written to, not replaced by a file.
  std::error_code error;
  const fs::file_status now = fs::status(file, error);
  if (fs::exists(now) && !fs::is_regular_file(now))
    return writePieces(file, pieces);
  if (file.has_parent_path())
    MICA_RETURN_IF_ERROR(makeFolder(file.parent_path()));
  const fs::path temporary = fs::path(file).replace_filename("." + file.filename().string() + ".tmp-" + randomSuffix());
  FileDescriptor descriptor(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!descriptor)
    return systemError("write", file, errno);
  auto finish = [&]() -> Status {
    // Messages name the requested file, not the temporary one.
    for (std::string_view piece : pieces)
      MICA_RETURN_IF_ERROR(writeAll(descriptor.get(), file, piece));
    if (::fsync(descriptor.get()) != 0 || descriptor.close() != 0 || ::rename(temporary.c_str(), file.c_str()) != 0)
      return systemError("write", file, errno);
    return {};
  };
  Status status = finish();
  if (!status)
    ::unlink(temporary.c_str());
  return status;
}

std::string randomSuffix() {
  std::random_device device;
  std::string text;
  for (int i = 0; i < 10; ++i)
    text += "abcdefghijklmnopqrstuvwxyz0123456789"[device() % 36];
  return text;
}

} // namespace mica
