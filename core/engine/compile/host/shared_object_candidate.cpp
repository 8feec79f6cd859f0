// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/host/shared_object_candidate.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <sstream>
#include <utility>

#include "core/engine/compile/host/open_shared_object.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/reference/stack_call.h"

namespace wb {
namespace {

using CallFunction = void (*)(Stack*);
using CountFunction = int (*)();

class SharedObjectCall final : public StackCall {
 public:
  SharedObjectCall(CallFunction call, Stack arguments) : StackCall(std::move(arguments)), call_(call) {}

 private:
  void call() override {
    results_ = arguments_;
    call_(&results_);
  }

  CallFunction call_;
};

std::string valueText(const c10::IValue& value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

/// Whether the value is the one that the operator takes by default. Numbers are compared by value: 1 and 1.0
/// are the same.
bool isDefault(const c10::IValue& value, const c10::IValue& standard) {
  if (value.isNone() || standard.isNone()) return value.isNone() && standard.isNone();
  if (value.isTensor() || standard.isTensor()) return false;
  const auto number = [](const c10::IValue& v) { return v.isInt() || v.isDouble() || v.isBool(); };
  if (number(value) && number(standard)) return value.toScalar().toDouble() == standard.toScalar().toDouble();
  return value == standard;
}

class SharedObjectCandidate : public Candidate {
 public:
  SharedObjectCandidate(CallFunction call, std::size_t parameters, std::string name,
                        c10::FunctionSchema schema)
      : call_(call), parameters_(parameters), name_(std::move(name)), schema_(std::move(schema)) {}

  Result<std::unique_ptr<PreparedCall>> prepare(const BoundCall& call, const OutputPlan&) override {
    const Stack& arguments = call.arguments;
    try {
      for (std::size_t i = parameters_; i < arguments.size() && i < schema_.arguments().size(); ++i) {
        const auto& argument = schema_.arguments()[i];
        if (argument.default_value() && isDefault(arguments[i], *argument.default_value())) continue;
        return Error{Stage::check,
                     fmt::format("{} has no parameter for '{}', which is {} in this case", name_,
                                 argument.name(), valueText(arguments[i])),
                     fmt::format("add the parameter: the operator is {}", toString(schema_))};
      }
      return std::make_unique<SharedObjectCall>(call_, arguments);
    } catch (...) {
      return Error{Stage::check, exceptionText()};
    }
  }

 private:
  CallFunction call_;
  std::size_t parameters_;
  std::string name_;
  c10::FunctionSchema schema_;
};

}  // namespace

Result<std::unique_ptr<Candidate>> loadSharedObject(const std::filesystem::path& object,
                                                    const std::string& functionName,
                                                    c10::FunctionSchema schema) {
  try {
    WB_TRY(const auto library, openSharedObject(object));
    const auto call = reinterpret_cast<CallFunction>(dlsym(library, "wb_call"));
    const auto count = reinterpret_cast<CountFunction>(dlsym(library, "wb_parameters"));
    if (call == nullptr || count == nullptr)
      return Error{Stage::compile, "the built kernel has no entry point",
                   "the source may end inside a comment or an #if"};
    return std::make_unique<SharedObjectCandidate>(call, static_cast<std::size_t>(count()), functionName,
                                                   std::move(schema));
  } catch (...) {
    return Error{Stage::compile, "a static object of the kernel threw: " + exceptionText()};
  }
}

}  // namespace wb
