// SPDX-License-Identifier: Apache-2.0
#include "core/engine/python/bridge/values.h"

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <fmt/format.h>

#include <optional>

// From libtorch_python.so (torch/csrc/autograd/python_variable.h, whose header takes 11 s to compile).
PyObject* THPVariable_Wrap(const at::TensorBase& tensor);
extern PyObject* THPVariableClass;  // torch.Tensor

namespace wb::python {
namespace {

/// The first members of torch 2.11's THPVariable.
struct TensorObject {
  PyObject base;
  at::Tensor tensor;
};

[[noreturn]] void refuse(const std::string& text, const std::string& hint = {}) {
  throw Raised(Error{Stage::check, text, hint});
}

Object number(double value) {
  return Object::take(PyFloat_FromDouble(value));
}
Object integer(std::int64_t value) {
  return Object::take(PyLong_FromLongLong(value));
}
Object boolean(bool value) {
  return Object::take(PyBool_FromLong(value));
}

/// A tuple or list of the items; the setters take the references over.
Object sequence(const std::vector<Object>& items, bool tuple) {
  const auto size = static_cast<Py_ssize_t>(items.size());
  Object made = Object::take(tuple ? PyTuple_New(size) : PyList_New(size));
  for (Py_ssize_t i = 0; i < size; ++i) {
    PyObject* item = Object(items[static_cast<std::size_t>(i)]).release();
    const int failed = tuple ? PyTuple_SetItem(made.get(), i, item) : PyList_SetItem(made.get(), i, item);
    if (failed) throw Raised(takeException(Stage::check));
  }
  return made;
}

/// Element i of the value to which a list literal was bound; nothing where it was bound to something else.
std::optional<c10::IValue> element(const c10::IValue& bound, std::size_t i) {
  if (bound.isTensorList()) {
    const auto tensors = bound.toTensorVector();
    return i < tensors.size() ? std::optional<c10::IValue>(tensors[i]) : std::nullopt;
  }
  if (bound.isOptionalTensorList()) {
    const auto tensors = bound.toOptionalTensorVector();
    if (i >= tensors.size()) return std::nullopt;
    return tensors[i] ? c10::IValue(*tensors[i]) : c10::IValue();
  }
  if (bound.isList() && i < bound.toListRef().size()) return bound.toListRef()[i];
  return std::nullopt;
}

/// A number as the schema's type took it, where that differs from what the case spells; null where the
/// spelling says everything.
Object asBound(const Literal& value, const c10::IValue& bound) {
  using Kind = Literal::Kind;
  const bool spelled = value.kind == Kind::boolean || value.kind == Kind::integer || value.kind == Kind::real;
  if (!spelled) return {};
  const auto listed = [](const auto& values, auto make) {
    std::vector<Object> items;
    for (const auto& each : values) items.push_back(make(each));
    return sequence(items, /*tuple=*/false);
  };
  if (bound.isIntList()) return listed(bound.toIntVector(), integer);
  if (bound.isDoubleList()) return listed(bound.toDoubleVector(), number);
  if (bound.isBoolList()) return listed(bound.toBoolList().vec(), boolean);
  if (bound.isDouble()) return number(bound.toDouble());
  if (bound.isInt()) return integer(bound.toInt());
  if (bound.isBool()) return boolean(bound.toBool());
  return {};
}

/// Turns literals into Python objects, with the tensors to which they were bound.
class Spelling {
 public:
  explicit Spelling(const CallingWay& how) : device_(how.device), raw_(how.raw), support_(support()) {}

  /// One argument of the call.
  Object argument(const Literal& value, const c10::IValue& bound) const {
    if (!raw_)
      if (Object number = asBound(value, bound)) return number;
    return object(value, bound);
  }

