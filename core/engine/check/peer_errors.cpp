// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/real.h>

#include "core/engine/check/outputs.h"
#include "core/engine/check/peer.h"

namespace wb {
namespace {

constexpr std::int64_t worthStayingOnDevice = 1 << 16;
constexpr double epsilon = 1e-10;

/// Python's `.float()`: of complex numbers the real part. Few elements come to the host, where the same
/// arithmetic costs no launches.
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

/// Python's max() of what there is: a later NaN is never larger.
void takeLarger(std::optional<double>& largest, const std::optional<double>& next) {
  if (next && (!largest || *next > *largest)) largest = next;
}

PeerErrors ofValues(const c10::IValue& candidate, const c10::IValue& expected);

PeerErrors ofItems(const std::vector<c10::IValue>& candidate, const std::vector<c10::IValue>& expected) {
  if (candidate.size() != expected.size()) return {};
  PeerErrors largest;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const PeerErrors errors = ofValues(candidate[i], expected[i]);
    takeLarger(largest.maxAbs, errors.maxAbs);
    takeLarger(largest.maxRel, errors.maxRel);
  }
  return largest;
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
