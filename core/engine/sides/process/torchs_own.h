// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/engine/sides/process/call_tables.h"

namespace wb {

/// What of torch's libraries a kernel could replace below torch's dispatcher, as it was before user code ran:
/// the tables through which they call others, the table of each operator by which it finds its loop for this
/// processor (at::native::DispatchStub), and the pages of their code and of that of all other libraries,
/// which torch's may call.
class TorchsOwn {
 public:
  TorchsOwn();
  /// Which table is another one now: "ATen's silu_stub", "the calls of libc10.so"; "" where all are as they
  /// were. Takes some tens of microseconds.
  [[nodiscard]] std::string changedTable() const;
  /// The library in whose code there is a page that somebody has written to since then, "libtorch_cpu.so"; ""
  /// without one, and where the system does not tell. Takes some milliseconds.
  [[nodiscard]] std::string changedCode() const;

  struct Library {
    std::string name;
    CodeParts code;
    CallTable calls;
    /// How many pages of its code are this process's own.
    std::size_t ownPages = 0;
  };
  /// What an operator's loops are found by: the place of the one in use, which is empty before the first
  /// call, and those for other devices behind it.
  struct Stub {
    std::string name;
    const std::uintptr_t* places = nullptr;
    std::vector<std::uintptr_t> before;
    /// The loops that there are for this processor, one for each set of instructions.
    Words loops;
  };

 private:
  std::vector<Library> libraries_;
  /// The code of all that was loaded then, in order: an entry that is filled in later leads there.
  CodeParts known_;
  std::map<std::string, Stub, std::less<>> stubs_;
};

}  // namespace wb
