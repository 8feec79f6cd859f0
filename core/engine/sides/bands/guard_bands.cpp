// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/bands/guard_bands.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>

#include <atomic>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/engine/sides/bands/cuda_allocator.h"
#include "core/engine/sides/code/torchs_code.h"

namespace wb {
namespace {

/// Gives memory between bands while it is in force, and torch's own otherwise: whoever took it for torch's
/// allocator may go on with it.
class Banded final : public c10::Allocator {
 public:
  void begin(c10::Allocator* torchs, std::uint64_t secret) {
    const std::lock_guard lock(mutex_);
    torchs_ = torchs;
    secret_ = secret;
    isWatching_ = true;
  }
  void end() {
    const std::lock_guard lock(mutex_);
    isWatching_ = false;
    pieces_.clear();
    others_.clear();
    found_.reset();
  }
  void inForce(bool is) { isInForce_ = is; }
  [[nodiscard]] bool isInForce() const { return isInForce_; }

  void guard(const GuardedPiece& piece, std::shared_ptr<const void> keeps) {
    const std::lock_guard lock(mutex_);
    writeBands(piece, secret_);
    others_.emplace_back(piece, std::move(keeps));
  }

  c10::DataPtr allocate(std::size_t size) override {
    const auto caller = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    if (!isInForce_ || size == 0) return torchs_.load()->allocate(size);
    const std::lock_guard lock(mutex_);
    // Who frees by its address what it asked for (raw_allocate) may do so when torch's own allocator is in
    // its place again: that memory is as torch gives it. Others than torch may be such ones, and of torch's
    // own code those places are that were seen to.
    if (!isWatching_ || pieces_.size() >= mostGuarded || !code_.has(caller) ||
        freeByAddress_.contains(caller))
      return torchs_.load()->allocate(size);
    c10::DataPtr whole = torchs_.load()->allocate(size + 2 * bandBytes);
    auto* const data = static_cast<std::byte*>(whole.get()) + bandBytes;
    whole.release_context();
    writeBands({data, size}, secret_);
    pieces_.emplace(data, Piece{size, caller});
    return {data, data, &free, at::Device(at::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &freeByAddress; }
  void copy_data(void* to, const void* from, std::size_t size) const override {
    default_copy_data(to, from, size);
  }

  std::optional<WrittenBeyond> found() {
    const std::lock_guard lock(mutex_);
    for (const auto& [data, piece] : pieces_) lookAt({data, piece.size});
    for (const auto& [piece, keeps] : others_) lookAt(piece);
    return found_;
  }

 private:
  struct Piece {
    std::size_t size = 0;
    /// Where in torch's code it was asked for.
    std::uintptr_t caller = 0;
  };
  /// Frees memory that has bands.
  static void free(void* data);
  /// Frees memory that may have bands or none.
  static void freeByAddress(void* data);
  void lookAt(const GuardedPiece& piece) {
    if (found_) return;
    if (const WrittenBeyond beyond = changedBands(piece, secret_)) found_ = beyond;
  }

  std::atomic<c10::Allocator*> torchs_ = nullptr;
  std::atomic<bool> isInForce_ = false;
  /// A copy of the process, whose other threads are gone, may free memory: it does not wait for them.
  std::atomic<bool> isWatching_ = false;
  std::mutex mutex_;
  std::uint64_t secret_ = 0;
  const TorchsCode code_;
  std::unordered_map<std::byte*, Piece> pieces_;
  /// The places in torch's code that free by its address what they ask for.
  std::unordered_set<std::uintptr_t> freeByAddress_;
  /// Memory of others, and what keeps it.
  std::vector<std::pair<GuardedPiece, std::shared_ptr<const void>>> others_;
  std::optional<WrittenBeyond> found_;
};

/// Tensors may outlive all else.
Banded& banded() {
  static auto* const allocator = new Banded;
  return *allocator;
}

void Banded::free(void* data) {
  Banded& self = banded();
  auto* const begin = static_cast<std::byte*>(data);
  if (self.isWatching_) {
    const std::lock_guard lock(self.mutex_);
    if (const auto at = self.pieces_.find(begin); at != self.pieces_.end()) {
      self.lookAt({begin, at->second.size});
      self.pieces_.erase(at);
    }
  }
  self.torchs_.load()->raw_deleter()(begin - bandBytes);
}

void Banded::freeByAddress(void* data) {
  Banded& self = banded();
  bool hasBands = false;
  if (self.isWatching_) {
    const std::lock_guard lock(self.mutex_);
    const auto at = self.pieces_.find(static_cast<std::byte*>(data));
    hasBands = at != self.pieces_.end();
    if (hasBands) self.freeByAddress_.insert(at->second.caller);
  }
  hasBands ? free(data) : self.torchs_.load()->raw_deleter()(data);
}

/// Torch takes an allocator only from who has the priority of the one before, or a higher one, and keeps the
/// highest: a kernel may set its own with any.
void put(c10::Allocator* allocator) {
  c10::SetCPUAllocator(allocator, 0);
  if (c10::GetCPUAllocator() != allocator) c10::SetCPUAllocator(allocator, 255);
}

/// Whether memory that the allocator gives can be freed by its address alone.
bool freesByAddress(c10::Allocator* allocator) {
  return allocator == c10::GetDefaultCPUAllocator() && allocator->raw_deleter() != nullptr;
}

/// Lets oneDNN take and free memory once, so that its place in torch's code is known: a kernel may keep what
/// it has packed for oneDNN for as long as it likes.
void seeOneDnn() {
  if (!at::globalContext().hasMKLDNN()) return;
  banded().begin(c10::GetDefaultCPUAllocator(), 0);
  banded().inForce(true);
  put(&banded());
  try {
    (void)at::ones({1}, at::kFloat).to_mkldnn();
  } catch (const c10::Error&) {
    // This torch has none that works here.
  }
  put(c10::GetDefaultCPUAllocator());
  banded().inForce(false);
  banded().end();
}

}  // namespace

GuardBands::GuardBands(std::uint64_t secret) {
  static const bool hasSeen = [] {
    if (freesByAddress(c10::GetCPUAllocator())) seeOneDnn();
    return true;
  }();
  (void)hasSeen;
  banded().begin(c10::GetDefaultCPUAllocator(), secret);
  cudaBands::begin(secret);
}

GuardBands::~GuardBands() {
  cudaBands::end();
  banded().end();
}

GuardBands::InForce::InForce(GuardBands&) {
  cudaBands::inForce(true);
  if (!freesByAddress(c10::GetCPUAllocator())) return;
  banded().inForce(true);
  put(&banded());
}

GuardBands::InForce::~InForce() {
  if (c10::GetCPUAllocator() == &banded()) put(c10::GetDefaultCPUAllocator());
  banded().inForce(false);
  cudaBands::inForce(false);
}

bool GuardBands::areInForce() {
  return banded().isInForce();
}

void GuardBands::guard(const GuardedPiece& piece, c10::Device device, std::shared_ptr<const void> keeps) {
  if (device.is_cpu())
    banded().guard(piece, std::move(keeps));
  else
    cudaBands::guard(piece, std::move(keeps));
}

std::optional<WrittenBeyond> GuardBands::found() const {
  const std::optional<WrittenBeyond> onHost = banded().found();
  return onHost ? onHost : cudaBands::found();
}

}  // namespace wb
