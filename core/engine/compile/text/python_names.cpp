// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/text/python_names.h"

#include <algorithm>
#include <cctype>

namespace wb {

namespace {

bool begins(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0;
}
bool goesOn(char c) {
  return begins(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<PythonName> take() {
    while (at_ < text_.size()) step();
    return std::move(names_);
  }

 private:
  [[nodiscard]] char next(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void step() {
    const char c = text_[at_];
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '"' || c == '\'') {
      skipString();
    } else if (begins(c)) {
      name();
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      while (goesOn(next()) || next() == '.') ++at_;
    } else {
      if (c == '(' || c == '[' || c == '{') ++depth_;
      if ((c == ')' || c == ']' || c == '}') && depth_ > 0) --depth_;
      if ((c == '\n' && depth_ == 0) || c == ';') import_ = Import::none;
      if (c == ',' && import_ == Import::done) import_ = Import::module;
      ++at_;
    }
  }

  void skipString() {
    const char quote = text_[at_];
    const bool isLong = next(1) == quote && next(2) == quote;
    at_ += isLong ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (!isLong && text_[at_] == '\n') {
        return;
      } else if (text_[at_] == quote && (!isLong || (next(1) == quote && next(2) == quote))) {
        at_ += isLong ? 3 : 1;
        return;
      }
    }
    at_ = std::min(at_, text_.size());
  }

  void skipBlanks() {
    while (next() == ' ' || next() == '\t') ++at_;
  }

  void name() {
    PythonName name;
    name.offset = at_;
    while (goesOn(next())) name.text += text_[at_++];
    if (next() == '"' || next() == '\'') return;  // the prefix of a string
    while (next() == '.' && begins(next(1))) {
      name.text += text_[at_++];
      while (goesOn(next())) name.text += text_[at_++];
    }
    skipBlanks();
    name.isCalled = next() == '(' && !isDefined_;
    isDefined_ = name.text == "def" || name.text == "class";
    name.isAssigned = depth_ == 0 && next() == '=' && next(1) != '=';
    name.isImported = import_ == Import::module || import_ == Import::from;
    if (import_ == Import::module)
      import_ = Import::done;
    else if (import_ == Import::from)
      import_ = Import::ended;
    else if (import_ == Import::none && isAtStatementStart(name.offset))
      import_ = name.text == "import" ? Import::module : name.text == "from" ? Import::from : Import::none;
    names_.push_back(std::move(name));
  }

  [[nodiscard]] bool isAtStatementStart(std::size_t offset) const {
    while (offset > 0 && (text_[offset - 1] == ' ' || text_[offset - 1] == '\t')) --offset;
    return offset == 0 || text_[offset - 1] == '\n' || text_[offset - 1] == ';' || text_[offset - 1] == ':';
  }

  /// Where in an import it is: a module comes next, was there and another one may follow after a comma, or
  /// only names of a module follow.
  enum class Import { none, module, done, from, ended };
  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Import import_ = Import::none;
  /// The next name is that of a function or class which is defined.
  bool isDefined_ = false;
  std::vector<PythonName> names_;
};

}  // namespace

std::vector<PythonName> namesInPython(std::string_view text) {
  return Reader(text).take();
}

}  // namespace wb
