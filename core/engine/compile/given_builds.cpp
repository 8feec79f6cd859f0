// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/given_builds.h"

#include <algorithm>
#include <utility>

#include "core/engine/compile/build_exchange.h"

namespace wb {
namespace {

std::size_t sizeOf(const BuiltFile& file) {
  return file.content.size() + file.about.size();
}

}  // namespace

void GivenBuilds::add(BuiltFile file, std::string from) {
  if (hashOf(file) != file.hash || sizeOf(file) > mostBytes_) return;
  const std::lock_guard lock(mutex_);
  bytes_ += sizeOf(file);
  all_.push_back({std::move(file), std::move(from)});
  for (; bytes_ > mostBytes_; all_.pop_front()) bytes_ -= sizeOf(all_.front().file);
}

std::optional<BuiltFile> GivenBuilds::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(all_, [&](const Given& each) { return each.file.key == key; });
  return found == all_.end() ? std::nullopt : std::optional(found->file);
}

void GivenBuilds::use(const std::string& key) {
  const std::lock_guard lock(mutex_);
  for (auto at = all_.begin(); at != all_.end();) {
    if (at->file.key != key) {
      ++at;
      continue;
    }
    if (std::ranges::find(builders_, at->from) == builders_.end()) builders_.push_back(at->from);
    bytes_ -= sizeOf(at->file);
    at = all_.erase(at);
  }
}

std::vector<std::string> GivenBuilds::takeBuilders() {
  const std::lock_guard lock(mutex_);
  return std::exchange(builders_, {});
}

}  // namespace wb
