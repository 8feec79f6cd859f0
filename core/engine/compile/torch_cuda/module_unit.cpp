// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/module_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/base/files/file.h"
#include "core/engine/compile/diagnostics.h"
#include "core/engine/compile/text/source_scan.h"
#include "core/engine/compile/torch_cuda/module_places.h"

namespace wb {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view bindingsLabel = "module-functions";
constexpr std::string_view glueLabel = "warpbench-glue";

std::string partLabel(std::size_t index) {
  return fmt::format("part-{}.cpp", index);
}

/// Reads what a source includes with quotation marks: from its own folder, then from the given folders.
ReadIncluded readerFor(const ModuleSources& sources) {
  return [&sources](const std::string& fromPath, const std::string& named) -> std::optional<IncludedFile> {
    if (auto beside = readBeside(fromPath, named)) return beside;
    for (const auto& folder : sources.includePaths)
      if (auto found = readBeside((fs::absolute(folder) / "source").string(), named)) return found;
    return std::nullopt;
  };
}

std::string literalOf(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace

ModuleUnit::ModuleUnit(const ModuleSources& sources, const ModuleFlags& flags)
    : sources_(sources), flags_(flags) {
  std::string path;
  int line = 1, count = 0;
  for (const auto& part : sources.parts) {
    if (!part.cuda) continue;
    cudaStarts_.emplace_back(line, &part);
    cudaText_ += part.text + '\n';
    line += 1 + static_cast<int>(std::count(part.text.begin(), part.text.end(), '\n'));
    path = part.path;
    ++count;
  }
  if (count == 0) return;
  cudaLabel_ = path.empty() || count > 1 ? "module.cu" : path;
  split_ = splitSource(cudaText_, cudaLabel_, readerFor(sources));
}

std::string ModuleUnit::text(std::string_view cudaText) const {
  std::string out;
  bool wholeTorch = false;
  for (const auto& part : sources_.parts)
    for (const std::string_view name :
         {"torch::nn", "torch::optim", "torch::data", "torch::jit", "torch::autograd::Function"})
      wholeTorch = wholeTorch || mentions(part.text, name);
  if (wholeTorch) out += "#define WARPBENCH_WHOLE_TORCH 1\n";
  out +=
      "#undef PYBIND11_MODULE\n#define PYBIND11_MODULE(name, variable, ...) WARPBENCH_MODULE(variable)\n"
      "#include <torch/extension.h>\n" +
      flags_.hostMacros;
  for (std::size_t i = 0; i < sources_.parts.size(); ++i)
    if (!sources_.parts[i].cuda)
      out += fmt::format("#line 1 \"{}\"\n{}\n", partLabel(i), sources_.parts[i].text);
  if (sources_.functions) {
    out += fmt::format("#line 1 \"{}\"\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{\n", bindingsLabel);
    for (const auto& [name, doc] : *sources_.functions)
      out += fmt::format("m.def({}, {}, {});\n", literalOf(name), name, literalOf(doc));
    out += "}\n";
  }
  if (split_) out += flags_.cudaMacros + fmt::format("#line 1 \"{}\"\n{}", cudaLabel_, cudaText);
  return out + fmt::format("\n#line 1 \"{}\"\n", glueLabel);
}

HostUnit ModuleUnit::host() const {
  HostUnit unit;
  unit.options = flags_.host;
  unit.text = text(split_ ? split_->files[0].host.text() : std::string());
  if (!split_) return unit;
  unit.text += "WARPBENCH_CUDA_ENTRY_POINTS\n";
  for (const auto& file : split_->files)
    if (!file.name.empty())
      unit.files.emplace_back(file.name, fmt::format("#line 1 \"{}\"\n{}", file.path, file.host.text()));
  return unit;
}

HostUnit ModuleUnit::whole() const {
  HostUnit unit;
  unit.text = "#include <cuda.h>\n#include <cuda_runtime.h>\n" + text(cudaText_);
  unit.options = flags_.nvcc;
  return unit;
}

std::string ModuleUnit::whyUnfit(const std::vector<Diagnostic>& said) const {
  const bool both = split_ && std::any_of(sources_.parts.begin(), sources_.parts.end(), [](const auto& part) {
                      return !part.cuda && part.text.find('{') != std::string::npos;
                    });
  for (const auto& d : said) {
    if (d.severity != Severity::error) continue;
    const auto says = [&](std::string_view text) { return d.message.find(text) != std::string::npos; };
    constexpr std::string_view mark = "warpbench-binding: ";
    if (const auto at = d.message.find(mark); at != std::string::npos) {
      const std::string what = d.message.substr(at + mark.size());
      return what.substr(0, what.find('"')) + " of a function is none that Warpbench converts";
    }
    for (const std::string_view word : {"pybind11", "warpbench_glue", "'py'", "‘py’", "PyObject"})
      if (says(word)) return "it uses pybind11 or Python's C interface: " + d.message;
    if (both && d.place.file == cudaLabel_ && says("redefinition of"))
      return "C++ and CUDA sources define the same: " + d.message;
  }
  return {};
}

std::vector<Diagnostic> ModuleUnit::read(std::string_view output, std::string_view tool, bool whole) const {
  auto all = parseDiagnostics(output, tool);
  if (whole || !split_) return all;
  for (auto& d : all)
    for (const auto& file : split_->files) {
      if (d.place.file != (file.name.empty() ? cudaLabel_ : file.path)) continue;
      const auto at = file.host.sourceOf({d.place.line, d.place.column});
      d.place.line = at.line;
      d.place.column = at.column;
      break;
    }
  return all;
}

Diagnostic ModuleUnit::atUsersPlace(Diagnostic said) const {
  if (said.place.file == bindingsLabel) said.message = "functions: " + said.message;
  said.place = usersPlace(said.place);
  return said;
}

Place ModuleUnit::usersPlace(const Place& place) const {
  if (place.file == cudaLabel_ && !cudaStarts_.empty()) {
    const auto after = std::find_if(cudaStarts_.begin(), cudaStarts_.end(),
                                    [&](const auto& start) { return start.first > place.line; });
    const auto& [first, part] = after == cudaStarts_.begin() ? *after : *std::prev(after);
    return placeIn(*part, place.line - first + 1, place.column);
  }
  for (std::size_t i = 0; i < sources_.parts.size(); ++i)
    if (place.file == partLabel(i)) return placeIn(sources_.parts[i], place.line, place.column);
  if (fs::path(place.file).is_absolute()) return place;
  return {sources_.callerPath, sources_.callerLine, 0};
}

Place ModuleUnit::placeIn(const ModuleSources::Part& part, int line, int column) const {
  if (!part.path.empty()) return {part.path, line, column};
  return placeInPython(sources_, part.text, line, column);
}

}  // namespace wb
