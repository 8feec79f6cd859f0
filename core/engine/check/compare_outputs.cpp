// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/base/quantity.h"
#include "core/engine/check/check.h"
#include "core/engine/check/element_errors.h"
#include "core/engine/check/value_text.h"

namespace wb {
namespace {

/// Outputs as a flat list: lists and tuples opened, numbers as 0-dimensional tensors. An undefined tensor
/// stands for what is neither (None, strings).
void flatten(const c10::IValue& value, std::vector<at::Tensor>& into) {
  if (value.isTensor()) {
    into.push_back(value.toTensor());
  } else if (value.isDouble()) {
    into.push_back(at::scalar_tensor(value.toDouble(), at::kDouble));
  } else if (value.isInt()) {
    into.push_back(at::scalar_tensor(value.toInt(), at::kLong));
  } else if (value.isBool()) {
    into.push_back(at::scalar_tensor(value.toBool(), at::kBool));
  } else if (value.isComplexDouble()) {
    into.push_back(at::scalar_tensor(value.toComplexDouble(), at::kComplexDouble));
  } else if (value.isList()) {
    for (const c10::IValue& item : value.toListRef()) flatten(item, into);
  } else if (value.isTuple()) {
    for (const c10::IValue& item : value.toTupleRef().elements()) flatten(item, into);
  } else {
    into.emplace_back();
  }
}

std::vector<at::Tensor> flatten(const Stack& stack) {
  std::vector<at::Tensor> flat;
  for (const c10::IValue& value : stack) flatten(value, flat);
  for (at::Tensor& tensor : flat)
    if (tensor.defined() && tensor.layout() != at::kStrided) tensor = tensor.to_dense();
  return flat;
}

/// "" for a single output, else "output 1: ".
std::string prefix(std::size_t i, std::size_t count) {
  return count == 1 ? std::string() : fmt::format("output {}: ", i);
}

/// Everything but the values. Gives true when the tensors can be compared element by element.
bool sameKind(const at::Tensor& actual, const at::Tensor& expected, const std::string& where,
              CaseCheck& check) {
  const auto fail = [&](Verdict verdict, const std::string& message) {
    check.verdict = verdict;
    check.message = where + message;
    return false;
  };
  if (actual.defined() != expected.defined())
    return fail(Verdict::wrongCount, expected.defined() ? "is missing" : "should be undefined");
  if (!expected.defined()) return true;
  if (actual.sizes() != expected.sizes())
    return fail(Verdict::wrongShape, fmt::format("expected shape {}, got {}", shapeText(expected.sizes()),
                                                 shapeText(actual.sizes())));
  if (actual.scalar_type() != expected.scalar_type())
    return fail(Verdict::wrongDtype, fmt::format("expected {}, got {}", c10::toString(expected.scalar_type()),
                                                 c10::toString(actual.scalar_type())));
  if (actual.device() != expected.device())
    return fail(Verdict::wrongDevice,
                fmt::format("expected on {}, got on {}", expected.device().str(), actual.device().str()));
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
  const std::vector<at::Tensor> actual = flatten(candidate), wanted = flatten(expected),
                                exact = flatten(oracle);
  if (actual.size() != wanted.size()) {
    check.verdict = Verdict::wrongCount;
    check.message = fmt::format("expected {} output{}, got {}", wanted.size(), wanted.size() == 1 ? "" : "s",
                                actual.size());
    return check;
  }
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (!sameKind(actual[i], wanted[i], prefix(i, wanted.size()), check)) return check;

  check.errors.emplace();
  const bool hasOracle = !exact.empty() && exact.size() == wanted.size();
  bool first = true;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i].defined()) continue;
    const bool usable = hasOracle && exact[i].defined() && exact[i].sizes() == wanted[i].sizes();
    const ElementRule rule = ruleFor(tolerance, wanted[i], usable);
    if (first) {
      check.rtol = rule.bounds.rtol;
      check.atol = rule.bounds.atol;
      first = false;
    }
    add(*check.errors, elementErrors(actual[i], wanted[i], usable ? exact[i] : wanted[i], rule), actual[i],
        wanted[i], i);
  }
  conclude(check, tolerance, hasOracle);
  return check;
}

bool zerosPass(const Stack& expected, const Tolerance& tolerance) {
  constexpr std::int64_t probe = 4096;
  bool any = false;
  for (const at::Tensor& tensor : flatten(expected)) {
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
