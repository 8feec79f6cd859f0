// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/same_answers.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/stack.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "core/engine/check/compare/check.h"

namespace wb {
namespace {

/// How many elements of one output are compared for all calls together; above this, comparing call by call is
/// no slower.
constexpr std::int64_t mostElements = std::int64_t{1} << 25;

/// The values at one place of all stacks as one tensor; nothing where they are not alike.
std::optional<at::Tensor> together(std::span<const Stack> stacks, std::size_t place) {
  std::vector<at::Tensor> tensors;
  for (const Stack& stack : stacks) {
    if (place >= stack.size() || !stack[place].isTensor()) return std::nullopt;
    const at::Tensor& tensor = stack[place].toTensor();
    if (!tensor.defined() || tensor.layout() != at::kStrided) return std::nullopt;
    const at::Tensor& first = tensors.empty() ? tensor : tensors.front();
    if (tensor.sizes() != first.sizes() || tensor.scalar_type() != first.scalar_type() ||
        tensor.device() != first.device())
      return std::nullopt;
    tensors.push_back(tensor);
  }
  if (tensors.empty() || tensors.front().numel() * static_cast<std::int64_t>(tensors.size()) > mostElements)
    return std::nullopt;
  return at::stack(tensors);
}

/// Joins truths that are still on the device.
void join(at::Tensor& all, const at::Tensor& one) {
  all = all.defined() ? all.logical_and(one) : one;
}

bool alike(const at::Tensor& a, const at::Tensor& b) {
  return a.sizes() == b.sizes() && a.scalar_type() == b.scalar_type() && a.device() == b.device();
}

/// A tolerance so narrow that no result of a lower type is within it, so that the careful judgement is not
/// needed: `share` of the mean size is the most that an element may be off absolutely.
struct SureBounds {
  Bounds bounds;
  double share = std::numeric_limits<double>::infinity();
};

SureBounds surelyWithin(const Tolerance& tolerance, at::ScalarType dtype) {
  const Bounds given = bounds(tolerance, dtype);
  if (tolerance.preset != "torch") return {given};
  if (dtype == at::kDouble) return {{0x1p-31, given.atol}, 0x1p-31};
  if (dtype == at::kFloat) return {given, 0x1p-15};
  return {given};
}

at::Tensor within(const at::Tensor& c, const at::Tensor& e, const SureBounds& sure) {
  const at::Tensor size = e.abs();
  at::Tensor allowed = size.mul(sure.bounds.rtol);
  if (std::isfinite(sure.share))
    allowed = allowed.add(size.mean().mul(sure.share).clamp_max(sure.bounds.atol));
  else
    allowed = allowed.add(sure.bounds.atol);
  const at::Tensor near = c.sub(e).abs().le(allowed).logical_and(allowed.isfinite());
  return near.logical_or(c.eq(e)).logical_or(c.isnan().logical_and(e.isnan())).all();
}

/// The same on the host, in one pass over memory that takes no more of it: to make tensors of each step of a
/// comparison took seconds of page faults for answers of some megabytes.
template <class T>
double meanSize(const T* values, std::int64_t count) {
  constexpr std::size_t lanes = 8;  // sums that do not wait for each other
  std::array<double, lanes> sums{};
  std::int64_t i = 0;
  for (; i + static_cast<std::int64_t>(lanes) <= count; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane)
      sums[lane] += std::abs(static_cast<double>(values[i + static_cast<std::int64_t>(lane)]));
  for (; i < count; ++i) sums[0] += std::abs(static_cast<double>(values[i]));
  double all = 0;
  for (const double sum : sums) all += sum;
  return all / static_cast<double>(std::max<std::int64_t>(count, 1));
}

template <class T>
bool isWithin(const T* actual, const T* expected, std::int64_t count, double rtol, double atol) {
  constexpr std::int64_t block = 1024;  // so many are looked at before somebody asks how it went
  constexpr double largest = std::numeric_limits<double>::max();
  for (std::int64_t from = 0; from < count; from += block) {
    const std::int64_t to = std::min(count, from + block);
    bool isNear = true;
    for (std::int64_t i = from; i < to; ++i) {
      const auto c = static_cast<double>(actual[i]), e = static_cast<double>(expected[i]);
      const double allowed = std::abs(e) * rtol + atol;
      isNear = isNear & (std::abs(c - e) <= allowed) & (allowed <= largest);
    }
    for (std::int64_t i = from; !isNear && i < to; ++i) {
      const auto c = static_cast<double>(actual[i]), e = static_cast<double>(expected[i]);
      const double allowed = std::abs(e) * rtol + atol;
      const bool isSame = c == e || (std::isnan(c) && std::isnan(e));
      if (!isSame && !(std::abs(c - e) <= allowed && allowed <= largest)) return false;
    }
  }
  return true;
}

template <class T>
bool isWithin(const at::Tensor& actual, const at::Tensor& expected, const SureBounds& sure) {
  const auto *c = actual.const_data_ptr<T>(), *e = expected.const_data_ptr<T>();
  const std::int64_t count = expected.numel();
  double atol = sure.bounds.atol;
  if (std::isfinite(sure.share)) {
    const double mean = meanSize(e, count);
    atol = std::isfinite(mean) ? std::min(mean * sure.share, atol) : 0;
  }
  return isWithin(c, e, count, sure.bounds.rtol, atol);
}

bool isWithinOnHost(const at::Tensor& actual, const at::Tensor& expected, const Tolerance& tolerance) {
  const at::Tensor c = actual.contiguous(), e = expected.contiguous();
  if (!c.is_floating_point())
    return std::memcmp(c.const_data_ptr(), e.const_data_ptr(), static_cast<std::size_t>(c.nbytes())) == 0;
  const SureBounds sure = surelyWithin(tolerance, c.scalar_type());
  if (c.scalar_type() == at::kDouble) return isWithin<double>(c, e, sure);
  if (c.scalar_type() == at::kFloat) return isWithin<float>(c, e, sure);
  // Every number of a shorter type is one of float.
  return isWithin<float>(c.to(at::kFloat), e.to(at::kFloat), sure);
}

/// Whether what lies at one place of two stacks is a tensor of the same kind, and close.
bool areClose(const c10::IValue& actual, const c10::IValue& expected, const Tolerance& tolerance) {
  if (!actual.isTensor() || !expected.isTensor()) return false;
  const at::Tensor &c = actual.toTensor(), &e = expected.toTensor();
  if (!c.defined() || !e.defined() || c.layout() != at::kStrided || e.layout() != at::kStrided) return false;
  return alike(c, e) && !c.is_complex() && isWithinOnHost(c, e, tolerance);
}

bool isOnHost(const Stack& stack) {
  return std::all_of(stack.begin(), stack.end(), [](const c10::IValue& value) {
    return !value.isTensor() || !value.toTensor().defined() || value.toTensor().is_cpu();
  });
}

/// All stacks with their lists of tensors taken apart.
std::vector<Stack> takenApart(std::span<const Stack> stacks) {
  std::vector<Stack> flat;
  for (const Stack& stack : stacks) {
    Stack& into = flat.emplace_back();
    for (const c10::IValue& value : stack) {
      if (!value.isTensorList())
        into.push_back(value);
      else
        for (const at::Tensor& each : value.toTensorVector()) into.emplace_back(each);
    }
  }
  return flat;
}

}  // namespace

bool areTooMany(std::span<const Stack> answers) {
  std::int64_t most = 0;
  for (const Stack& stack : takenApart(answers))
    for (const c10::IValue& value : stack)
      if (value.isTensor() && value.toTensor().defined()) most = std::max(most, value.toTensor().numel());
  return most * static_cast<std::int64_t>(answers.size()) > mostElements;
}

bool surelyClose(std::span<const Stack> answers, std::span<const Stack> wanted, const Tolerance& tolerance) {
  if (tolerance.preset != "torch" && tolerance.preset != "given") return false;
  const std::vector<Stack> actual = takenApart(answers), expected = takenApart(wanted);
  if (actual.empty() || actual.size() != expected.size() || actual.front().size() != expected.front().size())
    return false;
  if (isOnHost(actual.front()) && isOnHost(expected.front())) {
    for (std::size_t i = 0; i < actual.size(); ++i) {
      if (actual[i].size() != expected[i].size() || actual[i].empty()) return false;
      for (std::size_t place = 0; place < actual[i].size(); ++place)
        if (!areClose(actual[i][place], expected[i][place], tolerance)) return false;
    }
    return true;
  }
  at::Tensor all;
  for (std::size_t place = 0; place < actual.front().size(); ++place) {
    const auto c = together(actual, place), e = together(expected, place);
    if (!c || !e || !alike(*c, *e) || c->is_complex()) return false;
    if (!c->is_floating_point()) {
      join(all, c->eq(*e).all());
      continue;
    }
    join(all, within(c->to(at::kDouble), e->to(at::kDouble), surelyWithin(tolerance, c->scalar_type())));
  }
  return all.defined() && all.item<bool>();
}

double furthestOff(const Stack& answer, const Stack& wanted, const Tolerance& tolerance) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  if (tolerance.preset != "torch" && tolerance.preset != "given") return unknown;
  const Stack actual = takenApart({&answer, 1}).front(), expected = takenApart({&wanted, 1}).front();
  if (actual.size() != expected.size()) return unknown;
  double most = 0;
  for (std::size_t place = 0; place < actual.size(); ++place) {
    const auto c = together({&actual, 1}, place), e = together({&expected, 1}, place);
    if (!c || !e || !alike(*c, *e) || c->is_complex()) return unknown;
    if (c->numel() == 0 || c->equal(*e)) continue;
    if (!c->is_floating_point()) return unknown;
    const Bounds given = bounds(tolerance, c->scalar_type());
    const at::Tensor mine = c->to(at::kDouble), theirs = e->to(at::kDouble);
    const at::Tensor same = mine.eq(theirs).logical_or(mine.isnan().logical_and(theirs.isnan()));
    const at::Tensor off = mine.sub(theirs).abs().div(theirs.abs().mul(given.rtol).add(given.atol));
    const auto furthest = off.masked_fill(same, 0).max().item<double>();
    if (!std::isfinite(furthest)) return unknown;
    most = std::max(most, furthest);
  }
  return most;
}

}  // namespace wb
