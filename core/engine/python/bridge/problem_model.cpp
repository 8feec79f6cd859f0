// SPDX-License-Identifier: Apache-2.0
#include "core/engine/python/bridge/problem_model.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/python/bridge/values.h"
#include "core/engine/reference/no_gradients.h"
#include "core/engine/reference/seed.h"

namespace wb::python {
namespace {

/// A number that depends on all bits of a tensor's values.
std::uint64_t digestOf(const at::Tensor& tensor) {
  const at::Tensor values = tensor.detach().cpu().contiguous();
  const auto* const bytes = static_cast<const std::byte*>(values.const_data_ptr());
  const std::size_t size = values.nbytes();
  std::uint64_t digest = size;
  for (std::size_t at = 0; at < size; at += sizeof digest) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + at, std::min(sizeof word, size - at));
    digest = mixSeeds(digest, word);
  }
  return digest;
}

const char* nameOf(ParameterValues values) {
  switch (values) {
    case ParameterValues::others:
      return "others";
    case ParameterValues::large:
      return "large";
    case ParameterValues::changed:
      return "changed";
    case ParameterValues::putBack:
      return "put back";
    case ParameterValues::constants:
      break;
  }
  return "constants";
}

class PythonModel final : public ProblemModel {
 public:
  explicit PythonModel(Object asked) : asked_(std::move(asked)) {}

  void rememberBuffers() override {
    (void)answered<int>([&] {
      (void)Object::take(PyObject_CallMethod(asked_.get(), "remember_buffers", nullptr));
      return 0;
    });
  }

  std::vector<KeptBuffer> buffers() override {
    return answered<std::vector<KeptBuffer>>([&] {
      const Object list = Object::take(PyObject_CallMethod(asked_.get(), "buffers", nullptr));
      std::vector<KeptBuffer> buffers;
      for (Py_ssize_t i = 0; i < PySequence_Size(list.get()); ++i) {
        const Object each = Object::take(PySequence_GetItem(list.get(), i));
        buffers.push_back(
            {toString(part(each, 0).get()), toString(part(each, 1).get()), part(each, 2).get() == Py_True});
      }
      return buffers;
    });
  }

  std::vector<DrawnParameter> drawParameters(std::uint64_t seed, ParameterValues values) override {
    return answered<std::vector<DrawnParameter>>([&] {
      const Object list = Object::take(PyObject_CallMethod(
          asked_.get(), "draw_parameters", "Ls", static_cast<long long>(seed >> 2), nameOf(values)));
      std::vector<DrawnParameter> drawn;
      for (Py_ssize_t i = 0; i < PySequence_Size(list.get()); ++i) {
        const Object each = Object::take(PySequence_GetItem(list.get(), i));
        if (const auto tensor = tensorIn(part(each, 1).get()))
          drawn.push_back({toString(part(each, 0).get()), digestOf(*tensor)});
      }
      return drawn;
    });
  }

 private:
  static Object part(const Object& of, Py_ssize_t i) { return Object::take(PySequence_GetItem(of.get(), i)); }

  template <class Answer, class Ask>
  static Answer answered(const Ask& ask) {
    const Lock lock;
    try {
      const WithGradients ordinary;
      return ask();
    } catch (...) {
      return {};
    }
  }

  Object asked_;
};

}  // namespace

std::shared_ptr<ProblemModel> problemModel(PyObject* asked) {
  if (asked == Py_None) return nullptr;
  return std::make_shared<PythonModel>(Object::borrow(asked));
}

}  // namespace wb::python
