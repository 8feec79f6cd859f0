// SPDX-License-Identifier: Apache-2.0
#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include "core/engine/python/bridge/modules.h"
#include "core/engine/python/bridge/problem_model.h"
#include "core/engine/python/bridge/python_candidate.h"
#include "core/engine/python/interpreter.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/reference/no_gradients.h"
#include "core/engine/reference/operator.h"
#include "core/engine/reference/problem_cases.h"

namespace wb::python {
namespace {

/// An item of a tuple, which keeps owning it.
PyObject* item(const Object& tuple, Py_ssize_t i) {
  PyObject* const found = PyTuple_GetItem(tuple.get(), i);
  if (!found) throw Raised(takeException(Stage::compile));
  return found;
}

Object strings(const std::vector<std::string>& values) {
  Object list = Object::take(PyList_New(0));
  for (const std::string& value : values)
    if (PyList_Append(list.get(), text(value).get())) throw Raised(takeException(Stage::compile));
  return list;
}

std::vector<std::string> textsOf(PyObject* list) {
  std::vector<std::string> texts;
  for (Py_ssize_t i = 0; i < PySequence_Size(list); ++i)
    texts.push_back(toString(Object::take(PySequence_GetItem(list, i)).get()));
  return texts;
}

c10::FunctionSchema schemaOf(const std::string& op) {
  const Result<c10::OperatorHandle> found = findOperator(op);
  if (!found) throw Raised(found.error());
  return found->schema();
}

std::string notComparable(const PythonScript& script) {
  if (script.language != "triton" || script.device != "cpu") return {};
  return "Interpreted: checked, not timed. Choose a GPU.";
}

class BridgeInterpreter : public Interpreter {
 public:
  Result<LoadedScript> load(const PythonScript& script) override {
    const Lock lock;
    try {
      serveModules();
      const WithGradients ordinary;
      LoadedScript loaded = script.op.empty() ? loadProblem(script) : loadFunction(script);
      endInForkedChild();
      return loaded;
    } catch (const Raised& raised) {
      endInForkedChild();
      Error error = raised.error();
      error.stage = Stage::compile;
      if (error.place.file.empty()) error.place.file = script.path;
      return error;
    } catch (...) {
      return Error{Stage::compile, exceptionText()};
    }
  }

  void buildModulesWith(BuildModule build) override { build_ = std::move(build); }

  Result<LateCode> lateCode(const std::string& architecture) override {
    const Lock lock;
    try {
      const Object found =
          Object::take(PyObject_CallMethod(support().get(), "listed", "O", text(architecture).get()));
      LateCode code;
      for (Py_ssize_t i = 0; i < PySequence_Size(found.get()); ++i)
        addTo(code, Object::take(PySequence_GetItem(found.get(), i)), architecture);
      return code;
    } catch (const Raised& raised) {
      return raised.error();
    } catch (...) {
      return Error{Stage::profile, exceptionText()};
    }
  }

  RuntimeTraces traces() override {
    const Lock lock;
    try {
      const Object found = Object::take(PyObject_CallMethod(support().get(), "traces", nullptr));
      return {textsOf(item(found, 0)), textsOf(item(found, 1))};
    } catch (...) {
      return {{}, {"Python so that it no longer answers"}};
    }
  }

  LeftBehind letGo() override {
    const Lock lock;
    try {
      const Object found = Object::take(PyObject_CallMethod(problems().get(), "let_go", nullptr));
      return {textsOf(item(found, 0)), textsOf(item(found, 1))};
    } catch (...) {
      return {{"Python so that it no longer answers"}, {}};
    }
  }

  void referenceTells(bool whenCalled) override {
    const Lock lock;
    try {
      (void)Object::take(PyObject_CallMethod(problems().get(), "reference_tells", "i", whenCalled ? 1 : 0));
    } catch (...) {
      // A kernel that has broken Python is told of by its traces.
    }
  }

  std::string versions() override {
    const Lock lock;
    try {
      return toString(Object::take(PyObject_CallMethod(support().get(), "versions", nullptr)).get());
    } catch (...) {
      return "Python";
    }
  }

