// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/model/event.h"

namespace wb {

/// A binary of a GPU.
struct DeviceCode {
  std::string cubin;
  /// The dtype of scalar_t that it was compiled for; may be "".
  std::string dtype{};
};

/// What compilers made of a source. It is handed on as a whole to whoever tells of it or reads the binaries.
struct BuiltCode {
  /// The compilers: "clang++ 14.0.6, NVRTC 13.0".
  std::string toolchain;
  /// Nothing had to be compiled.
  bool cached = false;
  std::vector<Artifact> artifacts;
  /// The device code, for the listing.
  std::vector<DeviceCode> cubins{};
  /// The host's code, for the listing: shared objects.
  std::vector<std::filesystem::path> objects{};
};

/// Adds the host's part: the shared object that holds the function or module of this name.
void addHostObject(BuiltCode& code, const std::string& name, const std::filesystem::path& object);

/// Adds what was built beside it. `cached` stays as it is.
void add(BuiltCode& code, const BuiltCode& more);

}  // namespace wb
