// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace wb {
namespace {

bool isSet(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

std::string_view code(Ink color) {
  switch (color) {
    case Ink::plain:
      return "0";
    case Ink::bold:
      return "1";
    case Ink::dim:
      return "2";
    case Ink::green:
      return "32";
    case Ink::red:
      return "31";
    case Ink::yellow:
      return "33";
    case Ink::blue:
      return "34";
  }
  return "0";
}

}  // namespace

Terminal terminal(int descriptor) {
  Terminal result;
  const char* term = std::getenv("TERM");
  const bool dumb = term != nullptr && std::string_view(term) == "dumb";
  result.interactive = isatty(descriptor) == 1 && !dumb;
  result.colors = !isSet("NO_COLOR") && (result.interactive || isSet("CLICOLOR_FORCE"));
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) result.width = size.ws_col;
  return result;
}

std::string ink(const Terminal& terminal, Ink color, std::string_view text) {
  if (!terminal.colors || color == Ink::plain) return std::string(text);
  return "\033[" + std::string(code(color)) + "m" + std::string(text) + "\033[0m";
}

std::string fit(std::string_view text, int columns) {
  int used = 0;
  std::size_t lastFitting = 0;  // the end of the text that fits when one column is left for …
  for (std::size_t i = 0; i < text.size();) {
    std::size_t next = i + 1;
    while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0) == 0x80) ++next;
    if (++used < columns) lastFitting = next;
    if (used > columns) return std::string(text.substr(0, lastFitting)) + "…";
    i = next;
  }
  return std::string(text);
}

}  // namespace wb
