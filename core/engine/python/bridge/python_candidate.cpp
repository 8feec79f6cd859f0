// SPDX-License-Identifier: Apache-2.0
#include "core/engine/python/bridge/python_candidate.h"

#include <unistd.h>

#include <optional>
#include <utility>

#include "core/engine/reference/exception_text.h"

namespace wb::python {
namespace {

pid_t ownProcess = getpid();

/// Gives what was thrown as a value, for a catch (...).
Error caught() {
  try {
    throw;
  } catch (const Raised& raised) {
    return raised.error();
  } catch (...) {
    return Error{Stage::check, exceptionText()};
  }
}

class PythonCall : public PreparedCall {
 public:
  PythonCall(Object function, Arguments arguments, std::size_t promised, std::string notComparable)
      : function_(std::move(function)),
        arguments_(std::move(arguments)),
        promised_(promised),
        notComparable_(std::move(notComparable)) {}

  Result<void> run() override {
    const Lock lock;
    results_.clear();
    try {
      PyObject* const result =
          PyObject_Call(function_.get(), arguments_.positional.get(), arguments_.keywords.get());
      endInForkedChild();
      // It is taken apart here, within the time of the call: what is a list now could be filled later.
      results_ = toResults(Object::take(result).get(), promised_);
      return {};
    } catch (...) {
      return caught();
    }
  }

  Result<Stack> outputs() override { return results_; }

  [[nodiscard]] std::string notComparable() const override { return notComparable_; }

 private:
  Object function_;
  Arguments arguments_;
  std::size_t promised_;
  std::string notComparable_;
  Stack results_;
};

class PythonCandidate : public Candidate {
 public:
  PythonCandidate(Object function, CallingWay how, std::string notComparable)
      : function_(std::move(function)), how_(std::move(how)), notComparable_(std::move(notComparable)) {}

  Result<std::unique_ptr<PreparedCall>> prepare(const BoundCall& call, const OutputPlan&) override {
    const Lock lock;
    try {
      return std::unique_ptr<PreparedCall>(std::make_unique<PythonCall>(
          function_, toPython(call, how_), how_.schema.returns().size(), notComparable_));
    } catch (...) {
      return caught();
    }
  }

  [[nodiscard]] bool mentionsStream() const override {
    if (!mentionsStream_) mentionsStream_ = searchForStream();
    return *mentionsStream_;
  }

  void isForked() override { ownProcess = getpid(); }

 private:
  Object function_;
  [[nodiscard]] bool searchForStream() const {
    const Lock lock;
    try {
      const Object said =
          Object::take(PyObject_CallMethod(support().get(), "mentions_stream", "O", function_.get()));
      return said.get() == Py_True;
    } catch (...) {
      return false;
    }
  }

  CallingWay how_;
  std::string notComparable_;
  /// This is kept because it is asked for every case and takes a search of the source.
  mutable std::optional<bool> mentionsStream_;
};

}  // namespace

void endInForkedChild() {
  if (getpid() != ownProcess) _exit(0);
}

std::unique_ptr<Candidate> pythonCandidate(Object function, CallingWay how, std::string notComparable) {
  return std::make_unique<PythonCandidate>(std::move(function), std::move(how), std::move(notComparable));
}

}  // namespace wb::python
