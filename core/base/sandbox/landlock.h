// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace wb {

/// The version of Landlock's interface that this kernel has; 0 when it has none, with errno as the reason.
[[nodiscard]] int landlockVersion();

/// A set of files that stay reachable. What is not added is refused to the process that enters it, and to all
/// that it starts; TCP, abstract sockets and signals to processes outside are refused with it as far as the
/// kernel's version knows them.
class Landlock {
 public:
  enum class Use {
    read,    ///< read, list and run
    open,    ///< read and run what is known by its name; folders are not listed
    write,   ///< all of it: read, make, change and remove
    control  ///< of device files: read, write, ioctl
  };

  static Result<Landlock> make(int version);
  Landlock(Landlock&& other) noexcept;
  Landlock(const Landlock&) = delete;
  Landlock& operator=(const Landlock&) = delete;
  Landlock& operator=(Landlock&&) = delete;
  ~Landlock();

  /// Adds a file, or a folder with all that is below it. Error: it does not exist or cannot be added.
  Result<void> add(const std::string& path, Use use);
  /// Holds from now on for this thread. no_new_privs must be set.
  Result<void> enter() const;

 private:
  Landlock(int rules, std::uint64_t handled) : rules_(rules), handled_(handled) {}
  int rules_ = -1;
  /// The rights that are refused unless they are given.
  std::uint64_t handled_ = 0;
};

}  // namespace wb
