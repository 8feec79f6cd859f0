// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/bands/device_bands.h"

#include <c10/util/Exception.h>

#include <utility>

namespace wb {

void DeviceBands::begin(std::uint64_t secret) {
  const std::lock_guard lock(mutex_);
  secret_ = secret;
  isWatching_ = true;
}

void DeviceBands::end() {
  {
    const std::lock_guard lock(mutex_);
    isWatching_ = false;
    pieces_.clear();
    others_.clear();
    found_.reset();
  }
  giveBack(/*look=*/false);
}

c10::DataPtr DeviceBands::allocate(c10::Allocator& torchs, std::size_t size) {
  const bool isFull = [&] {
    const std::lock_guard lock(mutex_);
    return !isWatching_ || pieces_.size() + kept_.size() >= mostGuarded;
  }();
  if (isFull || size == 0) return torchs.allocate(size);
  auto piece = std::make_unique<Piece>(Piece{this, {}, {}});
  try {
    piece->whole = torchs.allocate(size + 2 * bandBytes);
  } catch (const c10::OutOfMemoryError&) {
    giveBack(/*look=*/true);
    return torchs.allocate(size);
  }
  piece->memory = {static_cast<std::byte*>(piece->whole.get()) + bandBytes, size};
  if (!writeBands(piece->memory, secret_, access_.write)) {
    piece.reset();
    return torchs.allocate(size);
  }
  const at::Device device = piece->whole.device();
  void* const data = piece->memory.data;
  {
    const std::lock_guard lock(mutex_);
    if (isWatching_) pieces_.insert_or_assign(data, piece.get());
  }
  return {data, piece.release(), &free, device};
}

void DeviceBands::free(void* piece) {
  std::unique_ptr<Piece> owned(static_cast<Piece*>(piece));
  DeviceBands& bands = *owned->bands;
  bands.freed(std::move(owned));
}

void DeviceBands::freed(std::unique_ptr<Piece> piece) {
  {
    const std::lock_guard lock(mutex_);
    const auto known = pieces_.find(piece->memory.data);
    // What was given during an earlier watch goes its way.
    if (known == pieces_.end() || known->second != piece.get()) return;
    pieces_.erase(known);
    keptBytes_ += piece->memory.size;
    kept_.push_back(std::move(piece));
    if (keptBytes_ <= mostKept_) return;
  }
  giveBack(/*look=*/true);
}

void DeviceBands::guard(const GuardedPiece& memory, std::shared_ptr<const void> keeps) {
  const std::lock_guard lock(mutex_);
  if (isWatching_ && writeBands(memory, secret_, access_.write))
    others_.emplace_back(memory, std::move(keeps));
}

std::optional<WrittenBeyond> DeviceBands::found() {
  const std::lock_guard lock(mutex_);
  for (const auto& [memory, keeps] : others_) lookAt(memory);
  for (const auto& [data, piece] : pieces_) lookAt(piece->memory);
  for (const auto& piece : kept_) lookAt(piece->memory);
  return found_;
}

void DeviceBands::lookAt(const GuardedPiece& memory) {
  if (found_) return;
  if (const WrittenBeyond beyond = changedBands(memory, secret_, access_.read)) found_ = beyond;
}

void DeviceBands::giveBack(bool look) {
  std::vector<std::unique_ptr<Piece>> pieces;
  {
    const std::lock_guard lock(mutex_);
    pieces.swap(kept_);
    keptBytes_ = 0;
  }
  if (look && !pieces.empty() && access_.wait()) {
    const std::lock_guard lock(mutex_);
    for (const auto& piece : pieces) lookAt(piece->memory);
  }
}

const c10::DataPtr& DeviceBands::given(const c10::DataPtr& memory) {
  if (memory.get_deleter() != &free) return memory;
  return static_cast<const Piece*>(memory.get_context())->whole;
}

std::size_t DeviceBands::before(const void* data) {
  const std::lock_guard lock(mutex_);
  return pieces_.contains(data) ? bandBytes : 0;
}

}  // namespace wb
