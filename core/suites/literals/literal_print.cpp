// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "core/base/python_float.h"
#include "core/suites/literals/literal_parser.h"
#include "core/suites/literals/python_string.h"

namespace wb {
namespace {

using Kind = Literal::Kind;

/// Whether a comma stands after the last item: never, after a single item, always.
enum class Trailing { never, single, always };

void append(std::string& out, const Literal& literal);

void appendItems(std::string& out, const std::vector<Literal>& items, Trailing trailing) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ", ";
    append(out, items[i]);
  }
  const bool comma =
      trailing == Trailing::always ? !items.empty() : trailing == Trailing::single && items.size() == 1;
  if (comma) out += ',';
}

/// Python leaves away a real part of zero, and writes whole parts without a point. A real part of −0 is
/// written in full, since Python writes it as "-0" and then reads that as an integer without its sign.
void appendComplex(std::string& out, const Literal& literal) {
  const auto part = [](double value) {
    std::string text = pythonFloat(value);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text;
  };
  // "infj" would be a name.
  const std::string imaginary = std::isinf(literal.imaginary) ? literal.imaginary > 0 ? "1e999j" : "-1e999j"
                                                              : part(literal.imaginary) + "j";
  if (literal.real == 0 && !std::signbit(literal.real)) {
    out += imaginary;
    return;
  }
  out += fmt::format("({}{}{})", literal.real == 0 ? "-0.0" : part(literal.real),
                     imaginary.starts_with('-') ? "" : "+", imaginary);
}

/// Strides go where BackendBench's own writer puts them: third, as a list.
void appendCall(std::string& out, const Literal& call) {
  out += call.text + "(";
  appendItems(out, call.items, Trailing::never);
  bool first = call.items.empty();
  for (const Literal& value : call.keywords) {
    if (!first) out += ", ";
    first = false;
    const bool stride = call.text == "T" && value.keyword == "stride" && call.items.size() == 2;
    if (stride && (value.kind == Kind::tuple || value.kind == Kind::list)) {
      out += '[';
      appendItems(out, value.items, Trailing::never);
      out += ']';
    } else {
      out += value.keyword + "=";
      append(out, value);
    }
  }
  out += ')';
}

void append(std::string& out, const Literal& literal) {
  switch (literal.kind) {
    case Kind::none:
      out += "None";
      return;
    case Kind::boolean:
      out += literal.boolean ? "True" : "False";
      return;
    case Kind::integer:
      out += std::to_string(literal.integer);
      return;
    case Kind::real:
      out += pythonFloat(literal.real);
      return;
    case Kind::complex:
      appendComplex(out, literal);
      return;
    case Kind::string:
      out += pythonRepr(literal.text);
      return;
    case Kind::symbol:
      out += literal.text;
      return;
    case Kind::list:
    case Kind::tuple:
      out += literal.kind == Kind::list ? '[' : '(';
      appendItems(out, literal.items, literal.kind == Kind::list ? Trailing::never : Trailing::single);
      out += literal.kind == Kind::list ? ']' : ')';
      return;
    case Kind::dict:
      out += '{';
      for (std::size_t i = 0; i + 1 < literal.items.size(); i += 2) {
        if (i > 0) out += ", ";
        append(out, literal.items[i]);
        out += ": ";
        append(out, literal.items[i + 1]);
      }
      out += '}';
      return;
    case Kind::call:
      appendCall(out, literal);
      return;
  }
}

}  // namespace

std::string print(const Literal& literal) {
  std::string out;
  // In the arguments of a call, "((a, b,), {…})", BackendBench always ends the positional ones with a comma.
  const auto& items = literal.items;
  if (literal.kind == Kind::tuple && items.size() == 2 && items[0].kind == Kind::tuple &&
      items[1].kind == Kind::dict) {
    out += "((";
    appendItems(out, items[0].items, Trailing::always);
    out += "), ";
    append(out, items[1]);
    return out + ")";
  }
  append(out, literal);
  return out;
}

}  // namespace wb
