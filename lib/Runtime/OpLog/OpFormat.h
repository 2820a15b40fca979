//===- OpLog/OpFormat.h - events as text, JSON lines and Chrome's JSON -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Text:   [OP] LAUNCH rms_norm [id=40029] target=cpu:0 op=3f2a91c07b1e,5d...
//         [OP] COMPLETE rms_norm [id=40029] target=cpu:0 time=12.5us
// JSON:   the schema mica.events (EventLines.h)
// Chrome: an event per launch, in a row per thread
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_OPLOG_OPFORMAT_H
#define MICA_LIB_RUNTIME_OPLOG_OPFORMAT_H

#include "lib/Runtime/OpLog/EventRing.h"
#include "mica/Artifact/Manifest.h"

#include <string>
#include <string_view>
#include <vector>

namespace mica::runtime {

/// From much to little, as op-log-level names them.
enum class OpLogLevel { Trace, Debug, Info, Warning, Error, Critical };

enum class OpLogForm { Text, JsonLines, Chrome };

/// One thread at a time. `manifest` and `devices` outlive it.
class OpFormat {
public:
  OpFormat(const artifact::Manifest &manifest, const std::vector<std::string> &devices, OpLogForm form,
           OpLogLevel level);

  /// What a file begins and ends with.
  std::string head() const;
  std::string_view tail() const { return form == OpLogForm::Chrome ? "\n]}\n" : ""; }
  /// Adds the lines of `event` to `text`.
  void append(std::string &text, const OpEvent &event);

private:
  /// What is the same for all launches of a site, made once.
  struct SiteText {
    std::string kind;   ///< "rms_norm"
    std::string kernel; ///< its name
    std::string ops;    ///< "3f2a91c07b1e,..."
    std::string opList; ///< the same as a list of JSON's, without its brackets
    std::string source; ///< "model.mlir:3:8", of the root; may be empty
  };

  const SiteText &siteOf(const OpEvent &event) const;
  void appendText(std::string &text, const OpEvent &event) const;
  void appendJson(std::string &text, const OpEvent &event);
  void appendChrome(std::string &text, const OpEvent &event);
  void appendShapes(std::string &text, const OpEvent &event) const;

  const artifact::Manifest &manifest;
  const std::vector<std::string> &devices;
  OpLogForm form;
  OpLogLevel level;
  std::vector<SiteText> texts; ///< per site, then per kernel
  std::string shapes;          ///< of the event that is being written
  bool first = true;           ///< Chrome: no comma yet
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_OPLOG_OPFORMAT_H
