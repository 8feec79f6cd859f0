// SPDX-License-Identifier: Apache-2.0
#include "core/service/mcp/resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/figures/figures.h"
#include "core/report/exporters.h"
#include "core/service/mcp/tools/bounded.h"
#include "core/service/mcp/tools/run_summary.h"
#include "core/service/mcp/tools/run_wait.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view runPrefix = "warpbench://runs/", helpPrefix = "warpbench://help/";
constexpr std::size_t mostRuns = 20, mostAsked = 1000;
/// A client would have to hold it in one message.
constexpr std::size_t longestResource = std::size_t{64} << 20;

std::string_view mimeTypeOf(std::string_view file) {
  if (file.ends_with(".html")) return "text/html";
  if (file.ends_with(".json")) return "application/json";
  if (file.ends_with(".csv")) return "text/csv";
  return "text/markdown";
}

/// The pages by their files' names.
std::vector<std::string> helpPages() {
  std::vector<std::string> pages;
  std::error_code failed;
  for (fs::directory_iterator i(resourceFolder() / "help", failed), end; !failed && i != end;
       i.increment(failed))
    if (i->path().extension() == ".md") pages.push_back(i->path().filename().string());
  std::sort(pages.begin(), pages.end());
  return pages;
}

RpcError noSuchResource(const std::string& uri, std::string why) {
  return {RpcCode::resourceNotFound, std::move(why), nullptr, {{"uri", uri.substr(0, 200)}}};
}

std::variant<McpJson, RpcError> contentOf(const std::string& uri, std::string_view mimeType,
                                          std::string text) {
  if (text.size() > longestResource)
    return RpcError{RpcCode::internalError,
                    fmt::format("the resource has {} bytes; {} are the most", text.size(), longestResource)};
  return McpJson{{"contents", McpJson::array({McpJson{
                                  {"uri", uri}, {"mimeType", mimeType}, {"text", std::move(text)}}})}};
}

std::variant<McpJson, RpcError> readRunResource(const McpHost& host, const std::string& client,
                                                const std::string& uri) {
  const std::string_view rest = std::string_view(uri).substr(runPrefix.size());
  const std::size_t slash = rest.find('/');
  const std::string run(rest.substr(0, slash));
  const std::string_view file = slash == std::string_view::npos ? "" : rest.substr(slash + 1);
  const auto report = ownReport(run, *host.service, client);
  if (!report) return noSuchResource(uri, describe(report.error()));
  if (file.starts_with("report.")) {
    for (const Exporter& format : exporters()) {
      if (std::string("report") + std::string(format.extension) != file) continue;
      auto text = format.write(**report);
      if (!text) return noSuchResource(uri, describe(text.error()));
      return contentOf(uri, mimeTypeOf(file), *std::move(text));
    }
  } else if (file.starts_with("figures/")) {
    if (const FigureInfo* info = findFigure(file.substr(file.find('/') + 1)))
      return contentOf(uri, "text/markdown",
                       markdownPart(info->make(**report), 0, longestResource, 2).markdown);
  }
  return noSuchResource(uri, "a run has no such resource; resources/templates/list names them");
}

}  // namespace

McpJson listResources(const McpHost& host, const std::string& client) {
  McpJson list = McpJson::array();
  for (const RunStatus& status : host.service->runs(mostAsked)) {
    if (status.client != client || !isOver(status.state)) continue;
    if (list.size() >= mostRuns) break;
    list.push_back({{"uri", reportUri(status.id, ".md")},
                    {"name", fmt::format("report of {}", status.title)},
                    {"title", fmt::format("Report of {}, {}", status.title, name(status.state))},
                    {"mimeType", "text/markdown"}});
  }
  for (const std::string& page : helpPages())
    list.push_back({{"uri", fmt::format("{}{}", helpPrefix, page)},
                    {"name", "help: " + page.substr(0, page.size() - 3)},
                    {"mimeType", "text/markdown"}});
  return list;
}

McpJson listResourceTemplates() {
  McpJson list = McpJson::array();
  for (const Exporter& format : exporters())
    list.push_back({{"uriTemplate", reportUri("{run}", format.extension)},
                    {"name", fmt::format("report{}", format.extension)},
                    {"title", fmt::format("A run's whole report: {}", format.title)},
                    {"mimeType", mimeTypeOf(format.extension)}});
  list.push_back({{"uriTemplate", "warpbench://runs/{run}/figures/{figure}"},
                  {"name", "figure"},
                  {"title", "One table or chart of a run's report"},
                  {"mimeType", "text/markdown"}});
  return list;
}

std::variant<McpJson, RpcError> readResource(const McpHost& host, const std::string& client,
                                             const std::string& uri) {
  if (uri.empty()) return RpcError{RpcCode::invalidParams, "'uri' must be a text"};
  if (uri.starts_with(runPrefix)) return readRunResource(host, client, uri);
  if (uri.starts_with(helpPrefix)) {
    // Only names that were listed, so that no path leads out of the folder.
    const std::string page = uri.substr(helpPrefix.size());
    const std::vector<std::string> pages = helpPages();
    if (std::find(pages.begin(), pages.end(), page) != pages.end()) {
      auto text = readFile(resourceFolder() / "help" / page);
      if (text) return contentOf(uri, "text/markdown", *std::move(text));
    }
  }
  return noSuchResource(uri, "there is no such resource");
}

}  // namespace wb
