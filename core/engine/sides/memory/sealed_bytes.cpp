// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/memory/sealed_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <utility>

namespace wb {
namespace {

// It is newer than the C library's header; its number is the same on all machines.
constexpr long callToSeal = 462;

/// The bytes in a file of memory to which nobody can write; nullptr where there is no such file.
void* sealedFile(std::string_view bytes) {
  const int file = ::memfd_create("warpbench-sealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return nullptr;
  const auto size = static_cast<ssize_t>(bytes.size());
  const bool isSealed =
      ::write(file, bytes.data(), bytes.size()) == size &&
      ::fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
  void* const data =
      isSealed ? ::mmap(nullptr, bytes.size(), PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0) : MAP_FAILED;
  ::close(file);
  return data == MAP_FAILED ? nullptr : data;
}

void* protectedPages(std::string_view bytes) {
  void* const data =
      ::mmap(nullptr, bytes.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return nullptr;
  std::memcpy(data, bytes.data(), bytes.size());
  ::mprotect(data, bytes.size(), PROT_READ);
  return data;
}

}  // namespace

SealedBytes::SealedBytes(std::string_view bytes, bool forGood) {
  if (bytes.empty()) return;
  void* data = sealedFile(bytes);
  if (data == nullptr) data = protectedPages(bytes);
  if (data == nullptr) return;
  data_ = static_cast<const char*>(data);
  size_ = bytes.size();
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t whole = (size_ + page - 1) / page * page;
  isFree_ = !forGood || ::syscall(callToSeal, data, whole, 0) != 0;
}

SealedBytes::SealedBytes(SealedBytes&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      isFree_(other.isFree_) {}

SealedBytes::~SealedBytes() {
  if (data_ != nullptr && isFree_) ::munmap(const_cast<char*>(data_), size_);
}

}  // namespace wb
