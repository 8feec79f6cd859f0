// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/suite_progress.h"

#include <unistd.h>

#include <cstdio>

#include "app/cli/output/output.h"
#include "core/figures/text/text_width.h"

namespace wb {

SuiteProgressLine::SuiteProgressLine() : terminal_(terminal(STDERR_FILENO)) {}

SuiteProgressLine::~SuiteProgressLine() {
  if (shown_ && terminal_.interactive) std::fputs("\r\033[K", stderr);
}

SuiteProgress SuiteProgressLine::progress() {
  return {.onText = [this](const std::string& text) { show(text); }};
}

void SuiteProgressLine::show(const std::string& text) {
  const auto now = std::chrono::steady_clock::now();
  if (terminal_.interactive) {
    std::fputs(("\r\033[K" + fit(printable(text), terminal_.width - 1)).c_str(), stderr);
  } else if (!shown_ || now - last_ > std::chrono::seconds{5}) {
    say(text);
    last_ = now;
  }
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace wb
