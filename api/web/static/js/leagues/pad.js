// The pad: deals with their running totals and reasons, and the form of one deal, cell by cell as on paper.
import { get } from "../api.js";
import { bdi, h } from "../dom.js";
import { language, t } from "../words.js";
import { base, folded, grid, minus, named, place, plainName, points, signed } from "./common.js";
import { field, form, note } from "./forms.js";

// What is written down at a table of this size: GET …/paper.
export const paper = async (seats) => (await get(`${base}/paper`)).items.find((each) => each.seats === seats);

const letter = (seat) => "ABCDEFGHIJ"[seat];

// Deals so far

export function deals(sheet) {
  const players = sheet.seats.map((seat) => [h("abbr", { title: plainName(seat.name) }, letter(seat.seat)), "number", (deal) => score(deal, seat.seat)]);
  const table = grid(t("paper.deals"), [[t("paper.number"), "number", (deal) => `${deal.number}${deal.extra ? "*" : ""}`],
    [t("paper.dealer"), "", (deal) => letter(deal.dealer)], ...players], sheet.deals, { class: "pad" });
  const sums = h("tr", {}, h("th", { scope: "row", colspan: 2 }, t("paper.total")), sheet.totals.map((total) => h("td", { class: "number" }, points(total))));
  const places = h("tr", {}, h("th", { scope: "row", colspan: 2 }, t("standings.place")), sheet.places.map((each) => h("td", { class: "number" }, place(each))));
  table.querySelector("table").append(h("tfoot", {}, sums, sheet.deals.length > 0 && places));
  return [legend(sheet), table, sheet.deals.length > 0 && folded(t("paper.reasons"), h("ol", { class: "versions" }, sheet.deals.map((deal) => why(sheet, deal))))];
}

export const legend = (sheet) => h("ol", { class: "letters legend" }, sheet.seats.map((seat) =>
  h("li", {}, h("span", {}, named(seat.name), seat.for && h("small", { class: "muted" }, ` ${t("outcome.for_another")}`)))));

function score(deal, seat) {
  if (deal.void) return "\u00d7";
  return [h("b", {}, points(deal.points[seat])), " ", h("small", { class: "muted" }, points(deal.totals[seat]))];
}

function why(sheet, deal) {
  if (deal.void) return h("li", { value: deal.number }, t("paper.misdeal"));
  const lines = sheet.seats.map((seat) => [seat, deal.lines.filter((line) => line.seat === seat.seat)]).filter(([, found]) => found.length);
  return h("li", { value: deal.number }, lines.length ? lines.map(([seat, found]) =>
    h("div", {}, named(seat.name), ": ", found.map((line, at) => [at > 0 && ", ", reason(line.reason), " ", signed(line.points)]))) : t("paper.nothing"));
}

const PIPS = { S: "\u2660", H: "\u2665", D: "\u2666", C: "\u2663" };

export function reason(word) {
  const card = /^([AKQJT]|10|[2-9])([SHDC])$/.exec(word);
  return card ? `${card[1]}${PIPS[card[2]]}` : t(`reason.${word}`, {}, word.replaceAll("_", " "));
}

// The form of a deal

// Controls for the cells of a deal; `values`: what stands in them already.
export function cells(form, sheet, values = {}) {
  const groups = new Map();
  for (const cell of form.cells) {
    const label = cell.label[language];
    if (cell.seat === null) groups.set(cell.name, one(cell, form, sheet, values[cell.name] ?? ""));
    else groups.set(label, [...(groups.get(label) || []), number(cell, sheet.seats[cell.seat], values[cell.name] ?? "")]);
  }
  return [...groups].map(([label, made]) => (Array.isArray(made) ? h("fieldset", { class: "by-seat" }, h("legend", {}, label), made) : made));
}

function number(cell, seat, value) {
  const input = h("input", { inputmode: "numeric", pattern: "-?[0-9]*", autocomplete: "off", value, maxlength: 9 });
  return field([h("b", { class: "seat" }, letter(seat.seat)), " ", named(seat.name)], `cells.${cell.name}`, input);
}

