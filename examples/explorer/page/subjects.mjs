// What the explorer shows: each subject has fields, and makes command lines of `axe` from them.
//
//     layout        axe draw LAYOUT --shape SHAPE
//     operation     axe eval 'tile(A, SHAPE_A, B, SHAPE_B)', and pictures of operands and result
//
// A command is {title, words, picture, optional}: its output is shown as text, or drawn. If the
// program rejects an optional command, the page shows nothing for it.
const layout = (name, label, value) => ({ name, label, value, kind: "layout" });
const text = (name, label, value) => ({ name, label, value, kind: "text" });
const choice = (name, label, ...values) => ({ name, label, value: values[0], kind: "choice", values });

const given = (option, value) => (value ? [option, value] : []);
// Adds the parentheses that the calculator needs: 8,16 becomes (8,16). Options read both forms.
const tuple = (shape) => {
  let depth = 0;
  const whole = [...shape.trim()].every((c, k, all) => (depth += (c === "(") - (c === ")")) > 0 || k === all.length - 1);
  return whole && shape.includes("(") ? shape : `(${shape})`;
};
const drawn = (title, of, shape, more = []) => ({
  title, picture: true, words: ["draw", of, ...given("--shape", shape), ...more, "-o", "picture.svg"],
});
const said = (title, ...words) => ({ title, words });
// The plan and the arithmetic of three elements, or the reason why there is no plan.
const explained = (...words) => said("", "explain", "plan", ...words);
// The same with a picture of the plan.
const planned = (...words) => [explained(...words),
  { title: "", picture: true, optional: true, words: ["draw", ...words, "-o", "picture.svg"] }];

// The element types that the page offers, and their bits.
export const types = { f64: 64, f32: 32, tf32: 32, s32: 32, bf16: 16, f16: 16, e4m3: 8, e5m2: 8, s8: 8, u8: 8, e2m1: 4 };
const type = (first, label = "Element type") =>
  choice("type", label, first, ...Object.keys(types).filter((each) => each !== first));
const spaces = ["global", "shared", "registers", "tensor"];
// The accesses of a warp that have the bits of an element as their only argument.
const accesses = ["ldmatrix_rows", "rows_of_128_bits", "rows_of_64_bits", "rows_of_32_bits", "rows_of_elements",
  "columns_of_128_bits", "columns_of_64_bits", "columns_of_32_bits", "columns_of_elements", "row_blocks", "column_blocks"];

