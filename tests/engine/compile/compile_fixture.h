// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <gmock/gmock.h>

#include <sstream>
#include <string>
#include <vector>

#include "core/engine/compile/host/torch_cpp_compiler.h"

namespace wb {

/// A compilation and all that was said during it.
struct Compilation {
  Result<CompileOutcome> outcome;
  std::vector<Diagnostic> diagnostics;
  std::vector<Log> logs;
  bool ok() const { return outcome.has_value(); }
  std::string problem() const {
    std::string text = ok() ? "" : describe(outcome.error());
    for (const auto& d : diagnostics) text += "\n" + wb::text(d.place) + ": " + d.message;
    return text;
  }
};

/// Compiles for real, with the precompiled header and the built kernels kept in the build folder.
class CompileTest : public ::testing::Test {
 protected:
  static std::filesystem::path sharedCache() { return WB_BINARY_DIR "/tests/cache"; }

  static c10::OperatorHandle find(const std::string& op) {
    const auto dot = op.find('.');
    const std::string overload = dot == std::string::npos ? "" : op.substr(dot + 1);
    return c10::Dispatcher::singleton().findSchemaOrThrow(op.substr(0, dot).c_str(), overload.c_str());
  }

  static CompileRequest request(const KernelSource& source, const std::string& op, Compilation& out) {
    std::ostringstream schema;
    schema << find(op).schema();
    CompileRequest r{source, op, schema.str(), {}, "cpu", "x86-64", true, 120, {}, {}, {}};
    r.onDiagnostic = [&out](const Diagnostic& d) { out.diagnostics.push_back(d); };
    r.onLog = [&out](const Log& l) { out.logs.push_back(l); };
    return r;
  }

  static Compilation compile(const std::string& text, const std::string& op, Compiler& compiler,
                             const std::string& path = "dir/mine.cpp") {
    Compilation out{Error{}, {}, {}};
    const KernelSource source{path, text, "torch_cpp", "", {}, {}};
    out.outcome = compiler.compile(request(source, op, out));
    return out;
  }
  static Compilation compile(const std::string& text, const std::string& op,
                             const std::string& path = "dir/mine.cpp") {
    return compile(text, op, *torchCppCompiler({"", sharedCache()}), path);
  }

  static Result<Stack> call(Candidate& candidate, const Stack& arguments) {
    WB_TRY(auto prepared, candidate.prepare({Literal{}, arguments}, {}));
    WB_DO(prepared->run());
    return prepared->outputs();
  }

  static Stack reference(const std::string& op, Stack arguments) {
    find(op).callBoxed(arguments);
    return arguments;
  }

  static void expectSame(const Stack& actual, const Stack& expected) {
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
      if (expected[i].isTensor()) {
        ASSERT_TRUE(actual[i].isTensor()) << actual[i].tagKind();
        EXPECT_TRUE(at::allclose(actual[i].toTensor().to(at::kDouble), expected[i].toTensor().to(at::kDouble),
                                 1e-4, 1e-5));
        EXPECT_EQ(actual[i].toTensor().dtype(), expected[i].toTensor().dtype());
      } else if (expected[i].isTensorList()) {
        ASSERT_TRUE(actual[i].isTensorList()) << actual[i].tagKind();
        const auto a = actual[i].toTensorVector(), e = expected[i].toTensorVector();
        ASSERT_EQ(a.size(), e.size());
        for (std::size_t j = 0; j < a.size(); ++j) EXPECT_TRUE(at::equal(a[j], e[j]));
      } else {
        EXPECT_EQ(actual[i], expected[i]);
      }
    }
  }
};

}  // namespace wb
