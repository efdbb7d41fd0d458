// SPDX-License-Identifier: MIT
// A test as a specification of the WebGPU CTS.
#include <fmt/format.h>

#include "workbench/conformance/suite_texts.h"

namespace weakspot::workbench {
namespace {

std::string identifier(std::string_view name) {
  std::string made;
  for (const char letter : name) {
    const bool word = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_';
    const bool upper = letter >= 'A' && letter <= 'Z';
    made += word ? letter : upper ? static_cast<char>(letter - 'A' + 'a') : '_';
  }
  return made;
}

}  // namespace

std::string webgpu_spec(const ProvedTest& test) {
  const codegen::SuiteProgram& program = test.program;
  std::string text =
      fmt::format("export const description = `The outcomes of {} that WebGPU forbids.`;\n\n", test.name);
  text += proof_comment(test, "//");
  text += fmt::format(R"(
import {{ makeTestGroup }} from '../../../../common/framework/test_group.js';
import {{ GPUTest }} from '../../../gpu_test.js';

export const g = makeTestGroup(GPUTest);

const code = `
{}`;

g.test('{}').fn(t => {{
  const module = t.device.createShaderModule({{ code }});
  const buffers = [{}, {}, {}].map(words =>
    t.createBufferTracked({{
      size: words * 4,
      usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC,
    }})
  );
  const encoder = t.device.createCommandEncoder();
  const kernels = [
)",
                      program.program.text, identifier(test.name), program.buffer_words[0], program.buffer_words[1],
                      program.buffer_words[2]);
  for (const codegen::Entry& entry : program.program.entries) {
    text += fmt::format("    {{ entryPoint: '{}', bindings: [{}] }},\n", entry.name, fmt::join(entry.buffers, ", "));
  }
  text += fmt::format(R"(  ].map(({{ entryPoint, bindings }}) => {{
    const pipeline = t.device.createComputePipeline({{
      layout: 'auto',
      compute: {{ module, entryPoint }},
    }});
    const bindGroup = t.device.createBindGroup({{
      layout: pipeline.getBindGroupLayout(0),
      entries: bindings.map(binding => ({{ binding, resource: {{ buffer: buffers[binding] }} }})),
    }});
    return {{ pipeline, bindGroup }};
  }});
  for (let i = 0; i < {}; i++) {{
    for (const {{ pipeline, bindGroup }} of kernels) {{
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bindGroup);
      pass.dispatchWorkgroups({});
      pass.end();
    }}
  }}
  t.queue.submit([encoder.finish()]);
  // Instances with a forbidden outcome, and all instances.
  t.expectGPUBufferValuesEqual(buffers[2], new Uint32Array([0, {}]));
}});
)",
                      kSuiteRepeats, program.shape.workgroups, std::uint64_t{program.instances} * kSuiteRepeats);
  return text;
}

}  // namespace weakspot::workbench
