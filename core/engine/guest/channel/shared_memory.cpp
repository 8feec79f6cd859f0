// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/channel/shared_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace wb {
namespace {

Error noMemory(const char* what, std::size_t size) {
  return Error{Stage::setup, fmt::format("{} bytes of memory to share: {}: {}", size, what,
                                         std::generic_category().message(errno))};
}

Result<std::byte*> mapped(int descriptor, std::size_t size) {
  // Filled at once, since the first touch of a page would count as a call's time.
  void* const data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0);
  if (data == MAP_FAILED) return noMemory("mmap", size);
  return static_cast<std::byte*>(data);
}

/// A file without a name in the folder for temporary files, which walls bound; they leave no files of memory.
int fileWithoutName() {
  const char* const folder = ::getenv("TMPDIR");
  std::string path = std::string(folder != nullptr && *folder != 0 ? folder : "/tmp") + "/warpbench-XXXXXX";
  const int descriptor = ::mkostemp(path.data(), O_CLOEXEC);
  if (descriptor >= 0) ::unlink(path.c_str());
  return descriptor;
}

/// Nobody can make it longer or shorter; of other files nobody promises that.
bool isSized(int descriptor, std::size_t size, bool isSealable) {
  return ::ftruncate(descriptor, static_cast<off_t>(size)) == 0 &&
         (!isSealable || ::fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0);
}

std::uint32_t nextNumber() {
  static std::atomic<std::uint32_t> last{0};
  return ++last;
}

}  // namespace

SharedMemory::SharedMemory(std::byte* data, std::size_t size, int descriptor)
    : data_(data), size_(size), descriptor_(descriptor), number_(nextNumber()) {}

SharedMemory::~SharedMemory() {
  if (unmap_)
    unmap_();
  else
    ::munmap(data_, size_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<std::shared_ptr<SharedMemory>> SharedMemory::make(std::size_t size) {
  int descriptor = ::memfd_create("warpbench", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  const bool isSealable = descriptor >= 0;
  if (!isSealable && errno == EPERM) descriptor = fileWithoutName();
  if (descriptor < 0) return noMemory("memfd_create", size);
  Result<std::byte*> data =
      isSized(descriptor, size, isSealable) ? mapped(descriptor, size) : noMemory("ftruncate", size);
  if (!data) {
    ::close(descriptor);
    return std::move(data).error();
  }
  return std::shared_ptr<SharedMemory>(new SharedMemory(*data, size, descriptor));
}

std::shared_ptr<SharedMemory> SharedMemory::onDevice(std::byte* data, std::size_t size, int descriptor,
                                                     std::function<void()> unmap) {
  std::shared_ptr<SharedMemory> memory(new SharedMemory(data, size, descriptor));
  memory->unmap_ = std::move(unmap);
  return memory;
}

Result<std::shared_ptr<SharedMemory>> SharedMemory::map(int descriptor, std::size_t size) {
  Result<std::byte*> data = mapped(descriptor, size);
  ::close(descriptor);
  if (!data) return std::move(data).error();
  return std::shared_ptr<SharedMemory>(new SharedMemory(*data, size, -1));
}

}  // namespace wb
