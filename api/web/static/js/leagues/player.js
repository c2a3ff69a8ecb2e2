// A player: ratings and how they came about, matches, and whom he met: all from what everybody may read.
import { get } from "../api.js";
import { bdi, h } from "../dom.js";
import { language, t } from "../words.js";
import { folded, grid, named, on, pill, place, player, section, show, title, viewer } from "./common.js";
import { ratingChart } from "./chart.js";
import { does } from "./forms.js";
import { gameName } from "./games.js";

const PAGE = 50, SHOWN = 12;
const decimal = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

show(async () => {
  const [found, ratings] = await Promise.all([get(`/v1/players/${player}`), get(`/v1/players/${player}/ratings`)]);
  title([named(found.name), player === viewer && [" ", pill("open", t("members.you"))]]);
  const rated = await Promise.all(ratings.items.map(rating));
  const [met, played] = matches();
  return [h("div", { class: "charts" }, rated.length ? rated : section(t("profile.ratings"), h("p", { class: "muted" }, t("profile.unrated"))), met), played];
});

// Ratings

async function rating(found) {
  const name = await gameName(found.game), around = h("div", {});
  const steps = await get(`/v1/players/${player}/ratings/history?game=${found.game}&limit=200`);
  const shown = steps.items.reverse();
  around.append(ratingChart(shown, name), folded(t("standings.as_table"), grid(name, [
    [t("profile.nth"), "number", (step) => step.number],
    [t("profile.when"), "", (step) => on(step.at)],
    [t("profile.rating"), "number", (step) => decimal.format(step.rating)],
    [t("profile.match"), "", (step) => (step.match ? h("a", { href: `/matches/${step.match}/replay` }, t("outcome.replay")) : "\u2013")],
  ], [...shown].reverse())));
  return section([bdi(name), " ", found.provisional && pill("provisional", t("profile.provisional"))],
    h("dl", { class: "facts" }, [[t("profile.rating"), decimal.format(found.rating)], [t("standings.place"), place(found.place)], [t("profile.matches"), found.matches],
      [t("profile.strength"), `${decimal.format(found.mu)} \u00b1 ${decimal.format(2 * found.sigma)}`]].map(([name_, value]) => h("div", {}, h("dt", {}, name_), h("dd", {}, value)))),
    around);
}

// Matches, and whom he met in them: PAGE are read at once and counted, SHOWN of them shown

function matches() {
  const list = h("ul", { class: "cards wide-cards" }), met = h("div", {}), loaded = [];
  let path = `/v1/matches?player=${player}&limit=${PAGE}`;
  const more = does(t("league.more"), async () => {
    if (path && list.children.length === loaded.length) {
      const page = await get(path);
      loaded.push(...page.items);
      path = page.next && `/v1/matches?player=${player}&limit=${PAGE}&cursor=${encodeURIComponent(page.next)}`;
      met.replaceChildren(...meetings(loaded, Boolean(path)));
    }
    const first = list.children.length, rows = await Promise.all(loaded.slice(first, first + SHOWN).map(card));
    list.append(...rows);
    if (first) rows[0]?.querySelector("a").focus();
    more.hidden = !path && list.children.length === loaded.length;
  });
  more.click();
  return [section(t("profile.met"), met), section(t("profile.matches"), list, more)];
}

async function card(match) {
  const ended = match.result, seats = ended ? [...match.seats].sort((a, b) => ended.places[a.seat] - ended.places[b.seat]) : match.seats;
  const path = ended ? `/matches/${match.id}/replay` : `/matches/${match.id}`;
  return h("li", { class: "sunken" },
    h("h3", {}, h("a", { href: path }, await gameName(match.game, match.variant)), " ", !ended && pill("open", t(`profile.${match.status}`))),
    h("p", { class: "muted" }, on(match.started_at || match.created_at)),
    h("ol", { class: "scores" }, seats.map((seat) => h("li", { class: seat.player?.id === player ? "me" : "" },
      h("span", { class: "place" }, ended ? place(ended.places[seat.seat]) : ""), h("span", {}, who(seat)), h("span", { class: "number" }, match.totals[seat.seat])))));
}

const who = (seat) => (seat.player ? named(seat.player.name) : seat.bot ? t("profile.bot", { name: t(`bot.${seat.bot}`, {}, seat.bot) }) : t("profile.nobody"));

function meetings(all, cut) {
  const found = new Map();
  for (const match of all.filter((each) => each.result)) {
    const me = match.seats.find((seat) => seat.player?.id === player);
    if (me) for (const seat of match.seats) if (seat !== me) count(found, seat, match.result.places[seat.seat] - match.result.places[me.seat]);
  }
  const rows = [...found.values()].sort((a, b) => b.met - a.met || b.ahead - a.ahead);
  if (!rows.length) return [h("p", { class: "muted" }, t("profile.met_nobody"))];
  return [grid(t("profile.met"), [
    [t("profile.opponent"), "", (row) => (row.seat.player ? h("a", { href: `/players/${row.seat.player.id}` }, who(row.seat)) : who(row.seat))],
    [t("profile.times"), "number", (row) => row.met],
    [t("profile.ahead"), "number", (row) => row.ahead],
    [t("profile.level"), "number", (row) => row.met - row.ahead - row.behind],
    [t("profile.behind"), "number", (row) => row.behind],
    [t("profile.share"), "extra", (row) => bar(row)],
  ], rows), h("p", { class: "muted" }, t(cut ? "profile.met_of" : "profile.met_all", { n: all.filter((each) => each.result).length }))];
}

function count(found, seat, difference) {
  const key = seat.player?.id ?? `bot ${seat.bot}`;
  const row = found.get(key) || { seat, met: 0, ahead: 0, behind: 0 };
  row.met += 1;
  row.ahead += difference > 0;
  row.behind += difference < 0;
  found.set(key, row);
}

const bar = (row) => h("meter", { min: 0, max: row.met, value: row.ahead, "aria-label": `${t("profile.ahead")}: ${row.ahead}/${row.met}` });
