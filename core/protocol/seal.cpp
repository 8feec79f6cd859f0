// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/seal.h"

#include <fmt/format.h>

#include <bit>
#include <random>
#include <utility>

namespace wb {
namespace {

/// Eight bytes of `from`, or what there is, the first of them lowest.
std::uint64_t wordAt(const std::uint8_t* from, std::size_t count) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < count; ++i) word |= std::uint64_t{from[i]} << (8 * i);
  return word;
}

struct SipState {
  std::uint64_t v0, v1, v2, v3;
  void round() {
    v0 += v1, v2 += v3;
    v1 = std::rotl(v1, 13) ^ v0, v3 = std::rotl(v3, 16) ^ v2;
    v0 = std::rotl(v0, 32);
    v2 += v1, v0 += v3;
    v1 = std::rotl(v1, 17) ^ v2, v3 = std::rotl(v3, 21) ^ v0;
    v2 = std::rotl(v2, 32);
  }
  void take(std::uint64_t word) {
    v3 ^= word;
    round(), round();
    v0 ^= word;
  }
};

std::uint64_t sealOf(const SealKey& key, const Frame& frame, std::string_view payload, std::uint64_t number) {
  return sipHash(key, fmt::format("{:016x}{:04x}{:08x}{}", number, frame.type, frame.run, payload));
}

}  // namespace

SealKey drawSealKey() {
  std::random_device device;
  SealKey key{};
  for (std::size_t i = 0; i < key.size(); i += 4) {
    const std::uint32_t word = device();
    for (std::size_t byte = 0; byte < 4; ++byte)
      key[i + byte] = static_cast<std::uint8_t>(word >> (8 * byte));
  }
  return key;
}

std::uint64_t sipHash(const SealKey& key, std::string_view bytes) {
  const std::uint64_t k0 = wordAt(key.data(), 8), k1 = wordAt(key.data() + 8, 8);
  SipState state{k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261,
                 k1 ^ 0x7465646279746573};
  const auto* at = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const std::size_t rest = bytes.size() % 8;
  for (const auto* end = at + bytes.size() - rest; at != end; at += 8) state.take(wordAt(at, 8));
  state.take(wordAt(at, rest) | std::uint64_t{bytes.size()} << 56);
  state.v2 ^= 0xff;
  for (int i = 0; i < 4; ++i) state.round();
  return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

Frame FrameSeal::sealed(Frame frame) {
  if (!key_) return frame;
  const std::uint64_t number = ++number_;
  const std::uint64_t seal = sealOf(*key_, frame, frame.payload, number);
  frame.payload += fmt::format("{:016x}{:016x}", number, seal);
  frame.flags |= sealedFlag;
  return frame;
}

std::optional<Frame> FrameSeal::opened(Frame frame) {
  if (!key_) return frame;
  if ((frame.flags & sealedFlag) == 0 || frame.payload.size() < bytes) return std::nullopt;
  const std::string_view payload = std::string_view(frame.payload).substr(0, frame.payload.size() - bytes);
  const std::string_view mark = std::string_view(frame.payload).substr(payload.size());
  const std::uint64_t number = number_ + 1;
  if (mark != fmt::format("{:016x}{:016x}", number, sealOf(*key_, frame, payload, number)))
    return std::nullopt;
  number_ = number;
  frame.payload.resize(payload.size());
  frame.flags &= static_cast<std::uint16_t>(~sealedFlag);
  return frame;
}

}  // namespace wb
