// Charts: lines over the steps of the game, and bars of where the points came from.

// Units between two labels of rounds that can both be read.
const APART = 22;

function lineChart(title, series, ctx, marks = []) {
  const width = 520, height = 220, left = 34, right = 12, top = 12, bottom = 26;
  const all = series.flatMap((one) => one.values).filter((value) => value !== null);
  if (!all.length) return null;
  const low = Math.min(0, ...all), high = Math.max(1, ...all), last = Math.max(1, ctx.steps.length - 1);
  const x = (at) => left + (at / last) * (width - left - right);
  const y = (value) => height - bottom - ((value - low) / (high - low)) * (height - top - bottom);
  const grid = ticks(low, high).map((value) => [
    s("line", { class: "grid", x1: left, x2: width - right, y1: y(value), y2: y(value) }),
    s("text", { x: left - 5, y: y(value) + 4, "text-anchor": "end" }, value)]);
  // Where two begin at once, or nearly, the later is named.
  const clear = (n) => n === ctx.rounds.length - 1 || x(ctx.rounds[n + 1].at) - x(ctx.rounds[n].at) >= APART;
  const rounds = ctx.rounds.map((one, n) => [
    s("line", { class: "round", x1: x(one.at), x2: x(one.at), y1: top, y2: height - bottom }),
    clear(n) ? s("text", { x: x(one.at) + 3, y: height - 9 }, one.label) : null]);
  const lines = series.map((one, n) => {
    let path = "", pen = "M";
    one.values.forEach((value, at) => {
      if (value === null) { pen = "M"; return; }
      if (at && value === one.values[at - 1] && value === one.values[at + 1]) return;
      path += `${pen}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
      pen = "L";
    });
    return s("path", { class: `line ${ctx.color(one.seat)}`, d: path, "stroke-dasharray": ["", "7 3", "2 3", "9 3 2 3"][n % 4] });
  });
  const dots = marks.map((at) => s("circle", { class: `cost ${ctx.color(ctx.steps[at].seat)}`, r: 4.5, cx: x(at),
    cy: y(series.find((one) => one.seat === ctx.steps[at].seat).values[at]) }, s("title", {}, costing(ctx.steps[at], ctx))));
  const now = s("line", { class: "now", x1: x(0), x2: x(0), y1: top, y2: height - bottom });
  ctx.onStep((at) => { now.setAttribute("x1", x(at)); now.setAttribute("x2", x(at)); });
  const ends = series.map((one) => `${ctx.name(one.seat)} ${one.values[one.values.length - 1] ?? ""}`).join(", ");
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title}. ${ctx.words.end}: ${ends}` }, grid, rounds, lines, dots, now);
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const part = ((event.clientX - box.left) / box.width) * width;
    ctx.go(Math.round(((part - left) / (width - left - right)) * last));
  });
  return h("figure", { class: "chart" }, h("figcaption", {}, title), svg, legend(series, ctx));
}

const COSTLY = 3, LEAST = 1;

// The turns of each seat that cost most, by their steps in order; small change is none.
function costliest(steps, seats) {
  const found = seats.flatMap((seat) => steps.map((step, at) => at)
    .filter((at) => steps[at].seat === seat && steps[at].turn && steps[at].turn.cost >= LEAST && !steps[at].undone)
    .sort((one, other) => steps[other].turn.cost - steps[one].turn.cost).slice(0, COSTLY));
  return found.sort((one, other) => one - other);
}

const less = (step) => `−${step.turn.cost.toFixed(1)}`;

function costing(step, ctx) {
  const told = { cost: step.turn.cost.toFixed(1), best: step.turn.best };
  return ctx.words.best.replace(/\{(\w+)\}/g, (_, key) => told[key]);
}

// What each could expect over the game, with the costly turns marked on the lines and told beside; and the same as a table.
function worthFigure(ctx) {
  const series = ctx.seats.map((seat) => ({ seat, values: ctx.steps.map((step) => step.worth[seat] ?? null) }));
  if (!series.some((one) => one.values.some(Boolean))) return null;
  const begins = [...ctx.rounds, { at: ctx.steps.length - 1, heading: ctx.words.end }];
  const chart = lineChart(ctx.words.expected, series, ctx, ctx.costly);
  chart.append(h("details", { class: "words" }, h("summary", {}, ctx.words.rounds),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": ctx.words.rounds }, h("table", {},
      h("thead", {}, h("tr", {}, h("td", {}), ctx.seats.map((seat) => h("th", { scope: "col" }, ctx.name(seat))))),
      h("tbody", {}, begins.map((one) => h("tr", {}, h("th", { scope: "row" }, one.heading),
        ctx.seats.map((seat) => h("td", {}, (ctx.steps[one.at].worth[seat] ?? 0).toFixed(1))))))))));
  const told = ctx.costly.map((at) => {
    const step = ctx.steps[at], line = (step.lines["*"] || []).join(" ");
    return h("li", {}, h("button", { type: "button", onclick: () => ctx.go(at) }, token(step.seat, ctx), " ",
      h("small", {}, step.heading), ` ${line} `, h("b", {}, costing(step, ctx))));
  });
  return h("div", { class: "expected" }, chart, told.length ? h("div", { class: "chart" }, h("h3", {}, ctx.words.costly), h("ol", { class: "costly" }, told)) : null);
}

