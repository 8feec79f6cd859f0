// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/own_values.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/List.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/masked_select.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/polar.h>
#include <ATen/ops/randperm.h>
#include <ATen/ops/real.h>
#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/where.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "core/engine/cases/changed_values.h"
#include "core/engine/cases/value_looks.h"
#include "core/engine/check/compare/outputs.h"
#include "core/engine/check/further/other_values.h"
#include "core/engine/reference/seed.h"

namespace wb {
namespace {

/// Of fewer numbers nobody can say that they are drawn.
constexpr std::int64_t fewestDrawn = 16;

using Change = std::function<at::Tensor(const at::Tensor& tensor, std::uint64_t seed)>;

/// The arguments with every floating tensor that is `changed`, lists of tensors included.
Stack changedTensors(const Stack& arguments, const Change& change, std::uint64_t seed) {
  Stack all;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const c10::IValue& value = arguments[i];
    const std::uint64_t own = mixSeeds(seed, i);
    if (value.isTensorList()) {
      c10::List<at::Tensor> list;
      for (const c10::IValue& each : changedTensors(itemsOf(value), change, own))
        list.push_back(each.toTensor());
      all.emplace_back(std::move(list));
      continue;
    }
    const bool isReal = value.isTensor() && value.toTensor().defined() &&
                        value.toTensor().layout() == at::kStrided &&
                        (value.toTensor().is_floating_point() || value.toTensor().is_complex());
    all.push_back(isReal ? c10::IValue(change(value.toTensor(), own)) : value);
  }
  return all;
}

/// A lot of numbers between two others, of the tensor's shape and on its device. Beyond the first millions
/// they come again, since to draw them on the host takes longer than what they are for.
at::Tensor between(double low, double high, const at::Tensor& like, std::uint64_t seed) {
  constexpr std::int64_t mostDrawn = 4194301;  // a prime, so that rows do not repeat
  const at::Generator generator = at::detail::createCPUGenerator(seed);
  const std::int64_t count = like.numel(), drawn = std::min(count, mostDrawn);
  at::Tensor numbers = at::empty({drawn}, at::kFloat).uniform_(low, high, generator).to(like.device());
  if (drawn < count) numbers = numbers.repeat({(count + drawn - 1) / drawn}).narrow(0, 0, count);
  return numbers.view(like.sizes());
}

bool hasBothSigns(const at::Tensor& tensor) {
  return tensor.is_floating_point() && !at::isFloat8Type(tensor.scalar_type()) && tensor.numel() > 0 &&
         tensor.min().item<double>() < 0 && tensor.max().item<double>() > 0;
}

bool isShort(const at::Tensor& tensor) {
  return tensor.element_size() < static_cast<std::int64_t>(sizeof(float));
}

/// The tensor with other values; undefined where they would be the same, or the type has no room for them.
at::Tensor changed(const at::Tensor& tensor, OwnValues values, int octaves, std::uint64_t seed) {
  switch (values) {
    case OwnValues::negative:
      if ((tensor < 0).any().item<bool>()) return {};
      // The tensor comes first, so that its strides stay.
      return tensor * between(0, 1, tensor, seed).lt(0.5).to(tensor.scalar_type()).mul_(2).sub_(1);
    case OwnValues::noneNegative:
      return tensor.abs();
    case OwnValues::allNegative:
      // A maximum that begins at zero is off by what all are below it, and among many one is near it.
      return tensor.abs().add(typicalSize(tensor) / 2).neg();
    case OwnValues::large:
      // bfloat16 has as many powers of two as float32.
      return isShort(tensor) && tensor.scalar_type() != at::kBFloat16 ? at::Tensor()
                                                                      : tensor * std::exp2(octaves);
    case OwnValues::small:
      return isShort(tensor) ? at::Tensor() : tensor * std::exp2(-octaves);
    case OwnValues::steady: {
      // Their own numbers stay beside it, so that nothing varies so little that all of it is rounding.
      if (isShort(tensor) || tensor.dim() < 3 || tensor.numel() <= tensor.size(-1)) return {};
      at::Tensor row = tensor;
      for (std::int64_t d = 0; d + 1 < tensor.dim(); ++d) row = row.narrow(d, 0, 1);
      return tensor + row * std::exp2(octaves);
    }
    case OwnValues::none: {
      constexpr double share = 1.0 / 16;
      if (at::isFloat8Type(tensor.scalar_type())) return {};
      return tensor.masked_fill(between(0, 1, tensor, seed).lt(share),
                                std::numeric_limits<double>::quiet_NaN());
    }
    case OwnValues::halves:
      break;
  }
  // Of smaller ones nothing but one number would be left.
  constexpr double leastUsual = 0.25;
  if (typicalSize(tensor) < leastUsual) return {};
  return nearestHalves(tensor);
}

/// The same of complex numbers: what has a sign there has a direction.
at::Tensor changedComplex(const at::Tensor& tensor, OwnValues values, int octaves, std::uint64_t seed) {
  switch (values) {
    case OwnValues::negative: {
      const at::Tensor angles = between(0, 2 * std::numbers::pi, at::real(tensor), seed);
      return tensor * at::polar(at::ones_like(angles), angles).to(tensor.scalar_type());
    }
    case OwnValues::large:
      return tensor * std::exp2(octaves);
    case OwnValues::small:
      return tensor * std::exp2(-octaves);
    case OwnValues::allNegative:
    case OwnValues::noneNegative:
    case OwnValues::steady:
    case OwnValues::halves:
    case OwnValues::none:
      break;
  }
  return {};
}

/// Whether complex numbers look drawn. Their imaginary parts may all be zero.
bool mayBeOtherComplex(const at::Tensor& tensor) {
  const at::Tensor resolved = tensor.resolve_conj();
  return looksDrawn(at::real(resolved).contiguous()) || looksDrawn(at::imag(resolved).contiguous());
}

/// Whether the numbers that are not zero look drawn, as behind relu(): zeros stay when these get signs.
bool isDrawnBesideZeros(const at::Tensor& tensor) {
  if (!tensor.defined() || tensor.layout() != at::kStrided || !tensor.is_floating_point() ||
      at::isFloat8Type(tensor.scalar_type()))
    return false;
  const at::Tensor others = tensor.masked_select(tensor != 0);
  return others.numel() < tensor.numel() && looksDrawn(others, fewestDrawn) && numbersTogether(tensor) == 0;
}

/// Each number becomes another one, by no more than this part of it.
Stack moved(const Stack& arguments, double inFloat, double inDouble, std::uint64_t seed) {
  return changedTensors(
      arguments,
      [&](const at::Tensor& tensor, std::uint64_t own) {
        constexpr double inShort = 0x1p-7;
        if (tensor.is_complex()) {
          const at::Tensor parts = at::view_as_real(tensor.resolve_conj());
          const bool isDouble = tensor.scalar_type() == at::kComplexDouble;
          const at::Tensor moves =
              between(isDouble ? -inDouble : -inFloat, isDouble ? inDouble : inFloat, parts, own);
          return at::view_as_complex(
              (parts.to(at::kDouble) * (moves.to(at::kDouble) + 1)).to(parts.scalar_type()).contiguous());
        }
        const double step = isShort(tensor)                      ? inShort
                            : tensor.scalar_type() == at::kFloat ? inFloat
                                                                 : inDouble;
        const at::Tensor moves = between(-step, step, tensor, own).to(at::kDouble);
        return (tensor.to(at::kDouble) * (moves + 1)).to(tensor.scalar_type());
      },
      seed);
}

/// A mask that is added, of one number and of -∞ for what it hides, with others hidden in a quarter of its
/// places. Nothing where it is no such mask.
std::optional<at::Tensor> withOthersHidden(const at::Tensor& tensor, std::uint64_t seed) {
  constexpr double share = 0.25;
  if (!tensor.is_floating_point() || at::isFloat8Type(tensor.scalar_type())) return std::nullopt;
  const at::Tensor hides = tensor.isinf().logical_and(tensor < 0);
  const at::Tensor shown = tensor.masked_select(hides.logical_not());
  if (shown.numel() == 0 || shown.numel() == tensor.numel() || !(shown == shown[0]).all().item<bool>())
    return std::nullopt;
  const at::Tensor changes = between(0, 1, tensor, seed).lt(share);
  return at::where(hides.logical_xor(changes),
                   at::full_like(tensor, -std::numeric_limits<double>::infinity()), shown[0]);
}

/// Whether whole numbers are zero and one, as those of many a mask, and no rows that choose one place each.
bool areTruths(const at::Tensor& tensor) {
  if (!at::isIntegralType(tensor.scalar_type(), /*includeBool=*/false) || tensor.dim() == 0) return false;
  const at::Tensor ones = tensor.eq(1);
  return tensor.eq(0).logical_or(ones).all().item<bool>() && ones.any().item<bool>() &&
         !ones.all().item<bool>() && !ones.sum(-1).eq(1).all().item<bool>();
}

}  // namespace

