// SPDX-License-Identifier: Apache-2.0
#include <ATen/MemoryOverlap.h>
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>

#include "core/base/quantity.h"
#include "core/engine/check/compare/check.h"
#include "core/engine/check/compare/error_figures.h"
#include "core/engine/check/compare/outputs.h"
#include "core/engine/check/compare/value_text.h"
#include "core/engine/check/compare/wrong_elements.h"

namespace wb {
namespace {

bool overlaps(const at::Tensor& tensor) {
  return tensor.layout() == at::kStrided && !tensor.is_meta() &&
         at::has_internal_overlap(tensor) == at::MemOverlap::Yes;
}

/// Compares everything but the values. True when the tensors can be compared element by element.
bool sameKind(const Output& actual, const Output& expected, const std::string& where, CaseCheck& check) {
  const auto fail = [&](Verdict verdict, const std::string& message) {
    check.verdict = verdict;
    check.message = where + message;
    return false;
  };
  if (!actual.strange.empty())
    return fail(Verdict::mismatch, "expected a plain tensor, got " + actual.strange);
  if (actual.tensor.defined() != expected.tensor.defined())
    return fail(Verdict::wrongCount, fmt::format("expected {}, got {}", expected.kind, actual.kind));
  if (!expected.tensor.defined()) return true;
  if (actual.tensor.sizes() != expected.tensor.sizes())
    return fail(Verdict::wrongShape,
                fmt::format("expected shape {}, got {}", shapeText(expected.tensor.sizes()),
                            shapeText(actual.tensor.sizes())));
  if (actual.dtype != expected.dtype)
    return fail(Verdict::wrongDtype, fmt::format("expected {}, got {}{}", c10::toString(expected.dtype),
                                                 c10::toString(actual.dtype),
                                                 actual.kind == expected.kind ? "" : " as " + actual.kind));
  if (actual.tensor.device() != expected.tensor.device())
    return fail(Verdict::wrongDevice, fmt::format("expected on {}, got on {}", expected.tensor.device().str(),
                                                  actual.tensor.device().str()));
  if (actual.layout != expected.layout)
    return fail(Verdict::mismatch, fmt::format("expected layout {}, got {}", fmt::streamed(expected.layout),
                                               fmt::streamed(actual.layout)));
  if (overlaps(actual.tensor) && !overlaps(expected.tensor))
    return fail(
        Verdict::mismatch,
        fmt::format("its elements share memory (strides {}), ATen's do not: who writes to one changes "
                    "another",
                    shapeText(actual.tensor.strides())));
  return true;
}

/// Finds a list in a tensor's place, or the reverse, of whatever length.
bool sameStructure(const Stack& candidate, const Stack& expected, CaseCheck& check) {
  for (std::size_t i = 0; candidate.size() == expected.size() && i < expected.size(); ++i) {
    const c10::IValue &got = candidate[i], &wanted = expected[i];
    if (isSequence(got) == isSequence(wanted)) continue;
    check.verdict = Verdict::wrongCount;
    check.message = fmt::format("{}expected {}, got {}", outputPrefix(i, expected.size()), kindText(wanted),
                                kindText(got));
    return false;
  }
  return true;
}

ElementRule ruleFor(const Tolerance& tolerance, const at::Tensor& expected, bool hasOracle, bool hasRoom) {
  ElementRule rule;
  rule.bounds = bounds(tolerance, expected.scalar_type());
  rule.relativeToCandidate = tolerance.preset == "backendbench";
  const bool floating = expected.is_floating_point() || expected.is_complex();
  if (tolerance.preset == "strict") rule.tolerance = !floating;  // integers are compared exactly in any case
  // Under the other presets the oracle only serves the figures.
  rule.oracle =
      floating && (((hasOracle || hasRoom) && tolerance.preset == "torch") || tolerance.preset == "strict");
  rule.shareBound = tolerance.preset != "strict";
  return rule;
}

/// Why elements over tolerance are right all the same.
std::string excuse(const ErrorGatherer& gatherer, const RoundingRoom& room) {
  const std::string elements = fmt::format("{} element{} over tolerance", formatCount(gatherer.forgiven()),
                                           gatherer.forgiven() == 1 ? "" : "s");
  if (gatherer.forgivenByRoom() == 0)
    return elements + ", but at most twice as far from float64 as ATen's own of that size";
  if (room.isOfShortType)
    return fmt::format("{}, but within what rounding on the way costs (at most {:.2g} of it)", elements,
                       gatherer.roomUsed());
  return fmt::format("{}, but within what adding {} numbers in another order costs (at most {:.2g} of it)",
                     elements, formatCount(static_cast<std::int64_t>(room.terms)), gatherer.roomUsed());
}

void conclude(CaseCheck& check, ErrorGatherer gatherer, const Tolerance& tolerance,
              const RoundingRoom& room) {
  const std::string mismatches = gatherer.mismatchText();
  const std::string excused = gatherer.forgiven() > 0 ? excuse(gatherer, room) : std::string();
  check.errors = std::move(gatherer).figures();
  check.verdict = check.errors->mismatches == 0 ? Verdict::pass : Verdict::mismatch;
  if (check.verdict == Verdict::mismatch)
    check.message = mismatches;
  else if (tolerance.preset != "strict")
    check.message = excused;
}

/// The outputs of a case, taken apart.
class ComparedOutputs {
 public:
  ComparedOutputs(const Stack& candidate, const Stack& expected, const Stack& oracle,
                  const Tolerance& tolerance, const RoundingRoom& room)
      : tolerance_(tolerance),
        actual_(flatOutputs(candidate)),
        wanted_(flatOutputs(expected)),
        exact_(flatOutputs(oracle)),
        rooms_(flatOutputs(room.outputs)) {}

