// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/evaluation/model_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "core/base/text.h"

namespace wb {
namespace {

std::string lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

/// Digits with single underscores between them, without the underscores; "" for anything else.
std::string digits(std::string_view text) {
  std::string out;
  bool isBetween = false;
  for (const char c : text) {
    if (c == '_') {
      if (!isBetween) return {};
      isBetween = false;
    } else if (c >= '0' && c <= '9') {
      out.push_back(c);
      isBetween = true;
    } else {
      return {};
    }
  }
  return isBetween ? out : std::string();
}

/// Null where the text is no whole number, or not one of 64 bits.
OrderedJson wholeNumberIn(std::string_view text) {
  text = trimmed(text);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (const auto point = text.find('.'); point != std::string_view::npos) {
    if (text.find_first_not_of('0', point + 1) != std::string_view::npos || point + 1 == text.size())
      return nullptr;
    text = text.substr(0, point);
  }
  const std::string plain = digits(text);
  return plain.empty() ? OrderedJson() : wholeNumber((negative ? "-" : "") + plain);
}

std::optional<double> realNumber(std::string_view text) {
  text = trimmed(text);
  // Single underscores may stand anywhere inside.
  if (text.starts_with('_') || text.ends_with('_') || text.find("__") != std::string_view::npos)
    return std::nullopt;
  std::string plain(text);
  std::erase(plain, '_');
  if (plain.empty() || plain.find_first_of("xX(") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double number = std::strtod(plain.c_str(), &end);
  return end == plain.c_str() + plain.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

void ModelReader::fault(std::string message, std::string type) {
  faults_.push_back({joined(path_, " -> "), std::move(message), std::move(type)});
}

OrderedJson ModelReader::integer(const OrderedJson& value) {
  if (value.is_boolean()) return std::int64_t{value.get<bool>()};
  if (value.is_number_integer()) return value;
  if (value.is_number_float()) {
    const double number = value.get<double>();
    constexpr double most = 9.0e18;
    if (!std::isfinite(number)) {
      fault("Input should be a finite number", "finite_number");
    } else if (number != std::floor(number)) {
      fault("Input should be a valid integer, got a number with a fractional part", "int_from_float");
    } else if (std::abs(number) > most) {
      fault("Unable to parse input string as an integer, exceeded maximum size", "int_parsing_size");
    } else {
      return static_cast<std::int64_t>(number);
    }
    return 0;
  }
  if (value.is_string()) {
    if (OrderedJson number = wholeNumberIn(value.get_ref<const std::string&>()); !number.is_null())
      return number;
    fault("Input should be a valid integer, unable to parse string as an integer", "int_parsing");
    return 0;
  }
  fault("Input should be a valid integer", "int_type");
  return 0;
}

OrderedJson ModelReader::real(const OrderedJson& value) {
  if (value.is_boolean()) return value.get<bool>() ? 1.0 : 0.0;
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) {
    if (const auto number = realNumber(value.get_ref<const std::string&>())) return *number;
    fault("Input should be a valid number, unable to parse string as a number", "float_parsing");
    return 0.0;
  }
  fault("Input should be a valid number", "float_type");
  return 0.0;
}

OrderedJson ModelReader::truth(const OrderedJson& value) {
  if (value.is_boolean()) return value;
  if (value.is_number()) {
    if (value == 0 || value == 1) return value == 1;
    const auto number = value.get<double>();
    // From 2⁶³ on it is no number that could be meant so; −2⁶³ is one.
    constexpr double most = 0x1p63;
    if (number == std::floor(number) && number >= -most && number < most)
      fault("Input should be a valid boolean, unable to interpret input", "bool_parsing");
    else
      fault("Input should be a valid boolean", "bool_type");
    return false;
  }
  if (!value.is_string()) {
    fault("Input should be a valid boolean", "bool_type");
    return false;
  }
  constexpr std::array<std::string_view, 6> yes{"1", "on", "t", "true", "y", "yes"};
  constexpr std::array<std::string_view, 6> no{"0", "off", "f", "false", "n", "no"};
  const std::string word = lowered(value.get_ref<const std::string&>());
  if (std::find(yes.begin(), yes.end(), word) != yes.end()) return true;
  if (std::find(no.begin(), no.end(), word) == no.end())
    fault("Input should be a valid boolean, unable to interpret input", "bool_parsing");
  return false;
}

OrderedJson ModelReader::string(const OrderedJson& value) {
  if (value.is_string()) return value;
  fault("Input should be a valid string", "string_type");
  return "";
}

OrderedJson ModelReader::scalar(const OrderedJson& value) {
  if (value.is_number() || value.is_boolean() || value.is_string()) return value;
  constexpr std::array<std::array<const char*, 3>, 4> kinds{
      {{"int", "Input should be a valid integer", "int_type"},
       {"float", "Input should be a valid number", "float_type"},
       {"str", "Input should be a valid string", "string_type"},
       {"bool", "Input should be a valid boolean", "bool_type"}}};
  for (const auto& [name, message, type] : kinds) {
    const Step step(*this, name);
    fault(message, type);
  }
  return {};
}

OrderedJson ModelReader::kernelType(const OrderedJson& value) {
  for (const char* known : {"torch", "cuda", "triton", "torch_cuda", "multi_kernel"})
    if (value == known) return value;
  fault("Input should be 'torch', 'cuda', 'triton', 'torch_cuda' or 'multi_kernel'", "enum");
  return "";
}

OrderedJson ModelReader::metadata(const OrderedJson& value) {
  if (value.is_object()) return value;
  {
    const Step step(*this, "BaseKernelMetadata");
    fault("Input should be a valid dictionary or instance of BaseKernelMetadata", "model_type");
  }
  const Step step(*this, "dict[str,any]");
  fault("Input should be a valid dictionary", "dict_type");
  return {};
}

}  // namespace wb