bool mayBeOthers(const at::Tensor& tensor) {
  return tensor.defined() && tensor.layout() == at::kStrided && tensor.is_floating_point() &&
         looksDrawn(tensor, fewestDrawn) && numbersTogether(tensor) == 0;
}

Stack withOtherLastBits(const Stack& arguments, std::uint64_t seed) {
  return moved(arguments, 0x1p-22, 0x1p-51, seed);
}

Stack withOtherLastHalves(const Stack& arguments, std::uint64_t seed) {
  return moved(arguments, 0x1p-9, 0x1p-26, seed);
}

std::optional<Stack> changedOwn(const Stack& arguments, OwnValues values, int octaves, std::uint64_t seed) {
  bool isOther = false;
  const auto mayBe = [&](const at::Tensor& tensor) {
    if (tensor.is_complex()) return mayBeOtherComplex(tensor);
    return mayBeOthers(tensor) || (values == OwnValues::negative && isDrawnBesideZeros(tensor));
  };
  Stack all = changedTensors(
      arguments,
      [&](const at::Tensor& tensor, std::uint64_t own) {
        const bool isOfOneSign = values == OwnValues::allNegative || values == OwnValues::noneNegative;
        if ((isOfOneSign && !hasBothSigns(tensor)) || !mayBe(tensor)) return tensor;
        at::Tensor other = tensor.is_complex() ? changedComplex(tensor, values, octaves, own)
                                               : changed(tensor, values, octaves, own);
        isOther |= other.defined();
        return other.defined() ? other : tensor;
      },
      seed);
  return isOther ? std::optional(std::move(all)) : std::nullopt;
}

