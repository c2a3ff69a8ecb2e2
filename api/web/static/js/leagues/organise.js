// What organisers do beside the game: penalties, another way of counting, an evening as CSV, the end.
import { call, get, post } from "../api.js";
import { bdi, h, say } from "../dom.js";
import { t } from "../words.js";
import { base, folded, here, named, on, pill, plainName, points, save, section, show, signed } from "./common.js";
import { does, form, note, select, text } from "./forms.js";
import { called } from "./outcomes.js";
import { fields, given, said } from "./scoring.js";
import { opening, people, tableState } from "./season.js";

show(async (again) => {
  const found = await opening(t("season.organise"));
  if (!found.organises) return h("p", { class: "panel" }, t("organise.not_you"));
  const [members, adjustments, rounds] = await Promise.all([people(), get(`${base}/adjustments`), get(`${base}/rounds`)]);
  const afterwards = async () => {
    say(t("league.done"));
    await again();
  };
  const running = found.status === "open";
  return [
    section(t("organise.waits"), waiting(found)),
    section(t("organise.adjustments"), list(adjustments.items, members, afterwards), folded(t("organise.adjust"), adjusting(members, afterwards))),
    running && section(t("organise.evening"), evening(rounds.items, afterwards)),
    running && section(t("organise.scheme"), h("p", {}, said(found)), folded(t("organise.change"), form([...fields(found), note()], t("organise.change"), async (values) => {
      await post(`${base}/scheme`, { ...given(values), note: values.note });
      await afterwards();
    }))),
    section(t("organise.end"), running ? closing(found, afterwards) : reopening(afterwards)),
  ];
});

function waiting(found) {
  if (!found.open.length) return h("p", { class: "muted" }, t("organise.nothing_waits"));
  const list = h("ul", {}, found.open.map((id) => h("li", {}, h("code", {}, id))));
  name(list);
  return list;
}

// What is open has an id of a table, a sheet or a result: each is looked up to be called by its place.
async function name(list) {
  const [tables, sheets, results] = await Promise.all([get(`${base}/tables`), get(`${base}/sheets?limit=200`), get(`${base}/results?limit=200`)]);
  const open = [...list.children].map((item) => item.textContent);
  for (const item of [...list.children]) {
    const id = item.textContent, table = tables.items.find((each) => each.id === id);
    const sheet = sheets.items.find((each) => each.id === id), result = results.items.find((each) => each.id === id);
    if (table && open.includes(table.sheet)) item.remove();
    else if (table) item.replaceChildren(h("a", { href: `${here}/tables/${id}` }, called({ table: id, round: table.round })), " ", tableState(table));
    else if (result) item.replaceChildren(h("a", { href: `${here}/results/${id}` }, called(result)), " ", pill("provisional", t(`outcome.${result.status}`)));
    else if (sheet) item.replaceChildren(h("a", { href: `${here}/sheets/${id}` }, called(sheet)), " ", pill("open", t("seated.writing")));
  }
}

function list(adjustments, members, afterwards) {
  if (!adjustments.length) return h("p", { class: "muted" }, t("organise.none"));
  return h("ul", { class: "lines" }, adjustments.map((each) => h("li", { class: each.cancelled ? "cancelled" : "" },
    named(members[each.member]?.name), " \u00b7 ", t(`kind.${each.kind}`), " ", h("b", {}, signed(each.amount, each.scale)), " ", on(each.effective_at),
    each.note && [": ", h("q", {}, bdi(each.note))], " ",
    each.cancelled ? pill("void", t("organise.cancelled")) : does(t("organise.cancel"), async () => {
      await call("DELETE", `${base}/adjustments/${each.id}`);
      await afterwards();
    }, "quiet-button small"))));
}

function adjusting(members, afterwards) {
  const everybody = Object.values(members).map((member) => [member.id, plainName(member.name)]);
  const kinds = ["penalty", "bonus", "adjustment"].map((each) => [each, t(`kind.${each}`)]);
  const whole = [h("div", { class: "fields" }, select(t("standings.name"), "member", everybody), select(t("organise.kind"), "kind", kinds, "penalty"),
    text(t("standings.points"), "points", { inputmode: "decimal", required: true }, t("organise.points_what"))), note()];
  return form(whole, t("organise.adjust"), async (values) => {
    const amount = values.points.trim().replace("\u2212", "-").replace(",", ".");
    await post(`${base}/adjustments`, { member: values.member, kind: values.kind, points: values.kind === "penalty" && /^[0-9]/.test(amount) ? `-${amount}` : amount, note: values.note });
    await afterwards();
  });
}

// An evening as CSV: to be filled in by a spreadsheet, tried, and brought back.
function evening(rounds, afterwards) {
  const file = h("input", { type: "file", id: "csv", accept: ".csv,text/csv" }), tried = h("div", { role: "status" });
  const blanks = rounds.map((round) => does(t("organise.blank", { n: round.round }), () => save(`${base}/rounds/${round.round}/sheets`, "text/csv", `round-${round.round}.csv`)));
  // Whether everything was taken; what was read, or what is wrong, is shown.
  const send = async (query) => {
    if (!file.files.length) return say(t("organise.no_file"), true);
    const headers = { "Content-Type": "text/csv", Accept: "application/json", "Accept-Language": document.documentElement.lang, "X-Tapete-Page": "1" };
    const answer = await fetch(`${base}/sheets${query}`, { method: "POST", body: file.files[0], headers });
    tried.replaceChildren(read(await answer.json()));
    return answer.ok;
  };
  const bring = async () => {
    if (await send("")) await afterwards();
  };
  return h("div", { id: "evening" }, h("p", {}, t("organise.evening_what")), h("p", { class: "links" }, blanks),
    h("label", { for: "csv" }, t("organise.file")), file,
    h("p", { class: "links" }, does(t("organise.try"), () => send("?preview=true")), does(t("organise.bring"), bring, "")), tried);
}

function read(content) {
  if (content.items) return h("ul", {}, content.items.map((sheet) => h("li", {}, called(sheet), ": ", sheet.seats.map((seat, at) => [at > 0 && ", ", named(seat.name), ` ${points(sheet.totals[at])}`]))));
  const errors = Object.entries(content.errors || {});
  return h("ul", { class: "said" }, (errors.length ? errors.map(([at, what]) => (at ? `${at}: ${what}` : what)) : [content.detail]).map((line) => h("li", {}, line)));
}

function closing(found, afterwards) {
  return [h("p", {}, t("organise.close_what")), does(t("organise.close"), async () => {
    await post(`${base}/close`);
    await afterwards();
  }, found.open.length ? "second" : "")];
}

function reopening(afterwards) {
  return folded(t("organise.reopen"), form([note()], t("organise.reopen"), async (values) => {
    await post(`${base}/reopen`, { note: values.note });
    await afterwards();
  }, "second"));
}
