// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/jobs/evaluation/python_json.h"

namespace wb {

/// What is wrong with one field, in pydantic's words.
struct FieldFault {
  /// The way to the field: "kernel -> io -> args -> 0 -> type".
  std::string field;
  std::string message;
  /// "missing", "int_parsing", …
  std::string type;
};

/// Reads values as pydantic 2 does in its lax mode: "12", 2.0 and true are whole numbers, and so on. Each
/// function converts the value at the present place, or notes what is wrong with it and gives a value that
/// nobody uses.
class ModelReader {
 public:
  [[nodiscard]] const std::vector<FieldFault>& faults() const { return faults_; }

  OrderedJson integer(const OrderedJson& value);
  OrderedJson real(const OrderedJson& value);
  OrderedJson truth(const OrderedJson& value);
  OrderedJson string(const OrderedJson& value);
  /// Any of integer, real, text and truth value, kept as it is.
  OrderedJson scalar(const OrderedJson& value);
  OrderedJson kernelType(const OrderedJson& value);
  /// A list, each of whose items `each` reads.
  template <typename Each>
  OrderedJson list(const OrderedJson& value, const Each& each);
  /// The fields of a model, whose class has this name.
  template <typename Fields>
  OrderedJson model(const OrderedJson& value, std::string_view className, const Fields& fields);
  /// What `read` makes of the value; null stays null.
  template <typename Read>
  OrderedJson optional(const OrderedJson& value, const Read& read) {
    return value.is_null() ? OrderedJson() : read(value);
  }
  /// An object with any keys.
  OrderedJson metadata(const OrderedJson& value);

  /// Notes a fault at the present place.
  void fault(std::string message, std::string type);
  /// A place below the present one while it lives.
  class Step {
   public:
    Step(ModelReader& reader, std::string name) : reader_(reader) {
      reader_.path_.push_back(std::move(name));
    }
    ~Step() { reader_.path_.pop_back(); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    ModelReader& reader_;
  };

 private:
  std::vector<std::string> path_;
  std::vector<FieldFault> faults_;
};

/// The fields of one object while it is read.
class FieldReader {
 public:
  FieldReader(ModelReader& reader, const OrderedJson& object) : reader_(reader), object_(object) {}
  template <typename Read>
  void required(const char* name, const Read& read) {
    const ModelReader::Step step(reader_, name);
    if (const auto found = object_.find(name); found != object_.end())
      made_[name] = read(*found);
    else
      reader_.fault("Field required", "missing");
  }
  template <typename Read>
  void standard(const char* name, OrderedJson otherwise, const Read& read) {
    const ModelReader::Step step(reader_, name);
    const auto found = object_.find(name);
    made_[name] = found == object_.end() ? std::move(otherwise) : read(*found);
  }
  /// Refuses keys that were not read.
  void forbidOthers() {
    for (const auto& [key, value] : object_.items()) {
      if (made_.contains(key)) continue;
      const ModelReader::Step step(reader_, key);
      reader_.fault("Extra inputs are not permitted", "extra_forbidden");
    }
  }
  OrderedJson made() { return std::move(made_); }

 private:
  ModelReader& reader_;
  const OrderedJson& object_;
  OrderedJson made_ = OrderedJson::object();
};

template <typename Each>
OrderedJson ModelReader::list(const OrderedJson& value, const Each& each) {
  OrderedJson made = OrderedJson::array();
  if (!value.is_array()) {
    fault("Input should be a valid list", "list_type");
    return made;
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Step step(*this, std::to_string(i));
    made.push_back(each(value[i]));
  }
  return made;
}

template <typename Fields>
OrderedJson ModelReader::model(const OrderedJson& value, std::string_view className, const Fields& fields) {
  if (!value.is_object()) {
    fault("Input should be a valid dictionary or instance of " + std::string(className), "model_type");
    return {};
  }
  FieldReader reader(*this, value);
  fields(reader);
  return reader.made();
}

}  // namespace wb
