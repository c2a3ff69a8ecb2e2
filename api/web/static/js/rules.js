// The cards of a rules page, drawn as at the table.
import { gameOf } from "./board.js";
import { card } from "./cards.js";
import { get } from "./api.js";

const id = document.body.dataset.game, game = await get(`/v1/games/${id}`);
for (const deck of document.querySelectorAll(".deck")) {
  const name = deck.dataset.deck, carries = Object.fromEntries([...deck.children].map((each) => [each.dataset.card, JSON.parse(each.dataset.carries)]));
  const cards = Object.fromEntries(Object.entries(carries).map(([word, what]) => [word, Array(what.symbols ?? 1).fill(what.guild ?? what.kind).join(" ")]));
  await gameOf(game, { game: id, options: { deck: name, cards } });
  for (const each of deck.children) each.replaceChildren(card(each.dataset.card));
}
