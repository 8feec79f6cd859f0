// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/other_values.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>

#include <algorithm>
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

/// Changes numbers of the normal distribution.
at::Tensor changed(const at::Tensor& normal, OtherValues kind, int octaves, std::uint64_t seed) {
  const std::int64_t count = normal.numel();
  const auto octave = static_cast<double>(octaves);
  if (kind == OtherValues::large) return normal * between(0, octave, count, seed).exp2_();
  if (kind == OtherValues::small) return normal * between(-octave - 1, -octave + 1, 1, seed).exp2_();
  if (kind == OtherValues::infinite) return at::where(between(0, 32, count, seed) < 1, normal / 0, normal);
  const at::Tensor lot = between(0, 8, count, seed), place = between(-octave, octave, 1, mixSeeds(seed, 1));
  at::Tensor mixed = normal + place;
  mixed = at::where(lot < 3, normal, mixed);
  mixed = at::where(lot < 2, (normal * octave).round_(), mixed);
  mixed = at::where(lot < 1, normal.sign(), mixed);
  return at::where(lot < 0.5, at::zeros_like(normal), mixed);
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
  if (rule.ofTypical > 0) allowed += size.median() * rule.ofTypical + 1e-3;
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

}  // namespace

TensorSource otherValues(OtherValues kind, int octaves) {
  return [kind, octaves](const TensorRequest& request) {
    at::Tensor tensor = drawnTensor(request);
    if (!tensor.is_floating_point() || tensor.numel() == 0) return tensor;
    const at::Tensor memory = flatMemory(tensor);
    memory.copy_(changed(memory.to(at::kCPU, at::kFloat), kind, octaves, mixSeeds(request.seed, 0x07e4)));
    return tensor;
  };
}

std::string wordsOf(OtherValues kind, int octaves) {
  switch (kind) {
    case OtherValues::large:
      return fmt::format("up to {} times as large", std::int64_t{1} << octaves);
    case OtherValues::small:
      return fmt::format("about {} times as small", std::int64_t{1} << octaves);
    case OtherValues::infinite:
      return "infinities among them";
    case OtherValues::mixed:
      break;
  }
  return "zeros, ones, whole numbers and an offset among them";
}

bool allFinite(const Stack& results) {
  const std::vector<Output> outputs = flatOutputs(results);
  return std::all_of(outputs.begin(), outputs.end(), [](const Output& each) {
    const bool numbers =
        each.tensor.defined() && (each.tensor.is_floating_point() || each.tensor.is_complex());
    return !numbers || each.tensor.isfinite().all().item<bool>();
  });
}

bool isFarOff(const Stack& actual, const Stack& expected, OtherValues kind) {
  const std::vector<Output> a = flatOutputs(actual), e = flatOutputs(expected);
  if (a.size() != e.size()) return true;
  for (std::size_t i = 0; i < e.size(); ++i) {
    if (!e[i].tensor.defined() || e[i].tensor.numel() == 0 || e[i].tensor.is_complex()) continue;
    if (!a[i].tensor.defined() || a[i].tensor.sizes() != e[i].tensor.sizes()) return true;
    // A whole number or a truth may follow from the last bit of what was compared.
    if (!e[i].tensor.is_floating_point()) continue;
    if (kind == OtherValues::infinite ? isFinitelyWrong(a[i].tensor, e[i].tensor)
                                      : isFarOff(a[i].tensor, e[i].tensor, ruleFor(kind, e[i].dtype)))
      return true;
  }
  return false;
}

}  // namespace wb
