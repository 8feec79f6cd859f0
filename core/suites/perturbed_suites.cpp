// SPDX-License-Identifier: Apache-2.0
#include "core/suites/perturbed_suites.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/model/operators/dtype.h"
#include "core/model/operators/operator_name.h"
#include "core/suites/opinfo_suite.h"
#include "core/suites/perturb.h"
#include "core/suites/trace_file.h"

namespace wb {
namespace {

/// How many calls are taken per operator and dtype.
constexpr std::size_t templatesPerOperator = 3;

/// The known-good calls of one operator.
struct Operator {
  std::string name;
  std::vector<EditableCall> calls;
};

/// The known-good cases: those of smoke, and those of opinfo as far as its cache exists.
Result<Suite> knownGood(const SuiteRequest& request, std::string_view suiteName) {
  WB_TRY(auto known, loadSuite("smoke"));
  std::set<std::string> types{"float32", std::string(findDType(request.dtype)->torchName)};
  for (const std::string& dtype : types) {
    SuiteRequest opinfo = request;
    opinfo.dtype = dtype;
    auto cached = cachedOpinfoSuite(opinfo);
    if (!cached) continue;
    for (Case& definition : cached->cases) known.cases.push_back(std::move(definition));
  }
  known.name = suiteName;
  return filterOperators(std::move(known), request.operators);
}

std::vector<Operator> byOperator(const Suite& suite) {
  std::vector<Operator> operators;
  std::map<std::string, std::size_t> at;
  for (const Case& definition : suite.cases) {
    auto call = editCall(definition.args);
    if (!call || !isPerturbable(definition.op) || call->tensors.empty() || !takesAnyValues(*call)) continue;
    const auto [found, isNew] = at.try_emplace(definition.op, operators.size());
    if (isNew) operators.push_back({definition.op, {}});
    operators[found->second].calls.push_back(*std::move(call));
  }
  return operators;
}

/// A text that is equal for two calls which a change would treat alike: ranks, and everything that is not a
/// tensor.
std::string signature(EditableCall call) {
  for (TensorLiteral& tensor : call.tensors) {
    tensor = TensorLiteral{.shape = std::vector<std::int64_t>(tensor.shape.size(), 2),
                           .dtype = "f32",
                           .strided = false,
                           .stride = {}};
  }
  return text(call);
}

/// Whether a call is a suitable start.
using Suits = std::function<bool(const EditableCall& call)>;

/// A few different calls of the operator, in float32 and in the request's type; calls without floating
/// tensors stay as they are. Of calls that are alike, the one with the most different sizes is taken.
std::vector<EditableCall> templatesOf(const Operator& op, const std::string& dtype, const Suits& suits,
                                      std::size_t most) {
  std::vector<const EditableCall*> starts;
  std::map<std::string, std::size_t> at;
  for (const EditableCall& call : op.calls) {
    if (!suits(call)) continue;
    std::string key = signature(call);
    if (starts.size() == most && !at.contains(key)) continue;
    const auto [found, isNew] = at.try_emplace(std::move(key), starts.size());
    if (isNew)
      starts.push_back(&call);
    else if (variety(call) > variety(*starts[found->second]))
      starts[found->second] = &call;
  }
  std::vector<std::string> types{"f32"};
  if (dtype != "f32") types.push_back(dtype);
  std::vector<EditableCall> chosen;
  for (const EditableCall* call : starts) {
    for (const std::string& type : types) {
      EditableCall typed = *call;
      const bool changed = setFloatingType(typed, type);
      chosen.push_back(std::move(typed));
      if (!changed) break;
    }
  }
  return chosen;
}

bool hasElements(const EditableCall& call, std::int64_t atLeast) {
  std::int64_t elements = 1;
  for (const std::int64_t size : call.tensors[0].shape)
    if (__builtin_mul_overflow(elements, size, &elements)) return true;
  return elements >= atLeast;
}

/// Collects cases, each of them once.
class Collector {
 public:
  explicit Collector(std::string name) : suite_{.name = std::move(name)} {}
  void add(const std::string& op, const std::string& kind, const EditableCall& call,
           const std::string& values = {}) {
    auto definition = makeCase(op, 1, text(call));
    if (!definition || !seen_.insert(std::tuple{op, definition->args, values}).second) return;
    definition->values = values;
    definition->group = kind;
    suite_.cases.push_back(*std::move(definition));
  }
  Result<Suite> finish() {
    if (suite_.cases.empty())
      return Error{Stage::job, fmt::format("{}: no call of these operators can be changed so", suite_.name),
                   "they take no tensors, or integers that are indices; choose other operators, or opinfo"};
    return std::move(suite_);
  }

