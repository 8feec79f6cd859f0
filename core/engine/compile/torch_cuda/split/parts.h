// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/compile/text/mapped_text.h"
#include "core/engine/compile/torch_cuda/split/device_only.h"
#include "core/engine/compile/torch_cuda/split/host_only.h"
#include "core/engine/compile/torch_cuda/split/host_variables.h"
#include "core/engine/compile/torch_cuda/split/items.h"

namespace wb {

/// A file as the splitter read it.
struct ReadSource {
  std::string_view text;
  std::vector<Lexeme> lexemes;
  std::vector<Item> items;
  /// For each `#include "utils.cuh"` of the user's own files, the index of its lexeme and the name of the
  /// file in the parts.
  std::map<std::size_t, std::string> ownIncludes;
};

/// Writes the host's part (splitSource()) without what is the device's alone, and adds the kernels that it
/// can launch to `kernels`. Returns why it cannot be made, "" when it can.
std::string writeHostPart(const ReadSource& source, const DeviceOnlyItems& deviceOnly, MappedText& out,
                          std::vector<std::string>& kernels);

/// Writes the device's part. What is dropped is added to `hostOnly`. Returns why it cannot be made, "" when
/// it can.
std::string writeDevicePart(const ReadSource& source, const DeviceOnlyItems& deviceOnly,
                            const HostVariables& variables, HostOnlyNames& hostOnly, MappedText& out);

}  // namespace wb
