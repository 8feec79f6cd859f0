// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/engine/compile/nvrtc/nvrtc.h"

namespace wb {

/// The name of a request's result in the cache: a hash of everything that goes into it, the compiler's
/// version included.
[[nodiscard]] std::string cubinKey(const NvrtcRequest& request, const std::string& toolchain);

/// A successful compilation that was kept in the user's cache. A damaged entry counts as missing; one that
/// cannot be written is not kept.
[[nodiscard]] std::optional<NvrtcResult> readCubin(const std::string& key);
void writeCubin(const std::string& key, const NvrtcResult& result);

}  // namespace wb
