// SPDX-License-Identifier: Apache-2.0
#include "core/suites/literals/literal_parser.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <limits>
#include <utility>

#include "core/model/operators/dtype.h"
#include "core/suites/literals/python_string.h"

namespace wb {
namespace {

using Kind = Literal::Kind;

constexpr int maxDepth = 64;

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isNameStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool isName(char c) {
  return isNameStart(c) || isDigit(c);
}
bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f';
}

bool isKnownCall(std::string_view name) {
  for (std::string_view known :
       {"T", "device", "torch.device", "th.device", "Size", "torch.Size", "th.Size"}) {
    if (name == known) return true;
  }
  return false;
}

/// What strtod gives for a decimal number beyond the range of double: infinity or zero. Python does the same.
double overflowed(std::string_view digits) {
  const auto e = digits.find_first_of("eE");
  const std::string_view mantissa = digits.substr(0, e);
  const auto point = std::min(mantissa.find('.'), mantissa.size());
  const auto first = mantissa.find_first_of("123456789");
  if (first == std::string_view::npos) return 0;
  const std::string_view exponent = e == std::string_view::npos ? "" : digits.substr(e + 1);
  const bool below = exponent.starts_with('-') || (exponent.empty() && first > point);
  return below ? 0 : std::numeric_limits<double>::infinity();
}

/// Parses Python's literals by recursive descent. The first error is kept, and parse functions return false
/// after it.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), end_(text.size()) {}

  Result<Literal> all() {
    skipBlanks();
    stripOuterQuotes();
    Literal value;
    if (parse(value, 0)) {
      skipBlanks();
      if (at_ < end_) fail(fmt::format("unexpected {} after the value", here()));
    }
    if (failed_) return error_;
    return value;
  }

 private:
  /// BackendBench strips quotes around the whole text. They are stripped only from a text that begins like a
  /// call, so that a single string stays one.
  void stripOuterQuotes() {
    while (end_ > at_ && isBlank(text_[end_ - 1])) --end_;
    while (end_ >= at_ + 2 && (text_[at_] == '"' || text_[at_] == '\'') && text_[end_ - 1] == text_[at_]) {
      std::size_t inside = at_ + 1;
      while (inside < end_ && isBlank(text_[inside])) ++inside;
      if (inside >= end_ || (text_[inside] != '(' && text_[inside] != '"' && text_[inside] != '\'')) return;
      if (text_[inside] != '(' && inside + 1 >= end_ - 1) return;  // '""': an empty string in quotes
      ++at_, --end_;
      skipBlanks();
      while (end_ > at_ && isBlank(text_[end_ - 1])) --end_;
    }
  }

