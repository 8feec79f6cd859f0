// SPDX-License-Identifier: Apache-2.0
#include "core/suites/trace_file.h"

#include <fmt/format.h>

#include <charconv>
#include <functional>
#include <utility>

#include "core/base/files/hash.h"
#include "core/base/text.h"
#include "core/model/operators/dtype.h"
#include "core/model/operators/literal.h"
#include "core/model/operators/operator_name.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

using Kind = Literal::Kind;

/// How many tensors of a long list are shown, such as that of cat.
constexpr std::size_t tensorsShown = 6;

/// Visits every tensor in a call's arguments, in order. Stops at the first one that is malformed.
Result<void> eachTensor(const Literal& literal, const std::function<void(const TensorLiteral&)>& take) {
  if (literal.kind == Kind::call && literal.text == "T") {
    WB_TRY(auto tensor, tensorLiteral(literal));
    take(tensor);
    return {};
  }
  for (const Literal& item : literal.items) {
    WB_DO(eachTensor(item, take));
  }
  for (const Literal& value : literal.keywords) {
    WB_DO(eachTensor(value, take));
  }
  return {};
}

/// Whether torch counts the tensor as contiguous: strides of dimensions of size one, and of empty tensors, do
/// not matter.
bool isContiguous(const TensorLiteral& tensor) {
  if (!tensor.strided) return true;
  std::int64_t expected = 1;
  for (const std::int64_t size : tensor.shape) {
    if (size == 0) return true;
  }
  for (std::size_t i = tensor.shape.size(); i-- > 0;) {
    if (tensor.shape[i] == 1) continue;
    if (tensor.stride[i] != expected) return false;
    if (__builtin_mul_overflow(expected, tensor.shape[i], &expected)) return false;
  }
  return true;
}

std::string shapeText(const TensorLiteral& tensor) {
  std::string text;
  for (const std::int64_t size : tensor.shape) text += fmt::format("{}{}", text.empty() ? "" : "×", size);
  if (text.empty()) text = "scalar";
  return isContiguous(tensor) ? text : text + " (strided)";
}

/// A call's arguments are a pair: positional ones in a tuple (or list), keyword ones in a dict.
Result<void> checkCall(const Literal& args) {
  const auto errorAt = [](const Literal& literal, std::string what) {
    return Error{Stage::job, std::move(what), "a call's arguments look like ((T([5, 5], f32),), {})",
                 Place{"", 0, static_cast<int>(literal.offset) + 1}};
  };
  if (args.kind != Kind::tuple || args.items.size() != 2)
    return errorAt(args, "expected a pair of positional and keyword arguments");
  const Literal& positional = args.items[0];
  const Literal& keywords = args.items[1];
  if (positional.kind != Kind::tuple && positional.kind != Kind::list)
    return errorAt(positional, "the positional arguments are no tuple: a tuple of one needs a comma");
  if (keywords.kind != Kind::dict) return errorAt(keywords, "the keyword arguments are no dict");
  for (std::size_t i = 0; i < keywords.items.size(); i += 2) {
    if (keywords.items[i].kind != Kind::string) return errorAt(keywords.items[i], "a keyword is no string");
  }
  return eachTensor(args, [](const TensorLiteral&) {});
}

/// 52 bits of the content's hash, since JavaScript and Python read back a number of that size exactly from
/// JSON.
std::uint64_t seedOf(const std::string& op, const std::string& args) {
  std::uint64_t seed = 0;
  const std::string hash = contentHash({op, args});
  std::from_chars(hash.data(), hash.data() + 13, seed, 16);
  return seed;
}

class TraceReader {
 public:
  explicit TraceReader(const std::string& file) : file_(file) {}

  Result<void> line(std::string_view line) {
    ++line_;
    constexpr std::string_view operatorMark = "Operator: ", countMark = "cnt: ";
    if (line.starts_with(operatorMark)) return operatorLine(line, operatorMark.size());
    if (line.starts_with(countMark)) return caseLine(line, countMark.size());
    return {};
  }
  std::vector<Case> cases;

 private:
  Error errorAt(std::size_t offset, std::string what, std::string hint = {}) const {
    return Error{Stage::job, std::move(what), std::move(hint),
                 Place{file_, line_, static_cast<int>(offset) + 1}};
  }

  Result<void> operatorLine(std::string_view line, std::size_t start) {
    const std::string_view name = trimmed(line.substr(start));
    if (name.empty() || name.find_first_of(" \t") != std::string_view::npos)
      return errorAt(start, "expected an operator's name, as in \"Operator: aten.relu.default\"");
    op_ = name;
    return {};
  }

  Result<void> caseLine(std::string_view line, std::size_t start) {
    if (op_.empty()) return errorAt(0, "a case before any \"Operator: \" line");
    std::int64_t count = 0;
    const char* end = line.data() + line.size();
    const auto [after, error] = std::from_chars(line.data() + start, end, count);
    const auto behind = static_cast<std::size_t>(after - line.data());
    if (error == std::errc::result_out_of_range) return errorAt(start, "a count beyond 64 bits");
    if (error != std::errc{} || count < 0) return errorAt(start, "expected a count, as in \"cnt: 1, …\"");
    if (!line.substr(behind).starts_with(", ")) return errorAt(behind, "expected \", \" after the count");
    const std::size_t argsStart = behind + 2;
    const std::string_view args = line.substr(argsStart);
    auto made = makeCase(op_, count, args);
    if (!made) {
      const int column = made.error().place.column;
      return errorAt(argsStart + static_cast<std::size_t>(column > 0 ? column - 1 : 0), made.error().text,
                     made.error().hint);
    }
    made->origin = Place{file_, line_, 0};
    cases.push_back(*std::move(made));
    return {};
  }

  std::string file_, op_;
  int line_ = 0;
};

}  // namespace

Result<Case> makeCase(std::string_view op, std::int64_t count, std::string_view args) {
  WB_TRY(auto literal, parseLiteral(args));
  WB_DO(checkCall(literal));
  Case definition;
  // Logs of torch's SymInt overload mean this one; BackendBench renames it too.
  definition.op = op == "aten.sum.SymInt" ? "aten::sum.dim_IntList" : schemaName(op);
  definition.args = std::string(trimmed(args));
  definition.count = count;
  definition.seed = seedOf(definition.op, definition.args);
  describeArguments(definition, literal);
  return definition;
}

void describeArguments(Case& definition, const Literal& args) {
  definition.shapes.clear();
  definition.dtype.clear();
  std::size_t tensors = 0;
  // A malformed tensor ends the description; parseTrace refuses it.
  const auto described = eachTensor(args, [&](const TensorLiteral& tensor) {
    if (tensors == 0) definition.dtype = std::string(findDType(tensor.dtype)->abbreviation);
    if (++tensors > tensorsShown) return;
    definition.shapes += (tensors > 1 ? ", " : "") + shapeText(tensor);
  });
  if (tensors > tensorsShown) definition.shapes += fmt::format(", … ({} tensors)", tensors);
  if (tensors == 0 || !described) definition.shapes = definition.shapes.empty() ? "–" : definition.shapes;
}

Result<std::vector<Case>> parseTrace(std::string_view text, const std::string& file) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  TraceReader reader(file);
  while (!text.empty()) {
    const auto end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    WB_DO(reader.line(line));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return std::move(reader.cases);
}

}  // namespace wb
