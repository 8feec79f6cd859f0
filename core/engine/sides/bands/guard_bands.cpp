// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/guard_bands.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <atomic>
#include <cstring>
#include <mutex>
#include <unordered_map>

namespace wb {
namespace {

/// A band is a page long; so memory keeps the alignment that torch gives it.
constexpr std::size_t bandBytes = 4096;
/// No more pieces of memory than this have bands at a time.
constexpr std::size_t mostGuarded = 4096;

/// The bytes of a band, eight at a time.
std::uint64_t wordOf(std::uint64_t seed, std::size_t place) {
  std::uint64_t word = seed + 0x9e3779b97f4a7c15U * (place + 1);
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
  return word ^ (word >> 31);
}

void fill(std::byte* band, std::uint64_t seed) {
  for (std::size_t at = 0; at < bandBytes; at += sizeof seed) {
    const std::uint64_t word = wordOf(seed, at);
    std::memcpy(band + at, &word, sizeof word);
  }
}

std::size_t changed(const std::byte* band, std::uint64_t seed) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < bandBytes; at += sizeof seed) {
    const std::uint64_t word = wordOf(seed, at);
    if (std::memcmp(band + at, &word, sizeof word) == 0) continue;
    for (std::size_t i = 0; i < sizeof word; ++i)
      count += band[at + i] != reinterpret_cast<const std::byte*>(&word)[i] ? 1 : 0;
  }
  return count;
}

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
    sizes_.clear();
    found_.reset();
  }
  void inForce(bool is) { isInForce_ = is; }

  c10::DataPtr allocate(std::size_t size) override {
    if (!isInForce_ || size == 0) return torchs_.load()->allocate(size);
    const std::lock_guard lock(mutex_);
    if (!isWatching_ || sizes_.size() >= mostGuarded) return torchs_.load()->allocate(size);
    c10::DataPtr whole = torchs_.load()->allocate(size + 2 * bandBytes);
    auto* const data = static_cast<std::byte*>(whole.get()) + bandBytes;
    whole.release_context();
    fill(data - bandBytes, seedOf(data));
    fill(data + size, ~seedOf(data));
    sizes_.emplace(data, size);
    return {data, data, &free, at::Device(at::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &freeEither; }
  void copy_data(void* to, const void* from, std::size_t size) const override {
    default_copy_data(to, from, size);
  }

  std::optional<WrittenBeyond> found() {
    const std::lock_guard lock(mutex_);
    for (const auto& [data, size] : sizes_) lookAt(data, size);
    return found_;
  }

 private:
  /// Frees memory that has bands.
  static void free(void* data);
  /// Frees memory of which nobody says whether it has.
  static void freeEither(void* data);
  [[nodiscard]] std::uint64_t seedOf(const std::byte* data) const {
    return secret_ ^ reinterpret_cast<std::uintptr_t>(data);
  }
  void lookAt(const std::byte* data, std::size_t size) {
    if (found_) return;
    const WrittenBeyond beyond{data, changed(data - bandBytes, seedOf(data)),
                               changed(data + size, ~seedOf(data))};
    if (beyond.inFront + beyond.behind > 0) found_ = beyond;
  }

  std::atomic<c10::Allocator*> torchs_ = nullptr;
  std::atomic<bool> isInForce_ = false;
  /// A copy of the process, whose other threads are gone, may free memory: it does not wait for them.
  std::atomic<bool> isWatching_ = false;
  std::mutex mutex_;
  std::uint64_t secret_ = 0;
  std::unordered_map<const std::byte*, std::size_t> sizes_;
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
    if (const auto at = self.sizes_.find(begin); at != self.sizes_.end()) {
      self.lookAt(begin, at->second);
      self.sizes_.erase(at);
    }
  }
  self.torchs_.load()->raw_deleter()(begin - bandBytes);
}

void Banded::freeEither(void* data) {
  Banded& self = banded();
  const bool isKnown = [&] {
    const std::lock_guard lock(self.mutex_);
    return self.sizes_.contains(static_cast<const std::byte*>(data));
  }();
  isKnown ? free(data) : self.torchs_.load()->raw_deleter()(data);
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

}  // namespace

GuardBands::GuardBands(std::uint64_t secret) {
  banded().begin(c10::GetDefaultCPUAllocator(), secret);
}

GuardBands::~GuardBands() {
  banded().end();
}

GuardBands::InForce::InForce(GuardBands&) {
  if (!freesByAddress(c10::GetCPUAllocator())) return;
  banded().inForce(true);
  put(&banded());
}

GuardBands::InForce::~InForce() {
  if (c10::GetCPUAllocator() == &banded()) put(c10::GetDefaultCPUAllocator());
  banded().inForce(false);
}

std::optional<WrittenBeyond> GuardBands::found() const {
  return banded().found();
}

}  // namespace wb
