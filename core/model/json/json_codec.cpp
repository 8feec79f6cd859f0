// SPDX-License-Identifier: Apache-2.0
#include "core/model/json/json_codec.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "core/model/json/json_fields.h"
#include "core/model/json/sandbox_text.h"

namespace wb {
namespace {

using nlohmann::json;

/// Warpbench's own texts nest less than 12 deep; a text that nests deeper than this would exhaust the stack.
constexpr int maxDepth = 256;

template <class T>
concept Number = std::integral<T> && !std::same_as<T, bool>;

/// Turns a struct into a JSON object.
class Writer {
 public:
  template <class T>
  void operator()(const char* key, const T& value) {
    object_[key] = write(value);
  }
  template <class S>
  static json object(const S& value) {
    Writer writer;
    fields(writer, value);
    return std::move(writer.object_);
  }

 private:
  static json write(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
  }
  static json write(bool value) { return value; }
  static json write(const std::string& value) { return value; }
  template <Number T>
  static json write(T value) {
    return value;
  }
  template <class T>
  requires std::is_enum_v<T>
  static json write(T value) { return name(value); }
  template <class T>
  static json write(const std::optional<T>& value) {
    return value ? write(*value) : json(nullptr);
  }
  template <class T>
  static json write(const Shared<T>& value) {
    return write(*value);
  }
  /// {"checked": {…}}
  static json write(const StepResult& result) {
    return std::visit(
        [](const auto& alternative) {
          json written = json::object();
          written[std::string(resultName<std::remove_cvref_t<decltype(alternative)>>)] = object(alternative);
          return written;
        },
        result);
  }
  /// {"check": true, "time": false, …}, with all stages but compile, which always runs.
  static json write(const Stages& stages) {
    json written = json::object();
    for (const StageRow& row : stageRows())
      if (row.stage != Stage::compile) written[std::string(name(row.stage))] = stages.has(row.stage);
    return written;
  }
  static json write(const Progress& progress) { return name(progress); }
  template <class Range>
  static json writeAll(const Range& range) {
    json array = json::array();
    for (std::size_t i = 0; i < range.size(); ++i) array.push_back(write(range[i]));
    return array;
  }
  template <class T>
  static json write(const std::vector<T>& value) {
    return writeAll(value);
  }
  template <class T, std::size_t n>
  static json write(const std::array<T, n>& value) {
    return writeAll(value);
  }
  template <class T>
  static json write(const SharedSequence<T>& value) {
    return writeAll(value);
  }
  template <class S>
  requires std::is_class_v<S>
  static json write(const S& value) { return object(value); }
  /// In a part of a job the kernels of others are empty, and there may be thousands of them.
  static json write(const KernelSource& value) {
    static const KernelSource none;
    return value == none ? json::object() : object(value);
  }

  json object_ = json::object();
};

/// The place of a reader, for messages; it lives on the stack.
struct Path {
  const Path* parent = nullptr;
  std::string_view key;
  std::size_t index = 0;

  [[nodiscard]] std::string text() const {
    if (!parent) return std::string(key);
    const std::string before = parent->text();
    if (key.empty()) return fmt::format("{}[{}]", before, index);
    return before.empty() ? std::string(key) : fmt::format("{}.{}", before, key);
  }
};

/// Fills a struct from a JSON object. After the first error everything else is skipped.
class Reader {
 public:
  Reader(const json& object, const Path& path, std::optional<std::string>& error)
      : object_(object), path_(path), error_(error) {}

  template <class T>
  void operator()(const char* key, T& value) {
    if (error_) return;
    if (const auto found = object_.find(key); found != object_.end())
      read(*found, Path{&path_, key, 0}, value);
  }

  template <class S>
  static Result<S> object(const json& value, std::string_view what) {
    std::optional<std::string> error;
    const Path root{nullptr, what, 0};
    const auto result = std::make_unique<S>();  // on the stack g++ 12 warns of uninitialised optionals in it
    Reader(value, root, error).read(value, root, *result);
    if (error) return Error{Stage::job, std::move(*error)};
    return std::move(*result);
  }

