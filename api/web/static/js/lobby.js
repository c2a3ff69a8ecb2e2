// The lobby: opening a match, what waits for the reader, tables to sit down at or to watch.
import { get, post } from "./api.js";
import { seatName } from "./board.js";
import { $, h } from "./dom.js";
import { fault, figure, moment, t } from "./words.js";

const me = document.body.dataset.viewer;
const names = Object.fromEntries([...document.querySelectorAll("[data-game]")].map((each) => [each.dataset.game, $("h3", each).textContent]));
const owed = new Set();

// Opening one

function fillSeats(form) {
  const seats = form.elements.seats, chosen = form.elements.variant?.selectedOptions[0] ?? seats;
  const { min, max } = chosen.dataset, kept = Math.min(Math.max(Number(seats.value) || 4, min), max);
  seats.replaceChildren(...Array.from({ length: max - min + 1 }, (_, at) => h("option", { value: Number(min) + at, selected: Number(min) + at === kept }, String(Number(min) + at))));
}

function asked(form, game, how) {
  const { variant, seats, bot, clock, visibility } = form.elements, options = {};
  for (const field of form.querySelectorAll("[data-option]")) if (field.value !== "") options[field.dataset.option] = VALUES[field.dataset.type](field.value);
  const others = Array.from({ length: seats.value - 1 }, () => (how === "people" ? { open: true } : { bot: bot.value }));
  return { game, ...(variant && { variant: variant.value }), options, seats: [{ player: "me" }, ...others], visibility: visibility.value,
    clock: clock.value ? { turn_seconds: Number(clock.value) } : null };
}

const VALUES = { boolean: (text) => text === "true", string: (text) => text, integer: Number, integers: (text) => text.trim().split(/[\s,]+/).map(Number) };

for (const box of document.querySelectorAll("[data-game]")) {
  const form = $("form", box);
  fillSeats(form);
  form.elements.variant?.addEventListener("change", () => fillSeats(form));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!me) return location.assign(`/sign-in?next=${encodeURIComponent(`/#${box.dataset.game}`)}`);
    event.submitter.disabled = true;
    try {
      location.assign(`/matches/${(await post("/v1/matches", asked(form, box.dataset.game, event.submitter.value))).id}`);
    } catch (error) {
      $(".fault", form).textContent = fault(error);
    }
    event.submitter.disabled = false;
  });
  for (const each of form.querySelectorAll("[type=submit]")) each.disabled = false;
}

// What there is

const who = (match) => match.seats.map((seat, at) => [at ? ", " : "", h("bdi", {}, seatName(match, seat.seat))]);

function row(match) {
  const seat = match.seats.find((each) => each.you), free = match.seats.filter((each) => each.open).length;
  const state = owed.has(match.id) ? h("strong", { class: "flag" }, t("table.your_turn")) : seat && !seat.accepted ? h("strong", { class: "flag" }, t("lobby.invited")) : match.status === "open" ? h("span", {}, t("lobby.free", { free })) : h("span", {}, match.totals.map(figure).join(" · "));
  const act = seat && !seat.accepted ? t("lobby.look") : match.status === "open" && !seat ? t("seats.take") : match.status === "ended" ? t("table.replay") : seat ? t("lobby.go") : t("lobby.watch");
  return h("li", {}, h("div", { class: "what" }, h("strong", {}, names[match.game] ?? match.game), " ", h("span", { class: "muted" }, who(match))), state,
    h("a", { class: "button small second", href: `/matches/${match.id}${match.status === "ended" ? "/replay" : ""}`, "aria-label": `${act}: ${names[match.game] ?? match.game}, ${moment.format(new Date(match.created_at))}` }, act));
}

function fill(list, matches, otherwise) {
  $(list).replaceChildren(...(matches.length ? matches.map(row) : [h("li", { class: "muted" }, otherwise)]));
}

async function show() {
  const list = (query) => get(`/v1/matches?${query}`).then((page) => page.items);
  const [open, playing, ended, mine, waiting] = await Promise.all([
    list("status=open&limit=20"), list("status=playing&limit=10"), list("status=ended&limit=6"),
    me ? list(`player=${me}&status=playing&limit=20`) : [], me ? list(`player=${me}&status=open&limit=20`) : [],
  ]);
  fill("#open-rows", open, t("lobby.none_open"));
  fill("#playing-rows", playing.filter((match) => !match.seats.some((seat) => seat.you)), t("lobby.none_playing"));
  fill("#ended-rows", ended, t("lobby.none_ended"));
  fill("#mine-rows", [...waiting, ...mine].sort((a, b) => owed.has(b.id) - owed.has(a.id)), t("lobby.none_mine"));
}

let due = null;
function soon() {
  due ??= setTimeout(async () => {
    due = null;
    await show().catch((error) => fault(error));
  }, 400);
}

function listen() {
  const stream = new EventSource("/v1/stream");
  stream.onmessage = (message) => {
    const { type, match } = JSON.parse(message.data);
    if (type === "turn") owed.add(match);
    else if (type === "event" || type === "ended") owed.delete(match);
    soon();
  };
  stream.onopen = () => {
    owed.clear();
    soon();
  };
  stream.onerror = () => stream.readyState === EventSource.CLOSED && setTimeout(listen, 2000);
}

if (me) listen();
show().catch((error) => ($("#open-rows").textContent = fault(error)));
