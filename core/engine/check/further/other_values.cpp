// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/other_values.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/engine/cases/changed_values.h"
#include "core/engine/check/compare/outputs.h"
#include "core/engine/reference/seed.h"
#include "core/engine/reference/tensor_factory.h"

namespace wb {
namespace {

/// A lot of numbers between two others.
at::Tensor between(double low, double high, std::int64_t count, std::uint64_t seed) {
  const at::Generator generator = at::detail::createCPUGenerator(seed);
  return at::empty({count}, at::kFloat).uniform_(low, high, generator);
}

/// What is small or huge for numbers of a type: a short one has no room for much of it.
int octavesFor(at::ScalarType type, OtherValues kind, int octaves) {
  constexpr int mostInHalf = 12, timesInDouble = 8, mostSmallInShort = 3;
  if (kind == OtherValues::huge && type == at::kHalf) return std::min(octaves, mostInHalf);
  if (kind == OtherValues::huge && type == at::kDouble) return octaves * timesInDouble;
  const bool isShort = at::elementSize(type) < at::elementSize(at::kFloat);
  return kind == OtherValues::small && isShort ? std::min(octaves, mostSmallInShort) : octaves;
}

/// Some sixteen of a small tensor's numbers, so that it is not left to luck whether there are any of a sign.
double shareOfInfinities(std::int64_t count) {
  return std::clamp(16.0 / static_cast<double>(count), 1.0 / 32, 0.25);
}

/// Changes numbers of the normal distribution.
at::Tensor changed(const at::Tensor& normal, OtherValues kind, int octaves, std::uint64_t seed) {
  const std::int64_t count = normal.numel();
  const auto octave = static_cast<double>(octaves);
  if (kind == OtherValues::large) return normal * between(0, octave, count, seed).exp2_();
  if (kind == OtherValues::huge)
    return normal.to(at::kDouble) * between(0, octave, count, seed).to(at::kDouble).exp2_();
  if (kind == OtherValues::halves) return nearestHalves(normal);
  // Among many, one would be next to zero.
  if (kind == OtherValues::allNegative) return -(normal.abs() + 0.5);
  if (kind == OtherValues::noneNegative) return normal.abs();
  if (kind == OtherValues::small) return normal * between(-octave - 1, -octave + 1, 1, seed).exp2_();
  if (kind == OtherValues::infinite)
    return at::where(between(0, 1, count, seed) < shareOfInfinities(count), normal / 0, normal);
  if (kind == OtherValues::outlier || kind == OtherValues::outliers) {
    // In a large tensor so many that a row in some has one.
    constexpr std::int64_t oneOf = 4096;
    const bool isOne = kind == OtherValues::outlier || count <= oneOf;
    const at::Tensor among = between(0, 1, count, seed);
    const at::Tensor chosen = isOne ? among == among.max() : among < 1.0 / static_cast<double>(oneOf);
    return at::where(chosen, normal.sign() * std::exp2(octave), normal);
  }
  const at::Tensor lot = between(0, 8, count, seed), place = between(-octave, octave, 1, mixSeeds(seed, 1));
  at::Tensor mixed = normal + place;
  mixed = at::where(lot < 3, normal, mixed);
  mixed = at::where(lot < 2, (normal * octave).round_(), mixed);
  mixed = at::where(lot < 1, normal.sign(), mixed);
  return at::where(lot < 0.5, at::zeros_like(normal), mixed);
}

/// What the suites' whole numbers, of one digit, are multiplied by: odd numbers, or the product of two such
/// would be nothing but zeros in the bits that there are.
std::int64_t wideBy(at::ScalarType type) {
  constexpr std::int64_t inByte = 7, inShort = (1 << 10) + 1, inInt = (1 << 20) + 1,
                         inLong = (std::int64_t{1} << 36) + 1;
  if (at::elementSize(type) == 1) return inByte;
  if (at::elementSize(type) == 2) return inShort;
  return at::elementSize(type) == 4 ? inInt : inLong;
}

/// Operators that make of any whole numbers what is promised, be it modulo a power of two.
bool takesWideNumbers(std::string_view op) {
  constexpr std::string_view all =
      " abs add addmm addmv amax amin argmax argmin baddbmm bitwise_and bitwise_not bitwise_or"
      " bitwise_xor bmm cat clamp clamp_max clamp_min clone constant_pad_nd cummax cummin cumprod"
      " cumsum diag diagonal_copy dot eq expand_copy flip fliplr flipud ge gt le lt masked_fill"
      " masked_select matmul max maximum min minimum mm mul mv ne neg outer permute_copy prod relu"
      " repeat roll rot90 select_copy sign slice_copy sort square stack sub sum t_copy tile topk"
      " transpose_copy tril triu unfold_copy view_copy where ";
  const std::string_view name = op.substr(op.starts_with("aten::") ? 6 : 0);
  return all.find(fmt::format(" {} ", name.substr(0, name.find('.')))) != std::string_view::npos;
}

struct FarOff {
  /// An element counts from this share of its size on; the answer, from this share of the elements on.
  double by, share;
  /// Of the typical size of all elements, and below which size nothing is told, in the normal range of types.
  double ofTypical, floor;
};

FarOff ruleFor(OtherValues kind, at::ScalarType type) {
  const double smallest = type == at::kHalf ? 1e-4 : 1e-30;
  if (kind == OtherValues::small) return {0.5, 0.25, 0, smallest};
  return {0.05, 0.01, 0.05, 0};
}

bool isFarOff(const at::Tensor& actual, const at::Tensor& expected, const FarOff& rule) {
  const at::Tensor e = expected.to(at::kDouble).reshape({-1}), c = actual.to(at::kDouble).reshape({-1});
  const at::Tensor size = e.abs();
  at::Tensor allowed = size * rule.by;
  if (rule.ofTypical > 0) allowed += typicalSize(e) * rule.ofTypical + 1e-3;
  const at::Tensor tells = size >= rule.floor;
  const auto told = tells.sum().item<std::int64_t>();
  // What is not a number is far off, too.
  const at::Tensor near = (c - e).abs() <= allowed;
  const auto off = tells.logical_and(near.logical_not()).sum().item<std::int64_t>();
  return off > 0 && static_cast<double>(off) >= rule.share * static_cast<double>(told);
}

/// More than three quarters of the infinities, and more than one: many an honest maximum begins with a large
/// negative number, and keeps that where there is nothing but -∞.
bool isFinitelyWrong(const at::Tensor& actual, const at::Tensor& expected) {
  const at::Tensor infinite = expected.isinf();
  const auto wrong = infinite.logical_and(actual.isfinite()).sum().item<std::int64_t>();
  return wrong > 1 && 4 * wrong > 3 * infinite.sum().item<std::int64_t>();
}

/// Whether whole numbers are off by more than one and by a twentieth in a hundredth of the places, or off at
/// all in an eighth of them: what was rounded, or counted, may be one more or less here and there. Truths are
/// others in a hundredth of the places.
bool areOtherNumbers(const at::Tensor& actual, const at::Tensor& expected) {
  constexpr double by = 0.05, share = 0.01, shareOffAtAll = 0.125;
  if (!expected.defined() || !at::isIntegralType(expected.scalar_type(), /*includeBool=*/true) ||
      !actual.defined() || actual.sizes() != expected.sizes() || expected.numel() == 0)
    return false;
  const auto isMany = [&](const at::Tensor& places, double least) {
    const auto many = places.sum().item<std::int64_t>();
    return many > 0 && static_cast<double>(many) >= least * static_cast<double>(expected.numel());
  };
  const at::Tensor e = expected.to(at::kDouble), off = (actual.to(at::kDouble) - e).abs();
  if (expected.scalar_type() == at::kBool) return isMany(off.gt(0), share);
  return isMany(off.gt(e.abs().mul(by).add(1)), share) || isMany(off.gt(0), shareOffAtAll);
}

/// Whether it has numbers of which torch says whether they are finite.
bool canBeInfinite(const at::Tensor& tensor) {
  return tensor.defined() && tensor.is_floating_point() && !at::isFloat8Type(tensor.scalar_type());
}

/// Torch does not ask this of eight bits.
bool hasOnlyFinite(const at::Tensor& tensor) {
  return (at::isFloat8Type(tensor.scalar_type()) ? tensor.to(at::kFloat) : tensor)
      .isfinite()
      .all()
      .item<bool>();
}

}  // namespace

double typicalSize(const at::Tensor& values) {
  constexpr std::int64_t enough = 1 << 20;
  const at::Tensor all = values.reshape({-1});
  const std::int64_t step = std::max<std::int64_t>(1, all.numel() / enough);
  return all.slice(0, 0, all.numel(), step).to(at::kDouble).abs().median().item<double>();
}

at::Tensor nearestHalves(const at::Tensor& values) {
  const at::Tensor halves = (values * 2).round_() / 2;
  return at::where(halves == 0, at::full_like(halves, 0.5), halves);
}

TensorSource otherValues(OtherValues kind, int octaves) {
  return [kind, octaves](const TensorRequest& request) {
    at::Tensor tensor = drawnTensor(request);
    if (kind == OtherValues::wide && at::isIntegralType(tensor.scalar_type(), /*includeBool=*/false))
      flatMemory(tensor).mul_(wideBy(tensor.scalar_type()));
    // Squares of complex numbers' parts may overflow in many an honest kernel.
    const bool mayBeComplex = kind != OtherValues::huge && kind != OtherValues::infinite;
    const bool isOther = tensor.is_floating_point() || (mayBeComplex && tensor.is_complex());
    if (kind == OtherValues::wide || !isOther || tensor.numel() == 0) return tensor;
    const at::Tensor all = flatMemory(tensor);
    const at::Tensor memory = all.is_complex() ? at::view_as_real(all).view({-1}) : all;
    memory.copy_(changed(memory.to(at::kCPU, at::kFloat), kind,
                         octavesFor(memory.scalar_type(), kind, octaves), mixSeeds(request.seed, 0x07e4)));
    return tensor;
  };
}

std::vector<ValueQuestion> otherValuesFor(std::string_view op, bool isPointwise) {
  constexpr int hugeOctaves = 100, smallOctaves = 12, lostInOneOctaves = 30;
  std::vector<ValueQuestion> questions{{OtherValues::large, {12, 6, 3, 1}},
                                       {OtherValues::small, {3}},
                                       {OtherValues::small, {smallOctaves}},
                                       {OtherValues::mixed, {6, 3, 1}},
                                       {OtherValues::halves, {0}},
                                       {OtherValues::infinite, {0}},
                                       {OtherValues::allNegative, {0}},
                                       {OtherValues::noneNegative, {0}},
                                       {OtherValues::large, {5}}};
  if (isPointwise)
    questions.push_back({OtherValues::huge, {hugeOctaves}});
  else
    questions.insert(questions.end(), {{OtherValues::outlier, {16, 12, 8}}, {OtherValues::outliers, {8, 4}}});
  if (op.find("log1p") != std::string_view::npos || op.find("expm1") != std::string_view::npos)
    questions.push_back({OtherValues::small, {lostInOneOctaves}});
  if (takesWideNumbers(op)) questions.push_back({OtherValues::wide, {0}});
  return questions;
}

bool promisesAmongEquals(std::string_view op) {
  constexpr std::array first{"argmax", "argmin", "max.dim", "min.dim"};
  constexpr std::array exact{"eq", "ne", "lt", "le", "gt", "ge"};
  const std::string_view name = op.substr(op.starts_with("aten::") ? 6 : 0);
  return std::find(first.begin(), first.end(), name) != first.end() ||
         std::find(exact.begin(), exact.end(), name.substr(0, name.find('.'))) != exact.end();
}

std::string wordsOf(OtherValues kind, int octaves) {
  switch (kind) {
    case OtherValues::large:
      return fmt::format("up to {} times as large", std::int64_t{1} << octaves);
    case OtherValues::small:
      return octaves > 12 ? fmt::format("about 2^{} times as small", octaves)
                          : fmt::format("about {} times as small", std::int64_t{1} << octaves);
    case OtherValues::huge:
      return "so large that their squares overflow";
    case OtherValues::halves:
      return "multiples of one half, many of them equal";
    case OtherValues::infinite:
      return "infinities among them";
    case OtherValues::allNegative:
      return "all of them negative";
    case OtherValues::noneNegative:
      return "none of them negative";
    case OtherValues::outlier:
      return fmt::format("one of about {} among them", std::int64_t{1} << octaves);
    case OtherValues::outliers:
      return fmt::format("a few of about {} among them", std::int64_t{1} << octaves);
    case OtherValues::wide:
      return "whole numbers that take more bits";
    case OtherValues::mixed:
      break;
  }
  return "zeros, ones, whole numbers and an offset among them";
}

bool allFinite(const Stack& results) {
  const std::vector<Output> outputs = flatOutputs(results);
  return std::all_of(outputs.begin(), outputs.end(), [](const Output& each) {
    const bool numbers = each.tensor.defined() && each.tensor.layout() == at::kStrided &&
                         (each.tensor.is_floating_point() || each.tensor.is_complex());
    return !numbers || hasOnlyFinite(each.tensor);
  });
}

bool isFarOff(const Stack& actual, const Stack& expected, OtherValues kind, bool exactly) {
  const std::vector<Output> a = flatOutputs(actual), e = flatOutputs(expected);
  if (a.size() != e.size()) return true;
  for (std::size_t i = 0; i < e.size(); ++i) {
    if (!e[i].tensor.defined() || e[i].tensor.numel() == 0) continue;
    if (!a[i].tensor.defined() || a[i].tensor.sizes() != e[i].tensor.sizes()) return true;
    if (e[i].tensor.is_complex()) {
      const auto parts = [](const at::Tensor& each) { return at::view_as_real(each.resolve_conj()); };
      if (!a[i].tensor.is_complex()) return true;
      if (kind != OtherValues::infinite &&
          isFarOff(parts(a[i].tensor), parts(e[i].tensor), ruleFor(kind, at::kFloat)))
        return true;
      continue;
    }
    if (!e[i].tensor.is_floating_point()) {
      if (exactly && !a[i].tensor.equal(e[i].tensor)) return true;
      continue;
    }
    if (kind == OtherValues::infinite ? isFinitelyWrong(a[i].tensor, e[i].tensor)
                                      : isFarOff(a[i].tensor, e[i].tensor, ruleFor(kind, e[i].dtype)))
      return true;
  }
  return false;
}

std::vector<std::size_t> farOffResults(const Stack& actual, const Stack& expected, OtherValues kind) {
  const std::vector<Output> a = flatOutputs(actual), e = flatOutputs(expected);
  std::vector<std::size_t> far;
  for (std::size_t i = 0; i < e.size(); ++i)
    if (a.size() != e.size() || isFarOff(Stack{a[i].tensor}, Stack{e[i].tensor}, kind) ||
        areOtherNumbers(a[i].tensor, e[i].tensor))
      far.push_back(i);
  return far;
}

Stack whereFinite(const Stack& results, const Stack& expected) {
  const std::vector<Output> all = flatOutputs(results), right = flatOutputs(expected);
  Stack finite;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const at::Tensor& tensor = all[i].tensor;
    const bool isAlike = all.size() == right.size() && canBeInfinite(tensor) &&
                         canBeInfinite(right[i].tensor) && right[i].tensor.sizes() == tensor.sizes();
    finite.emplace_back(isAlike ? tensor.masked_select(right[i].tensor.isfinite()) : tensor);
  }
  return finite;
}

double finiteShare(const Stack& results) {
  double least = 1;
  for (const Output& each : flatOutputs(results))
    if (canBeInfinite(each.tensor) && each.tensor.numel() > 0)
      least = std::min(least, each.tensor.isfinite().to(at::kFloat).mean().item<double>());
  return least;
}

Stack withoutInfinite(const Stack& results, const Stack& usual) {
  const std::vector<Output> all = flatOutputs(results), before = flatOutputs(usual);
  Stack finite;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const at::Tensor& tensor = all[i].tensor;
    const bool isAlike = all.size() == before.size() && canBeInfinite(tensor) && before[i].tensor.defined() &&
                         before[i].tensor.sizes() == tensor.sizes();
    finite.emplace_back(isAlike ? tensor.masked_fill(before[i].tensor.isfinite().logical_not(), 0) : tensor);
  }
  return finite;
}

}  // namespace wb
