// Results as they are called and shown wherever they stand.
import { t } from "../words.js";
import { pill } from "./common.js";

export const status = (result) => pill({ confirmed: "final", void: "void" }[result.status] || "provisional", t(`outcome.${result.status}`));

export function called(result) {
  if (!result.table) return t("outcome.free");
  return `${t("season.round_n", { n: result.round })}, ${t("rounds.table", { n: result.table.split("-").at(-1) })}`;
}

// Seats by place; as they sat where there is none.
export function order(result) {
  return result.places ? [...result.seats].sort((a, b) => result.places[a.seat] - result.places[b.seat]) : result.seats;
}
