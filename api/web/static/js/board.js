// A match as it lies on the cloth: seats, trick, piles, the reader's hand. Live and in replay, and for every game alike;
// what is a game's own comes from its module in games/. Beside it: table.js, replay.js.
import { back, backs, card, nameOf, sorted, useFaces } from "./cards.js";
import { h, svg } from "./dom.js";
import { figure, moment, t } from "./words.js";

const nothing = { begin() {}, centre: () => [], atSeat: () => [] };

// The game's module, ready for a match of it; a game that has none is drawn all the same.
export async function gameOf(catalogue, match) {
  const known = document.body.dataset.drawn.split(" ").includes(match.game);
  const module = { ...nothing, ...(known ? await import(`../games/${match.game}.js`) : {}) };
  module.begin(catalogue, match);
  useFaces(module.face);
  return module;
}

// What a seat is called: text, never markup.
export function seatName(match, seat) {
  const found = match.seats[seat];
  if (!found) return t("imp.lopaka");
  if (found.player) return found.player.name ?? t("seat.gone");
  if (found.label) return found.label;
  if (found.bot) return t("seat.bot_number", { seat: seat + 1, bot: t(`bot.${found.bot}`, {}, found.bot) });
  return t("seat.open");
}

const nameOfPlace = (match) => (seat) => h("bdi", {}, seatName(match, seat));

export function mySeat(match) {
  const mine = match.seats.find((seat) => seat.you && seat.accepted && !seat.resigned);
  return mine ? mine.seat : null;
}

let wanted = null;  // what had the focus: it is given back as soon as there is something to be said again

// Draws a match into `root`. `below`: whose hand lies at the bottom. `act(word)`: says a word; without it nothing can be
// said. `trick`: shown instead of the view's own, while it is still lying there.
export function draw(root, { match, module, below, act, trick, chosen }) {
  const deal = match.deal, view = deal?.view;
  if (root.contains(document.activeElement)) wanted = document.activeElement.dataset.say ?? "";
  else if (document.activeElement !== document.body) wanted = null;
  const legal = act && deal ? deal.legal : [];
  const scene = { match, deal, view, module, below, act, legal, seats: match.seats.length, nameOfPlace: nameOfPlace(match), chosen };
  root.replaceChildren(
    h("div", { class: `others n${around(scene).length}` }, around(scene).map((place) => seat(scene, place))),
    h("div", { class: "centre" }, view ? [h("div", { class: "game-own" }, module.centre(scene)), trickOf(scene, trick ?? view.trick)] : waiting(scene)),
    below === null ? "" : own(scene),
  );
  if (wanted !== null) refocus(root, wanted);
}

function refocus(root, said) {
  const buttons = [...root.querySelectorAll("[data-say]")];
  (buttons.find((button) => button.dataset.say === said) ?? buttons[0])?.focus({ preventScroll: true });
}

// Everybody else, from the left of whoever sits below on.
function around({ match, view, module, below, seats }) {
  const order = [...Array(seats).keys()], from = below === null ? 0 : below + 1;
  const ring = [...order.slice(from), ...order.slice(0, from)].filter((each) => each !== below);
  const more = view && module.places ? module.places({ view, seats }).map(({ place }) => place) : [];
  return [...ring, ...more];
}

function seat(scene, place) {
  const { match, deal, view, module, below } = scene, facts = match.seats[place];
  const acting = deal?.to_act.includes(place), hand = view?.hands?.[place];
  const size = Array.isArray(hand) ? hand.length : hand;
  const open = Array.isArray(hand) && place !== below ? sorted(hand, module.order?.()).map((word) => card(word, { class: "tiny" })) : null;
  return h("section", { class: `seat ${acting ? "acting" : ""} ${facts?.resigned ? "resigned" : ""}`, "aria-label": seatName(match, place), "data-seat": place },
    h("h2", {}, scene.nameOfPlace(place), marks(scene, place)),
    h("div", { class: "facts" }, facts && h("span", { class: "chip total", title: t("seat.total") }, t("seat.points", { points: figure(match.totals[place] ?? 0) })), clockOf(deal, place), view ? module.atSeat({ ...scene, seat: place, you: place === below }) : null),
    view && place !== below ? h("div", { class: "held" }, open ?? (size ? backs(size) : null)) : null);
}

