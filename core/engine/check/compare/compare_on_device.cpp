// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>

#include "core/engine/check/compare/chunk_errors.h"

namespace wb {
namespace {

constexpr std::int64_t mostLanes = 256;

/// The distance between neighbouring numbers of `dtype` at each magnitude, in float64.
at::Tensor unitInLastPlace(const at::Tensor& magnitudes, at::ScalarType dtype) {
  const FloatFormat format = floatFormat(dtype);
  const at::Tensor exponent = std::get<1>(magnitudes.frexp());  // magnitude = m·2^exponent, m in [0.5, 1)
  return exponent.to(at::kDouble).sub_(1).clamp_min_(format.minExponent).sub_(format.mantissaBits).exp2_();
}

/// The ReferenceErrors::binOf of each.
at::Tensor binsOf(const at::Tensor& magnitudes) {
  const at::Tensor exponent = std::get<1>(magnitudes.frexp()).to(at::kLong);
  const at::Tensor bin = exponent.add_(ReferenceErrors::firstExponent).clamp_(1, ReferenceErrors::bins - 1);
  const at::Tensor known = magnitudes.gt(0).logical_and_(magnitudes.isfinite());
  return at::where(known, bin, at::zeros({}, bin.options()));
}

at::Tensor onlyWhere(const at::Tensor& mask, const at::Tensor& values) {
  return at::where(mask, values, at::zeros({}, values.options()));
}

/// Copies every n-th difference to the host. Single precision is enough for a percentile and half the bytes.
void takeSample(const Chunk& chunk, const at::Tensor& difference, DifferenceSample& sample) {
  const std::int64_t step = sample.step(), start = (step - chunk.first % step) % step;
  if (start >= difference.numel()) return;
  const at::Tensor part = difference.slice(0, start, difference.numel(), step);
  const at::Tensor host = (chunk.dtype == at::kDouble ? part : part.to(at::kFloat)).cpu().to(at::kDouble);
  const at::Tensor flat = host.contiguous();
  const double* values = flat.const_data_ptr<double>();
  for (std::int64_t i = 0; i < flat.numel(); ++i) {
    if (!std::isfinite(values[i]))
      sample.leaveOut();
    else if (values[i] != 0)
      sample.add(values[i]);
  }
}

void takePlaces(const Chunk& chunk, const at::Tensor& mask, BadPlaces& bad) {
  const at::Tensor host = mask.cpu();
  const bool* values = host.const_data_ptr<bool>();
  const bool *end = values + host.numel(), *at = values;
  while ((at = std::find(at, end, true)) != end) bad.add(chunk.first + (at++ - values));
}

}  // namespace

void referenceErrorsOnDevice(const Chunk& chunk, const ElementRule& rule, ReferenceErrors& all) {
  const at::Tensor e = widened(chunk.expected), o = widened(chunk.oracle);
  const at::Tensor difference = e.sub(o).abs(), finite = difference.isfinite();
  const at::Tensor error = onlyWhere(finite, difference), counts = finite.to(at::kDouble);
  const at::Tensor over = error.gt(e.abs().mul_(rule.bounds.rtol / 2).add_(rule.bounds.atol / 2));
  // The values of a tensor are of a few magnitudes, and a GPU adds to one number one by one. So elements that
  // lie side by side have bins of their own.
  const std::int64_t lanes = std::min(mostLanes, e.numel());
  const auto inLanes = [&](const at::Tensor& values) {
    const std::int64_t missing = (lanes - values.numel() % lanes) % lanes;
    return (missing == 0 ? values : at::constant_pad_nd(values, {0, missing})).reshape({-1, lanes});
  };
  const at::Tensor bin = inLanes(binsOf(o.abs())),
                   empty = at::zeros({ReferenceErrors::bins, lanes}, error.options());
  const at::Tensor rows = at::stack({empty.scatter_add(0, bin, inLanes(counts)).sum(1),
                                     empty.scatter_reduce(0, bin, inLanes(error), "amax").amax(1),
                                     empty.scatter_add(0, bin, inLanes(error.square())).sum(1)})
                              .cpu();
  const double* values = rows.const_data_ptr<double>();
  constexpr std::ptrdiff_t bins = ReferenceErrors::bins;
  all.add(values, values + bins, values + 2 * bins, over.sum().item<std::int64_t>());
}

void compareOnDevice(const Chunk& chunk, const ElementRule& rule, ElementErrors& all) {
  const at::Tensor c = widened(chunk.candidate), e = widened(chunk.expected);
  const bool integral = isIntegral(chunk.dtype);
  const at::Tensor same =
      integral ? chunk.candidate.eq(chunk.expected) : c.eq(e).logical_or_(c.isnan().logical_and_(e.isnan()));
  const at::Tensor difference = c.sub(e).abs(), finite = difference.isfinite(), magnitude = e.abs();

  const at::Tensor no = at::zeros({}, same.options());
  at::Tensor close = no, forgiven = no, byRoom = no;
  if (rule.tolerance && !comparesBits(rule, chunk.dtype)) {
    const at::Tensor scale = rule.relativeToCandidate ? c.abs() : magnitude;
    close = difference.le(scale.mul(rule.bounds.rtol).add_(rule.bounds.atol));
  }
  const at::Tensor none = at::zeros({}, difference.options());
  at::Tensor toOracle = none, used = none;
  if (chunk.oracle.defined()) {
    const at::Tensor o = widened(chunk.oracle);
    toOracle = c.sub(o).abs();
    if (rule.oracle) {
      const at::Tensor size = o.abs(), units = unitInLastPlace(size, chunk.dtype).mul_(2);
      const at::Tensor over = finite.logical_and(same.logical_or(close).logical_not_());
      at::Tensor allowed = units;
      if (!all.reference.rooms().empty()) {
        const at::Tensor rooms = at::tensor(all.reference.rooms(), at::kDouble).to(size.device());
        allowed = units.add(rooms.index_select(0, binsOf(size)));
      }
      forgiven = over.logical_and(toOracle.le(allowed));
      if (chunk.room.defined()) {
        const at::Tensor room = units.add_(chunk.room);
        byRoom = over.logical_and(toOracle.le(room)).logical_and_(forgiven.logical_not());
        used = onlyWhere(byRoom, toOracle.div(room));
        forgiven = forgiven.logical_or(byRoom);
      }
    }
    toOracle = onlyWhere(toOracle.isfinite(), toOracle);
  }
  const at::Tensor bad = same.logical_or(finite.logical_and(close.logical_or(forgiven))).logical_not_();

  const at::Tensor relative = onlyWhere(finite.logical_and(magnitude.ne(0)), difference.div(magnitude));
  const at::Tensor ulp =
      integral ? none : onlyWhere(finite, difference.div(unitInLastPlace(magnitude, chunk.dtype))).amax();
  const at::Tensor row =
      at::stack({onlyWhere(finite, difference).amax(), relative.amax(), ulp, bad.any().to(at::kDouble),
                 forgiven.sum().to(at::kDouble), toOracle.amax(), byRoom.sum().to(at::kDouble), used.amax()})
          .cpu();  // where nothing is wrong, this is the only wait for the device
  const double* values = row.const_data_ptr<double>();
  all.maxAbs = std::max(all.maxAbs, values[0]);
  all.maxRel = std::max(all.maxRel, values[1]);
  all.maxUlp = std::max(all.maxUlp, values[2]);
  if (values[3] != 0) takePlaces(chunk, bad, all.bad);
  all.forgiven += static_cast<std::int64_t>(values[4]);
  all.oracleAbs = std::max(all.oracleAbs, values[5]);
  all.forgivenByRoom += static_cast<std::int64_t>(values[6]);
  all.roomUsed = std::max(all.roomUsed, values[7]);
  takeSample(chunk, difference, all.differences);
}

}  // namespace wb
