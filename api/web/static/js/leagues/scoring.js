// How results become a table: the fields of a scheme and its tie-breaks, and what they say.
import { h } from "../dom.js";
import { t } from "../words.js";
import { select, text } from "./forms.js";

const SCHEMES = ["places", "raw", "wins", "average"];
const TIE_BREAKS = ["wins", "head_to_head", "points", "seconds", "raw_total", "fewest_penalties", "lot"];
const USUAL = ["wins", "head_to_head", "points"];

export const criterion = (name) => t(`tie.${name}`);

export function fields(now = { scheme: "places", drop_worst: 0, min_results: null, tie_breaks: USUAL }) {
  const chain = [...now.tie_breaks, ...Array(4).fill("")].slice(0, 4);
  const choices = [["", t("season.no_more")], ...TIE_BREAKS.map((each) => [each, criterion(each)])];
  return [
    select(t("season.scheme"), "scheme", SCHEMES.map((each) => [each, t(`scheme.${each}`)]), now.scheme),
    h("div", { class: "fields" },
      text(t("season.drop_worst"), "drop_worst", { type: "number", min: 0, max: 1000, value: now.drop_worst }, t("season.drop_worst_what")),
      text(t("season.min_results"), "min_results", { type: "number", min: 0, max: 1000, value: now.min_results }, t("season.min_results_what"))),
    h("fieldset", { class: "fields" }, h("legend", {}, t("season.tie_breaks")),
      chain.map((each, at) => select(t("season.nth", { n: at + 1 }), at ? `tie_break_${at}` : "tie_breaks", choices, each))),
  ];
}

export function given(values) {
  const chain = ["tie_breaks", "tie_break_1", "tie_break_2", "tie_break_3"].map((name) => values[name]).filter(Boolean);
  return {
    scheme: values.scheme,
    drop_worst: Number(values.drop_worst || 0),
    min_results: values.min_results === "" ? null : Number(values.min_results),
    tie_breaks: chain,
  };
}

// What a season says of itself in a line.
export function said(season) {
  const parts = [t(`scheme.${season.scheme}`)];
  if (season.drop_worst) parts.push(t("season.drops", { n: season.drop_worst }));
  if (season.min_results > 1) parts.push(t("season.needs", { n: season.min_results }));
  const ties = season.tie_breaks.map(criterion).join(", ");
  return `${parts.join("; ")}. ${t("season.ties_by", { ties: ties || t("season.shared") })}`;
}
