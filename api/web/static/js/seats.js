// Coming to a match before it starts: free seats, invitations, bots, a code to send to somebody.
import { call, post } from "./api.js";
import { seatName } from "./board.js";
import { $, h, say } from "./dom.js";
import { fault, t } from "./words.js";

const code = new URLSearchParams(location.search).get("code");
const signedIn = Boolean(document.body.dataset.viewer);
const go = (text, onclick, second) => h("button", { type: "button", class: `button small ${second ? "second" : ""}`, onclick }, text);
const signIn = (text) => h("a", { class: "button small", href: `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}` }, text);

export const openSeats = {
  // The list of seats with what the reader may do about each; nothing once it is dealt.
  show(match, act) {
    const box = $("#seats");
    box.hidden = match.status !== "open";
    if (box.hidden) return;
    const host = match.host === document.body.dataset.viewer, seated = match.seats.some((seat) => seat.you);
    box.replaceChildren(h("h2", {}, t("seats.title")), h("ul", {}, match.seats.map((seat) => h("li", {}, h("span", {}, h("bdi", {}, seatName(match, seat.seat)), seat.accepted || seat.open ? "" : ` (${t("seats.invited")})`), actions(match, seat, act, { host, seated })))), h("p", {}, h("code", {}, location.origin + location.pathname)), host ? invitation(match) : null);
  },

  // Whoever has a code may not see a private match before he has used it.
  byCode(id) {
    if (!code) return;
    $("#status").textContent = t("seats.by_code");
    $("#seats").hidden = false;
    $("#seats").replaceChildren(signedIn ? go(t("seats.enter"), async () => {
      try {
        await post(`/v1/matches/${id}/seats`, { code });
        location.replace(location.pathname);
      } catch (error) {
        say(error.code === "not_found" ? t("seats.wrong_code") : fault(error), true);
      }
    }) : signIn(t("nav.sign_in")));
  },
};

function actions(match, seat, act, { host, seated }) {
  const found = [];
  if (!signedIn) return seat.open ? [signIn(t("seats.take"))] : [];
  if (seat.open && !seated) found.push(go(t("seats.take"), () => act("POST", "/seats", code ? { seat: seat.seat, code } : { seat: seat.seat })));
  if (seat.you && !seat.accepted) found.push(go(t("seats.accept"), () => act("POST", "/seats", { seat: seat.seat })), go(t("seats.decline"), () => act("DELETE", `/seats/${seat.seat}`), true));
  if (seat.you && seat.accepted) found.push(go(t("seats.leave"), () => act("DELETE", `/seats/${seat.seat}`), true));
  if (host && seat.open) found.push(go(t("seats.bot"), () => act("POST", "/seats", { seat: seat.seat, bot: "rule" }), true));
  if (host && !seat.open && !seat.you) found.push(go(t("seats.free"), () => act("DELETE", `/seats/${seat.seat}`), true));
  return found;
}

function invitation(match) {
  const shown = h("p", { class: "token" });
  return h("div", {}, go(t("seats.invite"), async () => {
    try {
      const made = await call("POST", `/v1/matches/${match.id}/invitations`, {});
      shown.replaceChildren(h("output", {}, `${location.origin}${location.pathname}?code=${made.code}`));
    } catch (error) {
      say(fault(error), true);
    }
  }, true), shown);
}
