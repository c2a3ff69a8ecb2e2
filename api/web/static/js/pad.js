// The score pad: a column a seat, a row a deal, the reasons of each deal's points behind it. Beside it: table.js, replay.js.
import { nameOf } from "./cards.js";
import { h } from "./dom.js";
import { seatName } from "./board.js";
import { figure, t } from "./words.js";

const why = (reason) => t(`reason.${reason}`, {}, /^[A-Z0-9]{2,3}$/.test(reason) ? nameOf(reason) : reason);

// Draws it anew. `scored` are the events; `onDeal(event)`, where there is one, goes to a deal.
export function drawPad(root, match, scored, onDeal) {
  const seats = match.seats.map((seat) => seat.seat);
  const head = h("tr", {}, h("th", { scope: "col" }, t("pad.deal")), seats.map((seat) => h("th", { scope: "col", class: "number" }, h("bdi", {}, seatName(match, seat)))));
  const rows = scored.map((event) => h("tr", {},
    h("th", { scope: "row" }, onDeal ? h("button", { type: "button", class: "quiet", onclick: () => onDeal(event) }, String(event.deal)) : String(event.deal), event.extra ? "+" : ""),
    seats.map((seat) => h("td", { class: "number" }, cell(event, seat)))));
  const sum = h("tr", { class: "sum" }, h("th", { scope: "row" }, t("pad.total")), seats.map((seat) => h("td", { class: "number" }, figure(match.totals[seat] ?? 0))));
  root.replaceChildren(h("table", { class: "pad" }, h("thead", {}, head), h("tbody", {}, rows), h("tfoot", {}, sum)));
}

function cell(event, seat) {
  const lines = event.lines.filter((line) => line.seat === seat && line.points);
  if (!lines.length) return figure(event.points[seat]);
  return h("details", {}, h("summary", {}, figure(event.points[seat])), h("ul", {}, lines.map((line) => h("li", {}, `${why(line.reason)} ${line.points > 0 ? "+" : "−"}${Math.abs(line.points)}`))));
}
