// Runs the same command lines with the WebAssembly module and the native program, and fuzzes the
// module.
//
//     node answers.mjs explorer.wasm AXE QUESTIONS FUZZED     QUESTIONS: command lines as JSON
//
// Output, errors, pictures and exit codes must be equal. Fuzzed command lines must not trap.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [file, native, questions, fuzzed] = process.argv.slice(2);
const compiled = await WebAssembly.compile(readFileSync(file));
let instance;

async function start() {
  const wasi = {};
  for (const { name } of WebAssembly.Module.imports(compiled)) wasi[name] = () => 0;
  instance = await WebAssembly.instantiate(compiled, { wasi_snapshot_preview1: wasi });
  instance.exports._initialize();
}

function asked(words) {
  const bytes = new TextEncoder().encode(words.map((word) => word + "\0").join(""));
  const { memory, explorer_words, explorer_run, explorer_text, explorer_size } = instance.exports;
  const at = explorer_words(bytes.length);  // may grow the memory, which replaces its buffer
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
  const code = explorer_run();
  const text = (k) => new TextDecoder().decode(new Uint8Array(memory.buffer, explorer_text(k), explorer_size(k)));
  return { code, out: text(0), error: text(1), picture: text(2) };
}

const folder = mkdtempSync(join(tmpdir(), "explorer-"));
function expected(words) {
  const ran = spawnSync(native, words, { cwd: folder, encoding: "utf8", input: "", env: { NO_COLOR: "1" } });
  let picture = "";
  try {
    picture = readFileSync(join(folder, "picture.svg"), "utf8");
    rmSync(join(folder, "picture.svg"));
  } catch {}
  return { code: ran.status, out: ran.stdout, error: ran.stderr, picture };
}

await start();
const list = JSON.parse(readFileSync(questions, "utf8"));
let wrong = 0;
for (const words of list) {
  const got = asked(words), want = expected(words);
  for (const key of ["code", "out", "error", "picture"])
    if (got[key] !== want[key]) {
      ++wrong;
      console.log(`axe ${words.join(" ")}\n  ${key} of the module: ${got[key]}\n  of the program: ${want[key]}`);
      break;
    }
}

// Fuzzing: the same command lines with changed characters and words.
let drawn = 20261122;
const draw = (n) => ((drawn = (Math.imul(drawn, 1664525) + 1013904223) >>> 0), Math.floor((drawn / 2 ** 32) * n));
const signs = "0123456789()[]{},:+-*@SRaxemlno =\"'\\\u00e9";
let trapped = 0;
for (let k = 0; k < Number(fuzzed); ++k) {
  const words = [...list[draw(list.length)]];
  for (let times = 1 + draw(3); times > 0; --times) {
    const w = draw(words.length), word = words[w], at = draw(word.length + 1);
    words[w] = word.slice(0, at) + (draw(4) ? signs[draw(signs.length)] : "") + word.slice(at + draw(3));
    if (draw(20) === 0) words.splice(w, 1);
    if (words.length === 0) words.push("eval");
  }
  try {
    asked(words);
  } catch (trap) {
    ++trapped;
    console.log(`axe ${JSON.stringify(words)} ends with ${trap}`);
    await start();
  }
}
rmSync(folder, { recursive: true });
console.log(`${list.length} questions, ${wrong} with other answers than the program's; ${fuzzed} fuzzed, ${trapped} trapped`);
process.exit(wrong || trapped || list.length < 200 ? 1 : 0);
