// A table of the draw: who sits there; its match or its sheet; for organisers, seating it anew or giving it up.
import { get, post } from "../api.js";
import { h, say } from "../dom.js";
import { t } from "../words.js";
import { base, entry, folded, here, named, plainName, section, show, viewer } from "./common.js";
import { checkbox, does, form, note, select } from "./forms.js";
import { opening, people, tableState } from "./season.js";

show(async (again) => {
  const found = await opening(t("rounds.table", { n: entry.split("-").at(-1) }));
  const [table, members] = await Promise.all([get(`${base}/tables/${entry}`), people()]);
  const free = table.status === "open" && !table.match && !table.sheet && found.status === "open";
  const sits = table.seats.some((seat) => members[seat.member]?.you);
  const afterwards = async () => {
    say(t("league.done"));
    await again();
  };
  return [
    section([t("season.round_n", { n: table.round }), " ", tableState(table)],
      h("ol", { class: "letters" }, table.seats.map((seat) => h("li", {}, h("span", {}, h("a", { href: `${here}/members/${seat.member}` }, named(seat.name)), seat.for && h("small", { class: "muted" }, " ", t("seated.for"), " ", named(members[seat.for]?.name)))))),
      h("p", { class: "links" }, links(table))),
    free && viewer && (sits || found.organises) && playing(table, members),
    free && found.organises && [folded(t("seated.seat"), seating(table, members, afterwards)), folded(t("seated.give_up"), form([note()], t("seated.give_up"), async (given) => {
      await post(`${base}/tables/${entry}/void`, { note: given.note });
      await afterwards();
    }, "second"))],
  ];
});

function links(table) {
  const found = [];
  if (table.match) found.push(h("a", { class: "button", href: `/matches/${table.match}` }, t("seated.to_match")));
  if (table.sheet) found.push(h("a", { class: "button", href: `${here}/sheets/${table.sheet}` }, t("seated.to_sheet")));
  if (table.status === "done") found.push(h("a", { href: `${here}/results/${table.match || table.sheet}` }, t("outcome.title")));
  else if (!table.sheet) found.push(h("a", { href: `${base}/tables/${table.id}/sheet`, target: "_blank" }, t("seated.print")));
  return found;
}

function playing(table, members) {
  const guests = table.seats.some((seat) => !members[seat.member]?.player);
  const here_ = form([h("fieldset", {}, h("legend", {}, t("seated.who")), table.seats.map((seat) => checkbox(named(seat.name), `seat ${seat.seat}`, true)))], t("seated.write"), async (given) => {
    const present = table.seats.filter((seat) => given[`seat ${seat.seat}`]);
    const sitters = present.map((seat) => ({ member: seat.member, ...(seat.for ? { for: seat.for } : {}) }));
    location.assign(`${here}/sheets/${(await post(`${base}/sheets`, { table: table.id, members: sitters })).id}`);
  }, "wide-button");
  const online = guests ? h("p", { class: "muted" }, t("seated.guests")) : does(t("seated.play"), async () => {
    location.assign(`/matches/${(await post(`${base}/tables/${table.id}/match`)).match.id}`);
  }, "second wide-button");
  return h("div", { class: "pair" }, section(t("seated.on_paper"), here_), section(t("seated.online"), !guests && h("p", {}, t("seated.online_what")), online));
}

// Another line-up: each seat as it is, empty, or another member who sits for the one that was drawn.
function seating(table, members, afterwards) {
  const others = Object.values(members).filter((member) => member.active).map((member) => [member.id, plainName(member.name)]);
  const fields = table.seats.map((seat) => select(named(members[seat.for || seat.member]?.name), `seat ${seat.seat}`, [["", t("seated.absent")], ...others], seat.member));
  return form([h("p", {}, t("seated.seat_what")), h("div", { class: "fields" }, fields)], t("seated.seat"), async (given) => {
    const sitters = table.seats.map((seat) => [given[`seat ${seat.seat}`], seat.for || seat.member]).filter(([member]) => member);
    await post(`${base}/tables/${entry}/seats`, { members: sitters.map(([member, drawn]) => (member === drawn ? { member } : { member, for: drawn })) });
    await afterwards();
  });
}
