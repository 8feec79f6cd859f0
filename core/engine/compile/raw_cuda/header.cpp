// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/raw_cuda/header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/nearest.h"
#include "core/engine/compile/text/lexer.h"
#include "core/engine/compile/text/line_index.h"

namespace wb {
namespace {

constexpr std::string_view headerWord = "warpbench";
constexpr std::array<std::string_view, 12> headerKeys{"operator", "kernel",   "args",    "grid",
                                                      "block",    "shared",   "options", "workspace",
                                                      "zero",     "scalar_t", "strided", "elementwise"};

/// The header's comment in the source: the text between the word "warpbench" and the comment's end.
struct HeaderBlock {
  std::string toml;
  Place start;  // the place of its first character
  Place comment;
};

bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

/// Comments may have a star at the beginning of each line: the stars become blanks, so that columns stay.
void dropStars(std::string& text) {
  std::vector<std::size_t> stars;
  for (std::size_t line = text.find('\n'); line != std::string::npos; line = text.find('\n', line + 1)) {
    std::size_t at = line + 1;
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
    if (at == text.size() || text[at] == '\n' || text[at] == '\r') continue;
    if (text[at] != '*') return;
    stars.push_back(at);
  }
  for (std::size_t star : stars) text[star] = ' ';
}

Result<std::optional<HeaderBlock>> findBlock(std::string_view text, const std::string& file) {
  const LineIndex lines(text);
  std::size_t at = text.starts_with(byteOrderMark) ? byteOrderMark.size() : 0;
  while (at < text.size()) {
    if (blank(text[at])) {
      ++at;
      continue;
    }
    const std::size_t end = commentEnd(text, at);
    if (end == at) break;
    std::string_view comment = text.substr(at, end - at);
    std::size_t word = 2;
    while (word < comment.size() && (blank(comment[word]) || comment[word] == '*')) ++word;
    if (comment.starts_with("/*") && comment.substr(word).starts_with(headerWord)) {
      const std::size_t begin = word + headerWord.size();
      if (!comment.ends_with("*/") || comment.size() < begin + 2)
        return Error{
            Stage::compile, "The warpbench header does not end: */ is missing.", {}, lines.place(at, file)};
      if (blank(comment[begin]) || comment[begin] == '#' || comment[begin] == '*') {
        HeaderBlock block{std::string(comment.substr(begin, comment.size() - begin - 2)),
                          lines.place(at + begin, file), lines.place(at, file)};
        dropStars(block.toml);
        return std::optional(std::move(block));
      }
    }
    at = end;
  }
  for (std::string_view opening : {"/* warpbench\n", "/* warpbench\r", "/* warpbench ", "/*warpbench\n"})
    if (const std::size_t late = text.find(opening, at); late != std::string_view::npos)
      return Error{Stage::compile, "The warpbench header must come before any code.",
                   "move it to the top of the file", lines.place(late, file)};
  return std::optional<HeaderBlock>();
}

/// Reads values of the table and keeps the first error.
class Reader {
 public:
  Reader(const HeaderBlock& block, const std::string& file) : block_(block), file_(file) {}

  [[nodiscard]] Place place(const toml::source_position& position) const {
    const int line = static_cast<int>(position.line), column = static_cast<int>(position.column);
    return {file_, block_.start.line + line - 1, line == 1 ? block_.start.column + column - 1 : column};
  }
  [[nodiscard]] Place place(const toml::node& node) const { return place(node.source().begin); }

  Error fail(const toml::node& node, std::string what, std::string hint = {}) const {
    return Error{Stage::compile, std::move(what), std::move(hint), place(node)};
  }

  Result<HeaderName> name(const toml::node& node, std::string_view key) const {
    auto text = node.value_exact<std::string>();
    if (!text || text->empty()) return fail(node, fmt::format("{} must be a string.", key));
    return HeaderName{*text, inside(node)};
  }

  Result<Expression> expression(const toml::node& node, std::string_view key) const {
    if (auto integer = node.value_exact<std::int64_t>()) return Expression::number(*integer, place(node));
    if (auto real = node.value_exact<double>()) return Expression::number(*real, place(node));
    if (auto flag = node.value_exact<bool>()) return Expression::number(std::int64_t{*flag}, place(node));
    if (auto text = node.value_exact<std::string>()) return Expression::parse(*text, inside(node));
    return fail(node, fmt::format("{} takes numbers and expressions in quotes.", key));
  }

  /// Reads one value, or a list of at most `most`.
  Result<std::vector<Expression>> expressions(const toml::node& node, std::string_view key,
                                              std::size_t most) const {
    std::vector<Expression> list;
    auto take = [&](const toml::node& item) -> Result<void> {
      WB_TRY(auto each, expression(item, key));
      list.push_back(std::move(each));
      return {};
    };
    const toml::array* array = node.as_array();
    if (array == nullptr) {
      WB_DO(take(node));
      return list;
    }
    if (array->size() > most)
      return fail(node, fmt::format("{} has at most {} entries, not {}.", key, most, array->size()));
    for (const toml::node& item : *array) WB_DO(take(item));
    return list;
  }

