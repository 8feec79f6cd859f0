// SPDX-License-Identifier: Apache-2.0
#include "core/templates/forms.h"

#include <algorithm>
#include <array>

namespace wb {
namespace {

constexpr auto elementwise = std::to_array<Elementwise>({
    {"relu", 1, "x < T(0) ? T(0) : x", "tl.where(x < 0, 0, x)"},
    {"neg", 1, "-x", "-x"},
    {"abs", 1, "x < T(0) ? -x : x", "tl.abs(x)"},
    {"square", 1, "x * x", "x * x"},
    {"reciprocal", 1, "T(1) / x", "1 / x"},
    {"exp", 1, "F:exp(x)", "tl.exp(x)"},
    {"exp2", 1, "F:exp2(x)", "tl.exp2(x)"},
    {"expm1", 1, "F:expm1(x)", ""},
    {"log", 1, "F:log(x)", "tl.log(x)"},
    {"log2", 1, "F:log2(x)", "tl.log2(x)"},
    {"log10", 1, "F:log10(x)", ""},
    {"log1p", 1, "F:log1p(x)", ""},
    {"sqrt", 1, "F:sqrt(x)", "tl.sqrt(x)"},
    {"rsqrt", 1, "T(1) / F:sqrt(x)", "1 / tl.sqrt(x)"},
    {"sin", 1, "F:sin(x)", "tl.sin(x)"},
    {"cos", 1, "F:cos(x)", "tl.cos(x)"},
    {"tan", 1, "F:tan(x)", ""},
    {"sinh", 1, "F:sinh(x)", ""},
    {"cosh", 1, "F:cosh(x)", ""},
    // What is left of 1 for a small number has lost most of its digits.
    {"tanh", 1, "F:tanh(x)",
     "tl.where(tl.abs(x) < 0.1, x - x * x * x / 3 + x * x * x * x * x * (2 / 15), 2 * tl.sigmoid(2 * x) - "
     "1)"},
    {"asin", 1, "F:asin(x)", ""},
    {"acos", 1, "F:acos(x)", ""},
    {"atan", 1, "F:atan(x)", ""},
    {"erf", 1, "F:erf(x)", "tl.erf(x)"},
    {"floor", 1, "F:floor(x)", "tl.floor(x)"},
    {"ceil", 1, "F:ceil(x)", "tl.ceil(x)"},
    {"trunc", 1, "F:trunc(x)", ""},
    {"sigmoid", 1, "T(1) / (T(1) + F:exp(-x))", "tl.sigmoid(x)"},
    {"silu", 1, "x / (T(1) + F:exp(-x))", "x * tl.sigmoid(x)"},
    {"relu6", 1, "x < T(0) ? T(0) : x > T(6) ? T(6) : x", "tl.where(x < 0, 0, tl.where(x > 6, 6, x))"},
    {"hardswish", 1, "x * (x < T(-3) ? T(0) : x > T(3) ? T(6) : x + T(3)) / T(6)",
     "x * tl.where(x < -3, 0, tl.where(x > 3, 6, x + 3)) / 6"},
    {"gelu", 1, "T(0.5) * x * (T(1) + F:erf(x * T(0.70710678118654752)))",
     "0.5 * x * (1 + tl.erf(x * 0.70710678118654752))"},
    {"add.Tensor", 2, "a + s * b", "a + alpha * b"},
    {"sub.Tensor", 2, "a - s * b", "a - alpha * b"},
    {"mul.Tensor", 2, "a * b", "a * b"},
    {"div.Tensor", 2, "a / b", "a / b"},
    {"maximum", 2, "a > b || a != a ? a : b", "tl.where((a > b) | (a != a), a, b)"},
    {"minimum", 2, "a < b || a != a ? a : b", "tl.where((a < b) | (a != a), a, b)"},
});

constexpr std::string_view sumOf = "tl.sum(total, axis=0)";
constexpr auto reductions = std::to_array<Reduction>({
    {"sum", "dim_IntList", "0", "total + x", "total", "0.0", "total + value", sumOf},
    {"mean", "dim", "0", "total + x", "total / columns", "0.0", "total + value",
     "tl.sum(total, axis=0) / columns"},
    {"amax", "", "-std::numeric_limits<float>::infinity()", "x > total || x != x ? x : total", "total",
     "-float(\"inf\")", "tl.where((value > total) | (value != value), value, total)",
     "tl.where(tl.sum((total != total).to(tl.int32), axis=0) > 0, float(\"nan\"), tl.max(total, axis=0))"},
    {"amin", "", "std::numeric_limits<float>::infinity()", "x < total || x != x ? x : total", "total",
     "float(\"inf\")", "tl.where((value < total) | (value != value), value, total)",
     "tl.where(tl.sum((total != total).to(tl.int32), axis=0) > 0, float(\"nan\"), tl.min(total, axis=0))"},
});

constexpr auto softmaxes = std::to_array<Softmax>({
    {"_softmax", "", false},
    {"softmax", "int", false},
    {"_log_softmax", "", true},
    {"log_softmax", "int", true},
});

std::string shortNameOf(const Schema& schema) {
  return schema.overload.empty() ? schema.name : schema.name + "." + schema.overload;
}

bool isAten(const Schema& schema) {
  return schema.space == "aten" && schema.results.size() >= 1 && schema.results[0].type == "Tensor";
}

}  // namespace

const Elementwise* findElementwise(const Schema& schema) {
  if (!isAten(schema)) return nullptr;
  const std::string name = shortNameOf(schema);
  const auto found = std::find_if(elementwise.begin(), elementwise.end(),
                                  [&](const Elementwise& one) { return one.name == name; });
  return found == elementwise.end() ? nullptr : &*found;
}

const Reduction* findReduction(const Schema& schema) {
  if (!isAten(schema)) return nullptr;
  const auto found = std::find_if(reductions.begin(), reductions.end(), [&](const Reduction& one) {
    return one.name == schema.name && (one.overload == schema.overload || schema.overload.empty());
  });
  return found == reductions.end() ? nullptr : &*found;
}

const Softmax* findSoftmax(const Schema& schema) {
  if (!isAten(schema)) return nullptr;
  const auto found = std::find_if(softmaxes.begin(), softmaxes.end(), [&](const Softmax& one) {
    return one.name == schema.name && one.overload == schema.overload;
  });
  return found == softmaxes.end() ? nullptr : &*found;
}

bool isMatmul(const Schema& schema) {
  return isAten(schema) && schema.overload.empty() && (schema.name == "mm" || schema.name == "bmm");
}

bool isLayerNorm(const Schema& schema) {
  return isAten(schema) && schema.overload.empty() && schema.name == "native_layer_norm";
}

}  // namespace wb