 private:
  void fail(const Path& path, std::string_view what) {
    if (error_) return;
    const std::string where = path.text();
    error_ = where.empty() ? std::string(what) : fmt::format("{}: {}", where, what);
  }
  void read(const json& from, const Path& path, bool& value) {
    if (!from.is_boolean()) return fail(path, "expected true or false");
    value = from.get<bool>();
  }
  void read(const json& from, const Path& path, std::string& value) {
    if (!from.is_string()) return fail(path, "expected a string");
    value = from.get_ref<const std::string&>();
  }
  void read(const json& from, const Path& path, double& value) {
    if (from.is_number()) {
      value = from.get<double>();
    } else if (from == "nan") {
      value = std::numeric_limits<double>::quiet_NaN();
    } else if (from == "inf") {
      value = std::numeric_limits<double>::infinity();
    } else if (from == "-inf") {
      value = -std::numeric_limits<double>::infinity();
    } else {
      fail(path, "expected a number, \"nan\", \"inf\" or \"-inf\"");
    }
  }
  template <Number T>
  void read(const json& from, const Path& path, T& value) {
    bool fits = false;
    if (from.is_number_unsigned()) {
      const auto number = from.get<std::uint64_t>();
      fits = std::in_range<T>(number);
      if (fits) value = static_cast<T>(number);
    } else if (from.is_number_integer()) {
      const auto number = from.get<std::int64_t>();
      fits = std::in_range<T>(number);
      if (fits) value = static_cast<T>(number);
    } else if (!from.is_number()) {
      return fail(path, "expected an integer");
    } else if (const double number = from.get<double>(); std::abs(number) < 9e18) {
      return fail(path, fmt::format("expected an integer, not {}", number));
    }
    if (!fits)
      fail(path, fmt::format("out of range: an integer from {} to {}", std::numeric_limits<T>::min(),
                             std::numeric_limits<T>::max()));
  }
  template <class T>
  requires std::is_enum_v<T>
  void read(const json& from, const Path& path, T& value) {
    if (!from.is_string()) return fail(path, "expected a string");
    std::string known;
    for (const T candidate : enumValues<T>) {
      if (name(candidate) == from.get_ref<const std::string&>()) {
        value = candidate;
        return;
      }
      known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", name(candidate));
    }
    fail(path, fmt::format("\"{}\" is none of {}", from.get_ref<const std::string&>().substr(0, 100), known));
  }
  template <class T>
  void read(const json& from, const Path& path, std::optional<T>& value) {
    value.reset();
    if (!from.is_null()) read(from, path, value.emplace());
  }
  template <class T>
  void read(const json& from, const Path& path, Shared<T>& value) {
    read(from, path, value.write());
  }
  template <std::size_t i = 0>
  void readResult(const std::string& key, const json& from, const Path& path, StepResult& value) {
    if constexpr (i == std::variant_size_v<StepResult>) {
      fail(path, "there is no such result of a step");
    } else {
      using R = std::variant_alternative_t<i, StepResult>;
      if (key != resultName<R>) return readResult<i + 1>(key, from, path, value);
      read(from, path, value.template emplace<R>());
    }
  }
  void read(const json& from, const Path& path, StepResult& value) {
    if (!from.is_object() || from.size() != 1) return fail(path, "expected an object with one result");
    const std::string key = from.begin().key().substr(0, 100);
    readResult(key, from.begin().value(), Path{&path, key, 0}, value);
  }
  void read(const json& from, const Path& path, Stages& stages) {
    if (!from.is_object()) return fail(path, "expected an object");
    for (const StageRow& row : stageRows()) {
      const auto found = from.find(name(row.stage));
      if (row.stage == Stage::compile || found == from.end()) continue;
      bool wanted = false;
      read(*found, Path{&path, name(row.stage), 0}, wanted);
      stages.set(row.stage, wanted);
    }
  }
  void read(const json& from, const Path& path, Progress& value) {
    if (!from.is_string()) return fail(path, "expected a string");
    const auto& word = from.get_ref<const std::string&>();
    for (const Progress& each : {Progress::waiting, Progress::done, Progress::failed})
      if (name(each) == word) return void(value = each);
    for (const StageRow& row : stageRows())
      if (row.doing == word) return void(value = Progress::at(row.stage));
    fail(path, fmt::format("\"{}\" is no progress of a kernel", word.substr(0, 100)));
  }
  template <class Take>
  void readAll(const json& from, const Path& path, Take take) {
    if (!from.is_array()) return fail(path, "expected an array");
    std::size_t index = 0;
    for (const json& item : from) {
      if (error_) return;
      take(item, Path{&path, {}, index++});
    }
  }
  template <class T>
  void read(const json& from, const Path& path, std::vector<T>& value) {
    value.clear();
    readAll(from, path,
            [&](const json& item, const Path& place) { read(item, place, value.emplace_back()); });
  }
  template <class T, std::size_t n>
  void read(const json& from, const Path& path, std::array<T, n>& value) {
    if (from.is_array() && from.size() != n) return fail(path, fmt::format("expected {} items", n));
    readAll(from, path, [&](const json& item, const Path& place) { read(item, place, value[place.index]); });
  }
  template <class T>
  void read(const json& from, const Path& path, SharedSequence<T>& value) {
    value = {};
    readAll(from, path, [&](const json& item, const Path& place) {
      T element;
      read(item, place, element);
      value.push(std::move(element));
    });
  }
  template <class S>
  requires std::is_class_v<S>
  void read(const json& from, const Path& path, S& value) {
    if (!from.is_object()) return fail(path, "expected an object");
    Reader inner(from, path, error_);
    fields(inner, value);
  }

