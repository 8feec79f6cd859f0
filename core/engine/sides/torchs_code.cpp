// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/torchs_code.h"

#include <link.h>

#include <algorithm>
#include <string_view>

namespace wb {
namespace {

using Parts = std::vector<std::pair<std::uintptr_t, std::uintptr_t>>;

int add(dl_phdr_info* info, std::size_t, void* into) {
  const std::string_view path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  if (!path.substr(path.rfind('/') + 1).starts_with("libtorch")) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0)
      static_cast<Parts*>(into)->emplace_back(begin, begin + part.p_memsz);
  }
  return 0;
}

}  // namespace

TorchsCode::TorchsCode() {
  ::dl_iterate_phdr(add, &parts_);
}

bool TorchsCode::has(std::uintptr_t at) const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [at](const auto& part) { return at >= part.first && at < part.second; });
}

}  // namespace wb
