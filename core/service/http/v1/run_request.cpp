// SPDX-License-Identifier: Apache-2.0
#include "core/service/http/v1/run_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/nearest.h"
#include "core/base/text.h"
#include "core/jobs/effort.h"
#include "core/jobs/given_cases.h"
#include "core/jobs/request_words.h"
#include "core/model/json/json_codec.h"
#include "core/model/languages.h"
#include "core/suites/suites.h"

namespace wb {
namespace {

constexpr std::size_t mostSources = 1000;
constexpr std::size_t mostSourceBytes = 8 << 20;
constexpr std::size_t mostWords = 1000;
/// This suite is a file beside the kernel's, and no kernel of a request has a file here.
constexpr std::string_view fileSuite = "beside";

using Problems = std::vector<FieldProblem>;

/// A file's name without a folder, under which a text is shown.
void readName(Fields& fields, std::string& name) {
  fields.read("name", name, 200);
  const auto isOdd = [](char c) { return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20; };
  if (name == "." || name == ".." || std::ranges::any_of(name, isOdd)) {
    fields.wrong("name", "expected the name of a file, without folders");
    name.clear();
  }
}

KernelSource sourceOf(const nlohmann::json& json, const std::string& at, Problems& problems) {
  KernelSource source;
  Fields fields(json, at, problems);
  readName(fields, source.path);
  if (fields.any("text") == nullptr && json.is_object()) fields.wrong("text", "is missing");
  fields.read("text", source.text, mostSourceBytes);
  fields.read("language", source.language);
  fields.read("op", source.op);
  if (!source.language.empty() && findLanguage(source.language) == nullptr)
    fields.wrong("language",
                 fmt::format("there is no language '{}'; GET /v1/languages lists them", source.language));
  if (const auto* problem = fields.any("problem")) {
    Fields inner(*problem, fields.placeOf("problem"), problems);
    readName(inner, source.referencePath);
    inner.read("text", source.referenceText, mostSourceBytes);
    inner.finish();
    if (source.referencePath.empty()) source.referencePath = "problem.py";
  }
  fields.finish();
  if (!source.language.empty() || !source.path.empty()) {
    const Language* language = languageOf(source);
    if (source.path.empty() && language != nullptr)
      source.path = fmt::format("kernel{}", language->extension);
  } else if (json.is_object() && !json.contains("name")) {
    fields.wrong("name", "is missing, and so is the language: one of them says how the text is compiled");
  }
  return source;
}

void readSources(Fields& fields, JobRequest& request, Problems& problems) {
  const auto* sources = fields.any("sources");
  if (sources == nullptr) return;
  if (!sources->is_array() || sources->size() > mostSources)
    return fields.wrong("sources", fmt::format("expected a list of {} sources at most", mostSources));
  for (std::size_t i = 0; i < sources->size(); ++i)
    request.sources.push_back(sourceOf((*sources)[i], fmt::format("sources[{}]", i), problems));
}

void readSuite(Fields& fields, JobRequest& request) {
  fields.read("suite", request.suite);
  std::vector<std::string> names;
  for (const SuiteInfo& suite : suites())
    if (suite.name != fileSuite) names.push_back(suite.name);
  if (std::ranges::find(names, request.suite) != names.end()) return;
  const std::string near = didYouMean(request.suite, names);
  fields.wrong("suite",
               fmt::format("there is no suite '{}'{}{}", request.suite, near.empty() ? "" : "; ", near));
  request.suite = "smoke";
}

void readCases(Fields& fields, JobRequest& request) {
  std::string text;
  fields.read("cases", text, mostSourceBytes);
  if (text.empty()) return;
  auto cases = givenCases(text, request.op);
  if (!cases) return fields.wrong("cases", describe(cases.error()));
  request.cases = *std::move(cases);
}

void readStages(Fields& fields, JobRequest& request) {
  std::vector<std::string> words;
  fields.read("stages", words, mostWords);
  if (words.empty()) return;
  auto stages = parseStages(joined(words, ","));
  if (!stages) return fields.wrong("stages", stages.error().text);
  request.stages = *stages;
}

void readEffort(Fields& fields, JobRequest& request) {
  std::string word;
  fields.read("effort", word);
  if (word.empty()) return;
  for (const EffortPreset& preset : effortPresets)
    if (preset.name == word) {
      request.timing.capSeconds = preset.capSeconds;
      return;
    }
  fields.wrong("effort", "expected quick, standard or thorough");
}

void readTolerance(Fields& fields, JobRequest& request, Problems& problems) {
  const auto* given = fields.any("tolerance");
  if (given == nullptr) return;
  if (given->is_string()) {
    auto tolerance = toleranceOf(given->get<std::string>());
    if (!tolerance) return fields.wrong("tolerance", tolerance.error().text);
    request.tolerance = *std::move(tolerance);
    return;
  }
  request.tolerance.preset = "given";
  Fields inner(*given, fields.placeOf("tolerance"), problems);
  inner.read("rtol", request.tolerance.rtol, 0, 1e300);
  inner.read("atol", request.tolerance.atol, 0, 1e300);
  inner.finish();
}

void readProfile(Fields& fields, JobRequest& request, Problems& problems) {
  const auto* given = fields.any("profile");
  if (given == nullptr) return;
  Fields inner(*given, fields.placeOf("profile"), problems);
  std::vector<std::string> sections = request.profile.sections;
  inner.read("sections", sections, mostWords);
  if (auto known = sectionsOf(std::move(sections)))
    request.profile.sections = *std::move(known);
  else
    inner.wrong("sections", known.error().text);
  inner.read("timeline", request.profile.timeline);
  inner.read("lines", request.profile.lines);
  inner.read("listing", request.profile.listing);
  inner.read("cases", request.profile.cases, 1, 1000);
  inner.finish();
}

void readDevice(Fields& fields, JobRequest& request, const std::vector<std::string>& devices) {
  request.device = "auto";
  fields.read("device", request.device);
  if (request.device == "auto" || std::ranges::find(devices, request.device) != devices.end()) return;
  fields.wrong("device", fmt::format("there is no device '{}' here; there are auto, {}", request.device,
                                     joined(devices, ", ")));
}

}  // namespace

std::variant<RunRequest, Problems> runRequestOf(std::string_view body,
                                                const std::vector<std::string>& devices) {
  Problems problems;
  const auto json = parseJson(body);
  if (!json) return Problems{{"", json.error().text}};
  RunRequest request;
  JobRequest& job = request.job;
  Fields fields(*json, "", problems);
  readSources(fields, job, problems);
  fields.read("op", job.op);
  readSuite(fields, job);
  readCases(fields, job);
  fields.read("dtype", job.dtype);
  fields.read("operators", job.operators, mostWords);
  fields.read("only", job.only, 1 << 16);
  fields.read("topn", job.topn, 0, 1'000'000);
  readStages(fields, job);
  readEffort(fields, job);
  readTolerance(fields, job, problems);
  readProfile(fields, job, problems);
  readDevice(fields, job, devices);
  fields.read("strict", job.strict);
  fields.read("oracle", job.checking.oracle);
  fields.read("seed", job.seed);
  fields.read("priority", request.priority, -100, 100);
  fields.read("deadline_seconds", request.deadlineSeconds, 0, 1e6);
  fields.finish();
  for (KernelSource& source : job.sources)
    if (source.op.empty()) source.op = job.op;
  if (!problems.empty()) return problems;
  return request;
}

nlohmann::json runRequestSchemas() {
  using nlohmann::json;
  const auto text = [](std::string_view what) { return json{{"type", "string"}, {"description", what}}; };
  const auto flag = [](std::string_view what) { return json{{"type", "boolean"}, {"description", what}}; };
  const auto words = [](std::string_view what) {
    return json{{"type", "array"}, {"items", {{"type", "string"}}}, {"description", what}};
  };
  const auto number = [](std::string_view type, double least, double most, std::string_view what) {
    return json{{"type", type}, {"minimum", least}, {"maximum", most}, {"description", what}};
  };
  const auto object = [](json properties, json required = json::array()) {
    json schema{{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}};
    if (!required.empty()) schema["required"] = std::move(required);
    return schema;
  };
  std::vector<std::string> efforts;
  efforts.reserve(std::size(effortPresets));
  for (const EffortPreset& preset : effortPresets) efforts.emplace_back(preset.name);
  const json problem = object({{"name", text("The file's name, without folders")},
                               {"text", text("Python with class Model and get_inputs")}},
                              {"text"});
  const json source = object({{"name", text("The file's name, without folders; its end tells the language")},
                              {"text", text("The kernel's source")},
                              {"language", text("An id of GET /v1/languages")},
                              {"op", text("The operator that it implements: relu, sum.dim_IntList")},
                              {"problem", {{"$ref", "#/components/schemas/Problem"}}}},
                             {"text"});
  const json tolerance{{"description", "A preset (torch, backendbench, strict), or numbers"},
                       {"anyOf",
                        {{{"type", "string"}},
                         object({{"rtol", number("number", 0, 1e300, "Relative")},
                                 {"atol", number("number", 0, 1e300, "Absolute")}})}}};
  const json profile =
      object({{"sections", words("Sections of counters: quick, all, or ids; none for no counters")},
              {"timeline", flag("Records what ran when")},
              {"lines", flag("Samples where the candidate waits")},
              {"listing", flag("Lists the machine code")},
              {"cases", number("integer", 1, 1000, "How many cases are profiled")}});
  const json request = object(
      {{"sources",
        {{"type", "array"},
         {"items", {{"$ref", "#/components/schemas/Source"}}},
         {"description", "The kernels; none with op means ATen against itself"}}},
       {"op", text("The operator of kernels that do not say theirs")},
       {"suite", text("A name of GET /v1/suites; smoke if none is said")},
       {"cases", text("Cases of your own instead of a suite: a call of op on each line, such as "
                      "((T([64, 64], f32),), {}), or a trace")},
       {"dtype", text("The dtype of a suite that is made")},
       {"operators", words("Only cases of these operators: names or globs")},
       {"only", text("Only the cases with these arguments, as a report shows them")},
       {"topn", number("integer", 0, 1e6, "Only the largest cases of each operator; 0 means all")},
       {"stages",
        words("Of compile, check, sanitize, time and profile; compile, check and time if none is said")},
       {"effort", {{"type", "string"}, {"enum", efforts}, {"description", "How long each case is timed"}}},
       {"tolerance", tolerance},
       {"profile", profile},
       {"device", text("auto, or an id of GET /v1/devices")},
       {"strict", flag("Judges from another process than the kernel's")},
       {"oracle", flag("Compares with float64 in every case")},
       {"seed", {{"type", "integer"}, {"minimum", 0}, {"description", "Of the inputs"}}},
       {"priority", number("integer", -100, 100, "Higher ones run first")},
       {"deadline_seconds",
        number("number", 0, 1e6, "From now until the run is ended; 0 means the service's own limit")}});
  return {{"Problem", problem}, {"Source", source}, {"RunRequest", request}};
}

}  // namespace wb