function legend(series, ctx) {
  const dash = ["", "7 3", "2 3", "9 3 2 3"];
  return h("ul", { class: "legend" }, series.map((one, n) => h("li", {},
    s("svg", { viewBox: "0 0 30 8", class: "key", "aria-hidden": "true" },
      s("path", { class: `line ${ctx.color(one.seat)}`, d: "M1 4H29", "stroke-dasharray": dash[n % 4] })), ctx.name(one.seat))));
}

function ticks(low, high) {
  const rough = (high - low) / 4;
  const step = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].find((one) => one >= rough) || rough;
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) found.push(value);
  return found;
}

const SHADES = 9;

// Everybody who has a score: the seats, and whoever the game itself played.
const scored = (result, ctx) => [...ctx.seats, ...Object.keys(result.totals).filter((seat) => !ctx.seats.includes(seat))];

// Where the points came from: a bar for each seat, what was lost to the left of the line.
function pointsChart(result, ctx) {
  const players = scored(result, ctx);
  const parts = [...new Set(players.flatMap((seat) => Object.keys(result.scores[seat] || {})))];
  const used = parts.filter((part) => players.some((seat) => (result.scores[seat] || {})[part]));
  const sum = (seat, sign) => used.reduce((all, part) => all + Math.max(0, sign * ((result.scores[seat] || {})[part] || 0)), 0);
  const most = Math.max(1, ...players.map((seat) => sum(seat, 1))), least = Math.max(0, ...players.map((seat) => sum(seat, -1)));
  const width = 520, row = 40, left = 8, unit = (width - 2 * left) / (most + least), zero = left + least * unit;
  const rows = players.map((seat, n) => {
    let plus = zero, minus = zero;
    const bars = used.map((part, shade) => {
      const points = (result.scores[seat] || {})[part];
      if (!points) return null;
      const wide = Math.abs(points) * unit, at = points > 0 ? plus : minus - wide;
      if (points > 0) plus += wide; else minus -= wide;
      const name = `${ctx.name(seat)}: ${result.names[part] || part} ${points}`;
      return s("g", {}, s("title", {}, name), s("rect", { class: `shade-${shade % SHADES}`, x: at, y: n * row + 19, width: Math.max(0.5, wide - 1), height: 14 }),
        wide > 14 ? s("text", { class: "on", x: at + wide / 2, y: n * row + 30, "text-anchor": "middle" }, points) : null);
    });
    return [s("text", { x: left, y: n * row + 13 }, `${ctx.name(seat)} · ${result.totals[seat]}`), bars];
  });
  const says = players.map((seat) => `${ctx.name(seat)} ${result.totals[seat]}`).join(", ");
  return h("figure", { class: "chart wide" }, h("figcaption", {}, ctx.words.points),
    s("svg", { viewBox: `0 0 ${width} ${players.length * row + 2}`, role: "img", "aria-label": `${ctx.words.points}: ${says}` }, rows,
      least ? players.map((_, n) => s("line", { class: "zero", x1: zero, x2: zero, y1: n * row + 16, y2: n * row + 36 })) : null),
    h("ul", { class: "legend" }, used.map((part, shade) => h("li", {}, h("span", { class: `swatch shade-${shade % SHADES}`, "aria-hidden": "true" }), result.names[part] || part))));
}

function scoreTable(result, ctx) {
  const players = scored(result, ctx);
  const parts = [...new Set(players.flatMap((seat) => Object.keys(result.scores[seat] || {})))];
  const wins = (seat) => result.winners.includes(seat);
  return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-labelledby": "scores-title" }, h("table", { class: "scores" },
    h("thead", {}, h("tr", {}, h("td", {}), players.map((seat) => h("th", { scope: "col" }, token(seat, ctx), " ", ctx.name(seat), wins(seat) ? h("small", { class: "winner" }, ctx.words.wins) : null)))),
    h("tbody", {}, parts.map((part) => h("tr", {}, h("th", { scope: "row" }, result.names[part] || part), players.map((seat) => h("td", {}, (result.scores[seat] || {})[part] ?? 0))))),
    h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, ctx.words.total), players.map((seat) => h("td", {}, h("b", {}, result.totals[seat])))))));
}
