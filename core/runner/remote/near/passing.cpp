// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/near/passing.h"

#include <fmt/format.h>

#include <optional>
#include <variant>

#include "core/runner/remote/files/neighbours.h"

namespace wb {

Result<std::vector<LinkFrame>> Passing::there(const std::string& bytes, std::string& errors) {
  std::vector<LinkFrame> words;
  runner_.feed(bytes);
  while (true) {
    WB_TRY(const std::optional<Frame> frame, runner_.next());
    if (!frame) return words;
    std::string input = encode(withFiles(*frame, words, errors));
    words.push_back({LinkWord::input, std::move(input)});
  }
}

/// What a job's kernels take in goes before it, once, and the job says where it is there.
Frame Passing::withFiles(const Frame& frame, std::vector<LinkFrame>& words, std::string& errors) {
  const auto message = fromFrame(frame);
  if (const auto* welcome = message && *message ? std::get_if<Welcome>(&**message) : nullptr;
      welcome != nullptr && welcome->seal) {
    ofWorker_.use(*welcome->seal);
    ofHere_.use(*welcome->seal);
  }
  const RunJob* run = message && *message ? std::get_if<RunJob>(&**message) : nullptr;
  const auto* ahead = message && *message ? std::get_if<CompileAhead>(&**message) : nullptr;
  if ((run == nullptr && ahead == nullptr) || folder_.empty()) return frame;
  const Job& job = run != nullptr ? run->job : ahead->job;
  const auto files = neighboursOf(job);
  if (!files) {
    errors += describe(files.error()) + "\n";
    return frame;
  }
  if (files->empty()) return frame;
  const std::string hash = hashOf(*files);
  if (sent_.insert(hash).second) words.push_back({LinkWord::files, packedFiles(*files)});
  paths_ = PathsThere(folder_ + "/" + hash);
  if (run != nullptr) return toFrame(RunJob{paths_.there(job)}, frame.run);
  return toFrame(CompileAhead{paths_.there(job), ahead->architecture}, frame.run);
}

std::string Passing::here(const std::string& bytes) {
  std::string text;
  worker_.feed(bytes);
  while (true) {
    const Result<std::optional<Frame>> frame = worker_.next();
    if (!frame) return text + frame.error().text;
    if (!*frame) return text;
    const std::optional<Frame> opened = ofWorker_.opened(**frame);
    if (!opened) {
      text += encode({(*frame)->type, 0, (*frame)->run, (*frame)->payload});
      continue;
    }
    if (isElsewhere(*opened)) continue;
    Frame told = explained(*opened);
    told.payload = paths_.here(std::move(told.payload), true);
    text += encode(ofHere_.sealed(std::move(told)));
  }
}

/// What to do about a worker that cannot work is another thing on another machine.
Frame Passing::explained(const Frame& frame) {
  if (isGreeted_) return frame;
  const auto message = fromFrame(frame);
  const Hello* hello = message && *message ? std::get_if<Hello>(&**message) : nullptr;
  isGreeted_ = hello != nullptr;
  if (hello == nullptr || hello->failure.empty()) return frame;
  Hello told = *hello;
  told.failure = fmt::format("{}, on {}", hello->failure, host_);
  told.hint = fmt::format("see `warpbench target test {}`", host_);
  return toFrame(told, frame.run);
}

}  // namespace wb
