//===- Status.h - errors of the std half -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Every function of the std half that can fail returns a Status or a Result. No exception crosses an API, and bad input
// never aborts. A message says what failed, where, what was expected, and what to try; see `Error`.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_STATUS_H
#define MICA_SUPPORT_STATUS_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace mica {

/// The classes of failure; tools turn them into exit codes (exitCode below).
enum class ErrorCode {
  InvalidInput, ///< the user's file, flag or value is wrong: exit 1
  NotFound,     ///< a requested file, entry or symbol does not exist: exit 1
  Damaged,      ///< a file is truncated, edited or of a newer schema: exit 1
  Unsupported,  ///< a valid request that this build, machine or version does not support: exit 1
  Io,           ///< a system error: disk full, no permission: exit 1
  Difference,   ///< results differ, or a check failed: exit 3
  Hang,         ///< no progress: exit 4
  Internal,     ///< a fault of Mica: exit 2
};

/// A failure. `message` is one line without a trailing newline; `hint` (may be empty) says what to try next.
struct Error {
  ErrorCode code;
  std::string message;
  std::string hint;
};

/// Success, or an Error.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Error error) : failure(std::move(error)) {}
  static Status ok() { return {}; }

  bool isOk() const { return !failure; }
  explicit operator bool() const { return isOk(); }
  const Error &error() const {
    assert(failure);
    return *failure;
  }

private:
  std::optional<Error> failure;
};

/// A value, or an Error.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : storage(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : storage(std::in_place_index<1>, std::move(error)) {}
  Result(const Status &failed) : storage(std::in_place_index<1>, failed.error()) {}

  bool isOk() const { return storage.index() == 0; }
  explicit operator bool() const { return isOk(); }
  const Error &error() const { return std::get<1>(storage); }
  Status status() const { return isOk() ? Status() : Status(error()); }

  T &operator*() & { return std::get<0>(storage); }
  const T &operator*() const & { return std::get<0>(storage); }
  T &&operator*() && { return std::get<0>(std::move(storage)); }
  T *operator->() { return &std::get<0>(storage); }
  const T *operator->() const { return &std::get<0>(storage); }

private:
  std::variant<T, Error> storage;
};

/// Exit code of a tool that ends with `code` (0 is success): the table of docs/Tools.
inline int exitCode(ErrorCode code) {
  switch (code) {
  case ErrorCode::Difference:
    return 3;
  case ErrorCode::Hang:
    return 4;
  case ErrorCode::Internal:
    return 2;
  default:
    return 1;
  }
}

} // namespace mica

/// Returns the failed status of `expr` from the enclosing function.
#define MICA_RETURN_IF_ERROR(expr)                                                                                     \
  do {                                                                                                                 \
    if (::mica::Status micaStatus_ = (expr); !micaStatus_.isOk())                                                      \
      return micaStatus_.error();                                                                                      \
  } while (false)

#define MICA_CONCAT_IMPL(a, b) a##b
#define MICA_CONCAT(a, b) MICA_CONCAT_IMPL(a, b)
/// `MICA_ASSIGN_OR_RETURN(auto x, f());`: x is f's value, or f's error is returned.
#define MICA_ASSIGN_OR_RETURN(decl, expr)                                                                              \
  auto MICA_CONCAT(micaResult_, __LINE__) = (expr);                                                                    \
  if (!MICA_CONCAT(micaResult_, __LINE__).isOk())                                                                      \
    return MICA_CONCAT(micaResult_, __LINE__).error();                                                                 \
  decl = *std::move(MICA_CONCAT(micaResult_, __LINE__))

#endif // MICA_SUPPORT_STATUS_H
