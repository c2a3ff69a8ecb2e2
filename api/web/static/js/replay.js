// A match from its first event on: one frame a version, drawn with the eyes that are chosen.
import { analysisOf } from "./analysis.js";
import { draw, gameOf, mySeat, newsOf, seatName, told } from "./board.js";
import { Problem, get } from "./api.js";
import { $, h, say } from "./dom.js";
import { dealsOf, isSound } from "./fair.js";
import { drawPad } from "./pad.js";
import { fault, figure, t } from "./words.js";

const id = document.body.dataset.match, path = `/v1/matches/${id}`;
const root = $("#board"), scrubber = $("#at"), DELAYS = { 1: 1200, 2: 600, 4: 300, 10: 80 };
let frames = [], seen = "own", module = null, at = 0, timer = null, catalogue = null, decision = () => null;

async function read(eyes) {
  const answer = await fetch(`${path}/replay?eyes=${eyes}`, { headers: { "X-Tapete-Page": "1", "Accept-Language": document.documentElement.lang } });
  if (!answer.ok) throw new Problem(answer.status, await answer.json());
  return (await answer.text()).trim().split("\n").map((line) => JSON.parse(line));
}

async function begin() {
  try {
    frames = await read("own");
  } catch (error) {
    $("#status").textContent = fault(error);
    return;
  }
  const latest = frames.at(-1).match;
  catalogue = await get(`/v1/games/${latest.game}`);
  module = await gameOf(catalogue, latest);
  $("#title").textContent = `${t("replay.title")}: ${catalogue.name[document.documentElement.lang]}`;
  document.title = `${$("#title").textContent} · Tapete`;
  eyes(latest);
  decision = analysisOf(latest, go, showDecision);
  scrubber.max = frames.length;
  go(wanted() ?? frames.length);
  $("#controls").hidden = $("#check").disabled = false;
}

const wanted = () => Number(new URLSearchParams(location.hash.slice(1)).get("v")) || null;

// Any seat's once a match is over; before that, only what the reader may see.
function eyes(match) {
  const over = match.status === "ended" || match.status === "voided";
  $("#eyes").replaceChildren(h("option", { value: "own" }, t("replay.own")), ...(over ? [h("option", { value: "all" }, t("replay.all")), ...match.seats.map((seat) => h("option", { value: seat.seat }, seatName(match, seat.seat)))] : []));
}

function go(version) {
  at = Math.min(Math.max(version, 1), frames.length);
  const { match, event } = frames[at - 1], chosen = seen, below = /^\d$/.test(chosen) ? Number(chosen) : mySeat(match) ?? (chosen === "all" ? 0 : null);
  draw(root, { match, module, below: match.deal?.view ? below : null, act: null, trick: gathered() });
  root.dataset.eyes = chosen;
  scrubber.value = at;
  scrubber.setAttribute("aria-valuetext", `${at} ${t("replay.of")} ${frames.length}`);
  $("#where").textContent = `${at} / ${frames.length}`;
  $("#status").replaceChildren(...[told(match, event) ?? ""].flat(Infinity));
  $("#by-itself").replaceChildren(...newsOf(match).map((line) => h("li", {}, line)));
  $("#link").href = `#v=${at}`;
  history.replaceState(null, "", `#v=${at}`);
  drawPad($("#pad"), match, frames.slice(0, at).map((frame) => frame.event).filter((each) => each.type === "scored"), (scored) => go(dealtAt(scored.deal)));
  drawDeals();
  showDecision();
}

const showDecision = () => $("#decision").replaceChildren(...(decision(at) ?? []));

// A trick that has just been complete is shown with its last card.
function gathered() {
  const { event, match } = frames[at - 1], before = frames[at - 2]?.match.deal?.view?.trick;
  if (event.type !== "moved" || !event.move || event.move.includes(" ") || !before?.length || match.deal.view.trick.length) return undefined;
  return [...before, [event.seat, event.move]];
}

