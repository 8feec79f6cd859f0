// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/judgement.h"

#include <ATen/core/enum_tag.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "core/base/quantity.h"
#include "core/engine/check/compare/chunk_errors.h"
#include "core/engine/check/compare/element_errors.h"
#include "core/engine/check/compare/lower_type.h"
#include "core/engine/check/compare/outputs.h"
#include "core/engine/check/compare/value_text.h"
#include "core/engine/check/oracle.h"

namespace wb {
namespace {

/// How much nearer than a lower type's result a right one has to be, and what share of the elements may be
/// further off. Float64 and float32 are 2^29 apart, float32 and TF32 2^13: no honest order of additions loses
/// that much.
struct Distance {
  double nearer, share;
};
Distance distanceFor(at::ScalarType dtype) {
  if (dtype == at::kDouble || dtype == at::kComplexDouble) return {64, 0};
  return {8, 0.25};
}

/// The reference in a lower type; it is called when it is first needed.
class LowerReference {
 public:
  explicit LowerReference(const Judgement& judgement) : judgement_(judgement) {}
  /// The outputs; empty where the call fails.
  const Stack& outputs(int bits) {
    if (bits != bits_) outputs_ = roundedOutputs(judgement_.kernel, judgement_.pristine, bits);
    bits_ = bits;
    return outputs_;
  }
  /// Output number `i`, or an undefined tensor.
  at::Tensor output(int bits, std::size_t i, const at::Tensor& like) {
    const std::vector<Output> flat = flatOutputs(outputs(bits));
    if (i >= flat.size() || !flat[i].tensor.defined() || flat[i].tensor.sizes() != like.sizes() ||
        flat[i].tensor.scalar_type() != like.scalar_type())
      return {};
    return flat[i].tensor;
  }

