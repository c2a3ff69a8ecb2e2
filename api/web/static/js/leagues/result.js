// One result: what it counts, what it ever was and why, where it comes from, and what may be said to it.
import { get, post } from "../api.js";
import { bdi, h, say } from "../dom.js";
import { moment, t } from "../words.js";
import { base, entry, folded, grid, here, named, place, points, section, show, signed } from "./common.js";
import { form, note, text } from "./forms.js";
import { called, order, status } from "./outcomes.js";
import { opening, people } from "./season.js";
import { deals, rewriting } from "./pad.js";
import { word } from "./word.js";

show(async (again) => {
  const [found, result, members] = await Promise.all([opening(t("outcome.title")), get(`${base}/results/${entry}`), people()]);
  const sheet = result.source === "sheet" ? await get(`${base}/sheets/${entry}`) : null;
  const afterwards = async () => {
    say(t("league.done"));
    await again();
  };
  return [
    section([called(result), " ", status(result)], scores(result), from(result)),
    word(found, result, members, afterwards),
    section(t("outcome.history"), result.versions.length ? h("ol", { class: "versions" }, result.versions.map((each, at) => version(result, each, at, members))) : h("p", { class: "muted" }, t("outcome.not_yet"))),
    sheet && section(t("outcome.deals"), deals(sheet)),
    found.organises && result.status !== "void" && amending(found, result, sheet, afterwards),
  ];
});

function scores(result) {
  return grid(t("outcome.title"), [
    [t("standings.name"), "", (seat) => [h("a", { href: `${here}/members/${seat.for || seat.member}` }, named(seat.name)), seat.for && h("small", { class: "muted" }, ` ${t("outcome.for_another")}`)]],
    [t("standings.place"), "number", (seat) => (result.places ? place(result.places[seat.seat]) : "\u2013")],
    [t("outcome.points"), "number", (seat) => (result.points ? points(result.points[seat.seat]) : "\u2013")],
    [t("outcome.worth"), "number strong", (seat) => (result.worth ? points(result.worth[seat.seat], result.scale) : "\u2013")],
  ], order(result));
}

function from(result) {
  const links = [];
  if (result.source === "match") links.push(h("a", { href: `/matches/${result.id}/replay` }, t("outcome.replay")));
  else links.push(h("a", { href: `${here}/sheets/${result.id}` }, t("outcome.sheet_page")), h("a", { href: `${base}/sheets/${result.id}`, target: "_blank" }, t("sheet.print")));
  return h("p", { class: "links" }, links.map((link, at) => [at > 0 && " \u00b7 ", link]));
}

function version(result, each, at, members) {
  const who = Object.values(members).find((member) => member.player === each.by);
  const what = each.points ? result.seats.map((seat) => [seat.seat > 0 && ", ", named(seat.name), " ", points(each.points[seat.seat]), before(result, each, at, seat.seat)]) : t("outcome.is_void");
  return h("li", {}, h("b", {}, t(at ? "outcome.corrected" : "outcome.recorded")), " ", h("time", { datetime: each.at }, moment.format(new Date(each.at))),
    each.by && [" \u00b7 ", who ? named(who.name) : t("outcome.organiser")],
    h("p", {}, what), each.note && h("p", { class: "reason" }, h("q", {}, bdi(each.note))));
}

function before(result, each, at, seat) {
  const old = at && result.versions[at - 1].points;
  return old && old[seat] !== each.points[seat] ? h("small", { class: "changed" }, ` (${signed(each.points[seat] - old[seat])})`) : "";
}

// For organisers: a ruling where somebody's word is missing, else a correction.
function amending(found, result, sheet, afterwards) {
  const counts = result.status === "confirmed";
  const send = (body) => (counts ? post(`${base}/corrections`, { result: result.id, ...body }) : post(`${base}/results/${result.id}/ruling`, { outcome: "correct", ...body }));
  const ways = [folded(t("outcome.by_points"), byPoints(result, send, afterwards))];
  if (sheet?.deals.length) ways.unshift(folded(t("outcome.by_deal"), rewriting(sheet, send, afterwards)));
  ways.push(folded(t("outcome.make_void"), form([note()], t("outcome.make_void"), async (given) => {
    await (counts ? send({ void: true, note: given.note }) : post(`${base}/results/${result.id}/ruling`, { outcome: "void", note: given.note }));
    await afterwards();
  }, "second")));
  if (!counts) {
    ways.unshift(folded(t("outcome.let_stand"), form([note()], t("outcome.let_stand"), async (given) => {
      await post(`${base}/results/${result.id}/ruling`, { outcome: "confirm", note: given.note });
      await afterwards();
    })));
  }
  return section(t(counts ? "outcome.correct" : "outcome.rule"), ways);
}

function byPoints(result, send, afterwards) {
  const fields = result.seats.map((seat) => text(named(seat.name), `points.${seat.seat}`, { type: "number", step: 1, value: result.points?.[seat.seat] ?? 0, required: true }));
  return form([h("div", { class: "fields" }, fields), note()], t("outcome.correct"), async (given) => {
    await send({ points: result.seats.map((seat) => Number(given[`points.${seat.seat}`])), note: given.note });
    await afterwards();
  });
}
