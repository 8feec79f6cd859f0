// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/service/mcp/tools/tool.h"

namespace wb {

/// Serves one client over two descriptors, a JSON message on each line, until its input ends, its output is
/// closed or `ending` (−1 for none) can be read; then its calls are cancelled. Blank lines are passed over; a
/// line that is too long is answered with an error.
void serveMcpLines(const McpHost& host, const std::string& client, int in, int out, int ending = -1);

}  // namespace wb
