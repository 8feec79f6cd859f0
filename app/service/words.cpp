// SPDX-License-Identifier: Apache-2.0
#include "app/service/word.h"

namespace wb {

std::vector<ServiceWord> serviceWords() {
  return {serveWord(), mcpWord()};
}

}  // namespace wb
