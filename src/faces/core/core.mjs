// SPDX-License-Identifier: MIT
// Loads weakspot.wasm and calls it: in a page, in a worker or in node. docs/page-core.md lists the requests.

const NO_SUCH_CALL = 52; // of WASI
const STDERR = 2;

// What is under the core: a clock, and a place for the message of a broken invariant. There are no files.
function platform(getMemory, complain) {
  const view = () => new DataView(getMemory().buffer);
  return {
    clock_time_get(_id, _precision, at) {
      view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    fd_write(fd, chunks, count, written) {
      let size = 0;
      for (let i = 0; i < count; ++i) {
        const begin = view().getUint32(chunks + 8 * i, true);
        const length = view().getUint32(chunks + 8 * i + 4, true);
        if (fd === STDERR) complain(new TextDecoder().decode(new Uint8Array(getMemory().buffer, begin, length)));
        size += length;
      }
      view().setUint32(written, size, true);
      return 0;
    },
    proc_exit(code) {
      throw new Error(`the core ended with code ${code}`);
    },
  };
}

async function instantiate(source, imports) {
  if (source instanceof WebAssembly.Module) return WebAssembly.instantiate(source, imports);
  const bytes = typeof Response !== "undefined" && source instanceof Response ? await source.arrayBuffer() : source;
  return (await WebAssembly.instantiate(bytes, imports)).instance;
}

// `source`: the bytes, a Response with them, or a compiled WebAssembly.Module.
export async function loadCore(source) {
  let exports;
  let complaint = "";
  const known = platform(() => exports.memory, (text) => (complaint += text));
  // Whatever else the C library would call does not exist here.
  const calls = new Proxy(known, { get: (target, name) => target[name] ?? (() => NO_SUCH_CALL) });
  const instance = await instantiate(source, { wasi_snapshot_preview1: calls });
  exports = instance.exports;
  exports._initialize();

  // The reply's text for a request's text.
  function answerText(request) {
    const bytes = new TextEncoder().encode(request);
    const room = exports.weakspot_room(bytes.length);
    new Uint8Array(exports.memory.buffer, room, bytes.length).set(bytes);
    complaint = "";
    let reply;
    try {
      reply = exports.weakspot_answer();
    } catch (error) {
      throw new Error(`the core failed: ${complaint || error.message}`, { cause: error });
    }
    return new TextDecoder().decode(new Uint8Array(exports.memory.buffer, reply, exports.weakspot_size()));
  }
  // The reply for a request. After an exception the core cannot be used again: load another one.
  const answer = (request) => JSON.parse(answerText(JSON.stringify(request)));
  return { answer, answerText };
}