  /// Whether they have the same structure and kinds; the check says what differs.
  bool areAlike(CaseCheck& check) const {
    if (actual_.size() != wanted_.size()) {
      check.verdict = Verdict::wrongCount;
      check.message = fmt::format("expected {} output{}, got {}", wanted_.size(),
                                  wanted_.size() == 1 ? "" : "s", actual_.size());
      return false;
    }
    for (std::size_t i = 0; i < wanted_.size(); ++i)
      if (!sameKind(actual_[i], wanted_[i], outputPrefix(i, wanted_.size()), check)) return false;
    return true;
  }

  /// Compares one tensor after the other: visit(number, output, rule, errors) says whether to go on.
  template <class Visit>
  void forEach(Visit visit) const {
    const bool hasOracle = !exact_.empty() && exact_.size() == wanted_.size();
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const at::Tensor &c = actual_[i].tensor, &e = wanted_[i].tensor;
      if (!e.defined()) continue;
      const bool floating = e.is_floating_point() || e.is_complex();
      const bool usable =
          floating && hasOracle && exact_[i].tensor.defined() && exact_[i].tensor.sizes() == e.sizes();
      const bool roomy = floating && rooms_.size() == wanted_.size() && rooms_[i].tensor.defined() &&
                         rooms_[i].tensor.sizes() == e.sizes();
      const ElementRule rule = ruleFor(tolerance_, e, usable, roomy);
      // Without an oracle, preset strict uses the reference in its place.
      const at::Tensor& oracleOrReference = usable ? exact_[i].tensor : e;
      const ElementErrors errors =
          elementErrors(c, e, usable || rule.oracle ? oracleOrReference : at::Tensor(), rule,
                        roomy ? rooms_[i].tensor : at::Tensor());
      if (!visit(i, OutputPair{c, e, usable ? exact_[i].tensor : at::Tensor()}, rule, errors)) return;
    }
  }

 private:
  const Tolerance& tolerance_;
  std::vector<Output> actual_, wanted_, exact_, rooms_;
};

}  // namespace

CaseCheck compareOutputs(const Stack& candidate, const Stack& expected, const Stack& oracle,
                         const Tolerance& tolerance, const RoundingRoom& room) {
  CaseCheck check;
  if (!sameStructure(candidate, expected, check)) return check;
  const ComparedOutputs outputs(candidate, expected, oracle, tolerance, room);
  if (!outputs.areAlike(check)) return check;
  ErrorGatherer gatherer;
  bool first = true;
  outputs.forEach(
      [&](std::size_t i, const OutputPair& pair, const ElementRule& rule, const ElementErrors& errors) {
        if (first) {
          check.rtol = rule.bounds.rtol;
          check.atol = rule.bounds.atol;
          first = false;
        }
        gatherer.add(errors, pair.actual, pair.expected, i, pair.exact.defined());
        return true;
      });
  conclude(check, std::move(gatherer), tolerance, room);
  return check;
}

std::optional<WrongElements> wrongElements(const Stack& candidate, const Stack& expected, const Stack& oracle,
                                           const Tolerance& tolerance) {
  CaseCheck check;
  if (!sameStructure(candidate, expected, check)) return std::nullopt;
  const ComparedOutputs outputs(candidate, expected, oracle, tolerance, {});
  if (!outputs.areAlike(check)) return std::nullopt;
  std::optional<WrongElements> found;
  outputs.forEach(
      [&](std::size_t i, const OutputPair& pair, const ElementRule& rule, const ElementErrors& errors) {
        if (errors.bad.count() == 0) return true;
        found = wrongElementsOf(pair, rule, errors.bad);
        found->output = static_cast<int>(i);
        return false;
      });
  return found;
}

}  // namespace wb
