// Talk beside the game: asking for one's last word back, what the others say to that, a hint. Beside it: table.js.
import { candidates } from "./analysis.js";
import { call, get, newKey } from "./api.js";
import { mySeat, seatName, spoken } from "./board.js";
import { $, h, say } from "./dom.js";
import { fault, t } from "./words.js";

let counts = false, last = null, asked = null, hint = null;

// Follows the events: whose word was the last one, who asks for his back, whose consent is awaited.
export function overhear(event) {
  if (event.type === "opened") counts = Boolean(event.rated || event.season || event.event);
  if (event.type === "takeback_consented") asked.awaiting = asked.awaiting.filter((seat) => seat !== event.seat);
  else if (event.type === "takeback_asked") asked = { ...event };
  else [last, asked] = [event.type === "moved" ? event : null, null];
}

// Shows what the reader may ask for, or is asked. `table`: {match, refresh(), choose(verb)}.
export function showTalk(table) {
  const { match } = table, seat = mySeat(match), plays = seat !== null && match.status === "playing" && !counts;
  $("#take-back").hidden = !plays || Boolean(asked) || last?.seat !== seat;
  $("#take-back").onclick = () => send(table, {});
  $("#talk").replaceChildren(...(plays && asked ? question(table, seat) : []));
  $("#hint").hidden = !plays || !match.deal?.your_turn || match.seats.some((each) => each.seat !== seat && !each.bot);
  $("#hint").onclick = () => advise(table);
  if (hint?.version !== match.version) hint = null;
  $("#advice").replaceChildren(...(hint ? [h("p", {}, h("strong", {}, t("hint.says", { word: spoken(hint.move, match) }))), hint.candidates.length > 1 ? candidates(match, hint) : ""] : []));
  if (hint) for (const each of document.querySelectorAll("#board [data-say]")) each.classList.toggle("advised", each.dataset.say === hint.move);
}

function question(table, seat) {
  const answer = (text, consent) => h("button", { type: "button", class: `button small ${consent ? "" : "second"}`, onclick: () => send(table, { consent }) }, text);
  return [h("p", {}, h("bdi", {}, seatName(table.match, asked.seat)), " ", t("log.takeback_asked")),
    h("p", {}, asked.awaiting.includes(seat) ? [answer(t("takeback.agree"), true), " ", answer(t("takeback.refuse"), false)] : t("takeback.wait"))];
}

// The stream brings what comes of it. Several may answer at once: an answer names no version.
async function send({ match, refresh }, body) {
  const version = body.consent === undefined ? match.version : undefined;
  try {
    await call("POST", `/v1/matches/${match.id}/takeback`, body, { version, key: newKey() });
  } catch (error) {
    say(fault(error), true);
    await refresh();
  }
}

// What the bot that tries its words out would say here.
async function advise({ match, choose }) {
  try {
    hint = await get(`/v1/matches/${match.id}/hint`);
    choose(hint.move.split(" ")[0]);
  } catch (error) {
    say(fault(error), true);
  }
}
