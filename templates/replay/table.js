// A plain drawing for games that bring none of their own: one table of the seats, and the rest of the position as lists.

const plainly = {
  board(position, ctx) {
    const table = position.table || {};
    const rows = Array.isArray(table.seats) ? table.seats : [];
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((key) => key !== "seat" && key !== "name");
    const shown = h("div", { class: "scroll" }, h("table", {},
      h("thead", {}, h("tr", {}, h("td", {}), columns.map((key) => h("th", { scope: "col" }, worded(key))))),
      h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, token(row.seat, ctx), " ", ctx.name(row.seat)),
        columns.map((key) => h("td", {}, inWords(row[key], ctx))))))));
    const rest = Object.entries(table).filter(([key]) => !["seats", "box", "schema", "options", "agenda", "draws"].includes(key));
    return [rows.length ? shown : null, h("dl", { class: "plain" }, rest.map(([key, value]) => [h("dt", {}, worded(key)), h("dd", {}, inWords(value, ctx))]))];
  },
  tracks(ctx) {
    const rows = (ctx.positions[ctx.positions.length - 1].table || {}).seats;
    if (!Array.isArray(rows) || !rows.length) return [];
    const counts = Object.keys(rows[0]).filter((key) => typeof rows[0][key] === "number");
    return counts.map((key) => ({ title: worded(key), value: (position, seat) => ctx.row(position, seat)[key] ?? null }));
  },
  secret(known, ctx) {
    return inWords(known, ctx);
  },
};

const worded = (key) => String(key).replace(/[_-]/g, " ");

function inWords(value, ctx) {
  if (Array.isArray(value)) {
    if (!value.length) return "–";
    if (value.some((one) => typeof one === "object")) return h("ul", {}, value.map((one) => h("li", {}, inWords(one, ctx))));
    return value.map((one) => (one === "" ? "·" : named(one, ctx))).join(", ");
  }
  if (isTable(value)) return h("dl", { class: "plain" }, Object.entries(value).map(([key, part]) => [h("dt", {}, named(key, ctx)), h("dd", {}, inWords(part, ctx))]));
  if (typeof value === "boolean") return value ? ctx.words.yes : ctx.words.no;
  return value === undefined ? "" : named(value, ctx);
}

function named(value, ctx) {
  if (ctx.seats.includes(value)) return ctx.name(value);
  const card = ctx.cards[value];
  return card ? card.name : typeof value === "string" ? worded(value) : value;
}