// The arguments of an operation, in their order, and values to begin with.
const operations = {
  tile: { of: ["a", "a_shape", "b", "b_shape"], a: "S[(2,2):(2,1)]", a_shape: "(2,2)", b: "S[(4,8):(8,1)]", b_shape: "(4,8)" },
  compose: { of: ["a", "b"], a: "S[(4,8):(8@lane,1@lane)]", b: "S[(8,4):(1,8)]" },
  direct_sum: { of: ["a", "a_shape", "b", "b_shape"], a: "S[(2,2):(64,32)]", a_shape: "(2,2)", b: "S[(4,8):(8,1)]", b_shape: "(4,8)" },
  slice: { of: ["a", "a_shape", "b_shape"], a: "S[(8,8):(8,1)]", a_shape: "(8,8)", b_shape: "(2:6,0:4)" },
  group: { of: ["a", "a_shape"], a: "S[32:1]", a_shape: "(4,8)" },
  canonicalize: { of: ["a"], a: "S[(2,4,3):(4,1,0)]" },
  permute: { of: ["a", "a_shape", "b_shape"], a: "S[(4,8):(8,1)]", a_shape: "(4,8)", b_shape: "(1,0)" },
  tile_to: { of: ["b", "b_shape", "a_shape"], b: "S[(4,4):(4,1)]", b_shape: "(4,4)", a_shape: "(8,8)" },
  tile_outer: { of: ["a", "a_shape", "b", "b_shape"], a: "S[(2,4,2,8):(64,8,32,1)]", a_shape: "(8,16)", b: "S[(4,8):(8,1)]", b_shape: "(4,8)" },
  tile_inner: { of: ["a", "a_shape", "b", "b_shape"], a: "S[(2,4,2,8):(64,8,32,1)]", a_shape: "(8,16)", b: "S[(2,2):(2,1)]", b_shape: "(2,2)" },
  sum_outer: { of: ["a", "a_shape", "b", "b_shape"], a: "S[(2,4,2,8):(64,8,32,1)]", a_shape: "(8,16)", b: "S[(4,8):(8,1)]", b_shape: "(4,8)" },
  sum_inner: { of: ["a", "a_shape", "b", "b_shape"], a: "S[(2,4,2,8):(64,8,32,1)]", a_shape: "(8,16)", b: "S[(2,2):(64,32)]", b_shape: "(2,2)" },
  inverse: { of: ["a", "a_shape"], a: "S[(8,4):(1@lane,1@reg)]", a_shape: "(lane,reg)" },
  pack: { of: ["a", "a_shape", "b_shape"], a: "S[(8,8):(8,1)]", a_shape: "4", b_shape: "m" },
  unpack: { of: ["a", "a_shape", "b_shape"], a: "S[(8,2):(2,1)]", a_shape: "4", b_shape: "m" },
  broadcast: { of: ["a", "a_shape", "b_shape"], a: "S[(4,8):(8,1)]", a_shape: "(4,8)", b_shape: "1, 2" },
  window: { of: ["a", "a_shape", "b_shape"], a: "S[(8,8):(8,1)]", a_shape: "(8,8)", b_shape: "(2,4)" },
  owned_by: { of: ["a", "a_shape", "b_shape"], a: "S[(8,4,2):(4@lane,1@lane,1@reg)]", a_shape: "(8,8)", b_shape: "1@reg" },
  storage: { of: ["a"], a: "S[(8,4,2):(4@lane,1@lane,1@reg)]" },
  threads: { of: ["a"], a: "S[(8,4,2):(4@lane,1@lane,1@reg)]" },
  to_lane_warp: { of: ["a"], a: "S[(4,32):(32@tid,1@tid)]" },
  to_tid: { of: ["a"], a: "S[(4,32):(1@warp,1@lane)]" },
  "cute.coalesce": { of: ["a"], a: "(2,4,3):(1,2,16)" },
  "cute.composition": { of: ["a", "b"], a: "(8,4):(1,8)", b: "(4,2):(2,16)" },
  "cute.complement": { of: ["a", "b_shape"], a: "(2,2):(1,6)", b_shape: "24" },
  "cute.logical_divide": { of: ["a", "b"], a: "16:1", b: "4:2" },
  "cute.zipped_divide": { of: ["a", "b"], a: "(8,8):(1,8)", b: "(4,2)" },
  "cute.logical_product": { of: ["a", "b"], a: "(2,2):(4,1)", b: "6:1" },
  "cute.blocked_product": { of: ["a", "b"], a: "(2,4):(4,1)", b: "(3,2):(1,3)" },
  "cute.raked_product": { of: ["a", "b"], a: "(2,4):(4,1)", b: "(3,2):(1,3)" },
  "cute.tile_to_shape": { of: ["a", "b_shape"], a: "(4,4):(4,1)", b_shape: "(8,8)" },
  "cute.right_inverse": { of: ["a"], a: "(4,8):(8,1)" },
  "cute.left_inverse": { of: ["a"], a: "(4,8):(8,1)" },
};

