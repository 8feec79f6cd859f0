// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

/// A text that is made from pieces of another one, and knows where each of its characters came from.
class MappedText {
 public:
  explicit MappedText(std::string_view source) : source_(source) {}

  /// Appends bytes [begin, end) of the source.
  void copy(std::size_t begin, std::size_t end);
  /// The same with blanks for everything except the line ends.
  void blank(std::size_t begin, std::size_t end);
  /// Appends text that does not come from the source.
  void insert(std::string_view text) { text_ += text; }
  /// The same, for text whose place is that of one byte of the source.
  void insertAs(std::string_view text, std::size_t from);
  /// Appends only the line ends of bytes [begin, end).
  void lineEnds(std::size_t begin, std::size_t end);

  [[nodiscard]] const std::string& text() const { return text_; }

  /// A run of bytes that came from the source.
  struct Piece {
    std::size_t at, from, size;
    /// All of it came from one byte.
    bool fixed = false;
  };
  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }

  struct LineColumn {
    /// Both count from 1, the column in bytes.
    int line = 0, column = 0;
    bool operator==(const LineColumn&) const = default;
  };
  /// Where in the source the text at a place came from; for inserted text, where the text after it came from.
  /// Column 0 stays 0.
  [[nodiscard]] LineColumn sourceOf(LineColumn place) const;

 private:
  void add(std::size_t begin, std::size_t end);
  std::string source_, text_;
  std::vector<Piece> pieces_;
};

}  // namespace wb
