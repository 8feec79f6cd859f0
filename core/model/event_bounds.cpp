// SPDX-License-Identifier: Apache-2.0
#include "core/model/event_bounds.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "core/base/cut_text.h"

namespace wb {

namespace {

constexpr std::size_t longestFigure = 1000;                ///< an element in words
constexpr std::size_t longestLine = std::size_t{1} << 20;  ///< of a log, which has a limit of its own
constexpr const char* tooLarge = "too large to be sent";

void bound(std::string& text, std::size_t limit = longestMessage) {
  if (text.size() > limit) text = cutText(std::move(text), limit);
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
  void operator()(Compiled& event) const { bound(event.note); }
  void operator()(CaseChecked& event) const {
    bound(event.check.message);
    bound(event.check.errorType, longestFigure);
    bound(event.check.trace, longestTrace);
    bound(event.check.trivial, longestFigure);
    if (!event.check.errors) return;
    bound(event.check.errors->firstBadIndex, longestFigure);
    bound(event.check.errors->expected, longestFigure);
    bound(event.check.errors->actual, longestFigure);
    bound(event.check.errors->cluster, longestFigure);
  }
  void operator()(CaseTimed& event) const { bound(event.timing.note); }
  void operator()(CaseNotTimed& event) const { bound(event.reason); }
  void operator()(CaseProfiled& event) const {
    for (std::string& note : event.part.notes) bound(note);
  }
  void operator()(CaseNotProfiled& event) const { bound(event.reason); }
  void operator()(Log& event) const { bound(event.text, longestLine); }
  void operator()(StageFailed& event) const { bound(event.error); }
  template <class E>
  void operator()(E& /*has no text of the user's*/) const {}
};

struct Smaller {
  Event operator()(Compiled event) const {
    for (Artifact& artifact : event.artifacts) artifact.assembly.clear();
    event.note += (event.note.empty() ? "" : "; ") + fmt::format("its assembly is {}", tooLarge);
    return event;
  }
  Event operator()(const CaseTimed& event) const {
    return CaseNotTimed{event.kernel, event.index, fmt::format("the measurement is {}", tooLarge)};
  }
  Event operator()(const CaseProfiled& event) const {
    CaseProfiled part{event.kernel, event.index, event.side, {}, event.last};
    part.part.notes = {fmt::format("a part of the profile is {}", tooLarge)};
    return part;
  }
  Event operator()(const Listed& event) const {
    return Log{"worker", fmt::format("the machine code of kernel {} is {}", event.kernel + 1, tooLarge)};
  }
  template <class E>
  Event operator()(const E& /*is small once its texts are*/) const {
    return Log{"worker", fmt::format("an event is {}", tooLarge)};
  }
};

}  // namespace

void boundTexts(Event& event) {
  std::visit(Bounds{}, event);
}

Event withoutBulk(const Event& event) {
  return std::visit(Smaller{}, event);
}

}  // namespace wb
