// Runs command lines of `axe` in a worker: the answer to {id, words} is
// {id, code, out, error, picture}.
//
// The module is the C++ program. A command that traps (it ran out of memory) gets a new instance.
const nothing = () => 0;
const wasi = new Proxy({}, { get: (_, name) => (name === "proc_exit" ? stop : name === "fd_write" ? drop : nothing) });
const imports = { wasi_snapshot_preview1: wasi };
let compiled;
let instance;

function stop(code) {
  throw new Error(`the program ended with ${code}`);
}

// Implements fd_write. The runtime writes text such as the reason of an abort. It is dropped.
function drop(_, vectors, count, written) {
  const view = new DataView(instance.exports.memory.buffer);
  let bytes = 0;
  for (let k = 0; k < count; ++k) bytes += view.getUint32(vectors + 8 * k + 4, true);
  view.setUint32(written, bytes, true);
  return 0;
}

async function start() {
  compiled ??= WebAssembly.compileStreaming
    ? await WebAssembly.compileStreaming(fetch("explorer.wasm")).catch(fromBytes)
    : await fromBytes();
  instance = await WebAssembly.instantiate(compiled, imports);
  instance.exports._initialize();
}

// compileStreaming needs the MIME type of .wasm, which some servers do not send.
async function fromBytes() {
  return WebAssembly.compile(await (await fetch("explorer.wasm")).arrayBuffer());
}

function run(words) {
  const bytes = new TextEncoder().encode(words.map((word) => word.replaceAll("\0", " ") + "\0").join(""));
  const { memory, explorer_words, explorer_run, explorer_text, explorer_size } = instance.exports;
  const at = explorer_words(bytes.length);  // may grow the memory, which replaces its buffer
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
  const code = explorer_run();
  const text = (which) => new TextDecoder().decode(new Uint8Array(memory.buffer, explorer_text(which), explorer_size(which)));
  return { code, out: text(0), error: text(1), picture: text(2) };
}

onmessage = async ({ data: { id, words } }) => {
  try {
    if (!instance) await start();
    postMessage({ id, ...run(words) });
  } catch (trap) {
    instance = undefined;
    const why = trap instanceof WebAssembly.RuntimeError || /ended with/.test(trap.message)
      ? "the answer does not fit in the memory of this page; use a smaller layout" : trap.message;
    postMessage({ id, code: 2, out: "", error: `axe: ${why}\n`, picture: "" });
  }
};
