// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/real.h>

#include <algorithm>
#include <limits>

#include "core/engine/check/compare/outputs.h"
#include "core/engine/check/peer.h"

namespace wb {
namespace {

constexpr std::int64_t worthStayingOnDevice = 1 << 16;
constexpr double epsilon = 1e-10;

/// Python's `.float()`, which takes the real part of complex numbers. Few elements are copied to the host,
/// where the same arithmetic needs no launches.
at::Tensor single(const at::Tensor& tensor) {
  const at::Tensor near = tensor.numel() <= worthStayingOnDevice ? tensor.cpu() : tensor;
  return (near.is_complex() ? at::real(near) : near).to(at::kFloat);
}

PeerErrors ofTensors(const at::Tensor& candidate, const at::Tensor& expected) {
  if (expected.sizes() != candidate.sizes()) return {};
  if (expected.is_sparse() && candidate.is_sparse()) return {};
  if (expected.device() != candidate.device())
    throw std::runtime_error(
        "Expected all tensors to be on the same device, but found at least two devices, " +
        expected.device().str() + " and " + candidate.device().str() + "!");
  if (expected.numel() == 0 && candidate.numel() == 0) return {0.0, 0.0};
  const at::Tensor e = single(expected), c = single(candidate);
  const at::Tensor difference = e.sub(c).abs();
  return {static_cast<double>(difference.max().item<float>()),
          static_cast<double>(difference.div(e.abs().add(epsilon)).max().item<float>())};
}

PeerErrors ofValues(const c10::IValue& candidate, const c10::IValue& expected);

bool anyTensor(const std::vector<c10::IValue>& items) {
  return std::any_of(items.begin(), items.end(), [](const c10::IValue& item) { return item.isTensor(); });
}

/// Python's max(largest, next) keeps the first where the second is NaN. So a NaN is dropped here, although a
/// single tensor gives it.
PeerErrors ofItems(const std::vector<c10::IValue>& candidate, const std::vector<c10::IValue>& expected) {
  if (candidate.size() != expected.size() || !anyTensor(candidate) || !anyTensor(expected)) return {};
  constexpr double none = -std::numeric_limits<double>::infinity();
  double maxAbs = none, maxRel = none;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const PeerErrors errors = ofValues(candidate[i], expected[i]);
    if (!errors.maxAbs || !errors.maxRel) continue;
    if (*errors.maxAbs > maxAbs) maxAbs = *errors.maxAbs;
    if (*errors.maxRel > maxRel) maxRel = *errors.maxRel;
  }
  if (maxAbs == none) return {};
  return {maxAbs, maxRel};
}

PeerErrors ofValues(const c10::IValue& candidate, const c10::IValue& expected) {
  const auto tensor = [](const c10::IValue& value) { return value.isTensor() && value.toTensor().defined(); };
  if (tensor(candidate) && tensor(expected)) return ofTensors(candidate.toTensor(), expected.toTensor());
  if (isSequence(candidate) && isSequence(expected)) return ofItems(itemsOf(candidate), itemsOf(expected));
  return {};
}

}  // namespace

PeerErrors peerErrors(const Stack& candidate, const Stack& expected) {
  return ofValues(pythonValue(candidate), pythonValue(expected));
}

}  // namespace wb
