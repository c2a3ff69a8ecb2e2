// What all pages of a season begin with: its name and state, and what its organisers see beside it.
import { get } from "../api.js";
import { $, bdi, h } from "../dom.js";
import { t } from "../words.js";
import { base, here, pill, title } from "./common.js";
import { gameName } from "./games.js";

// The season, its league under `of`, and a heading that says where this is; `part` is what the page is about.
export async function opening(part) {
  const found = await get(base);
  found.of = await get(`/v1/leagues/${found.league}`);
  const league = h("a", { href: `/leagues/${found.league}` }, bdi(found.of.name));
  if (part) title(part, league, h("a", { href: here }, bdi(found.name)));
  else title([bdi(found.name), " ", state(found)], league);
  $("#organise").hidden = !found.organises;
  return found;
}

export const state = (found) => (found.status === "closed" ? pill("final", t("season.closed")) : pill("open", t("season.open")));

export async function played(found) {
  return gameName(found.game, found.variant);
}

// Members by id, for their names; who left stays.
export async function people() {
  return Object.fromEntries((await get(`${base}/members`)).items.map((member) => [member.id, member]));
}

// How far a table of the draw is.
export function tableState(table) {
  const kind = table.status !== "open" ? table.status : table.match ? "playing" : table.sheet ? "writing" : "open";
  return pill(kind === "done" ? "final" : kind === "void" ? "void" : "open", t(`seated.${kind}`));
}