std::optional<Stack> withLessInCommon(const Stack& arguments, std::uint64_t seed) {
  constexpr double octaves = 2;
  bool isOther = false;
  Stack all = changedTensors(
      arguments,
      [&](const at::Tensor& tensor, std::uint64_t own) {
        if (tensor.numel() < 2 || at::isFloat8Type(tensor.scalar_type())) return tensor;
        isOther = true;
        const at::Tensor like = tensor.is_complex() ? at::real(tensor) : tensor;
        return tensor * between(-octaves, 0, like, own).exp2_().to(like.scalar_type());
      },
      seed);
  return isOther ? std::optional(std::move(all)) : std::nullopt;
}

std::optional<Stack> withMoreRows(const Stack& arguments) {
  constexpr std::int64_t most = std::int64_t{1} << 26;  // bytes
  std::optional<std::int64_t> rows;
  Stack all = arguments;
  for (c10::IValue& each : all) {
    if (each.isTensorList()) return std::nullopt;
    if (!each.isTensor() || !each.toTensor().defined() || each.toTensor().dim() == 0) continue;
    const at::Tensor& tensor = each.toTensor();
    if (tensor.layout() != at::kStrided || tensor.is_quantized() || tensor.nbytes() > most)
      return std::nullopt;
    if (!rows) rows = tensor.size(0);
    if (tensor.size(0) == *rows) each = at::cat({tensor, tensor.flip(0)});
  }
  return rows.value_or(0) > 0 ? std::optional(std::move(all)) : std::nullopt;
}

