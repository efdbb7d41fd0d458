// SPDX-License-Identifier: MIT
// The extension module weakspot._weakspot: the core and the judge for Python. python/weakspot is what people import.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "base/build_info.h"
#include "core/answer.h"
#include "litmus/draw.h"
#include "litmus/text.h"
#include "python/judge/judge.h"

namespace py = pybind11;
using namespace weakspot;

namespace {

// A number, or the text of an address: "&x", "&x+4".
py::object python_value(const litmus::LitmusTest& test, const litmus::Value& value) {
  if (value.base) return py::str(litmus::value_text(test, value));
  return py::int_(value.number);
}

py::tuple python_outcome(const litmus::LitmusTest& test, const litmus::Outcome& outcome) {
  py::tuple values(outcome.size());
  for (std::size_t i = 0; i < outcome.size(); ++i) values[i] = python_value(test, outcome[i]);
  return values;
}

py::dict python_answer(const litmus::LitmusTest& test, const python::Answer& answer) {
  py::list outcomes;
  for (const litmus::Outcome& outcome : answer.outcomes) outcomes.append(python_outcome(test, outcome));
  py::dict made;
  made["verdict"] = answer.verdict;
  made["condition"] = answer.condition;
  made["reason"] = answer.reason;
  made["observed"] = py::cast(answer.observed);
  made["outcomes"] = outcomes;
  made["satisfying"] = py::cast(answer.satisfying);
  made["flags"] = answer.flags;
  made["executions"] = answer.executions;
  made["seconds"] = answer.seconds;
  return made;
}

}  // namespace

PYBIND11_MODULE(_weakspot, module) {
  module.attr("version") = base::kVersion;
  static py::exception<python::Mistake> error(module, "Error", PyExc_ValueError);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const python::Mistake& mistake) {
      error(mistake.text.c_str());
    }
  });

  error.attr("__doc__") = "A mistake in what was given: the text has the place and the reason.";

  py::class_<litmus::LitmusTest>(module, "Test", "A litmus test. Tests compare by what they are, and can be pickled.")
      .def_readonly("name", &litmus::LitmusTest::name, "The name, such as 'MP'.")
      .def_readonly("description", &litmus::LitmusTest::description, "The doc string; may be empty.")
      .def_property_readonly(
          "arch", [](const litmus::LitmusTest& test) { return to_string(test.arch); },
          "The architecture: 'generic', 'ptx', 'vulkan', 'c', ...")
      .def_property_readonly(
          "threads", [](const litmus::LitmusTest& test) { return test.threads.size(); }, "The number of threads.")
      .def_property_readonly("condition", &litmus::condition_line, "The last line: 'exists (1:r0=1 /\\ 1:r1=0)'.")
      .def_property_readonly("hash", &python::hash_text, "The hash of the program, in hexadecimal digits.")
      .def_property_readonly(
          "info",
          [](const litmus::LitmusTest& test) {
            py::dict info;
            for (const auto& [key, value] : test.info) info[py::str(key)] = value;
            return info;
          },
          "The lines KEY=VALUE of the test's head.")
      .def_property_readonly(
          "observed",
          [](const litmus::LitmusTest& test) {
            std::vector<std::string> names;
            for (const auto& item : test.observed()) names.push_back(test.name_of(item));
            return names;
          },
          "The registers and locations whose final values are an outcome: ['1:r0', 'x'].")
      .def("text", &python::text_of, py::arg("dialect") = "",
           "The text in a dialect; without one, in its own. Raises Error where the dialect cannot say it.")
      .def(
          "draw", [](const litmus::LitmusTest& test) { return litmus::draw(test); },
          "The threads as columns, with scopes as boxes.")
      .def("__eq__", [](const litmus::LitmusTest& a, const litmus::LitmusTest& b) { return a == b; })
      .def("__hash__", [](const litmus::LitmusTest& test) { return py::hash(py::str(python::hash_text(test))); })
      .def("__repr__", [](const litmus::LitmusTest& test) { return "<weakspot.Test " + test.name + ">"; })
      .def(py::pickle([](const litmus::LitmusTest& test) { return py::str(python::text_of(test, "json")); },
                      [](const py::str& text) { return python::read_text(text, "pickle").at(0); }));

  py::class_<python::Judge>(module, "Judge", "A model that is read once; weakspot.Judge is the one to use.")
      .def(py::init<const std::string&>(), py::arg("model"))
      .def_property_readonly("model", &python::Judge::model, "The name or path that it was made with.")
      .def(
          "check",
          [](python::Judge& judge, const litmus::LitmusTest& test, double seconds, std::uint64_t memory,
             std::uint32_t unroll, bool condition_only) {
            const python::Effort effort{seconds, memory, unroll, condition_only};
            python::Answer answer;
            {
              const py::gil_scoped_release others_run;
              answer = judge.check(test, effort);
            }
            return python_answer(test, answer);
          },
          py::arg("test"), py::arg("seconds") = 10.0, py::arg("memory") = std::uint64_t{512} << 20,
          py::arg("unroll") = 3, py::arg("condition_only") = false, "The fields of a Verdict.");

  py::class_<core::Core>(module, "Core", "The requests of docs/page-core.md, as JSON.")
      .def(py::init<>())
      .def("answer", &core::Core::answer_text, py::arg("request"), py::call_guard<py::gil_scoped_release>(),
           "The reply to a request: {\"ok\": ...} or {\"errors\": [...]}, whatever the request is.");

  module.def("parse", &python::read_text, py::arg("text"), py::arg("file") = "test",
             "The tests of a text in any dialect; `file` is how errors call it.");
  module.def("read", &python::read_path, py::arg("path"), "The tests of a file in any dialect.");
  module.def("find", &python::find_named, py::arg("name"), "The tests of the corpus that a name means.");
  module.def("tests", &python::tests_of, py::arg("words"), "The tests of a text, of a file, or of the corpus by name.");
}
