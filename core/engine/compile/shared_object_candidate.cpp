// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/shared_object_candidate.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <sstream>
#include <utility>

#include "core/engine/reference/exception_text.h"

namespace wb {
namespace {

using CallFunction = void (*)(Stack*);
using CountFunction = int (*)();

class SharedObjectCall : public PreparedCall {
 public:
  SharedObjectCall(CallFunction call, Stack arguments) : call_(call), arguments_(std::move(arguments)) {}

  Result<void> run() override {
    results_ = arguments_;
    try {
      call_(&results_);
      return {};
    } catch (...) {
      results_.clear();
      return Error{Stage::check, exceptionText(), "", {}};
    }
  }
  Result<Stack> outputs() override { return results_; }

 private:
  CallFunction call_;
  Stack arguments_, results_;
};

std::string valueText(const c10::IValue& value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

/// Is the value the one that the operator takes by default? Numbers by value: 1 and 1.0 are the same.
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
                     fmt::format("add the parameter: the operator is {}", toString(schema_)),
                     {}};
      }
      return std::make_unique<SharedObjectCall>(call_, arguments);
    } catch (...) {
      return Error{Stage::check, exceptionText(), "", {}};
    }
  }

 private:
  CallFunction call_;
  std::size_t parameters_;
  std::string name_;
  c10::FunctionSchema schema_;
};

std::string demangled(const std::string& symbol) {
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string out = status == 0 && text != nullptr ? text : symbol;
  std::free(text);
  return out;
}

Error loadError(const std::string& said) {
  constexpr std::string_view mark = "undefined symbol: ";
  const auto at = said.find(mark);
  if (at == std::string::npos)
    return Error{Stage::compile, "the built kernel cannot be loaded: " + said, "", {}};
  const std::string rest = said.substr(at + mark.size());
  return Error{
      Stage::compile,
      "undefined symbol: " + demangled(rest.substr(0, rest.find_first_of(" \t,("))),
      "it is declared but not defined in this source; kernels are linked with torch's libraries only",
      {}};
}

}  // namespace

Result<std::unique_ptr<Candidate>> loadSharedObject(const std::filesystem::path& object,
                                                    const std::string& functionName,
                                                    c10::FunctionSchema schema) {
  try {
    void* const library = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      const char* const said = dlerror();
      return loadError(said != nullptr ? said : "dlopen failed");
    }
    const auto call = reinterpret_cast<CallFunction>(dlsym(library, "wb_call"));
    const auto count = reinterpret_cast<CountFunction>(dlsym(library, "wb_parameters"));
    if (call == nullptr || count == nullptr)
      return Error{Stage::compile,
                   "the built kernel has no entry point",
                   "the source may end inside a comment or an #if",
                   {}};
    return std::make_unique<SharedObjectCandidate>(call, static_cast<std::size_t>(count()), functionName,
                                                   std::move(schema));
  } catch (...) {
    return Error{Stage::compile, "a static object of the kernel threw: " + exceptionText(), "", {}};
  }
}

}  // namespace wb
