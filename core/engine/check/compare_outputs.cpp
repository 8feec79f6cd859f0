// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>

#include "core/base/quantity.h"
#include "core/engine/check/check.h"
#include "core/engine/check/element_errors.h"
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
  rule.oracle = floating && (hasOracle || tolerance.preset == "strict");
  return rule;
}

void add(ErrorFigures& figures, const ElementErrors& errors, const at::Tensor& actual,
         const at::Tensor& expected, std::size_t output) {
  figures.maxAbs = std::max(figures.maxAbs, errors.maxAbs);
  figures.maxRel = std::max(figures.maxRel, errors.maxRel);
  figures.maxUlp = std::max(figures.maxUlp, errors.maxUlp);
  figures.mismatches += errors.mismatches;
  figures.elements += errors.elements;
  if (errors.firstBad < 0 || !figures.firstBadIndex.empty()) return;
  figures.firstBadIndex = (output == 0 ? std::string() : fmt::format("out{} ", output)) +
                          indexText(errors.firstBad, expected.sizes());
  figures.expected = valueText(expected, errors.firstBad);
  figures.actual = valueText(actual, errors.firstBad);
}

void conclude(CaseCheck& check, const Tolerance& tolerance, bool hasOracle) {
  const ErrorFigures& figures = *check.errors;
  if (figures.mismatches == 0) {
    check.verdict = Verdict::pass;
    if (hasOracle && tolerance.preset != "strict")
      check.message = "over tolerance, but within twice ATen's own error against float64";
    return;
  }
  check.verdict = Verdict::mismatch;
  check.message = fmt::format("{} of {} elements differ, the first at {}: expected {}, got {}",
                              formatCount(figures.mismatches), formatCount(figures.elements),
                              figures.firstBadIndex, figures.expected, figures.actual);
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

  check.errors.emplace();
  const bool hasOracle = !exact.empty() && exact.size() == wanted.size();
  bool first = true;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const at::Tensor &c = actual[i].tensor, &e = wanted[i].tensor;
    if (!e.defined()) continue;
    const bool usable = hasOracle && exact[i].tensor.defined() && exact[i].tensor.sizes() == e.sizes();
    const ElementRule rule = ruleFor(tolerance, e, usable);
    if (first) {
      check.rtol = rule.bounds.rtol;
      check.atol = rule.bounds.atol;
      first = false;
    }
    add(*check.errors, elementErrors(c, e, usable ? exact[i].tensor : e, rule), c, e, i);
  }
  conclude(check, tolerance, hasOracle);
  return check;
}

bool zerosPass(const Stack& expected, const Tolerance& tolerance) {
  constexpr std::int64_t probe = 4096;
  bool any = false;
  for (const Output& output : flatOutputs(expected)) {
    const at::Tensor& tensor = output.tensor;
    if (!tensor.defined() || !tensor.is_floating_point()) return false;
    if (tensor.numel() == 0) continue;
    any = true;
    const ElementRule rule{bounds(tolerance, tensor.scalar_type()), tolerance.preset == "backendbench"};
    // A few thousand elements nearly always show that zeros fail; only otherwise is the whole compared.
    const at::Tensor flat = tensor.reshape(-1);
    for (const at::Tensor& part : {flat.narrow(0, 0, std::min(probe, flat.numel())), flat})
      if (elementErrors(at::zeros_like(part), part, {}, rule).mismatches > 0) return false;
  }
  return any;
}

}  // namespace wb
