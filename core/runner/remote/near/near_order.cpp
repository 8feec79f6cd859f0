// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/near/near_order.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace wb {
namespace {

constexpr double standardGrace = 60;
constexpr std::string_view wallsOption = "--walls=", sanitizerOption = "--sanitizer=",
                           logOption = "--sanitizer-log=";

}  // namespace

double graceOf(const RunTarget& target) {
  const std::string text(optionOf(target, "grace"));
  if (text.empty()) return standardGrace;
  return std::strtod(text.c_str(), nullptr);
}

std::vector<std::string> nearArguments(const RunTarget& target, const WorkerWish& wish) {
  std::vector<std::string> arguments{"--near", format(target), wish.device};
  if (wish.python) arguments.emplace_back("--in-python");
  if (wish.judges) arguments.emplace_back("--judges");
  if (!wish.sanitizer.empty())
    arguments.insert(arguments.end(), {std::string(sanitizerOption) + wish.sanitizer,
                                       std::string(logOption) + wish.sanitizerLog.string()});
  if (wish.walls) arguments.push_back(fmt::format("--walls={}", wish.walls->run));
  return arguments;
}

Result<NearOrder> nearOrderFrom(const std::vector<std::string>& arguments) {
  if (arguments.size() < 3) return Error{Stage::setup, "a target and a device are wanted"};
  NearOrder order;
  WB_TRY(order.target, parseTarget(arguments[1]));
  order.wish.device = arguments[2];
  for (const std::string& option : arguments) {
    if (option == "--in-python") order.wish.python = true;
    if (option == "--judges") order.wish.judges = true;
    if (option.starts_with(sanitizerOption)) order.wish.sanitizer = option.substr(sanitizerOption.size());
    if (option.starts_with(logOption)) order.wish.sanitizerLog = option.substr(logOption.size());
    if (option.starts_with(wallsOption))
      order.wish.walls = WallWish{
          static_cast<std::uint32_t>(std::strtoul(option.c_str() + wallsOption.size(), nullptr, 10)), {}};
  }
  return order;
}

}  // namespace wb
