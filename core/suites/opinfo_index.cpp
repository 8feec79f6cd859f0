// SPDX-License-Identifier: Apache-2.0
#include "core/suites/opinfo_index.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/base/files/file.h"
#include "core/suites/python_script.h"
#include "core/suites/trace_file.h"

namespace wb {
namespace {

constexpr std::string_view formatLine = "warpbench-opinfo 1";

bool readNumber(std::string_view text, std::int64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value >= 0;
}

class IndexReader {
 public:
  IndexReader(std::string_view text, const std::filesystem::path& file)
      : text_(text), file_(file.string()), values_(file.filename().replace_extension(".values").string()) {}

  Result<OpInfoIndex> all() {
    std::string_view line;
    if (!next(line) || line != formatLine) return error("this is no index of opinfo, or of another version");
    while (next(line) && !line.empty())
      if (!headerLine(line)) return error("a line of the header does not read");
    if (index_.torch.empty() || index_.valuesId.empty() || cases_ < 0)
      return error("the header is not complete");
    index_.cases.reserve(static_cast<std::size_t>(cases_));
    while (next(line)) {
      WB_TRY(auto definition, caseLine(line));
      index_.cases.push_back(std::move(definition));
    }
    if (index_.cases.size() != static_cast<std::size_t>(cases_) || !text_.empty())
      return error(fmt::format("{} of {} cases are there", index_.cases.size(), cases_));
    return std::move(index_);
  }

 private:
  [[nodiscard]] Error error(std::string what) const {
    return Error{Stage::job, std::move(what), "delete it, and it is made again", Place{file_, line_, 0}};
  }
  /// The next line that has an end; a line without one is left in the text.
  bool next(std::string_view& line) {
    const auto end = text_.find('\n');
    if (end == std::string_view::npos) return false;
    line = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    ++line_;
    return true;
  }

  bool headerLine(std::string_view line) {
    const auto space = line.find(' ');
    if (space == std::string_view::npos) return false;
    const std::string_view key = line.substr(0, space), value = line.substr(space + 1);
    std::int64_t number = 0;
    if (key == "torch") index_.torch = value;
    if (key == "device") index_.device = value;
    if (key == "dtype") index_.dtype = value;
    if (key == "cases") return readNumber(value, cases_) && cases_ < (1 << 24);
    if (key == "groups") {
      if (!readNumber(value, number) || number > (1 << 24)) return false;
      index_.groups = static_cast<int>(number);
    }
    if (key == "values") {
      index_.valuesId = value.substr(0, value.find(' '));
      return value.find(' ') != std::string_view::npos &&
             readNumber(value.substr(value.find(' ') + 1), index_.valuesBytes);
    }
    return true;
  }

  Result<Case> caseLine(std::string_view line) {
    std::array<std::string_view, 5> fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const auto end = i + 1 < fields.size() ? line.find('\t') : line.size();
      if (end == std::string_view::npos) return error("a case needs five fields");
      fields[i] = line.substr(0, end);
      line.remove_prefix(std::min(end + 1, line.size()));
    }
    std::int64_t record = 0;
    if (!readNumber(fields[2], record)) return error("a record has a number");
    auto definition = makeCase(fields[0], 1, unescapeField(fields[3]));
    if (!definition) return error(definition.error().text);
    definition->values = fmt::format("stored:{}#{}", values_, record);
    definition->group = fields[1];
    definition->label = unescapeField(fields[4]);
    definition->use = CaseUse::check;
    // Two samples of one shape have different values, so their seeds must differ too.
    definition->seed ^= static_cast<std::uint64_t>(record);
    definition->origin = Place{file_, line_, 0};
    return definition;
  }

  std::string_view text_;
  std::string file_, values_;
  int line_ = 0;
  std::int64_t cases_ = -1;
  OpInfoIndex index_;
};

}  // namespace

Result<OpInfoIndex> parseOpInfoIndex(std::string_view text, const std::filesystem::path& file) {
  return IndexReader(text, file).all();
}

Result<OpInfoIndex> readOpInfoIndex(const std::filesystem::path& file) {
  WB_TRY(const auto text, readFile(file));
  WB_TRY(auto index, parseOpInfoIndex(text, file));
  std::filesystem::path values = file;
  values.replace_extension(".values");
  std::error_code failed;
  const auto bytes = std::filesystem::file_size(values, failed);
  std::array<char, 24> head{};
  std::ifstream(values, std::ios::binary).read(head.data(), head.size());
  if (failed || bytes != static_cast<std::uintmax_t>(index.valuesBytes) ||
      std::string_view(head.data(), head.size()) != "WBVALUE1" + index.valuesId)
    return Error{Stage::job, fmt::format("{} holds not the values of this index", values.string()),
                 "delete both, and they are made again", Place{file.string(), 0, 0}};
  return index;
}

}  // namespace wb
