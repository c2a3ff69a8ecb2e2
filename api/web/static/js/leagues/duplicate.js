// One event in which all play the same deals: playing in it, who stands where, and whether the packs are those promised.
import { get } from "../api.js";
import { bdi, h } from "../dom.js";
import { figure, t } from "../words.js";
import { duplicate, folded, grid, named, on, place, section, show, title, viewer } from "./common.js";
import { enter, kind, state } from "./event.js";
import { does } from "./forms.js";
import { gameName } from "./games.js";

let stream = null;
const signed = (value) => (value > 0 ? "+" : "") + figure(Math.round(value * 100) / 100);

show(async (again) => {
  const event = await get(`/v1/duplicates/${duplicate}`);
  title([bdi(await gameName(event.game, event.variant)), " ", state(event)]);
  return [
    h("p", { class: "lead" }, event.day ? [t("duplicates.day"), ", ", on(event.created_at), " \u00b7 "] : "", kind(event), " \u00b7 ", t("duplicates.deals_n", { n: event.deals })),
    h("p", { class: "links" }, entry(event, again)),
    section(t("duplicates.standings"), h("p", { class: "muted" }, t(event.over ? "duplicates.all_boards" : "duplicates.own_boards")), standings(event)),
    section(t("duplicates.promise"), h("p", {}, t("duplicates.promise_what")), h("p", {}, h("code", { class: "long" }, event.commitment)), event.over && packs(event)),
  ];
});

// Who waits is told when the table begins; what happened while nobody listened is read once the stream is open.
function listen(again) {
  stream ??= Object.assign(new EventSource("/v1/stream"), { onopen: again, onmessage: ({ data }) => JSON.parse(data).type === "started" && again() });
}

function entry(event, again) {
  if (event.entry?.match) {
    stream?.close();
    return h("a", { class: "button", href: `/matches/${event.entry.match}` }, t("duplicates.to_match"));
  }
  if (event.entry) {
    listen(again);
    return t("duplicates.waiting", { seats: event.seats });
  }
  if (event.over) return null;
  if (!viewer) return h("a", { class: "button", href: `/sign-in?next=${encodeURIComponent(location.pathname)}` }, t("nav.sign_in"));
  return does(t("duplicates.enter"), async () => {
    await enter(event);
    await again();
  }, "");
}

function standings(event) {
  if (!event.standings.length) return h("p", { class: "muted" }, t("duplicates.nobody"));
  const boards = Array.from({ length: event.deals }, (_, at) => [`${t("pad.deal")} ${at + 1}`, "number", (row) => board(row.boards.find((each) => each.board === at + 1))]);
  return grid(t("duplicates.standings"), [
    [t("standings.place"), "number", (row) => place(row.place)],
    [t("standings.name"), "", (row) => [h("a", { href: `/players/${row.player.id}` }, named(row.player.name)), row.match && [" ", h("a", { href: `/matches/${row.match}/replay` }, t("outcome.replay"))]]],
    [t("duplicates.difference"), "number strong", (row) => signed(row.difference)],
    ...boards,
  ], event.standings);
}

const board = (found) => (found ? [`${figure(found.points)} `, h("small", { class: "muted" }, signed(found.difference))] : "\u2013");

// Once the event is over: the packs, and whether they are what was promised.
function packs(event) {
  const said = h("p", { role: "status" });
  const check = crypto.subtle && does(t("fair.check"), async () => {
    const text = new TextEncoder().encode(event.packs.map((pack) => pack.join(" ")).join("\n")), salt = Uint8Array.from(event.salt.match(/../g), (pair) => parseInt(pair, 16));
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from([...salt, ...text])));
    said.textContent = t([...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("") === event.commitment ? "fair.sound" : "fair.unsound");
  });
  return [h("p", { class: "links" }, check), said, folded(t("duplicates.packs"), h("ol", {}, event.packs.map((pack) => h("li", {}, h("code", {}, pack.join(" "))))))];
}
