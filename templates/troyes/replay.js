// A town, drawn for the replay page: events, city square, buildings, activity cards, cathedral, influence.

const game = (() => {
  const L = {
    events: {{ _("Events")|tojson }}, square: {{ _("City square")|tojson }}, buildings: {{ _("Buildings")|tojson }}, cards: {{ _("Activity cards")|tojson }},
    cathedral: {{ _("Cathedral")|tojson }}, influence: {{ _("Influence")|tojson }}, deniers: {{ _("Deniers")|tojson }}, vp: {{ _("Victory points")|tojson }}, dice: {{ _("Dice")|tojson }},
    supply: {{ _("citizens in hand")|tojson }}, black: {{ _("Black dice")|tojson }}, lying: {{ _("expelled")|tojson }}, free: {{ pgettext("a space", "free")|tojson }}, start: {{ _("starts")|tojson }},
    passed: {{ _("passed")|tojson }}, asked: {{ _("to decide")|tojson }}, none: {{ _("no dice")|tojson }}, per: {{ _("per")|tojson }}, hire: {{ _("hire")|tojson }}, picture: {{ _("illustration")|tojson }},
    cubes: {{ _("cubes")|tojson }}, level: {{ _("Level")|tojson }}, column: {{ _("column")|tojson }}, won: {{ _("events won")|tojson }}, from: {{ _("from")|tojson }}, points: {{ _("VP")|tojson }},
    palace: {{ _("Palace")|tojson }}, bishopric: {{ _("Bishopric")|tojson }}, city_hall: {{ _("City Hall")|tojson }}, worth: {{ _("worth")|tojson }}, wishes: {{ _("Wished for")|tojson }},
    yellow: {{ _("yellow")|tojson }}, white: {{ _("white")|tojson }}, red: {{ _("red")|tojson }}, purple: {{ _("purple")|tojson }}, ramparts: {{ _("Ramparts")|tojson }}, guard: {{ _("guard")|tojson }}, held: {{ _("held")|tojson }}, space: {{ _("space")|tojson }}, open: {{ _("victory points are counted at the end")|tojson }},
  };
  const COLORS = { Y: "yellow", W: "white", R: "red", P: "purple" };
  const OF = { palace: "red", bishopric: "white", city_hall: "yellow" };
  const ROWS = ["1 6", "2 5", "3 4"];

  const SIGNS = {
    coin: "M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm0 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8z", crown: "M1 4l3.5 3L8 2l3.5 5L15 4l-1.5 9h-11z",
    pawn: "M8 1a3 3 0 0 1 2 5.2c2 .9 3 3 3.2 5.8H2.800C3 9.200 4 7.100 6 6.200A3 3 0 0 1 8 1zM2 13h12v2H2z", star: "M8 1l2.100 4.700 5 .5-3.800 3.400 1.100 5L8 12l-4.400 2.600 1.100-5L.900 6.200l5-.5z", flag: "M3 1h2v1h9l-2 3 2 3H5v7H3z",
  };

  const facts = (line) => Object.fromEntries(String(line || "").split(",").map((part) => part.trim()).filter(Boolean).map((part) => [part.split(" ")[0], part.split(" ").slice(1).join(" ")]));
  const numbers = (text) => String(text || "").split(" ").filter(Boolean).map(Number);
  const colored = (word) => h("span", { class: "dyed" }, die(COLORS[word[0]], Number(word.slice(1)), `${L[COLORS[word[0]]]} ${word.slice(1)}`), h("small", { "aria-hidden": "true" }, letter(L[COLORS[word[0]]])));
  const plural = (n, word) => `${n} ${word}`;
  const title = (name) => h("h3", {}, name);
  const cubes = (owners, ctx) => owners.map((owner) => token(owner, ctx, "cube"));

  function event(threat, n, ctx, box) {
    const face = facts(box.events[threat.id]), card = ctx.cards[threat.id] || { name: threat.id, text: [] };
    const slots = Number(face.banners) || threat.cubes.length;
    const free = Array.from({ length: Math.max(0, slots - threat.cubes.length) }, () => h("span", { class: "slot", "aria-hidden": "true" }));
    return h("li", { class: "card event" },
      folding(threat.id, h("h4", {}, h("small", {}, `${n + 1}`), " ", card.name), card.text, ctx),
      h("p", { class: "facts" }, numbersOf(face.dice).map((color) => h("i", { class: `pip ${color}`, role: "img", "aria-label": L[color], title: L[color] }, letter(L[color]))), ` ${L.per} ${face.divisor} · ${face.first}/${face.second} ${L.points}`,
        Number(face.black_dice) ? h("span", { class: "blacks", role: "img", "aria-label": `${L.black}: ${face.black_dice}` }, "■".repeat(Number(face.black_dice))) : null),
      h("p", { class: "slots", role: "img", "aria-label": `${L.cubes}: ${threat.cubes.map(ctx.name).join(", ") || "–"}; ${free.length} ${L.free}` }, cubes(threat.cubes, ctx), free),
      threat.held ? h("p", { class: "held" }, `${L.held}: `, threat.held.map((owner) => token(owner, ctx))) : null);
  }

  const numbersOf = (text) => String(text || "").split(" ").filter(Boolean);

  function district(who, table, ctx) {
    const row = table.seats.find((one) => one.seat === who), held = row || table[who], dice = table.dice[who] || [];
    const asked = ctx.waits && table.asked.some((one) => one.seat === who), open = ctx.over || ctx.options["rule.vp"] === "open";
    return h("li", { class: `district ${ctx.color(who)}${asked ? " asked" : ""}` },
      h("h4", {}, who === "gray" ? null : token(who, ctx), " ", ctx.name(who), table.start === who ? h("span", { class: "tag" }, L.start) : null,
        row && row.passed ? h("span", { class: "tag" }, L.passed) : null, asked ? h("span", { class: "tag strong" }, L.asked) : null),
      row ? h("p", { class: "purse" }, amount("coin", row.deniers, L.deniers), row.coins ? `+${row.coins}` : null, amount("crown", row.influence, L.influence), amount("pawn", row.supply, L.supply),
        open ? amount("star", row.vp, L.vp) : null, row.won.length ? amount("flag", row.won.length, L.won, row.won.map((id) => (ctx.cards[id] || { name: id }).name).join(", ")) : null) : held ? h("p", { class: "purse" }, open ? amount("star", held.vp, L.vp) : null, held.won.length ? amount("flag", held.won.length, L.won) : null) : null,
      h("p", { class: "dice" }, dice.length ? dice.map(colored) : h("small", {}, L.none)));
  }

  const amount = (sign, n, name, more) => h("span", { class: "amount", role: "img", "aria-label": plural(n, name), title: more ? `${name}: ${more}` : `${n} ${name}` }, s("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, s("path", { d: SIGNS[sign], "fill-rule": "evenodd" })), n);

  const space = (owner, label, ctx) => h("span", { class: `space${owner ? "" : " open"}`, role: "img", "aria-label": `${label}: ${owner ? ctx.name(owner) : L.free}`, title: `${label}: ${owner ? ctx.name(owner) : L.free}` }, owner ? token(owner, ctx) : h("small", {}, label.split(" ").pop()));

  function building(id, table, ctx) {
    const lying = table.lying[id] || [];
    const rows = id === "palace" ? h("p", { class: "spaces ring" }, table.palace.map((owner, n) => space(owner, `${L.space} ${n + 1}`, ctx)))
      : table[id].map((row, n) => h("p", { class: "spaces" }, h("span", { class: "label" }, ROWS[n]), row.map((owner, at) => space(owner, `${L.space} ${n + 1}.${at + 1}`, ctx))));
    return h("li", { class: `building ${OF[id]}` }, h("h4", {}, L[id]), rows, lying.length ? h("p", { class: "lying" }, h("small", {}, `${L.lying}: `), lying.map((owner) => token(owner, ctx))) : null);
  }

  function activity(card, ctx, box) {
    const face = facts(box.activities[card.id]), words = ctx.cards[card.id] || { name: card.id, text: [], group: "" };
    const worth = numbers(face.spaces);
    const held = Object.entries(card.cubes).flatMap(([owner, n]) => Array.from({ length: n }, () => owner));
    return h("li", { class: `card activity ${words.group}` },
      folding(card.id, h("h4", {}, words.name), words.text, ctx),
      h("p", { class: "facts" }, `${"I".repeat(Number(face.level))} · ${L.hire} ${face.hire} · ${L.per} ${face.divisor}`),
      h("p", { class: "spaces" }, card.spaces.map((owner, n) => h("span", { class: "place" }, space(owner, `${worth[n]} ${L.points}`.replace(/^(\d+) (.*)$/, "$2 $1"), ctx))),
        card.picture.map((owner) => h("span", { class: "place", title: L.picture }, token(owner, ctx)))),
      held.length ? h("p", { class: "slots", role: "group", "aria-label": L.cubes }, cubes(held, ctx)) : null);
  }

  function cathedral(table, ctx, box) {
    const gains = numbers((box.board || {}).cathedral_influence);
    return h("table", { class: "cathedral" }, h("caption", {}, L.cathedral),
      h("tbody", {}, [...table.cathedral].map((row, n) => [row, n]).reverse().map(([row, n]) => h("tr", {}, h("th", { scope: "row" }, `${L.level} ${n + 1}`),
        row.map((owner, at) => h("td", { "aria-label": `${L.column} ${at + 1}: ${owner ? ctx.name(owner) : L.free}` }, owner ? token(owner, ctx, "cube") : h("span", { class: "slot" })))))),
      h("tfoot", {}, h("tr", {}, h("td", {}), [1, 2, 3, 4, 5, 6].map((n) => h("th", { scope: "col", title: gains[n - 1] ? `${gains[n - 1]} ${L.influence}` : null }, n)))));
  }

  function influence(table, ctx) {
    const at = (n) => table.seats.filter((row) => row.influence === n);
    const says = table.seats.map((row) => `${ctx.name(row.seat)} ${row.influence}`).join(", ");
    return h("div", { class: "track", role: "img", "aria-label": `${L.influence}: ${says}` }, Array.from({ length: 21 }, (_, n) =>
      h("span", { class: "step" }, h("span", { class: "stack" }, at(n).map((row) => token(row.seat, ctx))), h("small", {}, n))));
  }

  function ramparts(table, ctx) {
    const at = (n) => table.seats.filter((row) => row.guard === n);
    const says = table.seats.map((row) => `${ctx.name(row.seat)} ${row.guard}`).join(", ");
    return [h("div", { class: "scroll", tabindex: "0", "aria-label": L.ramparts }, h("div", { class: "track", role: "img", "aria-label": `${L.guard}: ${says}` }, Array.from({ length: 21 }, (_, n) =>
      h("span", { class: "step" }, h("span", { class: "stack" }, at(n).map((row) => token(row.seat, ctx))), h("small", {}, n))))),
      h("ul", { class: "cards scroll", "aria-label": L.ramparts }, table.tiles.map((tile, n) => {
        const card = ctx.cards[tile.id] || { name: tile.id, text: [] };
        return h("li", { class: "card" }, h("b", {}, `${["I", "II", "III", "IV"][n]} ${card.name}`),
          h("p", { class: "cubes" }, Object.entries(tile.cubes).flatMap(([owner, count]) => cubes(Array(count).fill(owner), ctx))));
      }))];
  }

  function board(position, ctx) {
    const table = position.table;
    if (!table) return [];
    const box = table.box || { events: {}, activities: {}, board: {} };
    const first = Math.max(0, ctx.seats.indexOf(table.start));
    const order = [...ctx.seats.slice(first), ...ctx.seats.slice(0, first), ...Object.keys(table.dice).filter((who) => !ctx.seats.includes(who))];
    return h("div", { class: "town" },
      h("section", { class: "queue" }, title(L.events), h("ol", { class: "cards scroll", tabindex: "0", "aria-label": L.events }, table.queue.map((threat, n) => event(threat, n, ctx, box))),
        table.black.length ? h("p", { class: "dice blackdice" }, h("b", {}, `${L.black}: `), table.black.map((n) => die("black", n, `${L.black} ${n}`))) : null),
      h("section", { class: "square" }, title(L.square), h("ul", { class: "districts" }, order.map((who) => district(who, table, ctx)))),
      h("section", { class: "quarters" }, title(L.buildings), h("ul", { class: "buildings" }, ["palace", "bishopric", "city_hall"].map((id) => building(id, table, ctx)))),
      h("section", { class: "church" }, cathedral(table, ctx, box)),
      h("section", { class: "deck" }, title(L.cards), ["yellow", "white", "red"].map((color) => h("ul", { class: "cards column", "aria-label": `${L.cards}: ${L[color]}` },
        table.cards.filter((card) => (ctx.cards[card.id] || {}).group === color).map((card) => activity(card, ctx, box))))),
      h("section", { class: "fame" }, title(L.influence), h("div", { class: "scroll", tabindex: "0", "aria-label": L.influence }, influence(table, ctx))),
      table.tiles ? h("section", { class: "walls" }, title(L.ramparts), ramparts(table, ctx)) : null);
  }

  function tracks(ctx) {
    const open = ctx.over || ctx.options["rule.vp"] === "open";
    const counted = (key) => (position, seat) => ctx.row(position, seat)[key] ?? null;
    return [open ? { title: L.vp, value: counted("vp") } : null, { title: L.deniers, value: counted("deniers") }, { title: L.influence, value: counted("influence") },
      { title: L.dice, value: (position, seat) => ((position.table.dice || {})[seat] || []).length }].filter(Boolean);
  }

  function secret(known, ctx) {
    return [(known.characters || []).map((one) => h("p", {}, h("b", {}, one.name), ` · ${one.counts} ${L.from} ${one.thresholds.join(", ")}: ${one.points.join(", ")} ${L.points}. ${L.worth} ${one.worth} ${L.points} (${one.now}).`)),
      h("p", {}, `${L.vp}: ${known.vp}`), known.wishes && known.wishes.length ? h("p", {}, `${L.wishes}: ${known.wishes.join(", ")}`) : null];
  }

  return { board, tracks, secret };
})();