  const json& object_;
  const Path& path_;
  std::optional<std::string>& error_;
};

template <std::size_t i = 0>
Result<Event> readEvent(const json& from, const std::string& wanted) {
  if constexpr (i == std::variant_size_v<Event>) {
    return Error{Stage::job, fmt::format("event: unknown event \"{}\"", wanted.substr(0, 100))};
  } else {
    using E = std::variant_alternative_t<i, Event>;
    if (wanted != structName<E>) return readEvent<i + 1>(from, wanted);
    WB_TRY(auto event, Reader::object<E>(from, wanted));
    return Event(std::move(event));
  }
}

/// Whether brackets nest deeper than `maxDepth`; strings do not count. Broken JSON may be misjudged, which
/// only changes the message that refuses it.
bool tooDeep(std::string_view text) {
  int depth = 0;
  bool inString = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inString) {
      if (c == '\\') ++i;
      if (c == '"') inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > maxDepth) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace

json toJson(const Job& job) {
  return Writer::object(job);
}
json toJson(const Target& target) {
  return Writer::object(target);
}
json toJson(const Error& error) {
  return Writer::object(error);
}

json toJson(const Event& event) {
  return std::visit(
      [](const auto& alternative) {
        json object = Writer::object(alternative);
        object["event"] = structName<std::remove_cvref_t<decltype(alternative)>>;
        return object;
      },
      event);
}

json toJson(const Report& report) {
  json object = Writer::object(report);
  object["schemaVersion"] = Report::schemaVersion;
  std::size_t index = 0;
  for (json& kernel : object["kernels"]) {
    if (json& compiled = kernel["compiled"]; compiled.is_object()) {
      compiled.erase("cases");  // they are the kernel's rows
      compiled["kernel"] = index;
    }
    ++index;
  }
  return object;
}

std::string sandboxText(const Sandbox& sandbox) {
  return dump(Writer::object(sandbox));
}
Result<Sandbox> sandboxFromText(std::string_view text) {
  WB_TRY(const json from, parseJson(text));
  return Reader::object<Sandbox>(from, "");
}

Result<Job> jobFromJson(const json& from) {
  return Reader::object<Job>(from, "");
}
Result<Target> targetFromJson(const json& from) {
  return Reader::object<Target>(from, "");
}
Result<Event> eventFromJson(const json& from) {
  if (!from.is_object()) return Error{Stage::job, "expected an object"};
  const auto found = from.find("event");
  if (found == from.end() || !found->is_string()) return Error{Stage::job, "event: expected a string"};
  return readEvent(from, found->get_ref<const std::string&>());
}

Result<Report> reportFromJson(const json& from) {
  const auto refuse = [](std::string text, std::string hint) {
    return Error{Stage::report, std::move(text), std::move(hint)};
  };
  if (!from.is_object() || !from.contains("schemaVersion"))
    return refuse("This is not a report of Warpbench: it has no \"schemaVersion\"", "");
  const json& version = from["schemaVersion"];
  if (version != Report::schemaVersion)
    return refuse(fmt::format("The report has schema version {}, this program reads {}",
                              dump(version).substr(0, 20), Report::schemaVersion),
                  "use the version of Warpbench that wrote it, or run again");
  auto report = Reader::object<Report>(from, "");
  if (!report) report.error().stage = Stage::report;
  return report;
}

std::string dump(const json& value, int indent) {
  return value.dump(indent, ' ', false, json::error_handler_t::replace);
}

Result<json> parseJson(std::string_view text) {
  if (tooDeep(text)) return Error{Stage::job, fmt::format("JSON nests deeper than {}", maxDepth)};
  try {
    return json::parse(text);
  } catch (const json::exception& e) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: …": what follows the bracket is for
    // people.
    const std::string_view what = e.what();
    const auto bracket = what.find("] ");
    return Error{Stage::job,
                 fmt::format("Not valid JSON: {}", bracket == what.npos ? what : what.substr(bracket + 2))};
  }
}

}  // namespace wb
