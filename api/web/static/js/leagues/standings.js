// The table of a season: places and what decided them, as it is or was; charts, with the same figures as tables.
import { get } from "../api.js";
import { h } from "../dom.js";
import { moment, t } from "../words.js";
import { base, folded, grid, here, named, pill, place, points, save, section, show } from "./common.js";
import { exact } from "./exact.js";
import { form, select, text } from "./forms.js";
import { criterion, said } from "./scoring.js";
import { opening, played } from "./season.js";

const asked = new URLSearchParams(location.search);
const ASKED = ["as_of", "view", "revision"];

show(async () => {
  const query = new URLSearchParams(ASKED.filter((name) => asked.get(name)).map((name) => [name, asked.get(name)]));
  const [found, table, history] = await Promise.all([opening(), get(`${base}/standings?${query}`), get(`${base}/history`)]);
  return [
    h("p", { class: "lead" }, [await played(found), said(found)].join(". ")),
    section(heading(table), status(found, table), standings(table), downloads(query), when(found, table)),
    history.rounds.length > 0 && h("div", { class: "charts" }, chart("places", history), chart("points", history)),
    changes(found),
  ];
});

function heading(table) {
  const kind = table.view === "now" || table.view === "revision" ? (table.final ? "final" : table.provisional ? "provisional" : "open") : "past";
  return [t("season.standings"), " ", pill(kind, t(`standings.${kind}`)),
    table.revision && table.revisions > 1 && [" ", pill("", t("standings.revision", { n: table.revision, of: table.revisions }))]];
}

function status(found, table) {
  const lines = [];
  if (table.as_of) lines.push(t(`standings.${table.view}_at`, { at: moment.format(new Date(table.as_of)) }));
  if (table.view === "revision") lines.push(t("standings.old_revision", { n: table.revision }));
  if (table.reason) lines.push(`${t("standings.reason")} ${table.reason}`);
  if (table.open.length) lines.push(t("standings.waiting", { n: table.open.length }));
  const past = table.view !== "now" && h("a", { href: here }, t("standings.as_now"));
  return lines.length || past ? h("p", { class: "muted" }, lines.join(" "), " ", past) : null;
}

function standings(table) {
  if (!table.rows.length) return h("p", { class: "muted" }, t("standings.empty"));
  const most = Math.max(0, ...table.rows.map((row) => row.places.length));
  const places = Array.from({ length: most }, (_, at) => [ordinal(at + 1), "number extra", (row) => row.places[at] || "\u00b7"]);
  // What a lot came to says nothing to a reader; whoever checks it has it in the CSV.
  const ties = table.tie_breaks.filter((name) => name !== "lot" && table.rows.some((row) => value(row, name) !== undefined));
  return grid(t("season.standings"), [
    [t("standings.place"), "number", (row) => placed(row, table.rows)],
    [t("standings.name"), "", (row) => h("a", { href: `${here}/members/${row.member}` }, named(row.name))],
    [t("standings.points"), "number strong", (row) => h("a", { href: `${here}/members/${row.member}`, "aria-label": `${t("standings.points")}: ${exact(row.exact)}` }, exact(row.exact))],
    [t("standings.decided"), "why", (row) => decided(row, table)],
    [t("standings.results"), "number extra", (row) => [row.results, row.dropped.length > 0 && h("small", { class: "muted" }, ` (\u2212${row.dropped.length})`)]],
    ...places,
    ...ties.map((name) => [criterion(name), "number extra", (row) => exact(value(row, name))]),
    [t("standings.adjustments"), "number extra", (row) => (row.adjustments ? h("a", { href: `${here}/members/${row.member}` }, points(Math.round(row.adjustments * 60), 60)) : "\u00b7")],
  ], table.rows, { class: "standings" });
}

const ordinal = (n) => t("league.place", { n });

const value = (row, name) => row.ties.find((tie) => tie.criterion === name)?.exact;

