// The player: steps, positions, log, keys, fingers. What a position looks like is told by `drawing`.

const ready = performance.now();
const doc = JSON.parse(document.getElementById("game").textContent);
const $ = (id) => document.getElementById(id);
const words = {{ labels }};
const names = Object.fromEntries(doc.game.seats.map((row) => [row.seat, row.name]));
const seats = Object.keys(names);
const full = doc.view === "full";
let reader = doc.view.startsWith("seat:") ? doc.view.slice(5) : "*";
let now = 0, timer = null, noting = null;

const steps = [];
const rounds = [];
const positions = [];
let position = {}, heading = "", stage = "", worth = {};
for (const record of doc.records) {
  for (const [nth, step] of record.steps.entries()) {
    for (const path of step.gone || []) position = without(position, path);
    if (step.change) position = laidOver(position, step.change);
    heading = step.heading || heading;
    worth = Object.assign({}, worth, step.worth);
    if (step.stage !== undefined && step.stage !== stage) {
      stage = step.stage;
      rounds.push({ at: steps.length, label: String(rounds.length), heading });
    }
    steps.push({ lines: step.lines || {}, heading, at: record.at, seat: step.seat || "", worth, turn: step.turn || null, undone: record.undone, rest: nth === record.steps.length - 1, talk: [] });
    positions.push(position);
  }
  if (record.talk && steps.length) steps[steps.length - 1].talk = record.talk.map((one) => ({ from: record.seat, to: one.to, text: one.text }));
}

const listeners = [];
const ctx = {
  doc, words, seats, steps, rounds, positions, cards: doc.cards || {}, result: doc.result || null, options: doc.game.options,
  over: doc.game.status === "ended",
  name: (who) => names[who] ?? (who === "gray" ? words.gray : ((doc.result || {}).names || {})[who] ?? worded(who)),
  initial: (who) => (who === "gray" ? "" : [...(names[who] ?? who)][0].toUpperCase()),
  color: (who) => (seats.includes(who) ? `seat-${seats.indexOf(who)}` : "nobody"),
  row: (of, seat) => ((of.table || {}).seats || []).find((row) => row.seat === seat) || {},
  opened: new Set(),
  costly: costliest(steps, seats),
  onStep: (listener) => listeners.push(listener),
  go: (at) => go(at),
  // Whether the game waits here: in the middle of what a letter led to, nobody is asked anything.
  get waits() { return steps[now].rest; },
  get reader() { return reader; },
};
const drawing = Object.assign({}, plainly, typeof game === "undefined" ? {} : game);

function linesOf(step) {
  return step.lines[reader] || step.lines["*"] || [];
}

function go(at) {
  now = Math.max(0, Math.min(steps.length - 1, at));
  draw();
}

// Nothing that the reader can see happens there: a rival's sealed answer, say.
function still(at) {
  return at > 0 && !linesOf(steps[at]).length && positions[at].table === positions[at - 1].table;
}

function move(way) {
  let at = now + way;
  while (at > 0 && at < steps.length - 1 && still(at)) at += way;
  go(at);
}

function draw() {
  const step = steps[now];
  $("heading").textContent = step.heading ? step.heading[0].toUpperCase() + step.heading.slice(1) : words.before;
  $("says").textContent = linesOf(step).join(" ") || " ";
  const empty = h("p", { class: "none" }, words.before);
  $("board").replaceChildren(...[drawing.board(positions[now], ctx)].flat(9).filter(Boolean));
  if (!positions[now].table) $("board").replaceChildren(empty);
  const known = (positions[now].secret || {})[reader];
  $("secret").hidden = !known;
  if (known) $("secret").replaceChildren(h("h3", {}, words.only, " ", ctx.name(reader)), ...[drawing.secret(known, ctx)].flat(9).filter(Boolean));
  $("slider").value = now;
  $("count").textContent = `${now + 1} / ${steps.length}`;
  $("slider").setAttribute("aria-valuetext", `${now + 1} / ${steps.length}: ${$("heading").textContent}`);
  mark();
  for (const listener of listeners) listener(now);
  // Browsers take only so many of these in a while.
  clearTimeout(noting);
  noting = setTimeout(() => history.replaceState(null, "", `#${now + 1}`), 400);
}

