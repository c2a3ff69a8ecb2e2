// The rounds of a season and their tables; sheets to print; for organisers, drawing the next one.
import { get, post } from "../api.js";
import { h, say } from "../dom.js";
import { t } from "../words.js";
import { base, folded, here, named, section, show } from "./common.js";
import { checkbox, form, select, text } from "./forms.js";
import { opening, people, tableState } from "./season.js";

show(async (again) => {
  const [found, rounds, members] = await Promise.all([opening(t("season.rounds")), get(`${base}/rounds`), people()]);
  const shown = rounds.items.reverse().map((round) => section(t("season.round_n", { n: round.round }), ...drawn(round, members)));
  return [
    found.organises && found.status === "open" && folded(t("rounds.draw"), await drawing(found, members, again)),
    shown.length ? shown : h("p", { class: "muted" }, t("rounds.none")),
  ];
});

function drawn(round, members) {
  const names = (ids) => ids.map((id, at) => [at > 0 && ", ", named(members[id]?.name)]);
  return [
    h("p", { class: "muted" }, t(`pairing.${round.pairing}`), round.seed && [" \u00b7 ", t("rounds.seed"), " ", h("code", {}, round.seed)]),
    h("ul", { class: "cards tables" }, round.tables.map((table) => card(table))),
    round.byes.length > 0 && h("p", {}, t("rounds.byes"), " ", names(round.byes)),
    round.absent.length > 0 && h("p", {}, t("rounds.absent"), " ", names(round.absent)),
    round.tables.some((table) => table.status === "open") && h("p", { class: "links" },
      h("a", { href: `${base}/rounds/${round.round}/sheets`, target: "_blank" }, t("rounds.print")), " \u00b7 ",
      h("a", { href: `${here}/organise#evening` }, t("rounds.csv"))),
  ];
}

function card(table) {
  const [number] = table.id.split("-").slice(-1);
  return h("li", { class: "sunken" },
    h("h3", {}, h("a", { href: `${here}/tables/${table.id}` }, t("rounds.table", { n: number })), " ", tableState(table)),
    h("ol", { class: "letters" }, table.seats.map((seat) => h("li", {}, h("span", {}, named(seat.name))))));
}

async function drawing(found, members, again) {
  const paper = await get(`${base}/paper`), sizes = paper.items.map((each) => each.seats);
  const active = Object.values(members).filter((member) => member.active);
  const tried = h("div", { "aria-live": "polite" });
  const pairings = ["spread", "swiss", "cyclic", "manual"].map((each) => [each, t(`pairing.${each}`)]);
  const fields = [
    h("div", { class: "fields" },
      select(t("rounds.pairing"), "pairing", pairings, "spread"),
      select(t("rounds.size"), "seats", sizes.map((each) => [each, each]), sizes.includes(4) ? 4 : sizes[0]),
      text(t("rounds.how_many"), "rounds", { type: "number", min: 1, max: 50, value: 1 }, t("rounds.how_many_what")),
      text(t("rounds.seed"), "seed", { maxlength: 80 }, t("rounds.seed_what"))),
    h("fieldset", { class: "absent" }, h("legend", {}, t("rounds.who_is_absent")), active.map((member) => checkbox(named(member.name), `absent ${member.id}`))),
    byHand(active),
  ];
  const whole = form(fields, t("rounds.try"), async (given) => {
    const body = asked(given);
    const drawing = await post(`${base}/rounds?preview=true`, body, { version: found.version, key: undefined });
    const made = drawing.events.filter((event) => event.type === "round_drawn");
    const exactly = { ...body, seed: made[0].seed };  // the draw that was seen
    tried.replaceChildren(...made.map((event) => preview(event, members)), keep(exactly, again));
    tried.querySelector("button").focus();
  }, "second");
  const hand = whole.querySelector(".by-hand");
  const pairing = whole.elements.pairing;
  const follow = () => { hand.hidden = pairing.value !== "manual"; };
  pairing.addEventListener("change", follow);
  follow();
  return [whole, tried];
}

// Tables given by hand: a number for each member, none for who sits out; seats in the members' order.
function byHand(active) {
  return h("fieldset", { class: "by-hand" }, h("legend", {}, t("rounds.by_hand")),
    active.map((member) => h("div", { class: "field row" },
      h("label", { for: `at-${member.id}` }, named(member.name)),
      h("input", { id: `at-${member.id}`, name: `at ${member.id}`, type: "number", min: 1, max: 500, inputmode: "numeric" }))));
}

function asked(given) {
  const chosen = (mark) => Object.keys(given).filter((name) => name.startsWith(`${mark} `)).map((name) => [name.slice(mark.length + 1), given[name]]);
  const absent = chosen("absent").map(([id]) => id);
  if (given.pairing !== "manual") {
    const seeded = given.seed && given.pairing !== "cyclic" ? { seed: given.seed } : {};
    return { pairing: given.pairing, seats: Number(given.seats), rounds: Number(given.rounds || 1), absent, ...seeded };
  }
  const tables = {};
  for (const [id, number] of chosen("at")) if (number && !absent.includes(id)) (tables[number] ||= []).push(id);
  return { pairing: "manual", absent, tables: Object.keys(tables).sort((a, b) => a - b).map((number) => tables[number]) };
}

function preview(event, members) {
  const tables = event.tables.map((table) => h("li", { class: "sunken" }, h("ol", { class: "letters" }, table.members.map((each) => h("li", {}, h("span", {}, named(members[each.member]?.name)))))));
  return h("div", {}, h("h3", {}, t("season.round_n", { n: event.round })), h("ul", { class: "cards tables" }, tables),
    event.byes.length > 0 && h("p", {}, t("rounds.byes"), " ", event.byes.map((id, at) => [at > 0 && ", ", named(members[id]?.name)])));
}

function keep(body, again) {
  return form([], t("rounds.keep"), async () => {
    await post(`${base}/rounds`, body);
    say(t("league.done"));
    await again();
  });
}
