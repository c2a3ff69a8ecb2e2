// What the pages of leagues and players have in common: facts of the page, names, points, lists, what went wrong.
import { get } from "../api.js";
import { $, bdi, h } from "../dom.js";
import { fault, language, number, t } from "../words.js";

export const { season, league, player, duplicate, entry, viewer } = document.body.dataset;
export const base = `/v1/seasons/${season}`;
export const here = `/seasons/${season}`;
export const minus = (text) => text.replace("-", "\u2212");

const view = $("#view");
const day = new Intl.DateTimeFormat(language, { dateStyle: "medium" });

// Shows what `build` answers; again whenever the function that this answers is called.
export function show(build) {
  return (async function again() {
    try {
      view.replaceChildren(...flat(await build(again)));
    } catch (error) {
      view.replaceChildren(h("p", { class: "panel fault", role: "alert" }, fault(error)));
    }
    view.removeAttribute("aria-busy");
  })();
}

const flat = (found) => [found].flat(Infinity).filter((each) => each || each === 0);

// Every item of a list, page after page.
export async function all(path) {
  const found = [];
  for (let cursor = ""; ;) {
    const page = await get(`${path}${path.includes("?") ? "&" : "?"}limit=200${cursor}`);
    found.push(...page.items);
    if (!page.next) return found;
    cursor = `&cursor=${encodeURIComponent(page.next)}`;
  }
}

// A list that grows on demand: `row` makes an element of an item.
export async function growing(path, list, row, empty) {
  const more = h("button", { type: "button", class: "button second small" }, t("league.more"));
  async function grow(cursor) {
    const page = await get(`${path}${path.includes("?") ? "&" : "?"}limit=20${cursor}`);
    const rows = page.items.map(row);
    list.append(...rows);
    if (cursor) ($("a, button", rows[0]) || more).focus();
    more.hidden = !page.next;
    more.onclick = () => grow(`&cursor=${encodeURIComponent(page.next)}`);
    return page.items.length;
  }
  return (await grow("")) ? [list, more] : h("p", { class: "muted" }, empty);
}

export const named = (name) => (name === null || name === undefined ? h("i", {}, t("league.nameless")) : bdi(name));

export const plainName = (name) => name ?? t("league.nameless");

// The page's title, and where it stands.
export function title(text, ...trail) {
  $("#title").replaceChildren(...flat(text));
  const [first] = $("#trail").children;
  $("#trail").replaceChildren(...flat([first, trail.map((each) => [" \u203a ", each])]));
  document.title = `${$("#title").textContent} \u00b7 Tapete`;
}

export const on = (time) => (time ? h("time", { datetime: time }, day.format(new Date(time))) : "");

export const pill = (kind, text) => h("span", { class: `pill ${kind}` }, text);

// Points: exact, as a whole number, with two decimals where that says it all, or else as a fraction.
export function points(amount, scale = 1) {
  if (amount === null || amount === undefined) return "\u2013";
  if ((100 * amount) % scale === 0) return minus(number.format(amount / scale));
  const rest = Math.abs(amount) % scale, whole = Math.trunc(Math.abs(amount) / scale), by = divisor(rest, scale);
  return `${amount < 0 ? "\u2212" : ""}${whole || ""} ${rest / by}/${scale / by}`.trim();
}

const divisor = (a, b) => (b ? divisor(b, a % b) : a);

export const signed = (amount, scale) => (amount > 0 ? "+" : "") + points(amount, scale);

export const place = (n) => (n === null ? "\u2013" : t("league.place", { n }));

// A table of rows; `columns`: [what stands above, class, cell of a row]. It scrolls by itself where it is too wide.
export function grid(caption, columns, rows, facts = {}) {
  return h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": caption },
    h("table", facts,
      h("thead", {}, h("tr", {}, columns.map(([head, kind]) => h("th", { scope: "col", class: kind }, head)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, columns.map(([, kind, cell], at) =>
        at === 0 ? h("th", { scope: "row", class: kind }, cell(row)) : h("td", { class: kind }, cell(row))))))));
}

export const section = (head, ...content) => h("section", { class: "panel" }, h("h2", {}, head), content);

export const folded = (head, ...content) => h("details", { class: "fold" }, h("summary", {}, head), content);

// Another shape of an answer (CSV, Excel), kept as a file.
export async function save(path, type, name) {
  const answer = await fetch(path, { headers: { Accept: type, "X-Tapete-Page": "1" } });
  const url = URL.createObjectURL(await answer.blob());
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
