// SPDX-License-Identifier: Apache-2.0
#include "core/engine/python/bridge/object.h"

#include "core/base/cut_text.h"

namespace wb::python {
namespace {

std::string item(PyObject* tuple, Py_ssize_t i) {
  return toString(PyTuple_GetItem(tuple, i));
}

/// The error where even the words for an exception cannot be made, as in a process out of memory.
Error wordless(Stage stage) {
  PyErr_Clear();
  return Error{stage, "Python raised an exception that cannot be described"};
}

}  // namespace

Object Object::take(PyObject* object) {
  if (!object) throw Raised(takeException(Stage::check));
  Object taken;
  taken.object_ = object;
  return taken;
}

Object Object::borrow(PyObject* object) {
  Py_XINCREF(object);
  return take(object);
}

Object support() {
  return Object::take(PyImport_ImportModule("warpbench_kernels"));
}

Object problems() {
  return Object::take(PyImport_ImportModule("warpbench_problems"));
}

Error takeException(Stage stage) {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  if (!type) return wordless(stage);
  PyErr_NormalizeException(&type, &value, &trace);
  if (trace) PyException_SetTraceback(value, trace);
  PyObject* module = PyImport_ImportModule("warpbench_kernels");
  PyObject* words = module ? PyObject_CallMethod(module, "describe", "O", value) : nullptr;
  Py_XDECREF(module);
  Py_XDECREF(type);
  Py_XDECREF(trace);
  Py_XDECREF(value);
  if (!words || PyTuple_Size(words) != 6) {
    Py_XDECREF(words);
    return wordless(stage);
  }
  Error error{stage, cutText(item(words, 1), longestMessage), item(words, 5)};
  error.type = item(words, 0);
  error.trace = cutText(item(words, 2), longestTrace);
  error.place.file = item(words, 3);
  error.place.line = static_cast<int>(PyLong_AsLong(PyTuple_GetItem(words, 4)));
  Py_DECREF(words);
  PyErr_Clear();
  return error;
}

Object text(std::string_view value) {
  return Object::take(
      PyUnicode_DecodeUTF8(value.data(), static_cast<Py_ssize_t>(value.size()), "surrogateescape"));
}

std::string toString(PyObject* value) {
  if (!value || !PyUnicode_Check(value)) {
    PyErr_Clear();
    return {};
  }
  // Lone surrogates, which a message may hold, have no form in UTF-8.
  PyObject* bytes = PyUnicode_AsEncodedString(value, "utf-8", "backslashreplace");
  if (!bytes) {
    PyErr_Clear();
    return {};
  }
  char* data = nullptr;
  Py_ssize_t size = 0;
  std::string out;
  if (PyBytes_AsStringAndSize(bytes, &data, &size) == 0) out.assign(data, static_cast<std::size_t>(size));
  Py_DECREF(bytes);
  return out;
}

}  // namespace wb::python
