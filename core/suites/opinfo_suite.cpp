// SPDX-License-Identifier: Apache-2.0
#include "core/suites/opinfo_suite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>
#include <utility>

#include "core/base/files/file.h"
#include "core/base/files/hash.h"
#include "core/base/files/paths.h"
#include "core/base/process/process.h"
#include "core/base/python.h"
#include "core/model/operators/dtype.h"
#include "core/suites/python_script.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

constexpr const char* scriptName = "export_opinfo.py";

/// The text of torch/version.py below the prefix of an environment or a system, where wheels are installed.
std::optional<std::string> versionBelow(const fs::path& prefix) {
  for (const fs::path& packages : packageFolders(prefix))
    if (auto text = readFile(packages / "torch" / "version.py")) return *text;
  return std::nullopt;
}

/// The text of torch's version.py, which tells one torch from another without importing it.
Result<std::string> torchVersionText(const std::string& given) {
  WB_TRY(const auto python, pythonFor(given));
  // An environment's interpreter is a link that leads out of it: the place of the link counts first.
  std::error_code ignored;
  for (const fs::path& place : {python, fs::canonical(python, ignored)})
    if (auto text = versionBelow(place.parent_path().parent_path())) return *text;
  const char* question =
      "import importlib.util as u, os; s = u.find_spec('torch'); "
      "print(open(os.path.join(os.path.dirname(s.origin), 'version.py')).read(), end='')";
  const auto answer = runToEnd({{python.string(), "-c", question}, {}, {}}, std::chrono::seconds{20});
  if (answer && answer->ok() && !answer->out.empty()) return answer->out;
  return Error{Stage::job, fmt::format("{} has no torch, from which opinfo is made", python.string()),
               "run packaging/setup build, or set WARPBENCH_PYTHON to a Python that has torch 2.11"};
}

struct Wanted {
  std::string device, dtype;
  fs::path index;
};

Result<Wanted> wantedOf(const SuiteRequest& request) {
  const DType* dtype = findDType(request.dtype);
  if (dtype == nullptr) return unknownDType(request.dtype);
  const std::string device = request.device.substr(0, request.device.find(':'));
  if (device != "cpu" && device != "cuda")
    return Error{Stage::job, fmt::format("opinfo has no samples for device \"{}\"", request.device),
                 "say cpu or cuda"};
  WB_TRY(auto version, torchVersionText(request.python));
  WB_TRY(const auto script, readFile(resourceFolder() / "python" / scriptName));
  const std::string key = contentHash({version, script}).substr(0, 16);
  return Wanted{
      device, std::string(dtype->torchName),
      cacheFolder() / "suites" / fmt::format("opinfo-{}-{}-{}.index", device, dtype->torchName, key)};
}

Suite suiteOf(OpInfoIndex index) {
  return Suite{.name = fmt::format("opinfo {} {}", index.device, index.dtype),
               .cases = std::move(index.cases),
               .scoreTrivial = true};
}

Result<void> exportTo(const Wanted& wanted, const SuiteProgress& progress, const std::string& python) {
  const auto say = [&](const std::string& text) {
    if (progress.onText) progress.onText(text);
  };
  say(fmt::format("making opinfo {} {}, once per torch: importing torch", wanted.device, wanted.dtype));
  fs::path prefix = wanted.index;
  prefix.replace_extension();
  return runScript(
      {scriptName,
       {"--device", wanted.device, "--dtype", wanted.dtype, "--out", prefix.string()},
       "making opinfo",
       python},
      [&](std::string_view line) {
        constexpr std::string_view mark = "progress ";
        if (!line.starts_with(mark)) return say(fmt::format("opinfo: {}", line));
        line.remove_prefix(mark.size());
        const auto space = std::min(line.find(' '), line.size());
        const std::string_view all = line.substr(std::min(space + 1, line.size()));
        if (all != "0") say(fmt::format("making opinfo: {} of {} entries", line.substr(0, space), all));
      },
      progress.stop);
}

Result<Suite> suiteThere(const SuiteRequest& request, const SuiteProgress& progress) {
  const DType* dtype = findDType(request.dtype);
  if (dtype == nullptr) return unknownDType(request.dtype);
  if (progress.onText)
    progress.onText(
        fmt::format("asking for opinfo {}, which is made there once per torch", dtype->torchName));
  WB_TRY(const std::string text, request.opinfoThere(request.device, std::string(dtype->torchName)));
  const std::size_t line = std::min(text.find('\n'), text.size());
  WB_TRY(auto index, parseOpInfoIndex(std::string_view(text).substr(std::min(line + 1, text.size())),
                                      text.substr(0, line)));
  return suiteOf(std::move(index));
}

}  // namespace

Error unknownDType(const std::string& name) {
  std::vector<std::string_view> names;
  for (const DType& known : dtypes()) names.push_back(known.torchName);
  return Error{Stage::job, fmt::format("\"{}\" is no dtype", name),
               fmt::format("there is {}", fmt::join(names, ", "))};
}

Result<Suite> opinfoSuite(const SuiteRequest& request, const SuiteProgress& progress) {
  if (request.opinfoThere) return suiteThere(request, progress);
  WB_TRY(const auto wanted, wantedOf(request));
  std::error_code ignored;
  if (fs::exists(wanted.index, ignored)) {
    auto index = readOpInfoIndex(wanted.index);
    // A new time keeps what is used often when the cache is cleaned.
    fs::last_write_time(wanted.index, fs::file_time_type::clock::now(), ignored);
    if (index) return suiteOf(*std::move(index));
    if (progress.onText)
      progress.onText(
          fmt::format("the cache of opinfo is damaged and made again: {}", describe(index.error())));
    fs::remove(wanted.index, ignored);
  }
  WB_DO(exportTo(wanted, progress, request.python));
  WB_TRY(auto index, readOpInfoIndex(wanted.index));
  if (index.cases.empty())
    return Error{Stage::job, fmt::format("opinfo has no samples of {} on {}", wanted.dtype, wanted.device),
                 "choose another dtype"};
  return suiteOf(std::move(index));
}

Result<std::string> opinfoIndexText(const SuiteRequest& request, const SuiteProgress& progress) {
  WB_DO(opinfoSuite(request, progress));
  WB_TRY(const auto wanted, wantedOf(request));
  WB_TRY(const std::string text, readFile(wanted.index));
  return wanted.index.filename().string() + "\n" + text;
}

Result<Suite> cachedOpinfoSuite(const SuiteRequest& request) {
  WB_TRY(const auto wanted, wantedOf(request));
  WB_TRY(auto index, readOpInfoIndex(wanted.index));
  return suiteOf(std::move(index));
}

}  // namespace wb
