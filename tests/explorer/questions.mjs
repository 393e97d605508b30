// Prints the command lines of the explorer as JSON: every subject with its first fields and with
// each preset, every choice of every field, and the gallery's layouts through the algebra.
//
//     node questions.mjs SITE > questions.json
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const site = process.argv[2];
const { subjects } = await import(pathToFileURL(join(site, "subjects.mjs")));
const presets = JSON.parse(readFileSync(join(site, "presets.json"), "utf8"));

const asked = new Map();
function ask(subject, fields) {
  for (const { words } of subject.commands(fields)) asked.set(JSON.stringify(words), words);
}

for (const subject of Object.values(subjects)) {
  const first = Object.fromEntries(subject.fields.map((f) => [f.name, f.value]));
  ask(subject, first);
  for (const f of subject.fields.filter(({ kind }) => kind === "choice"))
    for (const value of f.values) ask(subject, { ...first, ...f.first?.[value], [f.name]: value });
  for (const { layout, shape } of presets)
    for (const f of subject.fields.filter(({ kind }) => kind === "layout"))
      ask(subject, { ...first, [f.name]: layout, ...("shape" in first ? { shape } : {}) });
}
for (const { layout, shape } of presets)
  for (const call of ["canonicalize(L)", "size(L)", "span(L, m)", "inverse(L)", `group(L, (${shape}))`, "axes(L)", "is_injective(L)"])
    asked.set(call + layout, ["eval", "--", `L = ${layout}`, call]);
console.log(JSON.stringify([...asked.values()]));
