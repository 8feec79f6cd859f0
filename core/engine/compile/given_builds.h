// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/model/builds/builds.h"

namespace wb {

/// What other machines have built for this worker, until its compilers look for it. Any thread may use it.
class GivenBuilds {
 public:
  explicit GivenBuilds(std::size_t mostBytes = std::size_t{256} << 20) : mostBytes_(mostBytes) {}

  /// Keeps a file that `from` has built, if its hash is right. Where there is too much, the oldest goes.
  void add(BuiltFile file, std::string from);
  /// The file of a key; it stays until it is used.
  [[nodiscard]] std::optional<BuiltFile> find(const std::string& key) const;
  /// It is in a cache of this machine now.
  void use(const std::string& key);
  /// Who has built what was used since this was asked last, each once.
  std::vector<std::string> takeBuilders();

 private:
  struct Given {
    BuiltFile file;
    std::string from;
  };
  const std::size_t mostBytes_;
  mutable std::mutex mutex_;
  std::deque<Given> all_;
  std::vector<std::string> builders_;
  std::size_t bytes_ = 0;
};

}  // namespace wb