  Object object(const Literal& value, const c10::IValue& bound) const {
    using Kind = Literal::Kind;
    switch (value.kind) {
      case Kind::none:
        return Object::borrow(Py_None);
      case Kind::boolean:
        return boolean(value.boolean);
      case Kind::integer:
        return integer(value.integer);
      case Kind::real:
        return number(value.real);
      case Kind::complex:
        return Object::take(PyComplex_FromDoubles(value.real, value.imaginary));
      case Kind::string:
        return text(value.text);
      case Kind::symbol:
        return Object::take(PyObject_CallMethod(support_.get(), "symbol", "s", value.text.c_str()));
      case Kind::list:
      case Kind::tuple:
        return items(value, bound);
      case Kind::dict:
        return Object::take(PyDict_New());
      case Kind::call:
        return called(value, bound);
    }
    return Object::borrow(Py_None);
  }

 private:
  Object items(const Literal& value, const c10::IValue& bound) const {
    std::vector<Object> made;
    for (std::size_t i = 0; i < value.items.size(); ++i)
      made.push_back(argument(value.items[i], element(bound, i).value_or(c10::IValue())));
    return sequence(made, value.kind == Literal::Kind::tuple);
  }

  Object called(const Literal& value, const c10::IValue& bound) const {
    if (value.text == "T") {
      if (bound.isTensor()) return wrapTensor(bound.toTensor());
      const auto only = element(bound, 0);
      if (only && only->isTensor()) return wrapTensor(only->toTensor());
      refuse("a tensor of this call was not bound");
    }
    if (value.text.ends_with("device") && value.items.size() == 1)
      return Object::take(PyObject_CallMethod(support_.get(), "device", "ss",
                                              value.items.front().text.c_str(), device_.c_str()));
    refuse(fmt::format("'{}' is nothing that a kernel can be given", value.text));
  }

  std::string device_;
  bool raw_;
  Object support_;
};

std::size_t indexOf(const c10::FunctionSchema& schema, const std::string& name) {
  const auto index = schema.argumentIndexWithName(name);
  if (!index) refuse(fmt::format("{} has no argument '{}'", schema.name(), name));
  return static_cast<std::size_t>(*index);
}

std::string typeName(PyObject* value) {
  const Object name =
      Object::take(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(value)), "__name__"));
  return toString(name.get());
}

bool isSequence(PyObject* value) {
  return PyTuple_Check(value) || PyList_Check(value);
}

Py_ssize_t sizeOf(PyObject* sequence) {
  return PyTuple_Check(sequence) ? PyTuple_Size(sequence) : PyList_Size(sequence);
}

/// An item as it lies there, borrowed: the __getitem__ of a subclass could do the work when it is asked,
/// after the clock has stopped.
PyObject* itemOf(PyObject* sequence, Py_ssize_t i) {
  PyObject* const item = PyTuple_Check(sequence) ? PyTuple_GetItem(sequence, i) : PyList_GetItem(sequence, i);
  if (item == nullptr) throw Raised(takeException(Stage::check));
  return item;
}

/// A subclass of a tensor may compute its contents when they are looked at, after the clock has stopped.
at::Tensor plainTensor(PyObject* value) {
  auto* const type = reinterpret_cast<PyObject*>(Py_TYPE(value));
  if (type == THPVariableClass) return reinterpret_cast<TensorObject*>(value)->tensor;
  const Object module = Object::take(PyImport_ImportModule("torch.nn"));
  const Object parameter = Object::take(PyObject_GetAttrString(module.get(), "Parameter"));
  if (type != parameter.get())
    refuse(fmt::format("the kernel returned a {}, a subclass of torch.Tensor", typeName(value)),
           "return a plain tensor");
  return reinterpret_cast<TensorObject*>(value)->tensor;
}