 private:
  Suite suite_;
  std::set<std::tuple<std::string, std::string, std::string>> seen_;
};

using Change = std::function<void(Collector& to, const Operator& op, const OperatorTraits& traits,
                                  const EditableCall& call)>;

Result<Suite> perturbed(std::string name, const SuiteRequest& request, const SuiteProgress& progress,
                        const Suits& suits, const Change& change,
                        std::size_t mostTemplates = templatesPerOperator) {
  const DType* dtype = findDType(request.dtype);
  if (dtype == nullptr) return unknownDType(request.dtype);
  if (progress.onText) progress.onText(fmt::format("making {}", name));
  WB_TRY(const auto known, knownGood(request, name));
  Collector collector(std::move(name));
  for (const Operator& op : byOperator(known)) {
    if (progress.stop.stop_requested()) return Error{Stage::job, "making the suite was stopped"};
    const OperatorTraits traits = traitsOf(op.name, op.calls);
    for (const EditableCall& call : templatesOf(op, std::string(dtype->abbreviation), suits, mostTemplates))
      change(collector, op, traits, call);
  }
  return collector.finish();
}

}  // namespace

bool isPerturbable(std::string_view schemaName) {
  constexpr std::array<std::string_view, 19> stems{
      "bernoulli", "cauchy",      "exponential",     "geometric",         "log_normal", "normal_",  "uniform",
      "rand",      "multinomial", "dropout",         "poisson",           "rrelu",      "binomial", "empty",
      "new_empty", "cholesky",    "_standard_gamma", "_sample_dirichlet", "resize"};
  const std::string base = baseName(schemaName);
  if (base == "normal" || base.find("dropout") != std::string::npos) return false;
  return std::none_of(stems.begin(), stems.end(),
                      [&](std::string_view stem) { return base.starts_with(stem); });
}

Result<Suite> shapesSuite(const SuiteRequest& request, const SuiteProgress& progress) {
  return perturbed(
      "shapes", request, progress, [](const EditableCall& call) { return !shapeVariants(call, {}).empty(); },
      [](Collector& to, const Operator& op, const OperatorTraits& traits, const EditableCall& call) {
        for (const Variant& variant : shapeVariants(call, traits))
          to.add(op.name, "shapes: " + variant.kind, variant.call);
      });
}

Result<Suite> layoutsSuite(const SuiteRequest& request, const SuiteProgress& progress) {
  // The calls have matrices at least, since a layout needs dimensions.
  return perturbed(
      "layouts", request, progress,
      [](const EditableCall& call) { return hasElements(call, 4) && layoutVariants(call, {}).size() > 2; },
      [](Collector& to, const Operator& op, const OperatorTraits& traits, const EditableCall& call) {
        for (const Variant& variant : layoutVariants(call, traits))
          to.add(op.name, "layouts: " + variant.kind, variant.call);
      });
}

Result<Suite> valuesSuite(const SuiteRequest& request, const SuiteProgress& progress) {
  return perturbed(
      "values", request, progress, [](const EditableCall& call) { return hasElements(call, 20); },
      [](Collector& to, const Operator& op, const OperatorTraits&, const EditableCall& call) {
        for (const char* kind : {"nan", "infinity", "denormal", "extreme", "zero"})
          to.add(op.name, fmt::format("values: {}", kind), call, kind);
      });
}

Result<Suite> sweepSuite(const SuiteRequest& request, const SuiteProgress& progress) {
  return perturbed(
      "sweep", request, progress, [](const EditableCall& call) { return sweepVariants(call, {}).size() > 2; },
      [](Collector& to, const Operator& op, const OperatorTraits& traits, const EditableCall& call) {
        for (const Variant& variant : sweepVariants(call, traits))
          to.add(op.name, variant.kind, variant.call);
      },
      1);
}

}  // namespace wb
