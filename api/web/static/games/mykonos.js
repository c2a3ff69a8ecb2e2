// Mýkonos: the row on offer with its workers, money, packs to sell with their price.
import { card, nameOf } from "../js/cards.js";
import { h } from "../js/dom.js";
import { t } from "../js/words.js";

const RANKS = "A23456789TJQK";
const PRICES = { straight_flush: 15, four: 11, full: 8, flush: 7, straight: 6, three: 5, two_pairs: 4, pair: 2, single: 1 };
const isFigure = (word) => "JQK".includes(word[0]);

// Which pack some cards are; the same as the rules, 2.4.
export function pack(cards) {
  const counts = Object.values(Object.groupBy(cards, (word) => word[0])).map((group) => group.length).sort((a, b) => b - a).join("");
  const places = cards.map((word) => RANKS.indexOf(word[0])).sort((a, b) => a - b);
  const straight = cards.length === 5 && places.every((place, at) => place === places[0] + at);
  const flush = cards.length === 5 && new Set(cards.map((word) => word[1])).size === 1;
  if (straight) return flush ? "straight_flush" : "straight";
  if (flush) return "flush";
  return { 4: "four", 32: "full", 3: "three", 22: "two_pairs", 2: "pair", 1: "single" }[counts];
}

export const order = () => "KQJT98765432A";

const worker = (seat, name) => h("span", { class: `worker seat-${seat === null ? "none" : seat}`, title: name }, seat === null ? "×" : String(seat + 1));

export function centre({ view, match, legal, act, nameOfPlace }) {
  const row = h("ol", { class: "offer" });
  view.offer.forEach((word, at) => {
    const said = legal.find((each) => each === `place ${at}` || each === `neutral ${at}`);
    const who = view.columns[at].map((seat) => (seat === null ? t("mykonos.neutral") : plain(match, seat)));
    const column = h("span", { class: "workers" }, view.columns[at].map((seat, n) => worker(seat, who[n])));
    const text = t("mykonos.column", { card: nameOf(word), workers: who.join(", ") || "0" });
    const asked = view.phase === "purchases" && at === 0;
    row.append(h("li", { class: asked ? "asked" : "" },
      card(word, said ? { tag: "button", type: "button", class: "playable", "data-say": said, "aria-label": `${t(`word.${said.split(" ")[0]}`)}: ${text}`, onclick: () => act(said) } : {}),
      h("span", { class: "cost" }, view.columns[at].length ? `$${view.columns[at].length}` : "–"), column, h("span", { class: "visually-hidden" }, text)));
  });
  const left = typeof view.pack === "number" ? view.pack : view.pack.length;
  return [h("p", { class: "label" }, t("mykonos.round", { round: view.round, left }), " · ", t("mykonos.first"), " ", nameOfPlace(view.first)), row];
}

const plain = (match, seat) => match.seats[seat].player?.name || t("seat.bot");

export function atSeat({ view, seat }) {
  const figures = view.figures[seat];
  return [
    h("span", { class: "chip" }, worker(seat), h("strong", {}, ` $${view.money[seat]}`)),
    h("span", { class: "chip" }, t("mykonos.workers", { number: view.workers[seat] })),
    figures.length ? h("span", { class: "mini-row", title: t("mykonos.figures") }, h("span", { class: "visually-hidden" }, t("mykonos.figures")), figures.map((word) => card(word, { class: "tiny" }))) : null,
  ];
}

export function wordLabel(word, { view, match }) {
  const [verb, ...cards] = word.split(" ");
  if (verb === "buy") return [t("mykonos.buy", { price: view.columns[0].length })];
  if (verb === "sell") {
    const kind = pack(cards);
    return [h("strong", {}, `$${PRICES[kind]} `), t(`pack.${kind}`), h("span", { class: "mini-row" }, cards.map((each) => card(each, { class: "tiny" })))];
  }
  if (verb === "place" || verb === "neutral") return null;
  return null;
}

export const hiddenWords = (word) => word.startsWith("place") || word.startsWith("neutral");
export const worth = (word) => (word.startsWith("sell") ? PRICES[pack(word.split(" ").slice(1))] : 0);
export const marks = (word) => isFigure(word);
