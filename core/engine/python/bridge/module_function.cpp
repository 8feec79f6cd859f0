// SPDX-License-Identifier: Apache-2.0
#include "core/engine/python/bridge/module_function.h"

#include <ATen/core/List.h>
#include <ATen/core/jit_type.h>
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "core/engine/python/bridge/values.h"
#include "core/engine/reference/exception_text.h"

namespace wb::python {
namespace {

constexpr const char* capsuleName = "warpbench.module_function";

/// What a callable calls.
struct Callable {
  std::vector<ModuleFunction> overloads;
  PyMethodDef definition{};
};

std::optional<c10::IValue> argument(PyObject* value, std::string_view code);

std::optional<c10::IValue> listArgument(PyObject* value, std::string_view code) {
  if (!PyTuple_Check(value) && !PyList_Check(value)) return std::nullopt;
  std::vector<c10::IValue> items;
  for (Py_ssize_t i = 0; i < PySequence_Size(value); ++i) {
    auto item = argument(Object::take(PySequence_GetItem(value, i)).get(), code);
    if (!item) return std::nullopt;
    items.push_back(*std::move(item));
  }
  const auto filled = [&](auto list, auto get) {
    for (const c10::IValue& each : items) list.push_back(get(each));
    return c10::IValue(std::move(list));
  };
  if (code == "t") return filled(c10::List<at::Tensor>(), [](const auto& v) { return v.toTensor(); });
  if (code == "i") return filled(c10::List<std::int64_t>(), [](const auto& v) { return v.toInt(); });
  if (code == "d") return filled(c10::List<double>(), [](const auto& v) { return v.toDouble(); });
  if (code == "b") return filled(c10::List<bool>(), [](const auto& v) { return v.toBool(); });
  return filled(c10::impl::GenericList(c10::AnyType::get()), [](const auto& v) { return v; });
}

/// A whole number, numpy's too, and no float.
std::optional<c10::IValue> integerArgument(PyObject* value) {
  if (!PyLong_Check(value) && !PyIndex_Check(value)) return std::nullopt;
  if (tensorIn(value)) return std::nullopt;
  const Object whole = Object::take(PyNumber_Index(value));
  const long long number = PyLong_AsLongLong(whole.get());
  if (number == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    return std::nullopt;
  }
  return c10::IValue(static_cast<std::int64_t>(number));
}

std::optional<c10::IValue> realArgument(PyObject* value) {
  const double number = PyFloat_AsDouble(value);
  if (number == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    return std::nullopt;
  }
  return c10::IValue(number);
}

/// The value for a parameter of this code (standin/warpbench_function.h); nothing where it does not fit.
std::optional<c10::IValue> argument(PyObject* value, std::string_view code) {
  switch (code.empty() ? '\0' : code.front()) {
    case '?':
      return value == Py_None ? std::optional(c10::IValue()) : argument(value, code.substr(1));
    case '*':
      return listArgument(value, code.substr(1));
    case 't': {
      auto tensor = tensorIn(value);
      return tensor ? std::optional(c10::IValue(*std::move(tensor))) : std::nullopt;
    }
    case 'i':
      return integerArgument(value);
    case 'd':
      return realArgument(value);
    case 'b':
      if (!PyBool_Check(value) && !PyLong_Check(value)) return std::nullopt;
      return c10::IValue(PyObject_IsTrue(value) == 1);
    case 's': {
      auto number = numberIn(value);
      return number.isNone() ? std::nullopt : std::optional(std::move(number));
    }
    case 'z':
      return PyUnicode_Check(value) ? std::optional(c10::IValue(toString(value))) : std::nullopt;
    default:
      return std::nullopt;
  }
}

/// The arguments in the order of the parameters; nothing where they do not fit.
std::optional<std::vector<c10::IValue>> bind(const ModuleFunction& function, PyObject* positional,
                                             PyObject* keywords) {
  const auto given = static_cast<std::size_t>(PyTuple_Size(positional));
  if (given > function.parameters.size()) return std::nullopt;
  Py_ssize_t named = 0;
  std::vector<c10::IValue> stack;
  stack.reserve(function.parameters.size() + 1);
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const auto& parameter = function.parameters[i];
    PyObject* value = nullptr;  // borrowed
    if (i < given) {
      value = PyTuple_GetItem(positional, static_cast<Py_ssize_t>(i));
    } else if (keywords != nullptr && !parameter.name.empty()) {
      value = PyDict_GetItemString(keywords, parameter.name.c_str());
      named += value != nullptr ? 1 : 0;
    }
    auto bound = value != nullptr ? argument(value, parameter.code) : parameter.standard;
    if (!bound) return std::nullopt;
    stack.push_back(*std::move(bound));
  }
  if (keywords != nullptr && named != PyDict_Size(keywords)) return std::nullopt;
  return stack;
}

std::string typeOf(std::string_view code) {
  if (code.starts_with('?')) return typeOf(code.substr(1)) + " | None";
  if (code.starts_with('*')) return "list[" + typeOf(code.substr(1)) + "]";
  switch (code.empty() ? '\0' : code.front()) {
    case 't':
      return "torch.Tensor";
    case 'i':
      return "int";
    case 'd':
      return "float";
    case 'b':
      return "bool";
    case 'z':
      return "str";
    default:
      return "number";
  }
}

std::string signature(const ModuleFunction& function) {
  std::string out = function.name + "(";
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const auto& parameter = function.parameters[i];
    out += fmt::format("{}{}: {}{}", i > 0 ? ", " : "",
                       parameter.name.empty() ? fmt::format("arg{}", i) : parameter.name,
                       typeOf(parameter.code), parameter.standard ? " = …" : "");
  }
  return out + ")";
}

