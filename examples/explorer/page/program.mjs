// axe(words): the answer of the program `axe`, from the worker.
//
//     const { code, out, error, picture } = await axe(["eval", "size(S[8:1])"]);
//
// Only the newest question of each kind counts: an older one that has not been asked yet resolves to
// null. A question that takes longer than ten seconds ends the worker, and a new one is started.
const longest = 10000;
let worker;
let asked = 0;
let current;
const waiting = [];

function restart() {
  worker?.terminate();
  worker = new Worker("worker.js");
  worker.onmessage = ({ data }) => current?.id === data.id && settle(data);
  worker.onerror = () => settle({ code: 2, out: "", error: "axe: the program could not be loaded\n", picture: "" });
}

function settle(answer) {
  clearTimeout(current.timer);
  const { resolve } = current;
  current = undefined;
  resolve(answer);
  next();
}

function next() {
  if (current || waiting.length === 0) return;
  current = waiting.shift();
  current.timer = setTimeout(() => {
    restart();
    settle({ code: 2, out: "", error: "axe: stopped after ten seconds; use a smaller layout\n", picture: "" });
  }, longest);
  worker.postMessage({ id: current.id, words: current.words });
}

export function axe(words, kind = "") {
  if (!worker) restart();
  return new Promise((resolve) => {
    const older = kind && waiting.findIndex((each) => each.kind === kind);
    if (kind && older >= 0) waiting.splice(older, 1)[0].resolve(null);
    waiting.push({ id: ++asked, words, kind, resolve });
    next();
  });
}
