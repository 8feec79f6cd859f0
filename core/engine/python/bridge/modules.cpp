// SPDX-License-Identifier: Apache-2.0
#include "core/engine/python/bridge/modules.h"

#include <algorithm>
#include <memory>

#include "core/engine/python/bridge/module_function.h"
#include "core/engine/reference/exception_text.h"

namespace wb::python {
namespace {

constexpr const char* capsuleName = "warpbench.build_module";

/// An item of a tuple or list, which is owned here too.
Object item(PyObject* sequence, Py_ssize_t i) {
  return Object::take(PySequence_GetItem(sequence, i));
}

std::vector<std::string> strings(PyObject* sequence) {
  std::vector<std::string> all;
  for (Py_ssize_t i = 0; i < PySequence_Size(sequence); ++i) all.push_back(toString(item(sequence, i).get()));
  return all;
}

/// (text, file, kernel, options, [x, y and z of the grid, of the block, bytes of shared memory])
LaunchedKernel launchedIn(PyObject* given) {
  LaunchedKernel launched;
  launched.text = toString(item(given, 0).get());
  launched.file = toString(item(given, 1).get());
  launched.kernel = toString(item(given, 2).get());
  launched.options = strings(item(given, 3).get());
  const Object shape = item(given, 4);
  const auto number = [&](std::size_t i) {
    return std::int64_t{PyLong_AsLongLong(item(shape.get(), static_cast<Py_ssize_t>(i)).get())};
  };
  for (std::size_t i = 0; i < 3; ++i) {
    launched.grid[i] = number(i);
    launched.block[i] = number(3 + i);
  }
  launched.sharedBytes = number(6);
  return launched;
}

ModuleSources sourcesIn(PyObject* arguments) {
  enum {
    name,
    parts,
    functions,
    hostFlags,
    cudaFlags,
    includePaths,
    withCuda,
    unfit,
    path,
    source,
    line,
    launch
  };
  ModuleSources sources;
  sources.name = toString(item(arguments, name).get());
  const Object texts = item(arguments, parts);
  for (Py_ssize_t i = 0; i < PySequence_Size(texts.get()); ++i) {
    const Object part = item(texts.get(), i);
    sources.parts.push_back({toString(item(part.get(), 0).get()), toString(item(part.get(), 1).get()),
                             PyObject_IsTrue(item(part.get(), 2).get()) == 1});
  }
  if (const Object bound = item(arguments, functions); bound.get() != Py_None) {
    sources.functions.emplace();
    for (Py_ssize_t i = 0; i < PySequence_Size(bound.get()); ++i) {
      const Object each = item(bound.get(), i);
      sources.functions->emplace_back(toString(item(each.get(), 0).get()),
                                      toString(item(each.get(), 1).get()));
    }
  }
  sources.hostFlags = strings(item(arguments, hostFlags).get());
  sources.cudaFlags = strings(item(arguments, cudaFlags).get());
  sources.includePaths = strings(item(arguments, includePaths).get());
  sources.withCuda = PyObject_IsTrue(item(arguments, withCuda).get()) == 1;
  sources.unfit = toString(item(arguments, unfit).get());
  sources.callerPath = toString(item(arguments, path).get());
  sources.callerText = toString(item(arguments, source).get());
  sources.callerLine = static_cast<int>(PyLong_AsLong(item(arguments, line).get()));
  if (const Object launched = item(arguments, launch); launched.get() != Py_None)
    sources.launched = launchedIn(launched.get());
  return sources;
}

/// Builds modules, while other threads of Python may run.
Result<ModuleOutcome> buildUnlocked(const Interpreter::BuildModule& build, const ModuleSources& sources) {
  PyThreadState* const state = PyEval_SaveThread();
  Result<ModuleOutcome> outcome = [&]() -> Result<ModuleOutcome> {
    try {
      return build(sources);
    } catch (...) {
      return Error{Stage::compile, exceptionText()};
    }
  }();
  PyEval_RestoreThread(state);
  return outcome;
}

/// A list of (name, callable), in which functions of one name are one callable.
Object callables(const std::vector<ModuleFunction>& functions) {
  Object list = Object::take(PyList_New(0));
  std::vector<std::string> done;
  for (const auto& function : functions) {
    if (std::find(done.begin(), done.end(), function.name) != done.end()) continue;
    done.push_back(function.name);
    std::vector<ModuleFunction> overloads;
    for (const auto& each : functions)
      if (each.name == function.name) overloads.push_back(each);
    const Object made = moduleFunction(std::move(overloads));
    const Object pair = Object::take(PyTuple_Pack(2, text(function.name).get(), made.get()));
    if (PyList_Append(list.get(), pair.get()) != 0) throw Raised(takeException(Stage::compile));
  }
  return list;
}

std::string words(const Error& error) {
  return error.trace.empty() ? describe(error) : error.text + ":\n" + error.trace;
}

PyObject* build(PyObject* self, PyObject* arguments) {
  try {
    const auto& build = *static_cast<Interpreter::BuildModule*>(PyCapsule_GetPointer(self, capsuleName));
    const Result<ModuleOutcome> outcome = buildUnlocked(build, sourcesIn(arguments));
    const Object functions = outcome ? callables(outcome->functions) : Object::take(PyList_New(0));
    return PyTuple_Pack(4, functions.get(), text(outcome ? outcome->unfit : "").get(),
                        text(outcome ? outcome->notRun : "").get(),
                        text(outcome ? "" : words(outcome.error())).get());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, exceptionText().c_str());
    return nullptr;
  }
}

PyMethodDef definition{"build_module", &build, METH_VARARGS, nullptr};

}  // namespace

Object moduleBuilding(Interpreter::BuildModule build) {
  // This lives to the end of the process, since Python may keep what it is given.
  auto* const held = std::make_unique<Interpreter::BuildModule>(std::move(build)).release();
  const Object self = Object::take(PyCapsule_New(held, capsuleName, nullptr));
  return Object::take(PyCFunction_NewEx(&definition, self.get(), nullptr));
}

}  // namespace wb::python
