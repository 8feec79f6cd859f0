// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/process/launch_places.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <string_view>

#include "core/engine/sides/operator_watch.h"

namespace wb {
namespace {

/// Who launches more kernels than this is known by the first ones.
constexpr std::size_t mostLaunches = 256;
std::array<LaunchPlace, mostLaunches> launches;
std::atomic<std::size_t> count{0};

void keep(void* place) {
  const std::size_t number = count.fetch_add(1, std::memory_order_relaxed);
  if (number < launches.size())
    launches[number] = {reinterpret_cast<std::uintptr_t>(__builtin_extract_return_addr(place)),
                        !isInOperator()};
}

/// The runtime's dim3.
struct Size {
  unsigned x, y, z;
};
/// The runtime's functions that launch a kernel, as the compiler calls them.
using Launch = int(const void* kernel, Size grid, Size block, void** arguments, std::size_t shared,
                   void* stream);
using LaunchWith = int(const void* configuration, const void* kernel, void** arguments);
struct Runtime {
  Launch *launch = nullptr, *launchFromCode = nullptr;
  LaunchWith* launchWith = nullptr;
};
Runtime runtime;

int launch(const void* kernel, Size grid, Size block, void** arguments, std::size_t shared, void* stream) {
  keep(__builtin_return_address(0));
  return runtime.launch(kernel, grid, block, arguments, shared, stream);
}

int launchFromCode(const void* kernel, Size grid, Size block, void** arguments, std::size_t shared,
                   void* stream) {
  keep(__builtin_return_address(0));
  return runtime.launchFromCode(kernel, grid, block, arguments, shared, stream);
}

int launchWith(const void* configuration, const void* kernel, void** arguments) {
  keep(__builtin_return_address(0));
  return runtime.launchWith(configuration, kernel, arguments);
}

template <class Function>
Function* find(void* library, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(library, name));
}

/// The functions of the runtime that torch is linked to, which need not be visible to everybody.
Runtime findRuntime() {
  std::string path;
  ::dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* found) {
        if (!libraryName(*library).starts_with("libcudart.so")) return 0;
        *static_cast<std::string*>(found) = library->dlpi_name;
        return 1;
      },
      &path);
  void* const library = path.empty() ? nullptr : ::dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return {};
  return {find<Launch>(library, "cudaLaunchKernel"), find<Launch>(library, "__cudaLaunchKernel"),
          find<LaunchWith>(library, "cudaLaunchKernelExC")};
}

/// What leads to the runtime leads to ours; 0 for what leads elsewhere.
std::uintptr_t oursFor(std::uintptr_t entry) {
  const auto address = [](auto* function) { return reinterpret_cast<std::uintptr_t>(function); };
  if (entry == 0) return 0;
  if (entry == address(runtime.launch)) return address(launch);
  if (entry == address(runtime.launchFromCode)) return address(launchFromCode);
  return entry == address(runtime.launchWith) ? address(launchWith) : 0;
}

/// False where the page of an entry cannot be written to.
bool write(const std::uintptr_t* entry, std::uintptr_t value) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(entry) / page * page;
  if (::mprotect(reinterpret_cast<void*>(begin), page, PROT_READ | PROT_WRITE) != 0) return false;
  std::atomic_ref(*const_cast<std::uintptr_t*>(entry)).store(value);
  return true;
}

}  // namespace

LaunchPlaces::LaunchPlaces() {
  count = 0;
  runtime = findRuntime();
  ::dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* found) {
        if (!libraryName(*library).starts_with("libtorch_cuda")) return 0;
        for (const auto& entry : callTableOf(*library).filled)
          if (oursFor(entry.second) != 0) static_cast<Words*>(found)->push_back(entry);
        return 0;
      },
      &entries_);
  for (const auto& [entry, before] : entries_) (void)write(entry, oursFor(before));
}

LaunchPlaces::~LaunchPlaces() {
  for (const auto& [entry, before] : entries_) (void)write(entry, before);
}

std::vector<LaunchPlace> LaunchPlaces::taken() const {
  std::vector<LaunchPlace> places;
  for (std::size_t i = 0; i < std::min(count.load(), launches.size()); ++i) {
    const auto known = std::find_if(places.begin(), places.end(),
                                    [&](const LaunchPlace& each) { return each.at == launches[i].at; });
    if (known == places.end())
      places.push_back(launches[i]);
    else
      known->isHidden = known->isHidden || launches[i].isHidden;
  }
  return places;
}

}  // namespace wb
