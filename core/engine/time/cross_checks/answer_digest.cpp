// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/cross_checks/answer_digest.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/sum.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

#include "core/engine/reference/operator.h"

namespace wb {
namespace {

constexpr std::size_t lanes = 4, word = sizeof(std::uint64_t);
/// An odd number without a pattern.
constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;
constexpr int turn = 29;

std::uint64_t mixed(std::uint64_t sum, std::uint64_t next) {
  return (std::rotl(sum, turn) ^ next) * factor;
}

/// Several sums at once, since each step of one waits for the step before.
std::uint64_t hashOf(const std::byte* bytes, std::size_t count) {
  std::array<std::uint64_t, lanes> sums{1, 2, 3, count};
  std::size_t at = 0;
  for (; at + lanes * word <= count; at += lanes * word)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      std::uint64_t next = 0;
      std::memcpy(&next, bytes + at + lane * word, word);
      sums[lane] = mixed(sums[lane], next);
    }
  for (; at < count; ++at) sums[0] = mixed(sums[0], static_cast<std::uint64_t>(bytes[at]));
  return mixed(mixed(sums[0], sums[1]), mixed(sums[2], sums[3]));
}

/// All bytes of a tensor's memory, the last few of which may not fill a whole number.
void addOnDevice(const at::Tensor& tensor, std::vector<at::Tensor>& sums) {
  const auto count = static_cast<std::int64_t>(tensor.storage().nbytes());
  const at::Tensor bytes =
      at::empty({0}, tensor.options().dtype(at::kByte)).set_(tensor.storage(), 0, {count}, {1});
  const std::int64_t whole = count / static_cast<std::int64_t>(word) * static_cast<std::int64_t>(word);
  sums.push_back(bytes.narrow(0, 0, whole).view(at::kLong).sum());
  if (whole < count) sums.push_back(bytes.narrow(0, whole, count - whole).sum());
}

}  // namespace

AnswerDigest digestOf(const std::vector<c10::IValue>& values) {
  AnswerDigest digest;
  for (const at::Tensor& each : planFrom(values).examples) {
    if (!each.defined() || !each.has_storage() || each.storage().nbytes() == 0) continue;
    if (each.device().is_cpu())
      digest.ofHost = mixed(digest.ofHost, hashOf(static_cast<const std::byte*>(each.storage().data()),
                                                  each.storage().nbytes()));
    else
      addOnDevice(each, digest.ofDevice);
  }
  return digest;
}

bool areSame(const AnswerDigest& before, const AnswerDigest& now) {
  if (before.ofHost != now.ofHost || before.ofDevice.size() != now.ofDevice.size()) return false;
  for (std::size_t i = 0; i < now.ofDevice.size(); ++i)
    if (!at::equal(before.ofDevice[i], now.ofDevice[i])) return false;
  return true;
}

}  // namespace wb
