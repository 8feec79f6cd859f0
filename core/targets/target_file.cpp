// SPDX-License-Identifier: Apache-2.0
#include "core/targets/target_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <toml++/toml.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <map>
#include <sstream>
#include <system_error>
#include <utility>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/base/nearest.h"
#include "core/base/text.h"

namespace wb {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view beginning =
    "# Where Warpbench runs kernels; `warpbench target` changes this file.\n";

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
  const std::vector<std::string> settings{"where", "python", "cache"};
  for (const auto& [key, given] : *table)
    if (const std::string_view word = key.str(); std::ranges::find(settings, word) == settings.end()) {
      const std::string near = didYouMean(word, settings);
      return wrongAt(
          file, key.source(), fmt::format("a target has no setting \"{}\"", word),
          near.empty() ? "it has where, python and cache; options stand in where, behind a ?" : near);
    }
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

/// The targets that a file of this text names.
Result<std::vector<RunTarget>> targetsIn(const fs::path& file, const std::string& text) {
  const toml::parse_result all = toml::parse(std::string_view(text), file.string());
  if (!all)
    return wrongAt(file, all.error().source(), std::string(all.error().description()),
                   "correct the file, which is TOML");
  std::vector<RunTarget> targets;
  for (const auto& [key, node] : all.table()) {
    WB_TRY(RunTarget target, targetOf(file, std::string(key.str()), node));
    targets.push_back(std::move(target));
  }
  return targets;
}

/// A text as TOML has it, whatever is in it.
std::string quoted(const std::string& text) {
  const toml::value<std::string> value(text);
  std::ostringstream out;
  out << toml::toml_formatter{value, toml::format_flags::none};
  return out.str();
}

/// A target as a table of the file.
std::string tableOf(const RunTarget& target) {
  RunTarget bare = target;
  bare.python.clear();
  bare.cache.clear();
  std::string text = fmt::format("[{}]\nwhere = {}\n", quoted(target.name), quoted(format(bare)));
  if (!target.python.empty()) text += fmt::format("python = {}\n", quoted(target.python));
  if (!target.cache.empty()) text += fmt::format("cache = {}\n", quoted(target.cache));
  return text;
}

bool isBlankOrComment(std::string_view line) {
  line = trimmed(line);
  return line.empty() || line.starts_with('#');
}

/// The text of a file, which is TOML, without the tables of these names. Comments stay, but for those inside
/// such a table.
std::string withoutTables(const std::string& text, const std::vector<std::string>& names) {
  const toml::parse_result parsed = toml::parse(std::string_view(text));
  if (!parsed) return text;
  const toml::table& all = parsed.table();
  const auto lines = splitLines(text);
  // The first line of each table, counted from 0, and whether it goes; a table ends where the next one
  // begins.
  std::map<std::size_t, bool> begins{{lines.size(), false}};
  for (const auto& [key, node] : all)
    begins[node.source().begin.line - 1] = std::ranges::find(names, key.str()) != names.end();
  std::vector<bool> goes(lines.size());
  for (auto at = begins.begin(); std::next(at) != begins.end(); ++at) {
    std::size_t end = std::next(at)->first;
    // What stands right before the next table belongs to that one.
    while (end > at->first && isBlankOrComment(lines[end - 1])) --end;
    for (std::size_t line = at->first; at->second && line < end; ++line) goes[line] = true;
  }
  std::string left;
  for (std::size_t line = 0; line < lines.size(); ++line)
    if (!goes[line]) left.append(lines[line]).append("\n");
  return left;
}

bool isIn(const std::vector<RunTarget>& targets, const RunTarget& target) {
  return std::ranges::find(targets, target) != targets.end();
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
  return targetsIn(file, text);
}

std::string targetsText(const std::vector<RunTarget>& targets) {
  std::string text(beginning);
  for (const RunTarget& target : targets) text += "\n" + tableOf(target);
  return text;
}

Result<void> changeTargets(const fs::path& file, const TargetChange& change) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  const Lock lock(file);
  Result<std::vector<RunTarget>> targets = readTargets(file);
  if (!targets) {
    Error unread = std::move(targets).error();
    unread.hint += fmt::format("{}the file is left as it is", unread.hint.empty() ? "" : "; ");
    return unread;
  }
  const std::vector<RunTarget> before = *targets;
  WB_DO(change(*targets));
  if (!fs::exists(file, ignored)) return writeFileAtomically(file, targetsText(*targets));
  WB_TRY(std::string text, readFile(file));
  std::vector<std::string> gone;
  for (const RunTarget& each : before)
    if (!isIn(*targets, each)) gone.push_back(each.name);
  text = withoutTables(text, gone);
  for (const RunTarget& each : *targets)
    if (!isIn(before, each)) text += "\n" + tableOf(each);
  // A file may be written in more ways than are looked for here.
  const auto again = targetsIn(file, text);
  if (!again || !std::ranges::is_permutation(*again, *targets)) text = targetsText(*targets);
  return writeFileAtomically(file, text);
}

Result<RunTarget> findTarget(std::string_view word, const std::vector<RunTarget>& known) {
  const auto named = std::find_if(known.begin(), known.end(), [&](const auto& t) { return t.name == word; });
  if (named != known.end()) return *named;
  if (!whyNoTargetName(word).empty()) return parseTarget(word);
  std::vector<std::string> names;
  names.reserve(known.size());
  for (const RunTarget& target : known) names.push_back(target.name);
  const std::string near = didYouMean(word, names);
  return Error{Stage::setup, fmt::format("there is no target \"{}\"", word),
               near.empty() ? "see `warpbench target list`, or add it by `warpbench target add`" : near};
}

}  // namespace wb