function mark() {
  const log = $("log");
  for (const old of log.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
  let here = now;
  while (here > 0 && !log.querySelector(`[data-at="${here}"]`)) here -= 1;
  const found = log.querySelectorAll(`[data-at="${here}"]`);
  for (const line of found) line.setAttribute("aria-current", "step");
  if (!found.length) return;
  // Only the log itself moves, never the page.
  const top = found[0].offsetTop, bottom = top + found[0].offsetHeight;
  if (top < log.scrollTop + 40) log.scrollTop = top - 60;
  else if (bottom > log.scrollTop + log.clientHeight - 40) log.scrollTop = bottom - log.clientHeight + 90;
}

function tell() {
  const parts = [];
  let list = null, last = null;
  steps.forEach((step, at) => {
    if (step.heading !== last) {
      last = step.heading;
      list = h("ol", {});
      parts.push(h("h3", {}, last ? last[0].toUpperCase() + last.slice(1) : words.before), list);
    }
    for (const line of linesOf(step)) {
      list.append(h("li", { class: step.undone ? "undone" : null }, h("button", { type: "button", "data-at": at, onclick: () => go(at), title: step.at.slice(0, 16).replace("T", " ") },
        seats.includes(step.seat) ? h("i", { class: `dot ${ctx.color(step.seat)}`, "aria-hidden": "true" }) : null, line, step.undone ? ` (${words.undone})` : "",
        ctx.costly.includes(at) && line === linesOf(step)[0] ? h("small", { class: "cost", title: costing(step, ctx) }, less(step)) : null)));
    }
    for (const one of step.talk) {
      if (one.to && reader !== "*" && reader !== one.to && reader !== one.from) continue;
      list.append(h("li", { class: "talk" }, `${ctx.name(one.from)}${one.to.includes(".") ? " ✎" : one.to ? ` → ${ctx.name(one.to)}` : ""}: «${one.text}»`));
    }
  });
  if (ctx.costly.length) parts.unshift(h("p", { class: "hint" }, words.less));
  $("log").replaceChildren(...parts);
}

function play(wanted) {
  clearInterval(timer);
  timer = wanted && now < steps.length - 1 ? setInterval(() => (now < steps.length - 1 ? move(1) : play(false)), Number($("speed").value)) : null;
  $("play").setAttribute("aria-pressed", timer ? "true" : "false");
  $("play").setAttribute("aria-label", timer ? words.pause : words.play);
}

function jump(way) {
  const later = rounds.map((one) => one.at);
  const to = way > 0 ? later.find((at) => at > now) : later.filter((at) => at < now).pop();
  go(to ?? (way > 0 ? steps.length - 1 : 0));
}

const moves = {
  first: () => go(0), back: () => move(-1), on: () => move(1), last: () => go(steps.length - 1),
  play: () => { if (!timer && now === steps.length - 1) go(0); play(!timer); },
};
const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", " ": "play" };

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select, input")) return;
  if (event.key === " " && event.target.closest("button, summary")) return;
  if (event.key === "PageUp" || event.key === "PageDown") jump(event.key === "PageUp" ? -1 : 1);
  else if (keys[event.key]) { if (event.key !== " ") play(false); moves[keys[event.key]](); }
  else return;
  event.preventDefault();
});
for (const button of document.querySelectorAll("[data-go]")) button.addEventListener("click", () => { if (button.dataset.go !== "play") play(false); moves[button.dataset.go](); });
$("slider").max = steps.length - 1;
$("slider").addEventListener("input", () => { play(false); go(Number($("slider").value)); });
$("speed").addEventListener("change", () => play(Boolean(timer)));
let touched = null;
$("stage").addEventListener("touchstart", (event) => { touched = event.target.closest(".scroll") ? null : event.changedTouches[0]; }, { passive: true });
$("stage").addEventListener("touchend", (event) => {
  if (!touched) return;
  const x = event.changedTouches[0].clientX - touched.clientX, y = event.changedTouches[0].clientY - touched.clientY;
  if (Math.abs(x) > 50 && Math.abs(x) > 2 * Math.abs(y)) { play(false); moves[x < 0 ? "on" : "back"](); }
}, { passive: true });
window.addEventListener("hashchange", () => go(Number(location.hash.slice(1)) - 1 || 0));

$("players").textContent = seats.map(ctx.name).join(", ");
$("sight").textContent = full ? words.full : reader === "*" ? words.public : `${words.seen} ${ctx.name(reader)}`;
if (full) {
  $("viewing").hidden = false;
  $("view").append(h("option", { value: "*" }, words.table), ...seats.map((seat) => h("option", { value: seat }, ctx.name(seat))));
  $("view").addEventListener("change", () => { reader = $("view").value; tell(); draw(); });
}
tell();
if (doc.result) { $("scores").hidden = false; $("scores").append(scoreTable(doc.result, ctx)); }
const charts = document.querySelector("#charts .charts");
const expected = worthFigure(ctx);
if (expected) charts.append(expected);
for (const track of drawing.tracks(ctx)) {
  const series = seats.map((seat) => ({ seat, values: positions.map((one) => (one.table ? track.value(one, seat) : null)) }));
  const chart = lineChart(track.title, series, ctx);
  if (chart) charts.append(chart);
}
if (doc.result) charts.append(pointsChart(doc.result, ctx));
$("charts").hidden = !charts.children.length;
// Before the table is laid there is nothing to see.
go(location.hash ? Number(location.hash.slice(1)) - 1 || 0 : Math.max(0, positions.findIndex((one) => one.table)));
document.documentElement.dataset.ready = Math.round(performance.now() - ready);
document.documentElement.dataset.since = Math.round(performance.now());
