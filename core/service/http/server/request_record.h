// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace wb {

/// What is written down of a request when it is over.
struct RequestRecord {
  /// The client's name and address; the name is "" where it was refused before it had one.
  std::string client, address;
  std::string method, path;
  int status = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;
  /// The run that it is about; "" if none.
  std::string run;
};

}  // namespace wb
