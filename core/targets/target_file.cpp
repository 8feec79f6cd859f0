// SPDX-License-Identifier: Apache-2.0
#include "core/targets/target_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <toml++/toml.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/base/nearest.h"

namespace wb {

namespace fs = std::filesystem;

namespace {

constexpr int mostAside = 1000;

Error wrongAt(const fs::path& file, const toml::source_region& source, std::string text, std::string hint) {
  const toml::source_position& at = source.begin;
  return {Stage::setup,
          std::move(text),
          std::move(hint),
          {file.string(), static_cast<int>(at.line), static_cast<int>(at.column)}};
}

Result<RunTarget> targetOf(const fs::path& file, const std::string& name, const toml::node& node) {
  const auto* table = node.as_table();
  if (table == nullptr)
    return wrongAt(file, node.source(), fmt::format("\"{}\" stands outside a target", name),
                   "write [NAME] and below it where = \"ssh://host\"");
  if (const std::string why = whyNoTargetName(name); !why.empty())
    return wrongAt(file, node.source(), fmt::format("\"{}\" cannot be a target's name: {}", name, why),
                   "give it another name");
  const auto* where = table->get_as<std::string>("where");
  if (where == nullptr)
    return wrongAt(file, node.source(), fmt::format("the target \"{}\" does not say where it is", name),
                   "add a line such as where = \"ssh://host\"");
  Result<RunTarget> target = parseTarget(where->get());
  if (!target) return wrongAt(file, where->source(), target.error().text, target.error().hint);
  target->name = name;
  const std::pair<const char*, std::string*> texts[] = {{"python", &target->python},
                                                        {"cache", &target->cache}};
  for (const auto& [key, text] : texts) {
    const toml::node* given = table->get(key);
    if (given == nullptr) continue;
    if (!given->is_string() || !text->empty())
      return wrongAt(
          file, given->source(),
          given->is_string() ? fmt::format("{} is given twice", key) : fmt::format("{} must be a text", key),
          "give it once, in quotes");
    *text = **given->as_string();
  }
  return target;
}

/// A text as TOML has it, whatever is in it.
std::string quoted(const std::string& text) {
  const toml::value<std::string> value(text);
  std::ostringstream out;
  out << toml::toml_formatter{value, toml::format_flags::none};
  return out.str();
}

/// Moves a file to a name that is free. Error: the system does not let it.
Result<fs::path> putAside(const fs::path& file) {
  for (int number = 1; number <= mostAside; ++number) {
    const fs::path aside = fmt::format("{}.unreadable-{}", file.string(), number);
    if (::link(file.c_str(), aside.c_str()) != 0 && errno == EEXIST) continue;
    if (::access(aside.c_str(), F_OK) != 0) break;
    ::unlink(file.c_str());
    return aside;
  }
  return Error{Stage::setup, fmt::format("{} cannot be read, and cannot be put aside either", file.string()),
               "rename the file"};
}

/// Held by the one program that changes the file. It is a file of its own, since the other one is replaced.
class Lock {
 public:
  explicit Lock(const fs::path& file)
      : descriptor_(::open((file.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (descriptor_ < 0) return;
    while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~Lock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int descriptor_;
};

}  // namespace

fs::path targetFile() {
  return configFolder() / "targets.toml";
}

Result<std::vector<RunTarget>> readTargets(const fs::path& file) {
  std::error_code failed;
  if (!fs::exists(file, failed) && !failed) return std::vector<RunTarget>{};
  WB_TRY(const std::string text, readFile(file));
  std::vector<RunTarget> targets;
  try {
    const toml::table all = toml::parse(std::string_view(text), file.string());
    for (const auto& [key, node] : all) {
      WB_TRY(RunTarget target, targetOf(file, std::string(key.str()), node));
      targets.push_back(std::move(target));
    }
  } catch (const toml::parse_error& error) {
    return wrongAt(file, error.source(), std::string(error.description()), "correct the file, which is TOML");
  }
  return targets;
}

std::string targetsText(const std::vector<RunTarget>& targets) {
  std::string text = "# Where Warpbench runs kernels; `warpbench target` changes this file.\n";
  for (const RunTarget& target : targets) {
    RunTarget bare = target;
    bare.python.clear();
    bare.cache.clear();
    text += fmt::format("\n[{}]\nwhere = {}\n", quoted(target.name), quoted(format(bare)));
    if (!target.python.empty()) text += fmt::format("python = {}\n", quoted(target.python));
    if (!target.cache.empty()) text += fmt::format("cache = {}\n", quoted(target.cache));
  }
  return text;
}

Result<std::string> changeTargets(const fs::path& file, const TargetChange& change) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  const Lock lock(file);
  Result<std::vector<RunTarget>> targets = readTargets(file);
  const std::optional<Error> unread = targets ? std::nullopt : std::optional(targets.error());
  if (unread) targets = std::vector<RunTarget>{};
  WB_DO(change(*targets));
  std::string word;
  if (unread) {
    WB_TRY(const fs::path aside, putAside(file));
    word = fmt::format("the file of targets could not be read ({}); it was kept as {}", describe(*unread),
                       aside.string());
  }
  WB_DO(writeFileAtomically(file, targetsText(*targets)));
  return word;
}

Result<RunTarget> findTarget(std::string_view word, const std::vector<RunTarget>& known) {
  const auto named = std::find_if(known.begin(), known.end(), [&](const auto& t) { return t.name == word; });
  if (named != known.end()) return *named;
  if (!whyNoTargetName(word).empty()) return parseTarget(word);
  std::vector<std::string> names;
  for (const RunTarget& target : known) names.push_back(target.name);
  const std::string near = didYouMean(word, names);
  return Error{Stage::setup, fmt::format("there is no target \"{}\"", word),
               near.empty() ? "see `warpbench target list`, or add it by `warpbench target add`" : near};
}

}  // namespace wb