std::optional<Stack> withOthersAmongEqual(const Stack& arguments, std::size_t argument, std::uint64_t seed) {
  const c10::IValue& value = arguments[argument];
  if (!value.isTensor() || !value.toTensor().defined()) return std::nullopt;
  const at::Tensor& tensor = value.toTensor();
  if (tensor.layout() != at::kStrided || tensor.numel() < 2 || tensor.is_complex() || tensor.is_quantized())
    return std::nullopt;
  const bool isTruth = tensor.scalar_type() == at::kBool || areTruths(tensor);
  if (!isTruth && !tensor.is_floating_point() && !at::isIntegralType(tensor.scalar_type(), false))
    return std::nullopt;
  if (const std::optional<at::Tensor> other = withOthersHidden(tensor, seed)) {
    Stack others = arguments;
    others[argument] = *other;
    return others;
  }
  const at::Tensor first = tensor.reshape({-1})[0];
  // Of truths some may be others, too: many a mask is a triangle.
  if (!isTruth && !(tensor == first).all().item<bool>()) return std::nullopt;
  const double all = first.item<double>();
  // A whole number that is zero may be the only index that there is.
  if (!std::isfinite(all) || (all <= 0 && !isTruth && !tensor.is_floating_point())) return std::nullopt;
  const double other = isTruth || all == 0 || all == 1 ? 1 - all : all / 2;
  constexpr double share = 0.25;
  const at::Tensor changes = between(0, 1, tensor, seed).lt(share);
  Stack others = arguments;
  others[argument] = isTruth ? tensor.logical_xor(changes).to(tensor.scalar_type())
                             : tensor.clone().masked_fill_(changes, other);
  return others;
}

std::optional<Stack> withOtherOrder(const Stack& arguments, std::size_t argument, std::uint64_t seed,
                                    Ordered ordered) {
  constexpr std::int64_t fewest = 8;
  const c10::IValue& value = arguments[argument];
  if (!value.isTensor() || !value.toTensor().defined()) return std::nullopt;
  const at::Tensor& tensor = value.toTensor();
  if (tensor.layout() != at::kStrided || !at::isIntegralType(tensor.scalar_type(), /*includeBool=*/false) ||
      tensor.dim() < 1 || tensor.size(-1) < fewest || tensor.numel() == 0)
    return std::nullopt;
  const at::Tensor next = tensor.narrow(-1, 1, tensor.size(-1) - 1),
                   each = tensor.narrow(-1, 0, tensor.size(-1) - 1);
  const at::Tensor steps = next.sub(each), areOne = steps.eq(1);
  const bool arePositions = areOne.all().item<bool>();
  const bool areSegments =
      !arePositions && areOne.any().item<bool>() && areOne.logical_or(steps.eq(0)).all().item<bool>();
  if (ordered == Ordered::positions ? !arePositions : !areSegments) return std::nullopt;
  const at::Tensor places =
      at::randperm(tensor.size(-1), at::detail::createCPUGenerator(seed), at::kLong).to(tensor.device());
  Stack others = arguments;
  others[argument] = tensor.index_select(-1, places);
  return others;
}

std::string wordsOf(OwnValues values, int octaves) {
  switch (values) {
    case OwnValues::negative:
      return "negative numbers among them";
    case OwnValues::allNegative:
      return "all of them negative";
    case OwnValues::noneNegative:
      return "none of them negative";
    case OwnValues::large:
      return fmt::format("{} times as large", std::int64_t{1} << octaves);
    case OwnValues::small:
      return fmt::format("{} times as small", std::int64_t{1} << octaves);
    case OwnValues::steady:
      return "a large part of them the same in each row";
    case OwnValues::none:
      return "what is no number (NaN) among them";
    case OwnValues::halves:
      break;
  }
  return "multiples of one half, many of them equal";
}

}  // namespace wb
