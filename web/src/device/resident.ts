// SPDX-License-Identifier: MIT
// How many workgroups run at the same time. WebGPU does not tell, and a barrier between more of them times out.
//
// The answer is measured: workgroups arrive at a counter and wait, within bounds, until all have arrived. A number is
// resident if every workgroup saw all the others.

const BOUND = 1 << 15; // loads of a wait
const MOST = 16384;

function probe(size: number): string {
  return `@group(0) @binding(0) var<storage, read_write> words: array<atomic<u32>, 3>;
@compute @workgroup_size(${size})
fn main(@builtin(local_invocation_index) number: u32) {
  if (number == 0u) {
    let expected = atomicLoad(&words[2]);
    atomicAdd(&words[0], 1u);
    for (var spins = 0u; spins < ${BOUND}u; spins++) {
      if (atomicLoad(&words[0]) >= expected) {
        atomicAdd(&words[1], 1u);
        break;
      }
    }
  }
  workgroupBarrier();
}
`;
}

// The largest number from 1 to `most` that holds, if all below one that holds do too. At least 1.
export async function largest(holds: (number: number) => Promise<boolean>, most: number): Promise<number> {
  let good = 1;
  let bad = most + 1;
  for (let next = 2; next <= most; next *= 2) {
    if (await holds(next)) {
      good = next;
    } else {
      bad = next;
      break;
    }
  }
  // A sixteenth is exact enough.
  while (bad - good > Math.max(1, good / 16)) {
    const middle = Math.floor((good + bad) / 2);
    if (await holds(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

// Measures for workgroups of this size.
export async function resident_workgroups(device: GPUDevice, size: number): Promise<number> {
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const words = device.createBuffer({ size: 12, usage });
  const back = device.createBuffer({ size: 12, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const module = device.createShaderModule({ code: probe(size) });
  const pipeline = await device.createComputePipelineAsync({ layout: "auto", compute: { module, entryPoint: "main" } });
  const group = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [{ binding: 0, resource: { buffer: words } }],
  });
  const holds = async (number: number): Promise<boolean> => {
    device.queue.writeBuffer(words, 0, new Uint32Array([0, 0, number]));
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(number);
    pass.end();
    encoder.copyBufferToBuffer(words, 0, back, 0, 12);
    device.queue.submit([encoder.finish()]);
    await back.mapAsync(GPUMapMode.READ);
    const saw = new Uint32Array(back.getMappedRange())[1];
    back.unmap();
    return saw === number;
  };
  const found = await largest(holds, MOST);
  words.destroy();
  back.destroy();
  return found;
}
