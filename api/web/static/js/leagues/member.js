// Where a member's points come from: results kept and dropped, adjustments, and every line of the ledger with its cause.
import { get } from "../api.js";
import { bdi, h } from "../dom.js";
import { moment, t } from "../words.js";
import { all, base, entry, grid, here, named, on, pill, place, points, section, show, signed } from "./common.js";
import { called } from "./outcomes.js";
import { criterion } from "./scoring.js";
import { opening, people } from "./season.js";
import { exact } from "./exact.js";

show(async () => {
  const [members, table, results, adjustments, transfers] = await Promise.all([people(), get(`${base}/standings`),
    all(`${base}/results`), get(`${base}/adjustments`), all(`${base}/ledger`)]);
  const member = members[entry];
  await opening(member ? named(member.name) : t("member.nobody"));
  const row = table.rows.find((each) => each.member === entry), dropped = new Set(row?.dropped);
  const own = results.map((result) => [result, result.seats.find((seat) => (seat.for || seat.member) === entry)]).filter(([, seat]) => seat);
  return [
    row && section(t("member.stands"), facts(row, table, member)),
    section(t("season.results"), own.length ? played(own, dropped) : h("p", { class: "muted" }, t("results.none"))),
    section(t("member.ledger"), h("p", { class: "muted" }, t("member.ledger_what")), lines(transfers, results, members)),
    given(adjustments.items.filter((each) => each.member === entry)),
  ];
});

function facts(row, table, member) {
  const pairs = [
    [t("standings.place"), row.place === null ? t("standings.unplaced") : place(row.place)],
    [t("standings.points"), exact(row.exact)],
    [t("standings.results"), row.results],
    row.dropped.length > 0 && [t("member.dropped"), row.dropped.length],
    row.adjustments !== 0 && [t("standings.adjustments"), points(Math.round(row.adjustments * 60), 60)],
    ...row.ties.filter((tie) => tie.criterion !== "lot").map((tie) => [criterion(tie.criterion), exact(tie.exact)]),
  ].filter(Boolean);
  return [h("dl", { class: "facts" }, pairs.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    member?.player && h("p", {}, h("a", { href: `/players/${member.player}` }, t("member.player_page"))),
    table.provisional && h("p", { class: "muted" }, t("member.provisional"))];
}

function played(own, dropped) {
  return grid(t("season.results"), [
    [t("member.what"), "light", ([result]) => [h("a", { href: `${here}/results/${result.id}` }, called(result)), " ", on(result.ended_at),
      result.versions.length > 1 && [" ", pill("provisional", t("outcome.corrected"))], dropped.has(result.id) && [" ", pill("void", t("member.is_dropped"))]]],
    [t("standings.place"), "number", ([result, seat]) => (result.places ? place(result.places[seat.seat]) : "\u2013")],
    [t("outcome.points"), "number", ([result, seat]) => (result.points ? points(result.points[seat.seat]) : "\u2013")],
    [t("outcome.worth"), "number strong", ([result, seat]) => (result.worth ? points(result.worth[seat.seat], result.scale) : t(`outcome.${result.status}`))],
  ], own);
}

function lines(transfers, results, members) {
  const mine = transfers.flatMap((transfer) => transfer.postings.filter((posting) => posting.member === entry).map((posting) => [transfer, posting]));
  if (!mine.length) return h("p", { class: "muted" }, t("member.no_lines"));
  const sums = [];
  for (const [, posting] of [...mine].reverse()) sums.unshift((sums[0] || 0) + posting.amount);
  const by = (id) => Object.values(members).find((member) => member.player && member.player === id);
  return grid(t("member.ledger"), [
    [t("member.what"), "light", ([transfer]) => [t(`kind.${transfer.kind}`), " \u00b7 ", cause(transfer.cause, results),
      h("div", { class: "muted" }, moment.format(new Date(transfer.recorded_at))), transfer.cause.note && h("div", { class: "reason" }, h("q", {}, bdi(transfer.cause.note)))]],
    [t("member.amount"), "number", ([, posting]) => signed(posting.amount, posting.scale)],
    [t("member.sum"), "number strong", (line) => points(sums[mine.indexOf(line)], line[1].scale)],
    [t("member.by"), "extra", ([transfer]) => (by(transfer.cause.by) ? named(by(transfer.cause.by).name) : transfer.cause.by ? t("outcome.organiser") : t("member.house"))],
  ], mine);
}

function cause(found, results) {
  const result = results.find((each) => each.id === found.result);
  const text = t(`cause.${found.type}`, {}, found.type.replaceAll("_", " "));
  return result ? h("a", { href: `${here}/results/${result.id}` }, text, " (", called(result), ")") : text;
}

function given(adjustments) {
  if (!adjustments.length) return null;
  return section(t("organise.adjustments"), h("ul", {}, adjustments.map((each) => h("li", { class: each.cancelled ? "cancelled" : "" },
    t(`kind.${each.kind}`), " ", h("b", {}, signed(each.amount, each.scale)), " ", on(each.effective_at), each.note && [": ", h("q", {}, bdi(each.note))], each.cancelled && [" ", pill("void", t("organise.cancelled"))]))));
}