PyObject* refuse(const Callable& callable, PyObject* positional) {
  std::string said = callable.overloads.front().name + "(): incompatible function arguments. It takes";
  for (const auto& function : callable.overloads) said += "\n    " + signature(function);
  said += "\nand was called with (";
  for (Py_ssize_t i = 0; i < PyTuple_Size(positional); ++i) {
    auto* const type = reinterpret_cast<PyObject*>(Py_TYPE(PyTuple_GetItem(positional, i)));
    said += (i > 0 ? ", " : "") + toString(Object::take(PyObject_GetAttrString(type, "__name__")).get());
  }
  PyErr_SetString(PyExc_TypeError, (said + ")").c_str());
  return nullptr;
}

Object result(const c10::IValue& value) {
  const auto items = [](const auto& all, Object made, auto set) {
    Py_ssize_t i = 0;
    for (const c10::IValue& each : all)
      if (set(made.get(), i++, result(each).release()) != 0) throw Raised(takeException(Stage::check));
    return made;
  };
  if (value.isTensor()) return wrapTensor(value.toTensor());
  if (value.isBool()) return Object::take(PyBool_FromLong(value.toBool()));
  if (value.isInt()) return Object::take(PyLong_FromLongLong(value.toInt()));
  if (value.isDouble()) return Object::take(PyFloat_FromDouble(value.toDouble()));
  if (value.isComplexDouble()) {
    const auto number = value.toComplexDouble();
    return Object::take(PyComplex_FromDoubles(number.real(), number.imag()));
  }
  if (value.isString()) return text(value.toStringRef());
  if (value.isTuple()) {
    const auto all = value.toTupleRef().elements().vec();
    return items(all, Object::take(PyTuple_New(static_cast<Py_ssize_t>(all.size()))), PyTuple_SetItem);
  }
  if (value.isList()) {
    const auto all = value.toListRef().vec();
    return items(all, Object::take(PyList_New(static_cast<Py_ssize_t>(all.size()))), PyList_SetItem);
  }
  return Object::borrow(Py_None);
}

/// Raises in Python what torch would raise for the exception that is being handled.
void raiseCurrent() {
  const auto raise = [](PyObject* type, const std::string& said) { PyErr_SetString(type, said.c_str()); };
  try {
    throw;
  } catch (const c10::IndexError& error) {
    raise(PyExc_IndexError, error.what_without_backtrace());
  } catch (const c10::ValueError& error) {
    raise(PyExc_ValueError, error.what_without_backtrace());
  } catch (const c10::TypeError& error) {
    raise(PyExc_TypeError, error.what_without_backtrace());
  } catch (const c10::NotImplementedError& error) {
    raise(PyExc_NotImplementedError, error.what_without_backtrace());
  } catch (const std::out_of_range& error) {
    raise(PyExc_IndexError, error.what());
  } catch (const std::invalid_argument& error) {
    raise(PyExc_ValueError, error.what());
  } catch (const std::bad_alloc& error) {
    raise(PyExc_MemoryError, error.what());
  } catch (...) {
    raise(PyExc_RuntimeError, exceptionText());
  }
}

PyObject* call(PyObject* self, PyObject* positional, PyObject* keywords) {
  try {
    const auto& callable = *static_cast<Callable*>(PyCapsule_GetPointer(self, capsuleName));
    for (const auto& function : callable.overloads) {
      auto stack = bind(function, positional, keywords);
      if (!stack) continue;
      function.call(*stack);
      return result(stack->front()).release();
    }
    return refuse(callable, positional);
  } catch (...) {
    raiseCurrent();
    return nullptr;
  }
}

}  // namespace

Object moduleFunction(std::vector<ModuleFunction> overloads) {
  // It lives as long as the process, as the shared object does.
  auto* const callable = std::make_unique<Callable>().release();
  callable->overloads = std::move(overloads);
  const auto& first = callable->overloads.front();
  callable->definition.ml_name = first.name.c_str();
  callable->definition.ml_doc = first.doc.c_str();
  callable->definition.ml_flags = METH_VARARGS | METH_KEYWORDS;
  callable->definition.ml_meth = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&call));
  const Object self = Object::take(PyCapsule_New(callable, capsuleName, nullptr));
  return Object::take(PyCFunction_NewEx(&callable->definition, self.get(), nullptr));
}

}  // namespace wb::python