function one(cell, form, sheet, value) {
  const label = cell.label[language], name = `cells.${cell.name}`;
  const seats = [...form.letters].map((each, at) => [each, each, at < sheet.seats.length ? plainName(sheet.seats[at].name) : label]);
  if (cell.kind === "seat") return choices(label, name, [["", "\u2013", t("paper.nobody")], ...seats], value);
  if (cell.kind === "seats") return choices(label, name, seats, value.split(" "), "checkbox");
  if (cell.kind === "choice") return choices(label, name, [["", "\u2013", t("paper.none")], ...cell.choices.map((each) => [each, reason(each), each])], value);
  if (cell.kind === "yes") return choices(label, name, [["", t("paper.no"), t("paper.no")], ["x", t("paper.yes"), t("paper.yes")]], value);
  const facts = cell.kind === "number" ? { inputmode: "numeric", maxlength: 9 } : { autocapitalize: "off", spellcheck: "false" };
  return field(label, name, h("input", { autocomplete: "off", value, ...facts }));
}

// One of some, or several, as wide buttons; each is said in full.
export function choices(label, name, all, value, type = "radio") {
  const chosen = (each) => (Array.isArray(value) ? value.includes(each) : each === value);
  const red = /[\u2665\u2666]/.test(label);
  return h("fieldset", { class: "field choices" }, h("legend", { class: red ? "red" : "" }, label),
    h("div", { class: "segments" }, all.map(([each, shown, full]) => h("label", {},
      h("input", { type, name, value: each, checked: chosen(each), "aria-label": full }), h("span", { "aria-hidden": "true" }, bdi(shown))))),
    h("p", { class: "said" }));
}

export const dealer = (sheet, value) => choices(t("paper.dealer"), "dealer", sheet.seats.map((seat) => [`${seat.seat}`, letter(seat.seat), plainName(seat.name)]), `${value}`);

// The deal that a form says, by cells.
export function written(whole, form) {
  const data = new FormData(whole), found = {};
  for (const cell of form.cells) found[cell.name] = data.getAll(`cells.${cell.name}`).join(" ").trim();
  return { dealer: Number(data.get("dealer")), cells: found };
}

// Who deals next, unless somebody else does: after a misdeal the same again.
export function next(sheet) {
  const last = sheet.deals.at(-1);
  return last ? (last.void ? last.dealer : (last.dealer + 1) % sheet.seats.length) : 0;
}

// What a tally says in each cell.
export function values(form, tally) {
  return Object.fromEntries(form.cells.map((cell) => [cell.name, value(cell, cell.path.split(".").reduce((found, step) => found?.[step], tally))]));
}

function value(cell, found) {
  if (found === null || found === undefined) return "";
  if (cell.kind === "seat") return letter(found);
  if (cell.kind === "seats") return found.map(letter).join(" ");
  if (cell.kind === "words") return found.join(" ");
  if (cell.kind === "yes") return found ? "x" : "";
  return cell.kind === "json" ? JSON.stringify(found) : `${found}`;
}

// For a correction: one deal of a sheet written anew, all others as they are.
export function rewriting(sheet, send, afterwards) {
  const around = h("div", {});
  const pick = h("select", {}, sheet.deals.map((deal) => h("option", { value: deal.number }, t("paper.deal_n", { n: deal.number }))));
  async function draw() {
    const asked = await paper(sheet.seats.length), at = pick.value - 1, deal = sheet.deals[at];
    const fields = [dealer(sheet, deal.dealer), cells(asked, sheet, deal.tally ? values(asked, deal.tally) : {}), note()];
    const whole = form(fields, t("outcome.correct"), async (given) => {
      const all = sheet.deals.map((each) => (each.void ? { dealer: each.dealer, void: true } : { dealer: each.dealer, tally: each.tally }));
      all[at] = written(whole, asked);
      await send({ deals: all, note: given.note });
      await afterwards();
    }, "", (name) => name.replace(`deals.${at}.`, ""));
    around.replaceChildren(whole);
  }
  pick.addEventListener("change", draw);
  draw();
  return [field(t("paper.which"), "", pick), around];
}

export const change = (sheet, before) => sheet.seats.map((seat) => [letter(seat.seat), plainName(seat.name), sheet.totals[seat.seat] - before.totals[seat.seat], sheet.totals[seat.seat]]);

export const told = (sheet, before) => change(sheet, before).map(([, name, more, total]) => `${name} ${minus(more > 0 ? `+${more}` : `${more}`)} (${minus(`${total}`)})`).join(" \u00b7 ");
