// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>

#include "core/engine/check/check.h"
#include "core/engine/check/error_figures.h"
#include "core/engine/check/outputs.h"
#include "core/engine/check/value_text.h"

namespace wb {
namespace {

/// Everything but the values. Gives true when the tensors can be compared element by element.
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
  return true;
}

/// A list in a tensor's place, or the reverse, of whatever length.
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

ElementRule ruleFor(const Tolerance& tolerance, const at::Tensor& expected, bool hasOracle) {
  ElementRule rule;
  rule.bounds = bounds(tolerance, expected.scalar_type());
  rule.relativeToCandidate = tolerance.preset == "backendbench";
  const bool floating = expected.is_floating_point() || expected.is_complex();
  if (tolerance.preset == "strict") rule.tolerance = !floating;  // integers: exact either way
  // Under the other presets the oracle is for the figures only.
  rule.oracle = floating && ((hasOracle && tolerance.preset == "torch") || tolerance.preset == "strict");
  return rule;
}

void conclude(CaseCheck& check, ErrorGatherer gatherer, const Tolerance& tolerance) {
  const std::string mismatches = gatherer.mismatchText();
  const bool forgiven = gatherer.forgiven() > 0;
  check.errors = std::move(gatherer).figures();
  check.verdict = check.errors->mismatches == 0 ? Verdict::pass : Verdict::mismatch;
  if (check.verdict == Verdict::mismatch)
    check.message = mismatches;
  else if (forgiven && tolerance.preset != "strict")
    check.message = "over tolerance, but within twice ATen's own error against float64";
}

}  // namespace

CaseCheck compareOutputs(const Stack& candidate, const Stack& expected, const Stack& oracle,
                         const Tolerance& tolerance) {
  CaseCheck check;
  if (!sameStructure(candidate, expected, check)) return check;
  const std::vector<Output> actual = flatOutputs(candidate), wanted = flatOutputs(expected),
                            exact = flatOutputs(oracle);
  if (actual.size() != wanted.size()) {
    check.verdict = Verdict::wrongCount;
    check.message = fmt::format("expected {} output{}, got {}", wanted.size(), wanted.size() == 1 ? "" : "s",
                                actual.size());
    return check;
  }
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (!sameKind(actual[i], wanted[i], outputPrefix(i, wanted.size()), check)) return check;

  ErrorGatherer gatherer;
  const bool hasOracle = !exact.empty() && exact.size() == wanted.size();
  bool first = true;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const at::Tensor &c = actual[i].tensor, &e = wanted[i].tensor;
    if (!e.defined()) continue;
    const bool floating = e.is_floating_point() || e.is_complex();
    const bool usable =
        floating && hasOracle && exact[i].tensor.defined() && exact[i].tensor.sizes() == e.sizes();
    const ElementRule rule = ruleFor(tolerance, e, usable);
    if (first) {
      check.rtol = rule.bounds.rtol;
      check.atol = rule.bounds.atol;
      first = false;
    }
    // Strict without an oracle takes the reference in its place.
    const at::Tensor& oracleOrReference = usable ? exact[i].tensor : e;
    gatherer.add(elementErrors(c, e, usable || rule.oracle ? oracleOrReference : at::Tensor(), rule), c, e, i,
                 usable);
  }
  conclude(check, std::move(gatherer), tolerance);
  return check;
}

}  // namespace wb
