// The Bottle Imp: cards with their coins, the price and the bottle, three cards put aside face down, Lopaka.
import { card, sorted } from "../js/cards.js";
import { h, svg } from "../js/dom.js";
import { t } from "../js/words.js";

let deck = {};

// The card table is in the catalogue; which edition is in the match's options.
export function begin(game, match) {
  deck = game.tables.decks[match.options.deck || "classic"];
}

export function face(word) {
  const carried = deck[word];
  if (!carried) return null;
  const coins = h("span", { class: "coins" });
  for (let at = 0; at < carried.coins; at += 1) coins.append(h("span", { class: "coin" }));
  return { kind: `imp ${carried.suit}`, corner: [word], middle: h("span", {}, h("span", { class: "rank" }, word), coins),
    name: t("card.imp", { word, suit: t(`imp.${carried.suit}`), coins: carried.coins }) };
}

function bottle() {
  return svg("svg", { class: "bottle", viewBox: "0 0 24 40", "aria-hidden": "true" },
    svg("path", { d: "M9 2h6v9c0 3 6 5 6 12v12a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V23c0-7 6-9 6-12z", fill: "#3f8f5c", stroke: "#0d2a1a", "stroke-width": "1.500" }),
    svg("path", { d: "M8.500 2h7v4h-7z", fill: "#9a6a34" }),
    svg("path", { d: "M6.500 27c0-3 2.500-4 5.500-4s5.500 1 5.500 4v6h-11z", fill: "#b3201f" }),
    svg("path", { d: "M9 28.500l2 1m4-1-2 1", stroke: "#fff", "stroke-width": "1.300" }));
}

export function centre({ view, nameOfPlace }) {
  const price = h("div", { class: "price" }, bottle(),
    h("div", {}, h("span", { class: "label" }, t("imp.price")), h("strong", { class: "figure" }, String(view.price))),
    h("div", { class: "holder" }, h("span", { class: "label" }, t("imp.bottle")), h("span", {}, view.bottle === null ? t("imp.nobody") : nameOfPlace(view.bottle))));
  return [price];
}

// Beside a seat's name: coins so far, and in two-handed forms what lies open before it.
export function atSeat({ view, seat, you }) {
  const parts = [h("span", { class: "chip", title: t("imp.coins") }, h("span", { class: "coin-dot", "aria-hidden": "true" }), ` ${view.coins[seat]}`, h("span", { class: "visually-hidden" }, ` ${t("imp.coins")}`))];
  if (view.down[seat]?.length && Array.isArray(view.down[seat])) {
    parts.push(h("span", { class: "mini-row", title: t("imp.down") }, h("span", { class: "visually-hidden" }, t("imp.down")), sorted(view.down[seat]).map((word) => card(word, { class: "tiny" }))));
  }
  if (!you && view.open[seat]?.length) parts.push(h("span", { class: "mini-row" }, sorted(view.open[seat]).map((word) => card(word, { class: "tiny" }))));
  return parts;
}

// Places beyond the seats: Lopaka, who plays by itself.
export function places({ view, seats }) {
  return view.table.filter((place) => place >= seats).map((place) => ({ place, name: t("imp.lopaka") }));
}

// The groups in which a seat's own cards are held.
export function hands({ view, seat }) {
  const groups = [];
  const add = (cards, label) => Array.isArray(cards) && cards.length && groups.push({ cards: sorted(cards), label });
  if (view.second[seat]?.length || view.unseen[seat] || view.open[seat]?.length) {
    add(view.open[seat], t("imp.open_pile"));
    add(view.hands[seat], view.phase === "play" ? t("imp.hidden_pile") : t("imp.first_pile"));
    add(view.second[seat], t("imp.second_pile"));
    if (view.unseen[seat]) groups.push({ cards: [], label: t("imp.unseen", { number: view.unseen[seat] }) });
    return groups;
  }
  add(view.hands[seat], null);
  return groups;
}
