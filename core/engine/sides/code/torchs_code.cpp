// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/code/torchs_code.h"

#include <link.h>

#include <algorithm>
#include <string_view>

namespace wb {
namespace {

using Part = std::pair<std::uintptr_t, std::uintptr_t>;

bool isIn(const std::vector<Part>& parts, std::uintptr_t at) {
  return std::any_of(parts.begin(), parts.end(),
                     [at](const Part& part) { return at >= part.first && at < part.second; });
}

struct Found {
  std::vector<Part> torchs, openMps, others;
  unsigned long long changes = 0;
};

/// How often libraries have come and gone so far.
unsigned long long changesIn(const dl_phdr_info& info) {
  return info.dlpi_adds + info.dlpi_subs;
}

int add(dl_phdr_info* info, std::size_t, void* into) {
  auto& found = *static_cast<Found*>(into);
  found.changes = changesIn(*info);
  const std::string_view path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const auto isCalled = [name](std::string_view begin) { return name.starts_with(begin); };
  std::vector<Part>& parts = isCalled("libtorch") ? found.torchs
                             : isCalled("libgomp") || isCalled("libomp") || isCalled("libiomp")
                                 ? found.openMps
                                 : found.others;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0) parts.emplace_back(begin, begin + part.p_memsz);
  }
  return 0;
}

}  // namespace

TorchsCode::TorchsCode() {
  Found found;
  ::dl_iterate_phdr(add, &found);
  torchs_ = std::move(found.torchs);
  openMps_ = std::move(found.openMps);
  others_ = std::move(found.others);
  changes_ = found.changes;
}

bool TorchsCode::isOutdated() const {
  unsigned long long changes = 0;
  const auto first = [](dl_phdr_info* info, std::size_t, void* into) {
    *static_cast<unsigned long long*>(into) = changesIn(*info);
    return 1;
  };
  ::dl_iterate_phdr(first, &changes);
  return changes != changes_;
}

bool TorchsCode::has(std::uintptr_t at) const {
  return isIn(torchs_, at);
}

bool TorchsCode::waits(std::uintptr_t at) const {
  return isIn(openMps_, at);
}

bool TorchsCode::isOfNoLibrary(std::uintptr_t at) const {
  return !isIn(torchs_, at) && !isIn(openMps_, at) && !isIn(others_, at);
}

}  // namespace wb
