// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/host/text_builds.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace wb {
namespace {

constexpr std::string_view cudaHeader = "warpbench_cuda.h";
constexpr std::array<std::string_view, 4> harmlessOptions{"-O1", "-O2", "-O3", "-w"};

bool isPlainName(const std::string& name) {
  return !name.empty() && name.front() != '.' && name.find('/') == std::string::npos;
}

}  // namespace

bool isTextAlone(const TextToBuild& text) {
  const auto isHarmless = [](const std::string& option) {
    return std::ranges::find(harmlessOptions, option) != harmlessOptions.end();
  };
  return (text.header == standardHeader || text.header == cudaHeader) &&
         std::ranges::all_of(text.options, isHarmless) &&
         std::ranges::all_of(text.files, [](const auto& file) { return isPlainName(file.first); });
}

std::optional<BuiltText> TextBuilds::build(const TextToBuild& text, double seconds, std::stop_token stop) {
  if (!isTextAlone(text)) return std::nullopt;
  auto [there, isNew] = builders_.try_emplace(
      text.header,
      HostBuildOptions{
          .cache = cache_,
          .header = text.header,
          .includes = text.header == cudaHeader ? cudaIncludes_ : std::vector<std::filesystem::path>{}});
  HostBuilder& builder = there->second;
  if (!builder.findTools({})) return std::nullopt;
  const KernelSource source;
  const CompileRequest request{
      .source = source, .deadlineSeconds = seconds, .stop = std::move(stop), .walls = true};
  const Result<HostBuilt> built = builder.build({text.text, text.files, text.options}, request);
  if (!built) return std::nullopt;
  return BuiltText{built->entry.object.string(), built->entry.output, built->ending, built->cached};
}

}  // namespace wb
