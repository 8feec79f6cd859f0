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

/// A suite with a name. It is a data file under resources/suites, which is found by looking there, so that
/// adding a suite is adding a file; or it is made: opinfo, shapes, sweep, layouts, values, beside.
struct SuiteInfo {
  /// The name; that of a file is without ".txt".
  std::string name;
  /// One line of description; that of a file is its first comment line.
  std::string description;
  /// The file; empty for a suite that is made.
  std::filesystem::path file;
  /// The cases depend on SuiteRequest::dtype.
  bool takesDtype = false;
};

/// Data files by name, then the made ones.
[[nodiscard]] std::vector<SuiteInfo> suites();

struct Suite {
  /// The name for people: "smoke", "opinfo cpu bfloat16", "trace.txt".
  std::string name;
  std::vector<Case> cases{};
  /// Cases that a trivial answer passes count all the same (Checking::scoreTrivial). So it is for opinfo and
  /// traces, whose counts must match BackendBench's.
  bool scoreTrivial = false;
};

/// Which cases are wanted.
struct SuiteRequest {
  /// A suite's name or a file: .txt in the operator-log format, or .parquet in the form of BackendBench's
  /// data set.
  std::string name = "smoke";
  /// The dtype of opinfo's samples, from which shapes, sweep, layouts and values start too; in any spelling.
  std::string dtype = "bfloat16";
  /// The device whose samples opinfo takes: "cpu" or "cuda", with or without ":N".
  std::string device = "cpu";
  /// Names in any spelling, or globs; when empty, all operators.
  std::vector<std::string> operators{};
  /// Keeps the so many largest cases per operator; 0 keeps all.
  int topn = 0;
  /// The kernel whose cases the suite "beside" takes.
  std::filesystem::path kernel{};
  /// The interpreter that makes or reads a suite; "" means the one that findPython() finds.
  std::string python{};
  /// Makes opinfo on the machine where the kernels run, and gives what opinfoIndexText() gives there for a
  /// device and a dtype; empty where that is this one.
  std::function<Result<std::string>(const std::string& device, const std::string& dtype)> opinfoThere{};
};

/// Making a suite may take half a minute.
struct SuiteProgress {
  /// Gets one line for people at a time, from the calling thread; may be empty.
  std::function<void(const std::string&)> onText{};
  /// Ends the work with an error.
  std::stop_token stop{};
};

/// Errors: no such suite (nearest names suggested), a file that is unreadable or malformed (with line and
/// column), an unknown dtype or device, a Python that cannot make it, an operator filter that matches
/// nothing, stopped.
Result<Suite> loadSuite(const SuiteRequest& request, const SuiteProgress& progress = {});
Result<Suite> loadSuite(const std::string& nameOrFile);

/// The suite that has cases of an operator: "smoke" where it has some, else "opinfo".
[[nodiscard]] std::string suiteWith(std::string_view op);

/// The file of a user's own cases beside the kernel, in the operator-log format: relu.cases.txt for relu.cu.
[[nodiscard]] std::filesystem::path casesFileBeside(const std::filesystem::path& kernel);
Result<Suite> casesBeside(const std::filesystem::path& kernel);

/// Only the cases of these operators (names in any spelling, globs). A filter that matches nothing is an
/// error that lists what is there. An empty filter keeps everything.
Result<Suite> filterOperators(Suite suite, std::span<const std::string> filters);

/// The `count` largest cases of each operator in BackendBench's order: by bytes of their tensors, then by
/// text, both descending; operators in the order in which they are first seen. 0 or less keeps everything as
/// it is.
[[nodiscard]] Suite largestPerOperator(Suite suite, int count);

}  // namespace wb
