// What the pages of events say alike: what kind it is, how long it goes, and playing in it.
import { post } from "../api.js";
import { moment, t } from "../words.js";
import { pill } from "./common.js";

// Plays in an event: at once, or where one plays already; of an event of tables, as soon as there are enough.
export async function enter(event) {
  const entered = event.entry ? event : await post(`/v1/duplicates/${event.id}/entries`);
  if (entered.entry.match) location.assign(`/matches/${entered.entry.match}`);
}

export const kind = (event) => (event.kind === "solo" ? t("duplicates.solo_of", { seats: event.seats - 1, bot: t(`bot.${event.bot}`, {}, event.bot) }) : t("duplicates.tables_of", { seats: event.seats }));

export const state = (event) => pill(event.over ? "final" : "open", event.over ? t("duplicates.over") : t("duplicates.until", { at: moment.format(new Date(event.ends_at)) }));