 private:
  /// Adds (function, dtype, kind, text or binary).
  static void addTo(LateCode& code, const Object& part, const std::string& architecture) {
    Listing listing;
    listing.function = listing.kernel = toString(item(part, 0));
    listing.dtype = toString(item(part, 1));
    listing.architecture = architecture;
    const std::string kind = toString(item(part, 2));
    if (kind == "cubin") {
      char* bytes = nullptr;
      Py_ssize_t size = 0;
      if (PyBytes_AsStringAndSize(item(part, 3), &bytes, &size) != 0)
        throw Raised(takeException(Stage::profile));
      code.cubins.push_back({std::string(bytes, static_cast<std::size_t>(size)), listing.dtype});
      return;
    }
    for (const ListingKind known :
         {ListingKind::ttir, ListingKind::ttgir, ListingKind::llir, ListingKind::ptx})
      if (kind == name(known)) listing.kind = known;
    listing.text = toString(item(part, 3));
    code.texts.push_back(std::move(listing));
  }

  /// Where there are two interpreters in one process, the one that loads now is asked.
  void serveModules() const {
    const Object extensions = Object::take(PyImport_ImportModule("warpbench_extensions"));
    const Object builder = build_ ? moduleBuilding(build_) : Object::borrow(Py_None);
    if (PyObject_SetAttrString(extensions.get(), "build_module", builder.get()) != 0)
      throw Raised(takeException(Stage::compile));
  }

  static LoadedScript loadFunction(const PythonScript& script) {
    const Object found = Object::take(
        PyObject_CallMethod(support().get(), "load", "OOOO", text(script.path).get(), text(script.text).get(),
                            strings(script.functions).get(), text(script.folder.string()).get()));
    LoadedScript loaded;
    loaded.function = toString(item(found, 1));
    loaded.candidate =
        pythonCandidate(Object::borrow(item(found, 0)),
                        {schemaOf(script.op), script.device, script.rawArguments}, notComparable(script));
    return loaded;
  }

  static LoadedScript loadProblem(const PythonScript& script) {
    const char* part = script.part == ProblemPart::reference   ? "reference"
                       : script.part == ProblemPart::candidate ? "candidate"
                                                               : "both";
    const Object found = Object::take(PyObject_CallMethod(
        problems().get(), "load_problem", "OOOOOOLsLL", text(script.path).get(), text(script.text).get(),
        text(script.referencePath).get(), text(script.referenceText).get(),
        text(script.folder.string()).get(), text(script.device).get(),
        static_cast<long long>(script.inputBytes), part, static_cast<long long>(script.modelSeed),
        static_cast<long long>(script.problemSince)));
    LoadedScript loaded;
    loaded.function = toString(item(found, 1));
    const Object asked = Object::borrow(item(found, 6));
    loaded.models = {problemModel(item(asked, 0)), problemModel(item(asked, 1))};
    if (script.part == ProblemPart::candidate) {
      loaded.candidate = pythonCandidate(Object::borrow(item(found, 0)),
                                         {torch::jit::parseSchema(script.schema), script.device, false},
                                         notComparable(script));
      return loaded;
    }
    OwnReference reference;
    reference.op = toString(item(found, 2));
    const c10::FunctionSchema schema = schemaOf(reference.op);
    reference.schema = c10::toString(schema);
    reference.cases = problemCases(reference.op, textsOf(item(found, 3)));
    reference.inputs = [make = Object::borrow(item(found, 4)), schema](std::uint64_t seed) {
      return inputs(make, schema, seed);
    };
    reference.inputsVary = PyObject_IsTrue(item(found, 5)) != 0;
    reference.changes = toString(item(found, 7));
    reference.asKernel = pythonCandidate(Object::borrow(item(found, 8)), {schema, script.device, false}, "");
    loaded.candidate = pythonCandidate(Object::borrow(item(found, 0)), {schema, script.device, false},
                                       notComparable(script));
    loaded.reference = std::move(reference);
    return loaded;
  }

  static Result<Stack> inputs(const Object& make, const c10::FunctionSchema& schema, std::uint64_t seed) {
    const Lock lock;
    try {
      const Object list =
          Object::take(PyObject_CallFunction(make.get(), "K", static_cast<unsigned long long>(seed)));
      return toStack(list.get(), schema);
    } catch (const Raised& raised) {
      return raised.error();
    } catch (...) {
      return Error{Stage::check, exceptionText()};
    }
  }

  BuildModule build_;
};

}  // namespace
}  // namespace wb::python

extern "C" __attribute__((visibility("default"))) wb::Interpreter* warpbench_interpreter(
    std::string* failure) {
  try {
    const wb::python::Lock lock;
    (void)wb::python::support();
    return std::make_unique<wb::python::BridgeInterpreter>().release();
  } catch (...) {
    *failure = wb::exceptionText();
    return nullptr;
  }
}
