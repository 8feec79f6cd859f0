// SPDX-License-Identifier: Apache-2.0
#include "core/model/operators/catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/base/nearest.h"
#include "core/model/json/json_codec.h"
#include "core/model/operators/operator_name.h"

namespace wb {
namespace {

constexpr int catalogueVersion = 1;
constexpr const char* remedy =
    "run `warpbench doctor`: it starts a worker, which writes the list of operators";

/// The file name for a version of torch; only characters that occur in versions are kept.
std::string catalogueFileOf(std::string_view version) {
  std::string name(version);
  for (char& c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       c == '.' || c == '+' || c == '-';
    if (!plain) c = '_';
  }
  return name.empty() || name.front() == '.' ? "_" + name : name;
}

Result<Catalogue> catalogueFromText(std::string_view text, const std::string& file) {
  const auto broken = [&](std::string_view what) {
    return Error{Stage::setup, fmt::format("The list of operators does not read: {}", what), remedy,
                 Place{file}};
  };
  auto json = parseJson(text);
  if (!json) return broken(json.error().text);
  try {
    if (json->at("version").get<int>() != catalogueVersion) return broken("it has another version");
    Catalogue catalogue;
    catalogue.torch = json->at("torch").get<std::string>();
    for (const auto& entry : json->at("operators")) {
      catalogue.operators.push_back({entry.at("name").get<std::string>(),
                                     entry.at("schema").get<std::string>(),
                                     entry.at("tensorOnly").get<bool>()});
    }
    return catalogue;
  } catch (const nlohmann::json::exception& e) {
    return broken(e.what());
  }
}

/// The files of all versions, the newest first.
std::vector<std::filesystem::path> catalogueFiles() {
  std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> found;
  std::error_code error;
  for (std::filesystem::directory_iterator i(cacheFolder() / "catalogue", error), end; !error && i != end;
       i.increment(error)) {
    std::error_code ignored;
    if (i->path().extension() == ".json") found.emplace_back(i->last_write_time(ignored), i->path());
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<std::filesystem::path> files;
  for (auto& [time, path] : found) files.push_back(std::move(path));
  return files;
}

/// Whether the operator writes into an argument and is not the in-place one: `out=` and the like, which
/// nobody means by a bare name.
bool writesOut(const OperatorEntry& entry) {
  return entry.schema.find("!)") != std::string::npos && !baseName(entry.name).ends_with('_');
}

Error ambiguous(std::string_view spelling, const std::vector<const OperatorEntry*>& overloads) {
  std::vector<std::string> names;
  for (const OperatorEntry* entry : overloads) names.push_back(shortName(entry->name));
  return Error{Stage::job, fmt::format("Operator \"{}\" has several overloads", spelling),
               fmt::format("name one: {}", fmt::join(names, ", "))};
}

}  // namespace

Error withoutName(std::string_view spelling) {
  return Error{Stage::job, fmt::format("\"{}\" has no operator's name in it", spelling),
               "name the operator with --op, or name the function after it: relu_kernel_impl"};
}

std::filesystem::path catalogueFile(std::string_view torchVersion) {
  return cacheFolder() / "catalogue" / (catalogueFileOf(torchVersion) + ".json");
}

Result<Catalogue> readCatalogue() {
  const auto files = catalogueFiles();
  if (files.empty()) return Error{Stage::setup, "No list of torch's operators yet", remedy};
  std::optional<Error> first;
  for (const auto& file : files) {  // a broken file does not hide an older one
    const auto text = readFile(file);
    auto catalogue = text ? catalogueFromText(*text, file.string()) : Result<Catalogue>(text.error());
    if (catalogue) return catalogue;
    if (!first) first = catalogue.error();
  }
  return *first;
}

Result<void> writeCatalogue(const Catalogue& catalogue) {
  auto operators = nlohmann::json::array();
  for (const OperatorEntry& entry : catalogue.operators) {
    operators.push_back({{"name", entry.name}, {"schema", entry.schema}, {"tensorOnly", entry.tensorOnly}});
  }
  const nlohmann::json json{
      {"version", catalogueVersion}, {"torch", catalogue.torch}, {"operators", std::move(operators)}};
  return writeFileAtomically(catalogueFile(catalogue.torch), dump(json));
}

Result<OperatorEntry> resolveOperator(std::string_view spelling,
                                      const std::vector<OperatorEntry>& operators) {
  if (baseName(spelling).empty()) return withoutName(spelling);
  const std::string wanted = schemaName(spelling);
  const std::string base = baseName(wanted);
  std::vector<const OperatorEntry*> overloads;
  for (const OperatorEntry& entry : operators) {
    if (entry.name == wanted) return entry;
    if (matches(spelling, entry.name) && spelling.find_first_of("*?") == std::string_view::npos &&
        !writesOut(entry))
      overloads.push_back(&entry);
  }
  if (overloads.size() == 1) return *overloads.front();
  const auto tensorOnly = [](const OperatorEntry* entry) { return entry->tensorOnly; };
  if (std::count_if(overloads.begin(), overloads.end(), tensorOnly) == 1)
    return **std::find_if(overloads.begin(), overloads.end(), tensorOnly);
  if (!overloads.empty()) return ambiguous(spelling, overloads);

  // The operator is unknown. With a right base name the overload is wrong; else only base names are compared,
  // since overloads would hide what is similar.
  std::vector<const OperatorEntry*> siblings;
  std::vector<std::string> bases;
  for (const OperatorEntry& entry : operators) {
    if (baseName(entry.name) == base) siblings.push_back(&entry);
    std::string name = baseName(entry.name);
    if (bases.empty() || bases.back() != name) bases.push_back(std::move(name));
  }
  Error error{Stage::job, fmt::format("Unknown operator \"{}\"", spelling)};
  error.hint = siblings.empty() ? didYouMean(base, bases) : ambiguous(base, siblings).hint;
  if (error.hint.empty()) error.hint = "`warpbench list operators` shows all";
  return error;
}

}  // namespace wb
