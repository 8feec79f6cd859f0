// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/protocol/message.h"
#include "core/runner/remote/files/carried_files.h"
#include "core/runner/remote/link.h"

namespace wb {

/// What passes between a runner here and its worker on another machine, where files have other paths: whole
/// messages come in, and come out as the other side has to see them. It knows neither streams nor
/// connections.
class Passing {
 public:
  /// `host` is the machine's name in words for people.
  explicit Passing(std::string host) : host_(std::move(host)) {}

  /// The folder there in which files of kernels are kept; before it is known, none go there.
  void keepFilesIn(const std::string& folder) { folder_ = folder; }

  /// What the runner has written, as words for the link: the files that a job's kernels take in go once, and
  /// before it. Why files could not go is added to `errors`. Error: it is no message.
  Result<std::vector<LinkFrame>> there(const std::string& bytes, std::string& errors);

  /// What the worker has written, as far as it is whole. What breaks the protocol is given as text that the
  /// runner takes for no message either, and what a worker may not say is left out. What is changed on its
  /// way here is sealed anew, and what did not bear the worker's seal goes without one.
  [[nodiscard]] std::string here(const std::string& bytes);
  /// Words of this end, between two messages of the worker, as the runner has to get them.
  [[nodiscard]] std::string own(const Message& message) { return encode(ofHere_.sealed(toFrame(message))); }
  /// Any other text of that machine, with the paths as they are here.
  [[nodiscard]] std::string textHere(std::string text) const { return paths_.here(std::move(text), false); }

 private:
  Frame withFiles(const Frame& frame, std::vector<LinkFrame>& words, std::string& errors);
  [[nodiscard]] Frame explained(const Frame& frame);

  const std::string host_;
  FrameDecoder worker_, runner_;
  /// The worker's seals, and those that the runner gets.
  FrameSeal ofWorker_, ofHere_;
  /// Where files of kernels are kept there, the sets of them that it has, and the paths of the last job.
  std::string folder_;
  std::set<std::string> sent_;
  PathsThere paths_;
  /// The worker has greeted.
  bool isGreeted_ = false;
};

}  // namespace wb
