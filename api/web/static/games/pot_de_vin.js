// Pot de Vin: characters and guilds, the turned card, gems on the trick, columns by guild.
import { card } from "../js/cards.js";
import { h, svg } from "../js/dom.js";
import { t } from "../js/words.js";

const SIGNS = {
  nobility: "M3 19 2 7l5.500 4L12 4l4.500 7L22 7l-1 12z",
  artists: "M12 3c5.500 0 10 3.600 10 8.200 0 3.300-2.600 4.800-5 4.800h-2c-1.500 0-2 1-1.300 2.200.8 1.400.1 2.800-1.700 2.800C6.500 21 2 17 2 12s4.500-9 10-9zM7 9.500a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3zm4-3.500a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3zm5 1a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3z",
  merchants: "M11 2h2v3h7v2l3 7a4 4 0 0 1-8 0l2.500-6H13v11h4v2H7v-2h4V8H6.500L9 14a4 4 0 0 1-8 0l3-7V5h7z",
  craftsmen: "M4 3h11l5 4-3 3-2-1.500V10L9 22l-4-2 6-11H4z",
  knights: "M12 2 21 5v7c0 5-4 8.500-9 10.500C7 20.500 3 17 3 12V5zm-1 4v4H7v2.500h4V18h2v-5.500h4V10h-4V6z",
  assassins: "M20 2 9.500 14.500 8 13l-1.500 1.500 2 2L3 21l1 1 4.500-5.500 2 2L12 17l-1.500-1.500L22 4z",
  joker: "M12 2l2.900 6.300 6.900.8-5.100 4.700 1.400 6.800L12 17.200l-6.100 3.400 1.400-6.800L2.200 9.100l6.900-.8z",
  pot_de_vin: "M6 3h12c0 6-1.500 10-5 10.800V19h4v2H7v-2h4v-5.200C7.500 13 6 9 6 3z",
};
const GUILDS = ["nobility", "artists", "merchants", "craftsmen", "knights", "assassins"];
const GREY = ["joker", "plus_two", "minus_two", "pot_de_vin"];
let cards = {};

export function begin(game, match) {
  cards = match.options.cards;
}

const sign = (what, name) => svg("svg", { viewBox: "0 0 24 24", class: `sign ${name || ""} ${what}`, "aria-hidden": "true", fill: "currentColor" }, svg("path", { d: SIGNS[what], "fill-rule": "evenodd" }));

export function face(word) {
  const carried = cards[word]?.split(" ");
  if (!carried) return null;
  const what = carried[0], letter = word[0];
  const shown = SIGNS[what] ? carried.map((each) => sign(each)) : [h("span", { class: "word" }, what === "plus_two" ? "+2" : "−2")];
  return { kind: `vin ${letter} ${GREY.includes(what) ? "grey" : ""}`, corner: [word.slice(1)],
    middle: h("span", {}, h("span", { class: "letter" }, letter), h("span", { class: `carried ${carried.length > 1 ? "two" : ""}` }, shown)),
    name: t("card.vin", { value: word.slice(1), character: t(`vin.${letter}`), carried: carried.length > 1 ? `${t(`reason.${what}`)} ×2` : t(`reason.${what}`) }) };
}

const gem = () => svg("svg", { viewBox: "0 0 24 24", class: "gem", "aria-hidden": "true" }, svg("path", { d: "M6 3h12l4 6-10 12L2 9z" }), svg("path", { class: "facet", d: "M2 9h20M9 9l3 12 3-12-3-6z" }));

export function centre({ view, nameOfPlace }) {
  const turned = h("div", { class: "pile" }, h("span", { class: "label" }, t("vin.trump")), view.turned.length ? card(view.turned[0]) : h("span", { class: "card empty" }));
  const deck = typeof view.deck === "number" ? view.deck : view.deck.length;
  const rest = h("div", { class: "pile" }, h("span", { class: "label" }, t("vin.deck")), h("strong", { class: "figure" }, String(deck)));
  const bribes = h("div", { class: "pile" }, h("span", { class: "label" }, t("vin.on_trick")), h("span", { class: "gems" }, view.bribed.map((seat) => h("span", { class: "gem-of", title: "" }, gem(), h("small", {}, nameOfPlace(seat))))));
  return [h("div", { class: "piles" }, turned, rest, view.bribed.length ? bribes : null)];
}

export function atSeat({ view, seat }) {
  const gems = h("span", { class: "chip" }, gem(), ` ${view.gems[seat]}${view.treasure[seat] ? ` + ${view.treasure[seat]}` : ""}`, h("span", { class: "visually-hidden" }, ` ${t("vin.gems")}`));
  const columns = [...GUILDS, ...GREY].filter((what) => view.columns[seat][what]).map((what) =>
    h("span", { class: "column-of", title: t(`reason.${what}`) }, SIGNS[what] ? sign(what) : h("b", {}, what === "plus_two" ? "+2" : "−2"), h("span", { class: "visually-hidden" }, ` ${t(`reason.${what}`)}: `), String(view.columns[seat][what])));
  return [gems, h("span", { class: "columns-of" }, columns)];
}

export function wordLabel(word) {
  if (word === "bribe") return [gem(), ` ${t("word.bribe")}`];
  const [verb, guild] = word.split(" ");
  return verb === "joker" ? [sign(guild), ` ${t("vin.joker_on", { guild: t(`reason.${guild}`) })}`] : null;
}
