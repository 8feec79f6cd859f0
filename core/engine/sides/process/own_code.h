// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/engine/sides/process/call_tables.h"

namespace wb {

/// The code in this process by which calls are timed and judged, as it was before user code ran: Warpbench's
/// own, the C library's and what the system maps for clocks, and the tables through which they call each
/// other.
class OwnCode {
 public:
  OwnCode();
  /// The library whose code or table is another one now, "libstdc++.so.6"; "" where all is as it was. Takes a
  /// millisecond.
  [[nodiscard]] std::string changed() const;

  struct Library {
    std::string name;
    /// Where its code lies, and a number that depends on all of it.
    CodeParts code;
    std::uint64_t hash = 0;
    /// The entries of its tables that are filled in.
    Words calls;
  };

 private:
  std::vector<Library> libraries_;
};

}  // namespace wb