function marks({ match, deal }, place) {
  const facts = match.seats[place], parts = [];
  if (deal?.dealer === place) parts.push(h("span", { class: "badge", title: t("seat.dealer") }, t("seat.dealer_short")));
  if (facts?.you) parts.push(h("span", { class: "badge you" }, t("seat.you")));
  if (facts?.resigned) parts.push(h("span", { class: "badge" }, t("seat.resigned")));
  if (facts?.replaced_by) parts.push(h("span", { class: "badge" }, t("seat.replaced")));
  return parts;
}

function clockOf(deal, place) {
  const due = deal?.deadlines.find((each) => each.seat === place);
  return due ? h("time", { class: "chip clock", datetime: due.at, "data-at": due.at }, remaining(due.at)) : null;
}

export function remaining(at) {
  const seconds = Math.max(0, Math.round((new Date(at) - Date.now()) / 1000));
  return seconds < 3600 ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}` : moment.format(new Date(at));
}

function trickOf({ match, nameOfPlace: name }, trick) {
  if (!Array.isArray(trick)) return null;
  return h("ol", { class: `trick n${trick.length}`, "aria-label": t("table.trick") }, trick.map(([place, word]) =>
    h("li", {}, card(word), h("span", { class: "by" }, name(place)))));
}

function waiting({ match, deal }) {
  if (deal?.awaiting_nonces) return h("p", { class: "big" }, t("table.nonces"));
  return h("p", { class: "big" }, t(`status.${match.status}`));
}

// The reader's own seat: his hand and what he may say.
function own(scene) {
  const { view, module, below, legal } = scene;
  const groups = !view ? [] : module.hands ? module.hands({ ...scene, seat: below }) : handOf(scene);
  const words = parsed(scene, groups);
  const verb = words.verbs.includes(scene.chosen?.verb) ? scene.chosen.verb : words.verbs[0];
  return h("div", { class: `own ${legal.length ? "mine" : ""}` },
    h("div", { class: "line" }, seat(scene, below), turnOf(scene, words, verb)),
    groups.map((group) => h("div", { class: "group" }, group.label && h("span", { class: "label" }, group.label), handed(scene, group.cards, words, verb))),
    saying(scene, words, verb));
}

function handOf({ view, below, module }) {
  const hand = view.hands?.[below];
  return [{ cards: Array.isArray(hand) ? sorted(hand, module.order?.()) : [], label: null }];
}

// Legal words, sorted by how they are said: a card, a verb and a card, or a button.
function parsed({ legal, module }, groups) {
  const held = new Set(groups.flatMap((group) => group.cards)), found = { cards: new Map(), verbs: [], buttons: [] };
  const packs = legal.some((word) => word.startsWith("sell ") && word.split(" ").length > 2);
  for (const word of legal) {
    const [verb, named, ...more] = word.split(" ");
    if (held.has(word)) found.cards.set(word, new Map([["", word]]));
    else if (held.has(named) && !more.length && !packs) {
      found.cards.set(named, (found.cards.get(named) ?? new Map()).set(verb, word));
      if (!found.verbs.includes(verb)) found.verbs.push(verb);
    } else if (!module.hiddenWords?.(word)) found.buttons.push(word);
  }
  if (module.worth) found.buttons.sort((a, b) => module.worth(b) - module.worth(a));
  return found;
}

function turnOf({ deal, match, act }, words, verb) {
  if (!act || !deal) return null;
  const asked = deal.your_turn ? (verb ? t(`ask.${verb}`, {}, t("table.your_turn")) : t(`ask.${deal.view?.phase}`, {}, t("table.your_turn"))) : match.status === "playing" ? t("table.wait") : "";
  return h("p", { class: deal.your_turn ? "turn yours" : "turn" }, asked);
}

function handed({ act }, cards, words, verb) {
  const row = h("div", { class: "hand", role: "group", "aria-label": t("table.hand"), onkeydown: arrows });
  for (const word of cards) {
    const said = words.cards.get(word)?.get(verb ?? "") ?? words.cards.get(word)?.get("");
    if (said && act) row.append(card(word, { tag: "button", type: "button", class: "playable", "data-say": said, "aria-label": verb ? `${t(`word.${verb}`, {}, verb)}: ${nameOf(word)}` : nameOf(word), onclick: () => act(said) }));
    else row.append(card(word, { class: act && words.cards.size ? "barred" : "" }));
  }
  return row;
}

function arrows(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const all = [...event.currentTarget.querySelectorAll("[data-say]")], at = all.indexOf(document.activeElement);
  all[(at + step + all.length) % all.length]?.focus();
  event.preventDefault();
}

// How words that are no cards look on their buttons.
export function label(scene, word) {
  const own = scene.module.wordLabel?.(word, scene);
  if (own) return own;
  const [verb, ...rest] = word.split(" ");
  return [t(`word.${word}`, {}, [t(`word.${verb}`, {}, verb), ...rest].join(" "))];
}

function saying(scene, words, verb) {
  const { act, below, seats, nameOfPlace: name, chosen } = scene;
  const verbs = words.verbs.length > 1 ? words.verbs.map((each) => h("button", { type: "button", class: "button small second verb", "aria-pressed": String(each === verb), onclick: () => chosen.choose(each) },
    t(`word.${each}`, {}, each), neighbour(scene, each))) : [];
  const buttons = words.buttons.map((word) => h("button", { type: "button", class: `button word ${word.split(" ")[0]}`, "data-say": word, onclick: () => act(word) }, label(scene, word)));
  return h("div", { class: "words" }, verbs.length ? h("div", { class: "verbs", role: "group", "aria-label": t("table.what") }, verbs) : null, h("div", { class: "buttons", onkeydown: arrows }, buttons));
}

function neighbour({ view, below, nameOfPlace: name }, verb) {
  const step = { left: 1, right: -1, give: -1 }[verb];
  if (!step || !view.table) return "";
  const at = view.table.indexOf(below) + step, count = view.table.length;
  return [" → ", name(view.table[(at + count) % count])];
}

// What an event says, in a line; null for one that goes without saying.
export function told(match, event) {
  const name = (seat) => h("bdi", {}, seatName(match, seat));
  const who = event.seat === undefined || event.seat === null ? null : name(event.seat);
  switch (event.type) {
    case "moved": return [who, ": ", event.move === null ? t("log.face_down") : spoken(event.move, match)];
    case "dealt": return [t("log.dealt", { deal: event.deal })];
    case "scored": return [t("log.scored", { deal: event.deal }), " ", event.points.map((points, seat) => [seat ? ", " : "", name(seat), ` ${figure(points)}`])];
    case "seated": return [who, " ", t("log.seated")];
    case "left": return [t("log.left", { seat: event.seat + 1 })];
    case "resigned": case "expired": case "takeback_asked": case "takeback_consented": case "takeback_refused": case "taken_back": return [who, " ", t(`log.${event.type}`)];
    case "replaced": return [who, " ", t(event.bot ? "log.replaced" : "log.returned")];
    case "ended": return [t("log.ended")];
    case "voided": return [t("log.voided"), event.note ? `: ${event.note}` : ""];
    default: return null;
  }
}

// A word as one would say it.
export function spoken(word, match) {
  const [verb, ...rest] = word.split(" ");
  if (!rest.length) return t(`word.${word}`, {}, nameOf(word));
  if (["claim", "admit", "place", "neutral", "open"].includes(verb)) return t(`word.${word}`, {}, [t(`word.${verb}`, {}, verb), ...rest.map((each) => (verb === "place" || verb === "neutral" ? Number(each) + 1 : each))].join(" "));
  return `${t(`word.${verb}`, {}, verb)} ${rest.map((each) => (t(`reason.${each}`, {}, "") || nameOf(each))).join(", ")}`;
}

// What happened by itself: the news of a view.
export function newsOf(match) {
  return (match.deal?.view?.news ?? []).map((news) => {
    const facts = { ...news, card: news.card && nameOf(news.card) };
    const text = t(`news.${news.what}.${news.why}`, facts, t(`news.${news.what}`, facts, ""));
    return text && [news.seat === undefined ? null : [h("bdi", {}, seatName(match, news.seat)), ": "], text];
  }).filter(Boolean);
}
