// Events in which all play the same deals: today's deal of each game, those that others have opened, opening one.
import { get, post } from "../api.js";
import { h } from "../dom.js";
import { language, t } from "../words.js";
import { folded, growing, on, section, show, viewer } from "./common.js";
import { enter, kind, state } from "./event.js";
import { does, field, form, select, text } from "./forms.js";
import { catalogue, chooser, gameName } from "./games.js";

const HOUR = 3600 * 1000;

show(async () => {
  const games = await catalogue(), today = await Promise.all(games.map(todays));
  const list = h("ul", { class: "cards" });
  return [
    h("p", { class: "lead" }, t("duplicates.what")),
    h("ul", { class: "cards small-cards" }, games.map((game, at) => daily(game, today[at]))),
    section(t("duplicates.events"), await growing("/v1/duplicates", list, card, t("duplicates.none"))),
    viewer && folded(t("duplicates.open"), await opening()),
  ];
});

// The deal of the day of a game, where anybody has asked for it.
async function todays(game) {
  const { items } = await get(`/v1/duplicates?game=${game.id}&limit=50`), day = new Date().toISOString().slice(0, 10);
  return items.find((each) => each.day === day);
}

function daily(game, event) {
  const play = does(t("duplicates.play"), async () => {
    if (!viewer) return location.assign("/sign-in?next=/duplicates");
    await enter(await post("/v1/duplicates", { game: game.id, daily: true }));
  }, "small");
  play.setAttribute("aria-label", `${t("duplicates.play")}: ${game.name[language]}`);
  return h("li", { class: "panel" }, h("h2", {}, game.name[language]),
    h("p", { class: "links" }, play, event && h("a", { href: `/duplicates/${event.id}` }, t("duplicates.standings"))));
}

function card(event) {
  const name = h("a", { href: `/duplicates/${event.id}` });
  gameName(event.game, event.variant).then((found) => name.append(found));
  return h("li", { class: "sunken" }, h("h3", {}, name), h("p", { class: "muted" }, event.day ? [t("duplicates.day"), " \u00b7 "] : "", on(event.created_at)),
    h("p", {}, kind(event)), h("p", {}, state(event)));
}

async function opening() {
  const whole = (low, high, value) => ({ type: "number", min: low, max: high, value, required: true });
  const fields = [h("div", { class: "fields" },
    field(t("leagues.game"), "game", await chooser("polignac polignac")),
    select(t("duplicates.kind"), "kind", [["solo", t("duplicates.solo")], ["tables", t("duplicates.tables")]], "solo"),
    text(t("lobby.seats"), "seats", whole(2, 10, 4)), text(t("duplicates.deals"), "deals", whole(1, 32, 4)),
    text(t("duplicates.hours"), "ends_at", whole(1, 720, 24)))];
  return form(fields, t("duplicates.open"), async ({ game, kind: chosen, seats, deals, ends_at }) => {
    const [name, variant] = game.split(" "), ends = new Date(Date.now() + ends_at * HOUR).toISOString();
    const made = await post("/v1/duplicates", { game: name, variant, kind: chosen, seats: Number(seats), deals: Number(deals), ends_at: ends });
    location.assign(`/duplicates/${made.id}`);
  });
}
