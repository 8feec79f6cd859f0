// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace wb {

/// Registers the built-in files, so that `:/icons/NAME.svg`, `:/fonts/FILE`, `:/templates/FILE` and
/// `:/samples/FILE` open. Call it once before the first use: a static library's resources are otherwise
/// dropped by the linker.
void initResources();

}  // namespace wb
