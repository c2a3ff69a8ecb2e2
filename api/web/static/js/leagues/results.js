// What was played: results and sheets that wait, the last ones first, with their corrections.
import { bdi, h } from "../dom.js";
import { t } from "../words.js";
import { base, growing, here, named, on, pill, place, points, show } from "./common.js";
import { called, order, status } from "./outcomes.js";
import { opening } from "./season.js";

show(async () => {
  await opening(t("season.results"));
  return growing(`${base}/results`, h("ul", { class: "cards wide-cards" }), card, t("results.none"));
});

function card(result) {
  const last = result.versions.at(-1);
  return h("li", { class: "panel" },
    h("h2", { class: "small-head" }, h("a", { href: `${here}/results/${result.id}` }, called(result)), " ", status(result),
      result.versions.length > 1 && [" ", pill("provisional", t("outcome.corrected"))]),
    h("p", { class: "muted" }, on(result.ended_at), " ", t(`outcome.${result.source}`)),
    h("ol", { class: "scores" }, order(result).map((seat) => h("li", {}, line(result, seat)))),
    result.versions.length > 1 && last.note && h("p", { class: "reason" }, h("q", {}, bdi(last.note))));
}

function line(result, seat) {
  return [h("span", { class: "place" }, result.places ? place(result.places[seat.seat]) : ""), h("span", {}, named(seat.name)),
    h("span", { class: "number" }, result.points ? points(result.points[seat.seat]) : "")];
}