export const subjects = {
  layout: {
    title: "Layout",
    about: "Who holds each element, and what each owner holds. Click a cell, or go to the picture and use the arrow keys.",
    fields: [
      layout("layout", "Layout", "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"),
      text("shape", "Shape", "8,16"),
      choice("view", "View", "both", "tensor", "hardware", "banks"),
      type("bf16", "Element type, for banks"),
    ],
    parts: true,
    about_cell: (f, hint) => {
      const element = /\((\d+(?:,\d+)*)\)/.exec(hint), place = /-?\d+@\w+(?: \+ -?\d+@\w+)*/.exec(hint);
      return [
        ...(element ? [said(`Who holds (${element[1]})`, "explain", `places(${f.layout}, ${tuple(f.shape)}, (${element[1]}))`)] : []),
        ...(place ? [said(`What ${place[0]} holds`, "owner", f.layout, ...given("--shape", f.shape), "--at", place[0].replaceAll(" ", ""))] : []),
      ];
    },
    commands: (f) => [drawn("", f.layout, f.shape, ["--view", f.view, ...(f.view === "banks" ? ["--bits", String(types[f.type])] : [])])],
  },
  operation: {
    title: "Operation",
    about: "The operands beside the result; corresponding elements have one colour.",
    fields: [
      { ...choice("name", "Operation", ...Object.keys(operations)), first: operations },
      layout("a", "A", operations.tile.a),
      text("a_shape", "Shape of A, or the second argument", operations.tile.a_shape),
      layout("b", "B", operations.tile.b),
      text("b_shape", "Shape of B, or the last argument", operations.tile.b_shape),
    ],
    shown(f) {
      return this.fields.filter(({ name }) => name === "name" || operations[f.name]?.of.includes(name));
    },
    commands: (f) => {
      const call = `${f.name}(${operations[f.name].of.map((each) => f[each].trim()).filter(Boolean).join(", ")})`;
      return [said("", "explain", call),
        { title: "", picture: true, optional: true, words: ["draw", call, "--operation", "-o", "picture.svg"] }];
    },
  },
  difference: {
    title: "Difference",
    about: "The first element whose places differ, and a picture of all of them.",
    fields: [layout("a", "A", "S[(8,8):(8,1)]"), layout("b", "B", "swizzle(M=0,B=3,S=3) o S[(8,8):(8,1)]"),
      text("shape", "Shape", "8,8")],
    commands: (f) => [said("", "diff", f.a, f.b, ...given("--shape", f.shape)),
      { title: "", picture: true, words: ["diff", f.a, f.b, ...given("--shape", f.shape), "-o", "picture.svg"] },
      { ...said("How it is computed", "explain", `difference(${f.a}, ${f.b})`), optional: true }],
  },
  conflicts: {
    title: "Bank conflicts",
    about: "The wavefronts of an access to shared memory.",
    fields: [layout("layout", "Layout", "S[(64,64):(64,1)]"), text("shape", "Shape", "(64,64)"),
      { ...text("access", "Access", "ldmatrix_rows"), list: accesses }, type("bf16")],
    commands: (f) => {
      const access = accesses.includes(f.access.trim()) ? `${f.access.trim()}(${types[f.type]})` : f.access;
      const call = `shared_memory(${f.layout}, ${tuple(f.shape)}, ${access})`;
      return [said("", "eval", call, `conflict_free_swizzle(${f.layout}, ${tuple(f.shape)}, ${access})`),
        said("How it is computed", "explain", call), drawn("Lanes that collide", f.layout, f.shape, ["--access", access])];
    },
  },
  copy: {
    title: "Copy",
    about: "How a tile is copied, and why the other instructions were declined.",
    fields: [layout("from", "From", "S[(64,64):(4096,1)]"), layout("to", "To", "S[(64,64):(64,1)]"),
      text("shape", "Shape", "64,64"), choice("from_space", "From memory", ...spaces),
      choice("to_space", "To memory", "shared", "global", "registers", "tensor"),
      text("scope", "Threads", "128"), type("bf16")],
    commands: (f) => planned("copy", f.from, f.to, ...given("--shape", f.shape), "--from", f.from_space,
      "--to", f.to_space, ...given("--scope", f.scope), "--type", f.type),
  },
  tma: {
    title: "TMA",
    about: "The tensor map, the boxes and their coordinates.",
    fields: [layout("global", "Global", "S[(4096,4096):(4096,1)]"),
      layout("shared", "Shared", "swizzle(M=3,B=3,S=3) o S[(128,2,64):(64,8192,1)]"), text("tensor", "Tensor", "4096,4096"),
      text("shape", "Tile", "128,128"), choice("action", "Action", "load", "multicast", "store", "reduce"),
      type("bf16")],
    commands: (f) => planned("tma", f.global, f.shared, ...given("--tensor", f.tensor), ...given("--shape", f.shape),
      "--do", f.action, ...(f.action === "reduce" ? ["--reduction", "add"] : []), "--type", f.type),
  },
  mma: {
    title: "Matrix product",
    about: "The instruction of the tensor cores, its registers and descriptors.",
    fields: [layout("a", "A", "mma.a(16,8,16,16)"), layout("b", "B", "mma.b(16,8,16,16)"),
      layout("c", "C", "mma.accumulator(16,8,16,16)"), text("shape", "M, N, K", "16,8,16"),
      type("bf16", "Element type of A and B"), choice("sum", "Element type of C", "f32", "f16", "s32", "f64"),
      ...["a", "b", "c"].map((name) => choice(`${name}_space`, `Memory of ${name.toUpperCase()}`, "registers", "shared", "tensor")),
      choice("arch", "Architecture", "sm_90a", "sm_80", "sm_89", "sm_90", "sm_100a")],
    commands: (f) => [explained("mma", f.a, f.b, f.c, "--shape", f.shape, "--type", f.type, "--sum", f.sum,
      "--a", f.a_space, "--b", f.b_space, "--c", f.c_space, "--arch", f.arch)],
  },
  convert: {
    title: "Conversion",
    about: "The shuffles that turn one register layout into another.",
    fields: [layout("from", "From", "S[(8,4,2):(4@lane,1@lane,1@reg)]"),
      layout("to", "To", "S[(4,2,8):(1@lane,1@reg,4@lane)]"),
      type("bf16")],
    commands: (f) => planned("convert", f.from, f.to, "--type", f.type),
  },
  reduce: {
    title: "Reduction",
    about: "The registers and shuffles that reduce dimensions of a tile, and the layout of the result.",
    fields: [layout("of", "Layout", "S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)]"), text("shape", "Shape", "16,8"),
      text("over", "Dimensions to reduce, from 0", "1"), choice("fold", "Operation", "plus", "minimum", "maximum", "another"),
      type("f32")],
    commands: (f) => [explained("reduce", f.of, ...given("--shape", f.shape), "--over", f.over, "--fold", f.fold,
      "--type", f.type)],
  },
  reshard: {
    title: "Resharding",
    about: "The messages between devices, their bytes and the least possible bytes.",
    fields: [layout("from", "From", "S[(2,4,8):(1@y,8,1)]"), layout("to", "To", "S[(8,4,2):(2,1@x,1)]"),
      text("mesh", "Mesh", "y=2,x=4"), text("shape", "Shape", "8,8"), text("summands", "Summands", ""), type("f32")],
    commands: (f) => planned("reshard", f.from, f.to, "--mesh", f.mesh, "--shape", f.shape,
      ...given("--summands", f.summands), "--type", f.type),
  },
  notations: {
    title: "Notations",
    about: "A layout of axe, CuTe, TIRx or Triton in all four; with a mesh, a placement of DTensor, JAX, XLA or ScaLAPACK.",
    fields: [layout("layout", "Layout or placement", "(8,4):(1,8)"), text("shape", "Shape", ""), text("mesh", "Mesh", "")],
    commands: (f) => [said("", "notation", f.layout, ...given("--shape", f.shape), ...given("--mesh", f.mesh))],
  },
  sharding: {
    title: "Same sharding?",
    about: "Whether two placements on a mesh of devices are the same, in any notation; else the first element that differs.",
    fields: [layout("a", "A", "[Shard(0), Replicate()]"), layout("b", "B", "P('y', None)"), text("mesh", "Mesh", "y=2,x=4"),
      text("shape", "Shape", "64,64")],
    commands: (f) => [said("", "check-sharding", f.a, f.b, "--mesh", f.mesh, ...given("--shape", f.shape))],
  },
  calculator: {
    title: "Calculator",
    about: "Lines of `axe eval`. Names are kept from line to line.",
    fields: [{ name: "lines", label: "Lines", kind: "lines",
      value: "T = tile(S[(2,2):(2,1)], (2,2), S[(4,8):(8,1)], (4,8))\nsize(T)\nslice(T, (8,16), (4:6,0:8))" }],
    commands: (f) => [said("", "eval", "--", ...f.lines.split("\n").filter((each) => each.trim()))],
  },
};

/// The command as one types it in a shell.
export function shellLine(words) {
  const shown = words.map((word) => (/^[\w@.,=:+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`));
  return `axe ${shown.join(" ")}`;
}
