// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/engine/compile/build_exchange.h"
#include "core/engine/compile/nvrtc/nvrtc.h"

namespace wb {

/// The name of a request's result in the cache: a hash of everything that goes into it, the compiler's
/// version included, wherever that and its headers lie.
[[nodiscard]] std::string cubinKey(const NvrtcRequest& request, const std::string& toolchain);

/// A successful compilation that was kept in the user's cache, or that another machine gives. A damaged entry
/// counts as missing; one that cannot be written is not kept.
/// Its messages name the request's files, also where another copy of them was compiled.
[[nodiscard]] std::optional<NvrtcResult> readCubin(const std::string& key, const NvrtcRequest& request,
                                                   const BuildExchange* exchange = nullptr);
void writeCubin(const std::string& key, const NvrtcRequest& request, const NvrtcResult& result,
                const BuildExchange* exchange = nullptr);

}  // namespace wb
