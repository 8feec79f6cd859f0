// SPDX-License-Identifier: Apache-2.0
#include "core/service/http/text/json_depth.h"

namespace wb {

bool isDeeperThan(std::string_view json, std::size_t most) {
  std::size_t depth = 0;
  bool inText = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (inText) {
      if (c == '\\') ++at;
      if (c == '"') inText = false;
    } else if (c == '"') {
      inText = true;
    } else if (c == '[' || c == '{') {
      if (++depth > most) return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

}  // namespace wb