c10::IValue result(PyObject* value) {
  if (value == Py_None) return {};
  const bool exact = reinterpret_cast<PyObject*>(Py_TYPE(value)) == THPVariableClass;
  if (exact || PyObject_IsInstance(value, THPVariableClass) == 1) return plainTensor(value);
  if (isSequence(value)) {
    std::vector<c10::IValue> items;
    bool tensors = true;
    const Py_ssize_t size = sizeOf(value);
    for (Py_ssize_t i = 0; i < size; ++i) {
      items.push_back(result(itemOf(value, i)));
      tensors &= items.back().isTensor();
    }
    if (!tensors || items.empty()) return c10::ivalue::Tuple::create(std::move(items));
    c10::List<at::Tensor> list;
    for (const c10::IValue& item : items) list.push_back(item.toTensor());
    return list;
  }
  c10::IValue made = numberIn(value);
  if (made.isNone())
    refuse(fmt::format("the kernel returned a {}", typeName(value)),
           "return a tensor, or a tuple of tensors");
  return made;
}

}  // namespace

Object wrapTensor(const at::Tensor& tensor) {
  if (!tensor.defined()) return Object::borrow(Py_None);
  return Object::take(THPVariable_Wrap(tensor));
}

std::optional<at::Tensor> tensorIn(PyObject* value) {
  if (PyObject_IsInstance(value, THPVariableClass) != 1) return std::nullopt;
  return reinterpret_cast<TensorObject*>(value)->tensor;
}

c10::IValue numberIn(PyObject* value) {
  if (PyBool_Check(value)) return value == Py_True;
  if (PyLong_Check(value)) {
    const long long whole = PyLong_AsLongLong(value);
    if (whole == -1 && PyErr_Occurred()) throw Raised(takeException(Stage::check));
    return static_cast<std::int64_t>(whole);
  }
  if (PyFloat_Check(value)) return PyFloat_AsDouble(value);
  if (PyComplex_Check(value))
    return c10::complex<double>(PyComplex_RealAsDouble(value), PyComplex_ImagAsDouble(value));
  return {};
}

Arguments toPython(const BoundCall& call, const CallingWay& how) {
  const Spelling spelling(how);
  const Literal& spelled = call.spelling;
  Arguments made;
  std::vector<Object> positional;
  const Literal& first = spelled.items.at(0);
  if (first.kind == Literal::Kind::tuple) {
    for (std::size_t i = 0; i < first.items.size(); ++i)
      positional.push_back(spelling.argument(first.items[i], call.arguments.at(i)));
  } else {
    positional.push_back(spelling.argument(first, call.arguments.at(0)));
  }
  made.positional = sequence(positional, /*tuple=*/true);
  const auto& entries = spelled.items.at(1).items;
  if (entries.empty()) return made;
  made.keywords = Object::take(PyDict_New());
  for (std::size_t i = 0; i + 1 < entries.size(); i += 2) {
    const std::string& name = entries[i].text;
    const Object value = spelling.argument(entries[i + 1], call.arguments.at(indexOf(how.schema, name)));
    if (PyDict_SetItemString(made.keywords.get(), name.c_str(), value.get()))
      throw Raised(takeException(Stage::check));
  }
  return made;
}

Stack toResults(PyObject* value, std::size_t promised) {
  if (promised > 1 && isSequence(value) && sizeOf(value) == static_cast<Py_ssize_t>(promised)) {
    Stack results;
    for (std::size_t i = 0; i < promised; ++i)
      results.push_back(result(itemOf(value, static_cast<Py_ssize_t>(i))));
    return results;
  }
  return {result(value)};
}

Stack toStack(PyObject* list, const c10::FunctionSchema& schema) {
  Stack stack;
  for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
    const Object item = Object::take(PySequence_GetItem(list, static_cast<Py_ssize_t>(i)));
    if (PyUnicode_Check(item.get())) {
      stack.emplace_back(toString(item.get()));
      continue;
    }
    c10::IValue value = result(item.get());
    if (value.isTuple()) {
      c10::impl::GenericList items(schema.arguments()[i].type()->castRaw<c10::ListType>()->getElementType());
      for (const c10::IValue& each : value.toTupleRef().elements()) items.push_back(each);
      value = items;
    }
    stack.push_back(std::move(value));
  }
  return stack;
}

}  // namespace wb::python
