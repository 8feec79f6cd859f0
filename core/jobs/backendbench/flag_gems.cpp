// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/backendbench/flag_gems.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/files/paths.h"
#include "core/base/process/process.h"
#include "core/jobs/job_errors.h"
#include "core/model/json/json_codec.h"
#include "core/model/operators/operator_name.h"
#include "core/suites/python_script.h"

namespace wb {
namespace {

constexpr std::chrono::seconds longestImport{120};

Error broken(const std::string& python, const std::string& what) {
  return Error{Stage::setup,
               fmt::format("flag_gems of {} cannot be asked for its operators: {}", python, what),
               fmt::format("see `{} -c 'import flag_gems'`", python)};
}

std::string folderOf(const std::string& op) {
  std::string folder = shortName(op);
  for (std::size_t dot = 0; (dot = folder.find('.', dot)) != std::string::npos;) folder.replace(dot, 1, "__");
  return folder;
}

/// The last line, which is the answer, since packages print when they are imported.
std::string lastLine(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

}  // namespace

std::string flagGemsSource(const std::string& op, const std::string& module, const std::string& function,
                           bool like) {
  std::string body = "    return _function(*args, **kwargs)\n";
  if (op == "aten::_softmax") {
    body = "    return _function(*args[:-1], **kwargs)  # without half_to_float\n";
  } else if (op == "aten::native_layer_norm") {
    // The function gives mean and rstd without the kept dimensions.
    body = fmt::format(
        "    input, normalized_shape = args[0], args[1]\n"
        "    output, mean, rstd = _function(*args{}, **kwargs)\n"
        "    shape = list(input.shape[:{}]) + [1]{}\n"
        "    return output, mean.reshape(shape), rstd.reshape(shape)\n",
        like ? "[:-1]" : "", like ? "-1" : "input.dim() - len(normalized_shape)",
        like ? "" : " * len(normalized_shape)");
  }
  // Functions for one architecture are in modules that only importing the whole package makes known. Another
  // kernel may have imported it in this process, but after a restart none has.
  return fmt::format(
      "# {} of flag_gems, made by Warpbench\nimport torch\nimport flag_gems\nfrom {} import {} as "
      "_function\n\n\n"
      "def {}_kernel_impl(*args, **kwargs):\n{}",
      shortName(op), module, function, folderOf(op), body);
}

Result<std::vector<KernelSource>> flagGemsKernels(bool like, const std::string& python) {
  WB_TRY(const auto found, pythonFor(python));
  const std::string interpreter = found.string();
  WB_TRY(auto asked,
         runToEnd({.argv = {interpreter, (resourceFolder() / "python" / "list_flag_gems.py").string()},
                   .folder = {},
                   .environment = {}},
                  longestImport));
  constexpr int notInstalled = 3;
  if (asked.ending.exitCode == notInstalled)
    return Error{Stage::setup, fmt::format("the Python {} has no package flag_gems", interpreter),
                 fmt::format("`{} -m pip install flag_gems`, or {}", interpreter, Remedy::choosePython)};
  if (!asked.ok()) return broken(interpreter, asked.timedOut ? "no answer" : lastLine(asked.err));
  const auto table = parseJson(lastLine(asked.out));
  if (!table || !table->is_object()) return broken(interpreter, "no table came back");
  std::vector<KernelSource> kernels;
  for (const auto& [name, place] : table->items()) {
    if (!place.is_array() || place.size() != 2 || !place[0].is_string() || !place[1].is_string())
      return broken(interpreter, "the table is not as expected");
    KernelSource kernel;
    kernel.op = schemaName("aten." + name);
    kernel.path = fmt::format("flag_gems/{}.py", folderOf(kernel.op));
    kernel.text = flagGemsSource(kernel.op, place[0].get<std::string>(), place[1].get<std::string>(), like);
    kernel.language = "python";
    kernels.push_back(std::move(kernel));
  }
  if (kernels.empty()) return broken(interpreter, "it registers none");
  return kernels;
}

}  // namespace wb