  void skipBlanks() {
    while (at_ < end_ && isBlank(text_[at_])) ++at_;
  }
  [[nodiscard]] char peek() const { return at_ < end_ ? text_[at_] : '\0'; }
  bool take(char c) {
    skipBlanks();
    if (at_ >= end_ || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  [[nodiscard]] std::string here() const {
    if (at_ >= end_) return "end of text";
    const auto c = static_cast<unsigned char>(text_[at_]);
    return c < 0x20 || c >= 0x7f ? fmt::format("byte 0x{:02x}", c) : fmt::format("'{}'", text_[at_]);
  }
  bool failAt(std::size_t offset, std::string what) {
    if (!failed_) {
      failed_ = true;
      error_ = Error{Stage::job, std::move(what), "", Place{"", 0, static_cast<int>(offset) + 1}};
    }
    return false;
  }
  bool fail(std::string what) { return failAt(at_, std::move(what)); }

  bool parse(Literal& value, int depth) {
    skipBlanks();
    value.offset = at_;
    if (depth > maxDepth) return fail(fmt::format("nested deeper than {}", maxDepth));
    const char c = peek();
    if (at_ >= end_) return fail("a value is missing: the text ends here");
    if (c == '(') return parseParentheses(value, depth);
    if (c == '[') {
      value.kind = Kind::list;
      ++at_;
      bool comma = false;
      return parseItems(value.items, ']', depth, comma);
    }
    if (c == '{') return parseDict(value, depth);
    if (c == '"' || c == '\'') return parseString(value, depth);
    if (isNameStart(c)) {
      // inf and nan may begin a complex number, as in (inf+1j)
      return parseName(value, depth) && (value.kind != Kind::real || parseImaginary(value, depth));
    }
    if (isDigit(c) || c == '.' || c == '-' || c == '+')
      return parseSigned(value, depth) && parseImaginary(value, depth);
    return fail(fmt::format("expected a value, not {}", here()));
  }

  /// Parses values up to `close`; a comma may follow the last one. `comma` says whether there was any.
  bool parseItems(std::vector<Literal>& items, char close, int depth, bool& comma) {
    while (!take(close)) {
      if (!items.empty()) {
        if (!separator(close)) return false;
        comma = true;
        if (take(close)) return true;
      }
      if (!parse(items.emplace_back(), depth + 1)) return false;
    }
    return true;
  }
  bool separator(char close) {
    return take(',') || fail(fmt::format("expected ',' or '{}', not {}", close, here()));
  }

  bool parseParentheses(Literal& value, int depth) {
    const std::size_t start = at_++;
    std::vector<Literal> items;
    bool comma = false;
    if (!parseItems(items, ')', depth, comma)) return false;
    if (items.size() == 1 && !comma) {  // (x) is x
      Literal inner = std::move(items.front());
      value = std::move(inner);
      return true;
    }
    value.kind = Kind::tuple;
    value.items = std::move(items);
    value.offset = start;
    return true;
  }

  bool parseDict(Literal& value, int depth) {
    value.kind = Kind::dict;
    ++at_;
    while (!take('}')) {
      if (!value.items.empty()) {
        if (!separator('}')) return false;
        if (take('}')) return true;
      }
      inKey_ = true;
      const bool key = parse(value.items.emplace_back(), depth + 1);
      inKey_ = false;
      if (!key) return false;
      if (!take(':')) return fail(fmt::format("expected ':' after a key, not {}", here()));
      if (!parse(value.items.emplace_back(), depth + 1)) return false;
    }
    return true;
  }

  bool parseString(Literal& value, int depth) {
    const std::size_t start = at_;
    auto read = readPythonString(text_.substr(0, end_), at_);
    if (!read) return failAt(static_cast<std::size_t>(read.error().place.column) - 1, read.error().text);
    value.kind = Kind::string;
    value.text = std::move(*read);
    if (inKey_) return true;
    // BackendBench rewrites these before it evaluates them: 'f16' is the dtype, "torch.device('cpu')" the
    // device.
    if (const DType* dtype = findDType(value.text); dtype && dtype->abbreviation == value.text)
      value.kind = Kind::symbol;
    if (value.text.starts_with("torch.device(")) {
      Parser inner(value.text);
      Literal device;
      if (!inner.parse(device, depth + 1) || inner.at_ != inner.end_)
        return failAt(start, "a device in quotes does not parse");
      value = std::move(device);
      value.offset = start;
    }
    return true;
  }

  bool parseName(Literal& value, int depth) {
    const std::size_t start = at_;
    while (at_ < end_ &&
           (isName(text_[at_]) || (text_[at_] == '.' && at_ + 1 < end_ && isNameStart(text_[at_ + 1]))))
      ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    if (word == "None") return true;
    if (word == "True" || word == "False") {
      value.kind = Kind::boolean;
      value.boolean = word == "True";
      return true;
    }
    if (word == "inf" || word == "nan") {
      value.kind = Kind::real;
      value.real =
          word == "inf" ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
      return true;
    }
    value.text = std::string(word);
    if (take('(')) return parseCall(value, depth);
    value.kind = Kind::symbol;
    if (word.starts_with("torch.") || word.starts_with("th.")) return true;
    if (const DType* dtype = findDType(word); dtype && dtype->abbreviation == word) return true;
    return failAt(start, fmt::format("unknown name \"{}\"", word.substr(0, 100)));
  }

  bool parseCall(Literal& value, int depth) {
    value.kind = Kind::call;
    if (!isKnownCall(value.text))
      return failAt(value.offset, fmt::format("unknown function \"{}\": nothing but values stands here",
                                              value.text.substr(0, 100)));
    while (!take(')')) {
      if (!value.items.empty() || !value.keywords.empty()) {
        if (!separator(')')) return false;
        if (take(')')) return true;
      }
      skipBlanks();
      std::string keyword;
      if (isKeyword(keyword)) {
        for (const Literal& known : value.keywords) {
          if (known.keyword == keyword) return fail(fmt::format("\"{}\" is given twice", keyword));
        }
        at_ += keyword.size();
        take('=');
        if (!parse(value.keywords.emplace_back(), depth + 1)) return false;
        value.keywords.back().keyword = std::move(keyword);
      } else {
        if (!value.keywords.empty()) return fail("a positional argument after a keyword");
        if (!parse(value.items.emplace_back(), depth + 1)) return false;
      }
    }
    return true;
  }

  /// Whether `name =` stands here; does not move the place.
  bool isKeyword(std::string& keyword) const {
    std::size_t end = at_;
    if (end < end_ && isNameStart(text_[end])) {
      while (end < end_ && isName(text_[end])) ++end;
    }
    if (end == at_) return false;
    std::size_t next = end;
    while (next < end_ && isBlank(text_[next])) ++next;
    if (next >= end_ || text_[next] != '=') return false;
    keyword = std::string(text_.substr(at_, end - at_));
    return true;
  }

  /// A number with an optional sign, or a signed inf or nan. A trailing j makes it imaginary.
  bool parseSigned(Literal& value, int depth) {
    const std::size_t start = at_;
    const char c = peek();
    const bool negative = c == '-';
    if (negative || c == '+') {
      ++at_;
      skipBlanks();
    }
    if (isNameStart(peek())) {
      const std::size_t name = at_;
      if (!parseName(value, depth)) return false;
      if (value.kind != Kind::real) return failAt(name, "only a number can have a sign");
      if (negative) value.real = -value.real;
      return true;
    }
    return parseNumber(value, start, negative);
  }

  bool parseNumber(Literal& value, std::size_t start, bool negative) {
    const std::size_t first = at_;
    bool integer = true;
    const auto digits = [&] {
      const std::size_t before = at_;
      while (at_ < end_ && isDigit(text_[at_])) ++at_;
      return at_ > before;
    };
    bool any = digits();
    if (peek() == '.') {
      integer = false;
      ++at_;
      any = digits() || any;
    }
    if (!any) return failAt(start, fmt::format("expected a value, not {}", hereAt(start)));
    if (peek() == 'e' || peek() == 'E') {
      integer = false;
      ++at_;
      if (peek() == '-' || peek() == '+') ++at_;
      if (!digits()) return fail("an exponent needs digits");
    }
    const std::string_view number = text_.substr(first, at_ - first);
    const bool imaginary = peek() == 'j' || peek() == 'J';
    if (imaginary) ++at_;
    if (at_ < end_ && (isName(text_[at_]) || text_[at_] == '.'))
      return fail(fmt::format("unexpected {} in a number", here()));
    if (integer && !imaginary) return integerValue(value, number, start, negative);
    double real = 0;
    const auto result = std::from_chars(number.data(), number.data() + number.size(), real);
    if (result.ec == std::errc::result_out_of_range) real = overflowed(number);
    if (negative) real = -real;
    value.kind = imaginary ? Kind::complex : Kind::real;
    (imaginary ? value.imaginary : value.real) = real;
    return true;
  }
  [[nodiscard]] std::string hereAt(std::size_t offset) const { return fmt::format("'{}'", text_[offset]); }

  bool integerValue(Literal& value, std::string_view digits, std::size_t start, bool negative) {
    if (digits.size() > 1 && digits.front() == '0' && digits.find_first_not_of('0') != digits.npos)
      return failAt(start, "an integer does not start with 0");
    std::uint64_t magnitude = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude);
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (result.ec != std::errc{} || magnitude > largest + (negative ? 1U : 0U))
      return failAt(start, "an integer beyond 64 bits");
    value.kind = Kind::integer;
    value.integer = static_cast<std::int64_t>(negative ? std::uint64_t{0} - magnitude : magnitude);
    return true;
  }

  /// The second half of "1+2j" after a real number.
  bool parseImaginary(Literal& value, int depth) {
    if (value.kind != Kind::integer && value.kind != Kind::real) return true;
    const std::size_t before = at_;
    skipBlanks();
    if (peek() != '+' && peek() != '-') {
      at_ = before;
      return true;
    }
    const std::size_t sign = at_;
    Literal second;
    if (!parseSigned(second, depth)) return false;
    if (second.kind != Kind::complex) return failAt(sign, "nothing is computed here: write the value");
    value.real = value.kind == Kind::integer ? static_cast<double>(value.integer) : value.real;
    value.integer = 0;
    value.imaginary = second.imaginary;
    value.kind = Kind::complex;
    return true;
  }

  std::string_view text_;
  std::size_t end_;
  std::size_t at_ = 0;
  /// Inside a key, in which strings stay strings.
  bool inKey_ = false;
  bool failed_ = false;
  Error error_;
};

}  // namespace

Result<Literal> parseLiteral(std::string_view text) {
  return Parser(text).all();
}

}  // namespace wb
