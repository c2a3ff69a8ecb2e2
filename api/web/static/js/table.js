// A match, live: the stream of its events, drawn one after the other; and the words that the reader says.
import { call, get, newKey, post } from "./api.js";
import { draw, gameOf, mySeat, newsOf, remaining, seatName, told } from "./board.js";
import { $, h, say } from "./dom.js";
import { drawPad } from "./pad.js";
import { openSeats } from "./seats.js";
import { overhear, showTalk } from "./talk.js";
import { fault, figure, t } from "./words.js";

const id = document.body.dataset.match, path = `/v1/matches/${id}`;
const PACES = { calm: 1, quick: 0.4, once: 0 };
const root = $("#board"), frames = new Map(), scored = [], queue = [];
let match = null, module = null, busy = false, drawing = false, last = 0, chosen = null, duplicate = null;

const pace = () => PACES[localStorage.getItem("tapete_pace")] ?? 1;
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds * pace()));

async function begin() {
  try {
    match = await get(path);
  } catch (error) {
    $("#status").textContent = fault(error);
    $("#board").hidden = $(".side").hidden = true;
    openSeats.byCode(id);
    return;
  }
  const catalogue = await get(`/v1/games/${match.game}`);
  module = await gameOf(catalogue, match);
  $("#title").textContent = `${catalogue.name[document.documentElement.lang]}${match.variant === "standard" || match.variant === match.game ? "" : ` · ${catalogue.variants.find((each) => each.id === match.variant).name[document.documentElement.lang]}`}`;
  frames.set(match.version, match);
  render();
  listen();
  setInterval(tick, 500);
}

// The stream: history for pad and log, then whatever happens. The browser resumes it by itself after its last event.
function listen() {
  const stream = new EventSource(`${path}/events?after=${last}`);
  stream.onopen = () => $("#connection").hidden = true;
  stream.onmessage = (message) => take(JSON.parse(message.data));
  stream.onerror = () => {
    if (match.status === "ended" || match.status === "voided") return stream.close();
    $("#connection").hidden = false;
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  };
}

function take(event) {
  if (event.version <= last) return;
  last = event.version;
  overhear(event);
  log(event);
  if (event.event) {
    duplicate = event.event;
    render();
  }
  if (event.type === "scored") scored.push(event);
  if (event.version > match.version) {
    queue.push(event);
    drawNext();
  } else if (event.type === "scored") drawPad($("#pad"), match, scored);
}

async function drawNext() {
  if (drawing) return;
  drawing = true;
  try {
    while (queue.length) {
      const behind = queue.length > 12 || !pace() ? queue.splice(0, queue.length) : [queue.shift()], event = behind.at(-1);
      const next = frames.get(event.version) ?? await get(`${path}?at=${event.version}`);
      await lay(match, next, event);
      if (next.version > match.version) match = next;
      render();
      if (queue.length) await pause(450);
    }
  } catch (error) {
    if (error.status === undefined) throw error;
    queue.length = 0;
    $("#connection").hidden = false;
    setTimeout(refresh, 2000);
  } finally {
    drawing = false;
  }
}

// The last card of a trick is seen before the trick is gathered.
async function lay(before, after, event) {
  const was = before.deal?.view?.trick, now = after.deal?.view?.trick;
  if (event.type !== "moved" || !event.move || !Array.isArray(was) || event.move.includes(" ") || !pace()) return;
  const same = after.deal.number === before.deal.number && now?.length === was.length + 1;
  if (same || !/^([A-Z0-9][A-Z0-9]{0,2})$/.test(event.move)) return;
  draw(root, { match: before, module, below: mySeat(before), act: null, trick: [...was, [event.seat, event.move]], chosen });
  await pause(1100);
}

async function refresh() {
  try {
    match = await get(path);
    $("#connection").hidden = true;
    render();
  } catch (error) {
    if (error.status === 0) setTimeout(refresh, 2000);
    else say(fault(error), true);
  }
}

function render() {
  const seat = mySeat(match), playing = match.status === "playing";
  chosen = { verb: chosen?.verb, choose: (verb) => { chosen.verb = verb; render(); } };
  draw(root, { match, module, below: seat, act: seat !== null && playing ? act : null, chosen });
  drawPad($("#pad"), match, scored);
  $("#by-itself").replaceChildren(...newsOf(match).map((line) => h("li", {}, line)));
  openSeats.show(match, act_on, () => location.reload());
  showTalk({ match, refresh, choose: chosen.choose });
  $("#again").hidden = match.status === "open";
  $("#resign").hidden = seat === null || !playing;
  $("#return").hidden = !match.seats.some((each) => each.you && each.replaced_by && !each.resigned);
  $("#result").replaceChildren(...resultOf());
  const mine = match.deal?.your_turn;
  $("#status").textContent = playing ? (mine ? t("table.your_turn") : seat === null ? t("table.watching") : t("table.wait")) : t(`status.${match.status}`);
  document.title = `${mine ? "● " : ""}${$("#title").textContent} · Tapete`;
  if (match.deal?.awaiting_nonces?.includes(seat)) giveNonce();
}

