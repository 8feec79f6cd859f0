// SPDX-License-Identifier: Apache-2.0
#include "core/report/html/html_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "core/base/text.h"
#include "core/figures/cells.h"
#include "core/model/languages.h"
#include "core/report/html/html_text.h"

namespace wb {

namespace {

constexpr std::size_t mostLogBytes = 200'000;

std::string diagnosticHtml(const Diagnostic& diagnostic) {
  std::string text = std::string(name(diagnostic.severity)) + ": " + diagnostic.message;
  if (!diagnostic.code.empty()) text += " [" + diagnostic.code + "]";
  return fmt::format("<div class=\"d {}\">{}</div>", name(diagnostic.severity), escapeHtml(text));
}

std::string kernelHtml(const Report& report, std::size_t k) {
  const KernelReport& kernel = *report.kernels[k];
  const std::vector<std::string_view> lines = splitLines(kernel.source.text);
  std::multimap<int, const Diagnostic*> byLine;
  for (const Diagnostic& diagnostic : kernel.diagnostics)
    if (isSameFile(kernel.source.path, diagnostic.place.file) && diagnostic.place.line > 0)
      byLine.emplace(diagnostic.place.line, &diagnostic);
  const Language* language = findLanguage(kernel.language.empty() ? kernel.source.language : kernel.language);
  const bool open = report.kernels.size() == 1 || !byLine.empty();
  std::string html = fmt::format(
      "<details class=\"source panel\"{}><summary>{} <span class=\"muted\">{}</span></summary>\n<div "
      "class=\"code\" data-lexer=\"{}\">",
      open ? " open" : "", escapeHtml(kernelLabel(report, k)),
      plural(static_cast<std::int64_t>(lines.size()), "line", "lines"),
      language == nullptr ? "cpp" : language->lexer);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    const auto [first, last] = byLine.equal_range(number);
    std::string classes = "l", said;
    Severity worst = Severity::note;
    for (auto it = first; it != last; ++it) {
      worst = std::max(worst, it->second->severity);
      said += diagnosticHtml(*it->second);
    }
    if (first != last) classes.append(" has-").append(name(worst));
    html += fmt::format(
        "<div class=\"{}\" id=\"k{}-{}\"><span class=\"n\">{}</span><span class=\"t\">{}</span></div>",
        classes, k, number, number, escapeHtml(lines[i]));
    html += said;
  }
  return html + "</div></details>\n";
}

}  // namespace

std::string htmlSources(const Report& report) {
  std::string html;
  for (std::size_t k = 0; k < report.kernels.size(); ++k)
    if (!report.kernels[k]->source.text.empty()) html += kernelHtml(report, k);
  if (html.empty()) return html;
  return "<section id=\"source\" aria-labelledby=\"source-title\">\n<div class=\"head\"><h2 "
         "id=\"source-title\">Source</h2></div>\n" +
         html + "</section>\n";
}

std::string sourceLink(const Report& report, const Place& place) {
  if (place.line <= 0) return {};
  for (std::size_t k = 0; k < report.kernels.size(); ++k) {
    const KernelSource& source = report.kernels[k]->source;
    if (!isSameFile(source.path, place.file)) continue;
    const auto lines = static_cast<int>(splitLines(source.text).size());
    return place.line <= lines ? fmt::format("#k{}-{}", k, place.line) : std::string();
  }
  return {};
}

std::string htmlLog(const Report& report) {
  if (report.log.empty()) return {};
  std::string text;
  for (const auto& chunk : report.log.chunks())
    for (const Log& entry : *chunk) {
      if (text.size() > mostLogBytes) continue;
      text.append("[").append(entry.source).append("] ").append(entry.text);
      if (!text.ends_with('\n')) text += '\n';
    }
  if (text.size() > mostLogBytes) {
    text.resize(mostLogBytes);
    text += "\n… cut; the JSON report has all of it";
  }
  return "<section id=\"log\" aria-labelledby=\"log-title\">\n<div class=\"head\"><h2 "
         "id=\"log-title\">Log</h2></div>\n"
         "<details class=\"log panel\"><summary>What the run said</summary><pre>" +
         escapeHtml(text) + "</pre></details>\n</section>\n";
}

}  // namespace wb