  Result<std::vector<HeaderName>> names(const toml::node& node, std::string_view key) const {
    std::vector<HeaderName> list;
    const toml::array* array = node.as_array();
    if (array == nullptr) {
      WB_TRY(auto one, name(node, key));
      list.push_back(std::move(one));
      return list;
    }
    for (const toml::node& item : *array) {
      WB_TRY(auto each, name(item, fmt::format("Each entry of {}", key)));
      list.push_back(std::move(each));
    }
    return list;
  }

  Result<Workspace> workspace(const toml::key& key, const toml::node& node) const {
    Workspace workspace;
    workspace.name = std::string(key.str());
    const toml::node* size = &node;
    if (const toml::table* table = node.as_table()) {
      workspace.inBytes = table->contains("bytes");
      size = table->get(workspace.inBytes ? "bytes" : "elements");
      if (size == nullptr || table->size() != 1)
        return fail(node, fmt::format("The workspace {} needs either elements or bytes.", workspace.name));
    }
    WB_TRY(workspace.size, this->expression(*size, "A workspace"));
    return workspace;
  }

 private:
  /// Where a string's text begins, after its quote. Strings over several lines are placed at their start.
  [[nodiscard]] Place inside(const toml::node& node) const {
    Place start = place(node);
    ++start.column;
    return start;
  }

  const HeaderBlock& block_;
  const std::string& file_;
};

template <class T, class U>
Result<void> store(Result<T> read, U& into) {
  if (!read) return std::move(read).error();
  into = std::move(*read);
  return {};
}

Result<void> readOptions(const Reader& reader, const toml::node& node, RawCudaHeader& header) {
  WB_TRY(auto names, reader.names(node, "options"));
  header.optionsPlace = reader.place(node);
  for (auto& each : names) header.options.push_back(std::move(each.name));
  return {};
}

Result<void> readWorkspaces(const Reader& reader, const toml::node& node, RawCudaHeader& header) {
  const toml::table* table = node.as_table();
  if (table == nullptr)
    return reader.fail(node, "workspace must be a table.", "workspace = { tmp = \"numel(self)\" }");
  for (const auto& [key, value] : *table) {
    WB_TRY(auto each, reader.workspace(key, value));
    header.workspaces.push_back(std::move(each));
  }
  return {};
}

Result<void> readKey(const Reader& reader, std::string_view key, const toml::node& node,
                     const Place& keyPlace, RawCudaHeader& header) {
  if (key == "operator") return store(reader.name(node, key), header.op);
  if (key == "kernel") return store(reader.name(node, key), header.kernel);
  if (key == "args") return store(reader.expressions(node, key, 256), header.args);
  if (key == "grid") return store(reader.expressions(node, key, 3), header.grid);
  if (key == "block") return store(reader.expressions(node, key, 3), header.block);
  if (key == "shared") return store(reader.expression(node, key), header.shared);
  if (key == "scalar_t") return store(reader.name(node, key), header.scalarType);
  if (key == "zero") return store(reader.names(node, key), header.zero);
  if (key == "options") return readOptions(reader, node, header);
  if (key == "workspace") return readWorkspaces(reader, node, header);
  if (key == "strided" || key == "elementwise") {
    auto flag = node.value_exact<bool>();
    if (!flag) return reader.fail(node, fmt::format("{} must be true or false.", key));
    (key == "strided" ? header.strided : header.elementwise) = *flag;
    return {};
  }
  std::vector<std::string> known(headerKeys.begin(), headerKeys.end());
  auto hint = didYouMean(key, known);
  if (hint.empty()) hint = fmt::format("there are {}", fmt::join(known, ", "));
  return Error{Stage::compile, fmt::format("The header has no key {}.", key), std::move(hint), keyPlace};
}

}  // namespace

Result<RawCudaHeader> parseRawCudaHeader(std::string_view text, const std::string& file) {
  RawCudaHeader header;
  header.place = {file, 1, 1};
  WB_TRY(auto found, findBlock(text, file));
  if (!found) return header;
  const HeaderBlock& block = *found;
  const Reader reader(block, file);
  header.present = true;
  header.place = block.comment;
  toml::parse_result parsed = toml::parse(std::string_view(block.toml));
  if (!parsed) {
    const auto& error = parsed.error();
    return Error{Stage::compile, fmt::format("The warpbench header is not TOML: {}", error.description()),
                 "strings stand in quotes, lists in brackets, one key a line",
                 reader.place(error.source().begin)};
  }
  for (const auto& [key, value] : parsed.table())
    WB_DO(readKey(reader, key.str(), value, reader.place(key.source().begin), header));
  return header;
}

}  // namespace wb
