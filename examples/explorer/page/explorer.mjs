// The page: fields of a subject, its commands, their answers, and what a click on a cell asks.
//
// The whole state is the fragment of the URL: #subject?field=value&...&chosen=TITLE_OF_A_CELL
import { watchKeys } from "./keyboard.mjs";
import { axe } from "./program.mjs";
import { shellLine, subjects, types } from "./subjects.mjs";

const $ = (id) => document.getElementById(id);
const state = { subject: "layout", fields: {}, chosen: "" };

// Waits for the next frame. Long work waits between its steps, so that the page stays responsive. A
// hidden page gets no frames, so a timer also ends the wait.
const frame = () => new Promise((done) => {
  requestAnimationFrame(() => setTimeout(done));
  setTimeout(done, 100);
});

function made(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

// Sets the state from the URL's fragment. A field that the fragment does not name gets its first
// value. A choice, such as an operation, may set other first values (`first`).
function readUrl() {
  const [subject, query = ""] = location.hash.slice(1).split(/\?(.*)/s);
  state.subject = Object.hasOwn(subjects, subject) ? subject : "layout";
  const given = new URLSearchParams(query), fields = subjects[state.subject].fields;
  const chosen = (f) => (f.values.includes(given.get(f.name)) ? given.get(f.name) : f.value);
  const first = Object.assign({}, ...fields.map((f) => f.first?.[chosen(f)]));
  state.fields = Object.fromEntries(fields.map((f) =>
    [f.name, f.kind === "choice" ? chosen(f) : given.get(f.name) ?? first[f.name] ?? f.value]));
  state.chosen = given.get("chosen") ?? "";
}

function url(subject, fields, chosen = "") {
  return `#${subject}?${new URLSearchParams(chosen ? { ...fields, chosen } : fields)}`;
}

let written;
function writeUrl() {
  clearTimeout(written);
  written = setTimeout(() => history.replaceState(null, "", url(state.subject, state.fields, state.chosen)));
}

function field(f) {
  const value = state.fields[f.name];
  const input = f.kind === "choice" ? made("select", {}, ...f.values.map((each) => new Option(each, each, false, each === value)))
    : f.kind === "lines" ? made("textarea", { rows: 8, value }) : made("input", { value, spellcheck: false });
  input.name = f.name;
  const label = made("label", { className: f.kind === "layout" || f.kind === "lines" ? "wide" : "" }, f.label, input);
  if (f.list) {
    input.setAttribute("list", `list_${f.name}`);
    label.append(made("datalist", { id: `list_${f.name}` }, ...f.list.map((each) => new Option(each))));
  }
  return label;
}

// One field each for D, R, O and the swizzle of the layout. After a change, whole() makes the layout
// from them.
function partFields() {
  return ["D", "R", "O", "swizzle"].map((name) =>
    made("label", {}, { D: "D: extents and strides", R: "R: extents and strides", O: "O: offsets", swizzle: "Swizzle: M, B, S" }[name],
      made("input", { name: `part_${name}`, spellcheck: false })));
}

function whole(parts) {
  const swizzle = parts.swizzle.trim() ? `swizzle(${parts.swizzle}) o ` : "";
  const replicas = parts.R.trim() ? ` + R[${parts.R}]` : "";
  const offsets = parts.O.trim() ? ` + ${parts.O}` : "";
  return `${swizzle}S[${parts.D}]${replicas}${offsets}`;
}

// The parts as the program prints them: `swizzle(…) o S[…] + R[…] + …`.
function partsOf(printed) {
  const found = /^(?:swizzle\((.*?)\) o )?S\[(.*?)\](?: \+ R\[(.*?)\])?((?: [+-] .*)?)$/.exec(printed.trim());
  if (!found) return null;
  return { swizzle: found[1] ?? "", D: found[2], R: found[3] ?? "", O: found[4].replace(/^ \+ /, "").trim() };
}

async function fillParts(form) {
  const { layout, shape } = state.fields;
  const answer = await axe(["notation", ...(shape ? ["--shape", shape] : []), "--as", "axe", "--", layout], "parts");
  const parts = answer && partsOf(answer.out);
  if (!parts) return;
  for (const [name, value] of Object.entries(parts)) {
    const input = form.elements[`part_${name}`];
    if (input && input !== document.activeElement) input.value = value;
  }
}

function showForm() {
  const subject = subjects[state.subject];
  $("subjects").replaceChildren(...Object.entries(subjects).map(([name, { title, fields }]) => {
    const link = made("a", { href: url(name, Object.fromEntries(fields.map((f) => [f.name, f.value]))), textContent: title });
    if (name === state.subject) link.setAttribute("aria-current", "page");
    return link;
  }));
  $("fields").replaceChildren(made("p", { className: "about", textContent: subject.about }),
    ...(subject.shown?.(state.fields) ?? subject.fields).map(field), ...(subject.parts ? partFields() : []));
  document.title = `${subject.title} · axe explorer`;
}

// The arguments of a command line that are not options, after its name and the kind of a plan.
function argumentsOf(words) {
  const end = words.indexOf("--");
  const found = words.slice(1, end < 0 ? words.length : end).filter((word, k) => !/^-/.test(word) && !/^-/.test(words[k]));
  return [...found.filter((word) => !/^(plan|copy|tma|mma|convert|reduce|reshard)$/.test(word)), ...(end < 0 ? [] : words.slice(end + 1))];
}

// The text that a sentence is about: `B: position 3`, `--shape: position 1`, or the line of `axe eval`.
const orders = [["LAYOUT", "A", "FROM", "GLOBAL", "SRC", "OPERATION"], ["B", "TO", "SHARED", "DST"], ["C"]];
function aboutOf(sentence, words, out) {
  const name = /(--[\w-]+|[A-Z]+): position \d/.exec(sentence)?.[1] ?? "";
  if (name.startsWith("--")) return words[words.indexOf(name) + 1];
  const line = words[0] === "eval" ? out.split("\n").indexOf(sentence) : orders.findIndex((each) => each.includes(name));
  return argumentsOf(words)[Math.max(line, 0)] ?? "";
}

// Shows an error sentence. If it names a position in bytes, the text that it is about follows, with
// the character at this position underlined.
function errorText(sentence, words, out) {
  const at = /position (\d+)/.exec(sentence);
  const pre = made("pre", { className: "error" }, sentence.trimEnd());
  const about = at ? aboutOf(sentence.trimEnd(), words, out) : "";
  const k = new TextDecoder().decode(new TextEncoder().encode(about).slice(0, Number(at?.[1]))).length;
  if (about) pre.append("\n\n" + about.slice(0, k), made("u", { textContent: about.slice(k, k + 1).trim() || "\u00a0" }), about.slice(k + 1));
  return pre;
}

function answerOf(command, { code, out, error, picture }) {
  const box = made("div", { className: command.picture && command.title ? "beside" : "" });
  if (command.title) box.append(made("h2", { textContent: command.title }));
  const malformed = /^error: .*$/m.exec(out);
  // Standard error names arguments in other notations.
  const notes = code === 0 ? error.split("\n").filter((line) => line && !line.startsWith("wrote ")) : [];
  if (notes.length) box.append(made("p", { className: "note", textContent: notes.join("\n") }));
  if (code !== 0 && (error || malformed)) box.append(errorText(error || malformed[0], command.words, out));
  else if (out.trim() && !command.picture) box.append(made("pre", { textContent: out.trimEnd() }));
  if (picture) {
    const figure = made("figure", { tabIndex: 0 });
    figure.setAttribute("role", "group");
    figure.setAttribute("aria-label", "Picture; the arrow keys move over its elements");
    box.append(figure);
  }
  box.append(made("div", { className: "command", textContent: shellLine(command.words.filter((word, k, all) =>
    word !== "-o" && all[k - 1] !== "-o")) }));
  return box;
}

// Reads and shows a picture in parts, because thousands of elements take longer than one frame.
const charactersInFrame = 32768, elementsInFrame = 300;
async function showPicture(figure, picture, isNewest) {
  const read = document.implementation.createHTMLDocument();
  for (let k = 0; k < picture.length && isNewest(); k += charactersInFrame) {
    await frame();
    read.write(picture.slice(k, k + charactersInFrame));
  }
  read.close();
  if (!isNewest()) return;
  const svg = read.querySelector("svg");
  const parts = [...svg.childNodes];
  svg.replaceChildren();
  svg.setAttribute("aria-hidden", "true");
  figure.append(svg);
  for (let k = 0; k < parts.length && isNewest(); k += elementsInFrame) {
    await frame();
    svg.append(...parts.slice(k, k + elementsInFrame));
  }
}

let round = 0;
async function showAnswer() {
  const mine = ++round;
  const box = $("answer");
  box.classList.add("waiting");
  $("chosen").hidden = true;
  const commands = subjects[state.subject].commands(state.fields);
  const answers = await Promise.all(commands.map((command, k) => axe(command.words, `answer ${k}`)));
  if (answers.includes(null)) return;
  let shown = 0;
  for (const [k, command] of commands.entries()) {
    if (command.optional && answers[k].code !== 0) continue;
    await frame();
    if (mine !== round) return;
    const next = answerOf(command, answers[k]);
    if (shown < box.children.length) box.children[shown].replaceWith(next);
    else box.append(next);
    ++shown;
    if (answers[k].picture) await showPicture(next.querySelector("figure"), answers[k].picture, () => mine === round);
  }
  while (box.children.length > shown) box.lastElementChild.remove();
  await frame();
  if (mine !== round) return;
  box.classList.remove("waiting");
  if (subjects[state.subject].parts) fillParts($("fields"));
  const cell = state.chosen && [...box.querySelectorAll("rect > title")].find((each) => each.textContent === state.chosen);
  if (cell) choose(cell.parentElement);
  document.body.dataset.ready = String(mine);
}

// Shows the answers about a clicked cell. Its title names the element or the place, such as
// "(2,9) at 8@lane + 6@warp".
async function choose(cell) {
  const hint = cell.querySelector("title").textContent;
  for (const other of document.querySelectorAll("rect.chosen")) other.classList.remove("chosen");
  cell.classList.add("chosen");
  state.chosen = hint;
  writeUrl();
  const shown = [];
  for (const { title, words } of subjects[state.subject].about_cell?.(state.fields, hint) ?? []) {
    const answer = await axe(words, title.split(" ")[0]);
    if (!answer || state.chosen !== hint) return;
    shown.push(made("h2", { textContent: title }), made("pre", { textContent: (answer.out || answer.error).trimEnd() }));
  }
  $("chosen").replaceChildren(made("p", { textContent: hint }), ...shown);
  $("chosen").hidden = false;
}

function forget() {
  for (const cell of document.querySelectorAll("rect.chosen")) cell.classList.remove("chosen");
  $("chosen").hidden = true;
  state.chosen = "";
  writeUrl();
}

function changed({ target }) {
  const form = $("fields");
  if (target.name.startsWith("part_"))
    form.elements.layout.value = whole(Object.fromEntries(["D", "R", "O", "swizzle"].map((name) => [name, form.elements[`part_${name}`].value])));
  for (const name of Object.keys(state.fields)) state.fields[name] = form.elements[name]?.value ?? state.fields[name];
  const first = subjects[state.subject].fields.find(({ name }) => name === target.name)?.first;
  if (first) {
    for (const [name, value] of Object.entries(first[target.value])) if (name in state.fields) state.fields[name] = value;
    showForm();
    form.elements[target.name].focus();
  }
  writeUrl();
  showAnswer();
}

async function showPresets() {
  const presets = await (await fetch("presets.json")).json();
  $("preset").append(new Option("choose a layout", ""), ...presets.map((each, k) => new Option(each.title, k)));
  $("preset").onchange = ({ target }) => {
    const chosen = presets[target.value];
    const type = Object.keys(types).find((each) => String(types[each]) === chosen?.bits) ?? "bf16";
    if (chosen) location.hash = url("layout", { layout: chosen.layout, shape: chosen.shape, view: "both", type });
  };
}

function show() {
  readUrl();
  showForm();
  showAnswer();
}

$("fields").oninput = changed;
$("fields").onsubmit = (event) => event.preventDefault();
$("answer").onclick = ({ target }) => {
  const cell = target.closest?.("rect") ?? null;
  if (cell?.querySelector("title")) choose(cell);
};
window.onhashchange = show;
watchKeys({ choose, forget });
showPresets();
show();
