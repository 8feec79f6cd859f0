// SPDX-License-Identifier: Apache-2.0
#include "core/model/json/event_bounds.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "core/base/cut_text.h"

namespace wb {

namespace {

/// The longest text of an element.
constexpr std::size_t longestFigure = 1000;
/// The longest line of a log; the log has a limit of its own.
constexpr std::size_t longestLine = std::size_t{1} << 20;
constexpr const char* tooLarge = "too large to be sent";

void bound(std::string& text, std::size_t limit = longestMessage) {
  if (text.size() > limit) text = cutText(std::move(text), limit);
}
void bound(std::vector<RanPart>& parts) {
  for (RanPart& part : parts) {
    bound(part.owner, longestFigure);
    bound(part.name, longestFigure);
  }
}
void bound(WrongElements& wrong) {
  for (ElementPair& element : wrong.elements) {
    bound(element.expected, longestFigure);
    bound(element.actual, longestFigure);
    bound(element.exact, longestFigure);
  }
}
void bound(Error& error) {
  bound(error.text);
  bound(error.hint);
  bound(error.type, longestFigure);
  bound(error.trace, longestTrace);
}

struct Bounds {
  void operator()(Diagnosed& event) const {
    bound(event.diagnostic.message);
    bound(event.diagnostic.code, longestFigure);
  }
  void operator()(StepDone& event) const { std::visit(*this, event.result); }
  void operator()(Compiled& compiled) const { bound(compiled.note); }
  void operator()(CaseCheck& check) const {
    bound(check.message);
    bound(check.errorType, longestFigure);
    bound(check.trace, longestTrace);
    bound(check.trivial, longestFigure);
    bound(check.elsewhere, longestFigure);
    bound(check.ran);
    if (check.wrong) bound(check.wrong->write());
    if (!check.errors) return;
    bound(check.errors->firstBadIndex, longestFigure);
    bound(check.errors->expected, longestFigure);
    bound(check.errors->actual, longestFigure);
    bound(check.errors->cluster, longestFigure);
  }
  void operator()(CaseTiming& timing) const {
    bound(timing.note);
    bound(timing.launched);
  }
  void operator()(ProfilePart& part) const {
    for (std::string& note : part.part.notes) bound(note);
  }
  void operator()(NoResult& none) const { bound(none.reason); }
  void operator()(Log& event) const { bound(event.text, longestLine); }
  void operator()(StageFailed& event) const { bound(event.error); }
  template <class E>
  void operator()(E& /*has no text of the user's*/) const {}
};

/// A result that was too large, as far as it can be said; nullopt where a line of the log has to do.
struct Smaller {
  std::optional<StepResult> operator()(Compiled compiled) const {
    for (Artifact& artifact : compiled.artifacts) artifact.assembly.clear();
    compiled.note += (compiled.note.empty() ? "" : "; ") + fmt::format("its assembly is {}", tooLarge);
    return compiled;
  }
  std::optional<StepResult> operator()(const CaseTiming& /*timing*/) const {
    return NoResult{fmt::format("the measurement is {}", tooLarge)};
  }
  std::optional<StepResult> operator()(const ProfilePart& part) const {
    ProfilePart rest{part.side, {}, part.last};
    rest.part.notes = {fmt::format("a part of the profile is {}", tooLarge)};
    return rest;
  }
  template <class R>
  std::optional<StepResult> operator()(const R& /*has no smaller form*/) const {
    return std::nullopt;
  }
};

}  // namespace

void boundTexts(Event& event) {
  std::visit(Bounds{}, event);
}

Event withoutBulk(const Event& event) {
  const auto* done = std::get_if<StepDone>(&event);
  if (!done) return Log{"worker", fmt::format("an event is {}", tooLarge)};
  if (auto smaller = std::visit(Smaller{}, done->result))
    return StepDone{done->stage, done->kernel, done->index, *std::move(smaller)};
  return Log{"worker", fmt::format("a result of kernel {} in {} is {}", done->kernel + 1,
                                   stageRow(done->stage).doing, tooLarge)};
}

}  // namespace wb