const dealtAt = (deal) => frames.find((frame) => frame.event.type === "dealt" && frame.event.deal === deal).version;

function drawDeals() {
  const number = frames[at - 1].match.deal?.number;
  const rows = frames.filter((frame) => frame.event.type === "dealt").map(({ event, version }) => {
    const scored = frames.find((frame) => frame.event.type === "scored" && frame.event.deal === event.deal)?.event;
    return h("li", {}, h("button", { type: "button", class: "deal", "aria-current": event.deal === number ? "true" : undefined, onclick: () => go(version) }, h("strong", {}, `${t("pad.deal")} ${event.deal}`), ` ${scored ? scored.points.map(figure).join(" · ") : "…"}`));
  });
  $("#deals").replaceChildren(...rows);
}

function play() {
  const stop = timer !== null;
  clearInterval(timer);
  timer = stop ? null : setInterval(() => (at >= frames.length ? play() : go(at + 1)), DELAYS[$("#speed").value]);
  $("#play").textContent = stop ? "▶" : "❚❚";
  $("#play").setAttribute("aria-label", t(stop ? "replay.play" : "replay.stop"));
}

function byDeal(step) {
  const starts = frames.filter((frame) => frame.event.type === "dealt").map((frame) => frame.version);
  const next = step > 0 ? starts.find((version) => version > at) : starts.findLast((version) => version < at);
  go(next ?? (step > 0 ? frames.length : 1));
}

const KEYS = { ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), ArrowUp: () => byDeal(-1), ArrowDown: () => byDeal(1), Home: () => go(1), End: () => go(frames.length), " ": play };
document.addEventListener("keydown", (event) => {
  if (!frames.length || event.target.closest("select, button, a, summary, [role=region], .log") || event.altKey || event.ctrlKey || event.metaKey || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});

scrubber.addEventListener("input", () => go(Number(scrubber.value)));
$("#first").addEventListener("click", () => go(1));
$("#back").addEventListener("click", () => go(at - 1));
$("#forward").addEventListener("click", () => go(at + 1));
$("#last").addEventListener("click", () => go(frames.length));
$("#play").addEventListener("click", () => (at >= frames.length && timer === null ? (go(1), play()) : play()));
$("#speed").addEventListener("change", () => timer !== null && (play(), play()));
addEventListener("hashchange", () => frames.length && wanted() && wanted() !== at && go(wanted()));
$("#eyes").addEventListener("change", async (event) => {
  try {
    const chosen = event.target.value, found = await read(chosen);
    if (chosen !== $("#eyes").value) return;
    [frames, seen] = [found, chosen];
    go(at);
  } catch (error) {
    say(fault(error), true);
  }
});

$("#check").addEventListener("click", async () => {
  if (!crypto.subtle) return say(t("fair.https"), true);
  $("#checked").replaceChildren();
  const { match } = frames.at(-1);
  for (const { deal, dealt, nonces, due } of dealsOf(frames.map((frame) => frame.event))) {
    const open = Boolean(dealt.seed), said = open ? ((await isSound(dealt, nonces, match.seats.length, due)) ? "sound" : "unsound") : dealt.pack || dealt.commitment === null ? "prepared" : "hidden";
    $("#checked").append(h("li", { class: said }, h("strong", {}, `${t("pad.deal")} ${deal}: ${t(`fair.${said}`)}`), h("span", {}, `${t("seat.dealer")}: `, h("bdi", {}, seatName(match, dealt.dealer))),
      dealt.commitment && h("span", {}, `${t("fair.commitment")} `, h("code", {}, dealt.commitment)), open && h("span", {}, `${t("fair.seed")} `, h("code", {}, dealt.seed)),
      Object.keys(nonces).length ? h("span", {}, `${t("fair.nonces")} `, h("code", {}, Object.values(nonces).map((nonce) => nonce || "–").join(" "))) : null));
  }
});
begin();