function placed(row, rows) {
  if (row.place === null) return h("span", { title: t("standings.unplaced") }, "\u2013");
  const shared = rows.filter((each) => each.place === row.place).length > 1;
  return [`${row.place}`, shared && h("span", { title: t("standings.is_shared") }, "=", h("span", { class: "visually-hidden" }, t("standings.is_shared")))];
}

// What put this row before the next: the points, a tie-break with both values, or nothing.
function decided(row, table) {
  const next = table.rows[table.rows.indexOf(row) + 1];
  if (!row.decided_by || !next) return "";
  if (row.decided_by === "score") return h("span", { class: "muted" }, t("standings.by_points"));
  if (row.decided_by === "shared") return t("standings.is_shared");
  const values = [row, next].map((each) => value(each, row.decided_by)).map((each) => (each === undefined ? "" : exact(each)));
  return h("b", {}, `${criterion(row.decided_by)}${values.every(Boolean) && row.decided_by !== "lot" ? ` ${values.join(" : ")}` : ""}`);
}

// Elsewhere and at other times

function downloads(query) {
  return h("p", { class: "links" }, [["text/csv", "CSV"], ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "Excel"]].map(([type, name]) => {
    const link = h("button", { type: "button", class: "quiet-button small" }, t("standings.download", { name }));
    link.addEventListener("click", () => save(`${base}/standings?${query}`, type, `standings.${name === "CSV" ? "csv" : "xlsx"}`));
    return link;
  }));
}

function when(found, table) {
  const views = ["known", "corrected"].map((each) => [each, t(`standings.${each}`)]);
  const asking = form([
    h("div", { class: "fields" },
      text(t("standings.as_of"), "as_of", { type: "datetime-local", required: true, value: local(table.as_of) }),
      select(t("standings.view"), "view", views, asked.get("view") || "known", t("standings.view_what"))),
  ], t("standings.show"), async ({ as_of, view }) => {
    if (as_of) location.assign(`${here}?${new URLSearchParams({ as_of: new Date(as_of).toISOString(), view })}`);
  }, "second small");
  const revisions = found.revisions.map((_, at) => h("li", {}, h("a", { href: `${here}?revision=${at + 1}` }, t("standings.revision", { n: at + 1, of: found.revisions.length }))));
  const past = folded(t("standings.at_a_time"), asking, revisions.length > 0 && h("ul", { class: "plain" }, revisions));
  past.open = Boolean(table.as_of);
  return past;
}

function local(time) {
  if (!time) return null;
  const at = new Date(time);
  return new Date(at - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
}

// Charts

function chart(what, history) {
  const caption = t(`standings.chart_${what}`);
  const picture = h("img", { alt: t("standings.chart_alt", { caption }), width: 720, height: 440 });
  draw(picture, `${base}/history?chart=${what}`);
  const columns = [[t("standings.name"), "", (line) => named(line.name)],
    ...history.rounds.map((round, at) => [t("season.round_n", { n: round }), "number", (line) => (what === "places" ? place(line.places[at]) : exact(line.exact[at]))])];
  return h("figure", { class: "panel" }, h("figcaption", {}, h("h2", {}, caption)), h("div", { class: "wide drawn", tabindex: "0", role: "region", "aria-label": caption }, picture),
    folded(t("standings.as_table"), grid(caption, columns, history.members)));
}

// Asked for in the page's language, which need not be the browser's.
async function draw(picture, path) {
  const answer = await fetch(path, { headers: { Accept: "image/svg+xml", "Accept-Language": document.documentElement.lang, "X-Tapete-Page": "1" } });
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await answer.text())}`;
}

function changes(found) {
  if (!found.changes.length) return null;
  return section(t("standings.changes"), h("ul", {}, found.changes.map((each) =>
    h("li", {}, moment.format(new Date(each.at)), each.note && [": ", h("q", {}, each.note)]))));
}
