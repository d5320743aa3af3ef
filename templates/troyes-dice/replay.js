// The wheel with its dice and everybody's sheet, drawn for the replay page.

const game = (() => {
  const L = {
    wheel: {{ _("The wheel")|tojson }}, sheets: {{ _("Sheets")|tojson }}, built: {{ _("built")|tojson }}, open: {{ _("open")|tojson }}, lost: {{ _("lost")|tojson }}, destroyed: {{ _("destroyed")|tojson }},
    black: {{ _("black")|tojson }}, free: {{ _("free")|tojson }}, any: {{ _("1 of any kind")|tojson }}, one: {{ _("denier")|tojson }}, deniers: {{ _("deniers")|tojson }}, denier: {{ _("Deniers")|tojson }}, influence: {{ _("Influence")|tojson }}, knowledge: {{ _("Knowledge")|tojson }},
    citizens: {{ _("Citizens")|tojson }}, buildings: {{ _("Buildings")|tojson }}, red: {{ _("red")|tojson }}, yellow: {{ _("yellow")|tojson }}, white: {{ _("white")|tojson }}, asleep: {{ _("asleep")|tojson }}, crier: {{ _("town crier")|tojson }},
    fortress: {{ _("Fortress")|tojson }}, counts_palace: {{ _("Count's Palace")|tojson }}, great_hall: {{ _("Great Hall")|tojson }}, city_hall: {{ _("City Hall")|tojson }}, cathedral: {{ _("Cathedral")|tojson }}, bishopric: {{ _("Bishopric")|tojson }},
    left: {{ _("left of")|tojson }}, asked: {{ _("to decide")|tojson }}, column: {{ _("column")|tojson }}, banquet: {{ _("banquet")|tojson }}, raid: {{ _("raid")|tojson }}, plaza: {{ _("plaza")|tojson }},
  };
  const ROWS = [["fortress", "red"], ["counts_palace", "red"], ["great_hall", "yellow"], ["city_hall", "yellow"], ["cathedral", "white"], ["bishopric", "white"]];
  const COLORS = ["red", "yellow", "white"], RESOURCES = ["influence", "denier", "knowledge"];
  const PLAZAS = 9, PLACES = 4;

  const notch = (table, place) => (table.day + place + (table.half === "morning" ? 0 : PLACES)) % PLAZAS;

  function priceOf(table, place) {
    const slot = ((table.box || {}).slot || {})[place + 1] || {};
    if (!slot.amount) return L.free;
    if (slot.kind === "any") return L.any;
    return `${slot.amount} ${slot.amount === 1 ? L.one : L.deniers}`;
  }

  function wheel(table, ctx) {
    const size = 300, middle = size / 2, outer = 140, inner = 56;
    const at = (angle, radius) => [middle + radius * Math.sin(angle), middle - radius * Math.cos(angle)];
    const active = new Map(table.dice.map((one, place) => [notch(table, place), [one, place]]));
    const says = [];
    const sectors = table.plazas.map((plaza, n) => {
      const begin = ((n - 0.47) / PLAZAS) * 2 * Math.PI, end = ((n + 0.47) / PLAZAS) * 2 * Math.PI, half = (begin + end) / 2;
      const corners = [at(begin, inner), at(begin, outer), at(end, outer), at(end, inner)].map((point) => point.map((x) => x.toFixed(1)).join(" "));
      const here = active.get(n), asleep = table.day && (table.day - 1) % PLAZAS === n;
      const tile = plaza.tile ? `${((ctx.cards[plaza.tile] || {}).name || worded(plaza.tile))}, ${L[plaza.side] || plaza.side}` : "";
      const parts = [s("path", { class: `plaza ${plaza.up}${here ? " used" : ""}${here && here[0].gone ? " gone" : ""}`, d: `M${corners[0]}L${corners[1]}A${outer} ${outer} 0 0 1 ${corners[2]}L${corners[3]}A${inner} ${inner} 0 0 0 ${corners[0]}Z` })];
      const [lx, ly] = at(half - 0.2, 127);
      parts.push(s("text", { class: "dye", x: lx, y: ly + 4, "text-anchor": "middle" }, letter(L[plaza.up])));
      let name = `${L.plaza} ${L[plaza.up]}${tile ? ` (${tile})` : ""}`;
      if (here) {
        const [one, place] = here, [x, y] = at(half, 102);
        name += `: ${one.black ? `${L.black} ` : ""}${one.value}${one.gone ? ` ${L.destroyed}` : ""}, ${priceOf(table, place)}`;
        const shown = die(one.black ? "black" : "white", one.value, name, one.gone);
        for (const [key, value] of [["x", x - 17], ["y", y - 17], ["width", 34], ["height", 34], ["style", "width:34px;height:34px"]]) shown.setAttribute(key, value);
        const [px, py] = at(half, 71);
        parts.push(shown, s("text", { class: "place", x: px, y: py + 4, "text-anchor": "middle" }, place + 1));
        says.push(name);
      }
      if (asleep) { const [x, y] = at(half, 100); parts.push(s("text", { class: "sleep", x, y: y + 5, "text-anchor": "middle" }, "z z")); name += `, ${L.asleep}`; }
      if (plaza.tile) { const [x, y] = at(half, 130); parts.push(s("circle", { class: `tile ${plaza.side}`, cx: x, cy: y, r: 7 })); }
      return s("g", {}, s("title", {}, name), parts);
    });
    return h("figure", { class: "wheel" }, s("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": `${L.wheel}. ${says.join("; ")}` }, sectors,
      s("text", { class: "day", x: middle, y: middle + 2, "text-anchor": "middle" }, table.day || ""), s("text", { class: "half", x: middle, y: middle + 20, "text-anchor": "middle" }, table.day ? (table.half === "morning" ? "☀" : "☾") : "")),
      h("ol", { class: "prices" }, table.dice.map((one, place) => h("li", {}, priceOf(table, place)))));
  }

  function cell(row, color, column, seat) {
    const built = seat.built[row].indexOf(column), lost = seat.crossed[color].includes(column);
    const state = built >= 0 ? "built" : lost ? "lost" : "open";
    return h("td", { class: `${state} ${color}`, "aria-label": L[state], title: `${L[row]}, ${L.column} ${column}: ${L[state]}` }, built >= 0 ? built + 1 : lost ? "×" : "");
  }

  function sheet(seat, table, ctx) {
    const asked = ctx.waits && Object.hasOwn(table.asked, seat.seat);
    const numbers = table.numbering.length ? table.numbering : [1, 2, 3, 4, 5, 6];
    return h("li", { class: `sheet ${ctx.color(seat.seat)}` },
      h("h4", {}, token(seat.seat, ctx), " ", ctx.name(seat.seat), table.crier === seat.seat && ctx.seats.length > 1 ? h("span", { class: "tag" }, L.crier) : null, asked ? h("span", { class: "tag strong" }, L.asked) : null),
      h("p", { class: "stock" }, RESOURCES.map((name, n) => h("span", { class: `track-of ${COLORS[n]}`, title: `${seat.circled[name] - seat.spent[name]} ${L.left} ${seat.circled[name]}` }, `${L[name]} `, h("b", {}, seat.circled[name] - seat.spent[name]), h("small", {}, `/${seat.circled[name]}`)))),
      h("p", { class: "stock" }, `${L.citizens} `, COLORS.map((color) => h("span", { class: `count ${color}`, role: "img", "aria-label": `${seat.citizens[color]} ${L[color]}` }, `${letter(L[color])} ${seat.citizens[color]}`))),
      h("div", { class: "scroll" }, h("table", { class: "grid" },
        h("thead", {}, h("tr", {}, h("td", {}), numbers.map((number) => h("th", { scope: "col" }, number)))),
        h("tbody", {}, ROWS.map(([row, color]) => h("tr", {}, h("th", { scope: "row" }, L[row]), [1, 2, 3, 4, 5, 6].map((column) => cell(row, color, column, seat))))))));
  }

  function board(position, ctx) {
    const table = position.table;
    if (!table) return [];
    return h("div", { class: "dicetown" }, h("section", {}, h("h3", {}, L.wheel), wheel(table, ctx)),
      h("section", { class: "sheets" }, h("h3", {}, L.sheets), h("ul", {}, table.seats.map((seat) => sheet(seat, table, ctx)))));
  }

  function tracks(ctx) {
    const of = (count) => (position, seat) => { const row = ctx.row(position, seat); return row.built ? count(row) : null; };
    const sum = (table) => Object.values(table).reduce((all, one) => all + (Array.isArray(one) ? one.length : one), 0);
    return [{ title: L.citizens, value: of((row) => sum(row.citizens)) }, { title: L.buildings, value: of((row) => sum(row.built)) },
      ...RESOURCES.map((name) => ({ title: L[name], value: of((row) => row.circled[name] - row.spent[name]) }))];
  }

  return { board, tracks };
})();
