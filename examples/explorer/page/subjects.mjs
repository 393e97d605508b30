// What the explorer shows: each subject has fields, and makes command lines of `axe` from them.
//
//     layout        axe draw LAYOUT --shape SHAPE
//     operation     axe eval 'tile(A, SHAPE_A, B, SHAPE_B)', and pictures of operands and result
//
// A command is {title, words, picture}: its output is shown as text, or drawn.
const layout = (name, label, value) => ({ name, label, value, kind: "layout" });
const text = (name, label, value) => ({ name, label, value, kind: "text" });
const choice = (name, label, ...values) => ({ name, label, value: values[0], kind: "choice", values });

const given = (option, value) => (value ? [option, value] : []);
const drawn = (title, of, shape, more = []) => ({
  title, picture: true, words: ["draw", of, ...given("--shape", shape), ...more, "-o", "picture.svg"],
});
// A plan in words, and its picture.
const planned = (...words) => [said("", "plan", ...words),
  { title: "", picture: true, words: ["draw", ...words, "-o", "picture.svg"] }];
const said = (title, ...words) => ({ title, words });

export const types = ["f32", "f16", "bf16", "e4m3", "i8", "f64"];
const spaces = ["global", "shared", "registers", "tensor"];

export const subjects = {
  layout: {
    title: "Layout",
    about: "Who holds each element, and what each owner holds. Click a cell.",
    fields: [
      layout("layout", "Layout", "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"),
      text("shape", "Shape", "8,16"),
      choice("view", "View", "both", "tensor", "hardware", "banks"),
      text("bits", "Bits of an element, for banks", "16"),
    ],
    parts: true,
    commands: (f) => [drawn("", f.layout, f.shape, ["--view", f.view, ...(f.view === "banks" ? given("--bits", f.bits) : [])])],
  },
  operation: {
    title: "Operation",
    about: "The operands beside the result; corresponding elements have one colour.",
    fields: [
      choice("name", "Operation", "tile", "compose", "direct_sum", "slice", "group", "canonicalize", "permute",
        "tile_to", "tile_outer", "tile_inner", "sum_outer", "sum_inner", "inverse", "pack", "unpack"),
      layout("a", "A", "S[(2,2):(2,1)]"),
      text("a_shape", "Shape of A, or the second argument", "(2,2)"),
      layout("b", "B", "S[(4,8):(8,1)]"),
      text("b_shape", "Shape of B, or the last argument", "(4,8)"),
    ],
    commands: (f) => {
      const two = ["tile", "direct_sum", "tile_outer", "tile_inner", "sum_outer", "sum_inner"].includes(f.name);
      const args = two ? [f.a, f.a_shape, f.b, f.b_shape] : f.name === "compose" ? [f.a, f.b]
        : f.name === "canonicalize" ? [f.a] : f.name === "inverse" || f.name === "group" ? [f.a, f.a_shape] : [f.a, f.a_shape, f.b_shape];
      const call = `${f.name}(${args.filter((each) => each.trim()).join(", ")})`;
      const is_drawn = ["tile", "direct_sum", "slice", "permute", "compose"].includes(f.name);
      return [said("", "explain", call),
        ...(is_drawn ? [{ title: "", picture: true, words: ["draw", call, "--operation", "-o", "picture.svg"] }] : [])];
    },
  },
  difference: {
    title: "Difference",
    about: "The first element whose places differ, and a picture of all of them.",
    fields: [layout("a", "A", "S[(8,8):(8,1)]"), layout("b", "B", "swizzle(M=0,B=3,S=3) o S[(8,8):(8,1)]"),
      text("shape", "Shape", "8,8")],
    commands: (f) => [said("", "diff", f.a, f.b, ...given("--shape", f.shape)),
      { title: "", picture: true, words: ["diff", f.a, f.b, ...given("--shape", f.shape), "-o", "picture.svg"] }],
  },
  conflicts: {
    title: "Bank conflicts",
    about: "The wavefronts of an access to shared memory.",
    fields: [layout("layout", "Layout", "S[(64,64):(64,1)]"), text("shape", "Shape", "(64,64)"),
      text("access", "Access", "ldmatrix_rows(16)")],
    commands: (f) => [
      said("", "eval", `shared_memory(${f.layout}, ${f.shape}, ${f.access})`,
        `conflict_free_swizzle(${f.layout}, ${f.shape}, ${f.access})`),
      said("How it comes about", "explain", `shared_memory(${f.layout}, ${f.shape}, ${f.access})`),
      drawn("Lanes that collide", f.layout, f.shape, ["--access", f.access])],
  },
  copy: {
    title: "Copy",
    about: "How a tile is copied, and why the other instructions were declined.",
    fields: [layout("from", "From", "S[(64,64):(4096,1)]"), layout("to", "To", "S[(64,64):(64,1)]"),
      text("shape", "Shape", "64,64"), choice("from_space", "From memory", ...spaces),
      choice("to_space", "To memory", "shared", "global", "registers", "tensor"),
      text("scope", "Threads", "128"), choice("type", "Type", "bf16", ...types.filter((each) => each !== "bf16"))],
    commands: (f) => planned("copy", f.from, f.to, ...given("--shape", f.shape), "--from", f.from_space,
      "--to", f.to_space, ...given("--scope", f.scope), "--type", f.type),
  },
  tma: {
    title: "TMA",
    about: "The tensor map, the boxes and their coordinates.",
    fields: [layout("global", "Global", "S[(4096,4096):(4096,1)]"),
      layout("shared", "Shared", "swizzle(M=3,B=3,S=3) o S[(128,64):(64,1)]"), text("tensor", "Tensor", "4096,4096"),
      text("shape", "Tile", "128,64"), choice("action", "Action", "load", "multicast", "store", "reduce", "prefetch")],
    commands: (f) => [said("", "plan", "tma", f.global, f.shared, ...given("--tensor", f.tensor),
      ...given("--shape", f.shape), "--do", f.action)],
  },
  mma: {
    title: "Matrix product",
    about: "The instruction of the tensor cores, its registers and descriptors.",
    fields: [layout("a", "A", "mma.a(16,8,16,16)"), layout("b", "B", "mma.b(16,8,16,16)"),
      layout("c", "C", "mma.accumulator(16,8,16,16)"), text("shape", "M, N, K", "16,8,16"),
      choice("arch", "Architecture", "sm_90a", "sm_80", "sm_89", "sm_90", "sm_100a")],
    commands: (f) => [said("", "plan", "mma", f.a, f.b, f.c, "--shape", f.shape, "--arch", f.arch)],
  },
  convert: {
    title: "Conversion",
    about: "The shuffles that turn one register layout into another.",
    fields: [layout("from", "From", "S[(8,4,2):(4@lane,1@lane,1@reg)]"),
      layout("to", "To", "S[(4,2,8):(1@lane,1@reg,4@lane)]"),
      choice("type", "Type", "bf16", ...types.filter((each) => each !== "bf16"))],
    commands: (f) => planned("convert", f.from, f.to, "--type", f.type),
  },
  reshard: {
    title: "Resharding",
    about: "The messages between devices, their bytes and the least possible bytes.",
    fields: [layout("from", "From", "S[(2,4,8):(1@y,8,1)]"), layout("to", "To", "S[(8,4,2):(2,1@x,1)]"),
      text("mesh", "Mesh", "y=2,x=4"), text("shape", "Shape", "8,8"), text("summands", "Summands", "")],
    commands: (f) => planned("reshard", f.from, f.to, "--mesh", f.mesh, "--shape", f.shape,
      ...given("--summands", f.summands)),
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