 private:
  const Judgement& judgement_;
  int bits_ = 0;
  Stack outputs_;
};

struct Pair {
  at::Tensor actual, expected;
  Bounds bounds;
  LowerType lower;
};

/// Counts the elements that are further off than the tolerance when it is made so narrow that it refuses the
/// lower type.
ElementErrors beyond(const Pair& pair, double narrower, const at::Tensor& room) {
  ElementRule rule;
  rule.bounds = {pair.bounds.rtol * narrower, pair.bounds.atol * narrower};
  rule.oracle = true;  // an element within two units of it is right in any case
  return elementErrors(pair.actual, pair.expected, pair.expected, rule, room);
}

bool nearEnough(const Pair& pair, const LowerErrors& lower, const at::Tensor& room, ElementErrors* errors) {
  const Distance distance = distanceFor(pair.expected.scalar_type());
  ElementErrors found = beyond(pair, std::min(1.0, lower.typical / distance.nearer), room);
  const bool near = static_cast<double>(found.mismatches) <=
                    distance.share * static_cast<double>(std::max<std::int64_t>(1, found.elements));
  if (errors != nullptr) *errors = std::move(found);
  return near;
}

void noteLower(CaseCheck& check, const LowerType& lower) {
  check.lower = lower.name;
  const std::string remark = fmt::format("a result computed in {} would pass too", lower.name);
  check.message += check.message.empty() ? remark : "; " + remark;
}

at::Tensor roomOf(const Judgement& judgement, std::size_t output, const at::Tensor& like) {
  const std::vector<Output> rooms = flatOutputs(judgement.room.outputs);
  const bool there =
      output < rooms.size() && rooms[output].tensor.defined() && rooms[output].tensor.sizes() == like.sizes();
  return there ? rooms[output].tensor : at::Tensor();
}

/// Whether the candidate is at no element further from float64 than ATen is somewhere, as where ATen itself
/// computes part of it in a short type.
bool isNoFurther(Judgement& judgement, std::size_t output, const Pair& pair) {
  if (judgement.oracle.empty()) judgement.oracle = oracleOutputs(judgement.kernel, judgement.pristine);
  const std::vector<Output> exact = flatOutputs(judgement.oracle);
  if (output >= exact.size() || !exact[output].tensor.defined() ||
      exact[output].tensor.sizes() != pair.expected.sizes())
    return false;
  const at::Tensor oracle = widened(exact[output].tensor);
  const auto worst = [&](const at::Tensor& of) { return widened(of).sub(oracle).abs().max().item<double>(); };
  return worst(pair.actual) <= worst(pair.expected);
}

/// Judges one output that the tolerance accepted.
void tellOutput(Judgement& judgement, LowerReference& reference, const Pair& pair, std::size_t output) {
  const LowerErrors cheap = [&] {
    const at::Tensor part = spread(pair.expected);
    return lowerErrors(roundedTo(part, pair.lower.mantissaBits), part, pair.bounds, pair.lower,
                       pair.expected.numel());
  }();
  if (cheap.rejected()) return;
  if (cheap.any && nearEnough(pair, cheap, {}, nullptr)) return;
  const at::Tensor computed = reference.output(pair.lower.mantissaBits, output, pair.expected);
  if (!computed.defined()) return;
  const LowerErrors errors =
      lowerErrors(spread(computed), spread(pair.expected), pair.bounds, pair.lower, pair.expected.numel());
  if (!errors.any || errors.rejected() || nearEnough(pair, errors, {}, nullptr)) return;

  const bool narrow = pair.lower.mantissaBits < 10;
  if (narrow) return noteLower(judgement.check, pair.lower);
  if (judgement.room.outputs.empty())
    judgement.room = roundingRoom(judgement.kernel, judgement.pristine, judgement.oracle, judgement.expected);
  ElementErrors found;
  if (nearEnough(pair, errors, roomOf(judgement, output, pair.expected), &found)) return;
  if (isNoFurther(judgement, output, pair)) return;
  judgement.check.verdict = Verdict::mismatch;
  judgement.check.lower = pair.lower.name;
  judgement.check.message = fmt::format(
      "no more exact than {}: {} of {} elements are further from ATen's than 1/{} of what {} "
      "makes of them, though within the tolerance",
      pair.lower.name, formatCount(found.mismatches), formatCount(found.elements),
      distanceFor(pair.expected.scalar_type()).nearer, pair.lower.name);
}

/// Judges a result that passed by its room for rounding only: would the lower type pass in the same way?
void tellRoomy(Judgement& judgement, LowerReference& reference, const LowerType& lower) {
  const Stack& outputs = reference.outputs(lower.mantissaBits);
  if (outputs.empty()) return;
  const Tolerance tolerance = judgement.kernel.tolerance();
  const CaseCheck check =
      compareOutputs(outputs, judgement.expected, judgement.oracle, tolerance, judgement.room);
  if (check.verdict == Verdict::pass) noteLower(judgement.check, lower);
}

}  // namespace

bool isGrosslyOff(const CaseCheck& check, const Stack& expected) {
  constexpr std::int64_t large = std::int64_t{1} << 20;
  // One element in a hundred is further off than this part of what elements are.
  constexpr double part = 0.25;
  if (!check.errors || check.errors->elements < large) return false;
  double usual = 0;
  for (const Output& each : flatOutputs(expected)) {
    const at::Tensor& tensor = each.tensor;
    if (!tensor.defined() || tensor.numel() == 0 || !tensor.is_floating_point()) continue;
    const auto norm = at::linalg_vector_norm(tensor, 2, std::nullopt, false, at::kDouble).item<double>();
    usual = std::max(usual, norm / std::sqrt(static_cast<double>(tensor.numel())));
  }
  return std::isfinite(usual) && usual > 0 && check.errors->p99Abs > part * usual;
}

namespace {

/// Whoever rounds at other places than the reference is off by more at a few elements, those where larger
/// numbers cancel; so many may be.
std::int64_t mostInShortType(const CaseCheck& check) {
  constexpr std::int64_t some = 4, oneIn = 8192;
  return some + check.errors->elements / oneIn;
}

CaseCheck comparedWith(const Judgement& judgement, const RoundingRoom& room) {
  return compareOutputs(judgement.actual, judgement.expected, judgement.oracle, judgement.kernel.tolerance(),
                        room);
}

}  // namespace

void giveRoom(Judgement& judgement) {
  if (!std::isfinite(judgement.check.errors->maxAbs)) return;
  judgement.room = roundingRoom(judgement.kernel, judgement.pristine, judgement.oracle, judgement.expected);
  if (judgement.room.outputs.empty()) return;
  CaseCheck check = comparedWith(judgement, judgement.room);
  if (check.verdict == Verdict::mismatch && check.errors &&
      check.errors->mismatches <= mostInShortType(check))
    check = comparedWith(judgement, {judgement.room.fewInShortType, judgement.room.terms, {}, true});
  if (check.verdict == Verdict::pass) judgement.check = std::move(check);
}

bool laysOutView(const c10::OperatorHandle& op) {
  return op.hasTag(at::Tag::view_copy);
}

void tellFromLayout(Judgement& judgement) {
  if (!laysOutView(judgement.kernel.op)) return;
  const std::vector<Output> actual = flatOutputs(judgement.actual),
                            expected = flatOutputs(judgement.expected);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const at::Tensor &own = actual[i].tensor, &wanted = expected[i].tensor;
    if (!wanted.defined() || !wanted.is_contiguous() || own.is_contiguous()) continue;
    judgement.check.verdict = Verdict::mismatch;
    judgement.check.message = fmt::format(
        "it does not lay its elements out (strides {}): ATen's lie one behind the other (strides {}), and to "
        "bring them there is this operator's work",
        shapeText(own.strides()), shapeText(wanted.strides()));
    return;
  }
}

void tellFromLowerType(Judgement& judgement) {
  const CaseCheck& check = judgement.check;
  if (!check.errors || check.errors->maxAbs == 0) return;
  const std::vector<Output> actual = flatOutputs(judgement.actual),
                            expected = flatOutputs(judgement.expected);
  const bool roomy = !judgement.room.outputs.empty() && check.errors->forgiven > 0;
  LowerReference reference(judgement);
  for (std::size_t i = 0; i < expected.size() && check.verdict == Verdict::pass && check.lower.empty(); ++i) {
    const at::Tensor& e = expected[i].tensor;
    if (!e.defined() || e.numel() == 0) continue;
    const std::optional<LowerType> lower = lowerType(e.scalar_type());
    if (!lower) continue;
    if (roomy) return tellRoomy(judgement, reference, *lower);
    tellOutput(judgement, reference,
               {actual[i].tensor, e, bounds(judgement.kernel.tolerance(), e.scalar_type()), *lower}, i);
  }
}

}  // namespace wb
