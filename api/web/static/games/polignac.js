// Polignac and its family: what was declared, who has taken the cards that cost, revokes.
import { card } from "../js/cards.js";
import { h } from "../js/dom.js";
import { t } from "../js/words.js";

let ranks = "KQJAT987";

export function begin(game, match) {
  ranks = match.options.ranks;
}

export const order = () => ranks;

export function centre({ view, nameOfPlace }) {
  const said = view.declaration;
  return [said && h("p", { class: "declared" }, nameOfPlace(said.seat), ": ", h("strong", {}, t(`word.${said.kind}`)), said.alive ? "" : ` (${t("polignac.failed")})`)];
}

export function atSeat({ view, seat }) {
  const taken = Object.entries(view.taken).filter(([, taker]) => taker === seat).map(([word]) => card(word, { class: "tiny" }));
  const tricks = view.winners.filter((winner) => winner === seat).length;
  const call = view.calls.filter(([caller]) => caller === seat).at(-1);
  return [
    view.phase === "call" && call && h("span", { class: "chip" }, t(`word.${call[1]}`)),
    h("span", { class: "chip" }, t("polignac.tricks", { number: tricks })),
    taken.length ? h("span", { class: "mini-row", title: t("polignac.taken") }, h("span", { class: "visually-hidden" }, t("polignac.taken")), taken) : null,
  ];
}

export function wordLabel(word, { nameOfPlace }) {
  const [verb, one, two] = word.split(" ");
  if (verb === "claim") return [t("polignac.claim", { trick: two }), " ", nameOfPlace(Number(one))];
  if (verb === "admit") return [t("polignac.admit", { trick: one })];
  return null;
}
