// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/case.h"

namespace wb {

/// A suite by name: a data file under resources/suites, found by looking, so adding one is adding a file; or
/// one that is made: opinfo, shapes, layouts, values, beside.
struct SuiteInfo {
  std::string name;            ///< a file's without ".txt"
  std::string description;     ///< a file's first comment line
  std::filesystem::path file;  ///< empty for one that is made
  bool takesDtype = false;     ///< its cases depend on SuiteRequest::dtype
};

/// Data files by name, then the made ones.
[[nodiscard]] std::vector<SuiteInfo> suites();

struct Suite {
  std::string name;  ///< for people: "smoke", "opinfo cpu bfloat16", "trace.txt"
  std::vector<Case> cases{};
  /// Cases that a trivial answer passes count all the same (Checking::scoreTrivial): opinfo and traces, whose
  /// counts must match BackendBench's.
  bool scoreTrivial = false;
};

/// Which cases are wanted.
struct SuiteRequest {
  /// A suite's name, else a file: .txt in the operator-log format, or .parquet as BackendBench's data set.
  std::string name = "smoke";
  std::string dtype =
      "bfloat16";  ///< in any spelling; opinfo's samples, and what shapes, layouts and values start from
  std::string device = "cpu";  ///< "cpu" or "cuda", with or without ":N": whose samples opinfo takes
  std::vector<std::string> operators{};  ///< names in any spelling, or globs; empty: all
  int topn = 0;                          ///< keep that many cases an operator, the largest; 0: all
  std::filesystem::path kernel{};        ///< whose cases the suite "beside" takes
  std::string python{};  ///< interpreter that makes or reads a suite; "": as findPython() says
};

/// Making a suite may take half a minute.
struct SuiteProgress {
  std::function<void(const std::string&)>
      onText{};            ///< one line for people, from the calling thread; may be empty
  std::stop_token stop{};  ///< ends it with an error
};

/// Errors: no such suite (nearest names suggested), a file that is unreadable or malformed (with line and
/// column), an unknown dtype or device, a Python that cannot make it, an operator filter that matches
/// nothing, stopped.
Result<Suite> loadSuite(const SuiteRequest& request, const SuiteProgress& progress = {});
Result<Suite> loadSuite(const std::string& nameOrFile);

/// A user's own cases beside the kernel, in the operator-log format: relu.cases.txt for relu.cu.
[[nodiscard]] std::filesystem::path casesFileBeside(const std::filesystem::path& kernel);
Result<Suite> casesBeside(const std::filesystem::path& kernel);

/// Only the cases of these operators (names in any spelling, globs). A filter that matches nothing is an
/// error that lists what is there. An empty filter keeps everything.
Result<Suite> filterOperators(Suite suite, std::span<const std::string> filters);

/// The `count` largest cases of each operator in BackendBench's order (contract §2.3): by bytes of their
/// tensors, then by text, both descending; operators in the order they are first seen. 0 or less keeps
/// everything as it is.
[[nodiscard]] Suite largestPerOperator(Suite suite, int count);

}  // namespace wb
