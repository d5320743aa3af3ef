"use strict";
// Small parts that every drawing uses. Text from the game only ever becomes text, never markup.
const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(9)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    node.append(child.nodeType ? child : document.createTextNode(String(child)));
  }
  return node;
}

const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

// A die with its pips. `color` is a class, `name` what a screen reader says.
function die(color, value, name, gone) {
  const pips = (PIPS[value] || []).map((at) => s("circle", { cx: 5.5 + (at % 3) * 6.5, cy: 5.5 + Math.floor(at / 3) * 6.5, r: 2 }));
  return s("svg", { class: `die ${color}${gone ? " gone" : ""}`, viewBox: "0 0 24 24", role: "img", "aria-label": name },
    s("title", {}, name), s("rect", { x: 1, y: 1, width: 22, height: 22, rx: 5 }), pips);
}

// What is told by a colour, told by its letter as well, as in the mails.
const letter = (name) => name[0].toUpperCase();

// A person's token: a disc in their colour with the first letter of their name.
function token(who, ctx, kind) {
  const name = ctx.name(who);
  return h("span", { class: `token ${kind || "citizen"} ${ctx.color(who)}`, role: "img", "aria-label": name, title: name }, ctx.initial(who));
}

// A card whose words are shown when it is opened; it stays open from step to step.
function folding(id, name, lines, ctx) {
  const toggled = (event) => (event.target.open ? ctx.opened.add(id) : ctx.opened.delete(id));
  return h("details", { class: "words", open: ctx.opened.has(id), ontoggle: toggled }, h("summary", {}, name), lines.map((line) => h("p", {}, line)));
}

// The position after a change: tables are laid over each other, all else is replaced; shares what did not change.
function laidOver(table, change) {
  const found = Object.assign({}, table);
  for (const [key, value] of Object.entries(change)) {
    const before = found[key];
    const both = isTable(before) && isTable(value);
    found[key] = both ? laidOver(before, value) : value;
  }
  return found;
}

function without(table, path) {
  const found = Object.assign({}, table);
  if (path.length === 1) delete found[path[0]];
  else found[path[0]] = without(found[path[0]], path.slice(1));
  return found;
}

function isTable(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