function resultOf() {
  if (!match.result) return [];
  const { places, totals } = match.result, order = places.map((place, seat) => [place, seat]).sort((a, b) => a[0] - b[0]);
  return [h("h2", {}, t("table.over")), h("ol", { class: "places" }, order.map(([place, seat]) => h("li", { value: place }, h("bdi", {}, seatName(match, seat)), h("strong", {}, ` ${figure(totals[seat])}`)))),
    h("p", {}, h("a", { class: "button", href: `/matches/${id}/replay` }, t("table.replay")), " ", duplicate && [h("a", { class: "button second", href: `/duplicates/${duplicate}` }, t("duplicates.standings")), " "], h("a", { class: "button second", href: "/" }, t("nav.lobby")))];
}

// Says a word once, however often it is clicked.
async function act(word) {
  if (busy) return;
  busy = true;
  document.body.classList.add("busy");
  try {
    await saidAt(match.version, word, newKey());
  } catch (error) {
    say(fault(error), true);
    if (error.status) await refresh();
  } finally {
    busy = false;
    document.body.classList.remove("busy");
  }
}

// A neighbour's word may have come in between, where several owe one at once: then it is said again at the new version.
async function saidAt(version, word, key) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return heard(await call("POST", `${path}/moves`, { move: word }, { version, key }));
    } catch (error) {
      if (error.code !== "stale_version" || attempt > 6) throw error;
      const { items } = await get(`${path}/events?after=${version}&limit=200`), now = await get(path), seat = mySeat(now);
      const mineSince = items.some((event) => event.type === "moved" && event.seat === seat);
      if (mineSince || !now.deal?.your_turn || !now.deal.legal.includes(word)) return refresh();
      version = now.version;
    }
  }
}

function heard(answer) {
  frames.clear();
  frames.set(answer.version, answer.match);
  for (const event of answer.events) take(event);
}

async function act_on(method, where, body) {
  try {
    await call(method, path + where, body, method === "POST" ? { key: newKey() } : {});
    await refresh();
  } catch (error) {
    say(fault(error), true);
  }
}

let given = 0;
async function giveNonce() {
  const { number, commitment } = match.deal;
  if (given === number) return;
  given = number;
  const nonce = newKey() + newKey();
  sessionStorage.setItem(`tapete_nonce_${id}_${number}`, JSON.stringify({ commitment, nonce }));
  await act_on("POST", "/nonces", { deal: number, nonce });
}

function log(event) {
  const line = told(match, event), list = $("#log");
  if (event.type === "taken_back") $(`#log [data-version="${event.word}"]`)?.classList.add("taken-back");
  if (["scored", "ended", "voided"].includes(event.type)) turnUp();
  if (!line) return;
  list.prepend(h("li", { "data-version": event.version, class: event.move === null ? "face-down" : undefined }, line));
  while (list.children.length > 200) list.lastChild.remove();
}

// What was said face down is read out, now that the deal lies open.
async function turnUp() {
  const lines = [...document.querySelectorAll("#log .face-down")];
  if (!lines.length) return;
  try {
    const { items } = await get(`${path}/events?after=${lines.at(-1).dataset.version - 1}&limit=200`);
    const open = new Map(items.filter((event) => event.move).map((event) => [`${event.version}`, event]));
    for (const line of lines.filter((each) => open.has(each.dataset.version))) {
      line.classList.remove("face-down");
      line.replaceChildren(...[told(match, open.get(line.dataset.version))].flat());
    }
  } catch (error) {
    fault(error);
  }
}

function tick() {
  for (const clock of root.querySelectorAll("time[data-at]")) clock.textContent = remaining(clock.dataset.at);
}

$("#pace").value = localStorage.getItem("tapete_pace") ?? "calm";
$("#pace").addEventListener("change", (event) => localStorage.setItem("tapete_pace", event.target.value));
$("#resign").addEventListener("click", () => $("#sure").showModal());
$("#sure").addEventListener("close", () => $("#sure").returnValue === "yes" && act_on("POST", "/resignation", {}));
$("#return").addEventListener("click", () => act_on("POST", "/seats", { seat: match.seats.find((each) => each.you).seat }));
begin();
