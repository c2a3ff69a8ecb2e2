// One league: its seasons and organisers; for organisers, another season and another organiser.
import { call, get, post } from "../api.js";
import { bdi, h, say } from "../dom.js";
import { t } from "../words.js";
import { folded, growing, league, named, on, pill, section, show, title } from "./common.js";
import { does, form, text } from "./forms.js";
import { choiceName, gameName, optionName } from "./games.js";
import { find } from "./players.js";
import { fields, given } from "./scoring.js";

const base = `/v1/leagues/${league}`;

show(async (again) => {
  const found = await get(base);
  title([bdi(found.name), found.visibility !== "public" && [" ", pill("", t(`leagues.${found.visibility}`))]]);
  const options = Object.entries(found.options).map(([name, value]) => `${optionName(name)}: ${choiceName(value)}`);
  const list = h("ul", { class: "cards" });
  return [
    h("p", { class: "lead" }, [await gameName(found.game, found.variant), ...options].join(" \u00b7 ")),
    h("h2", {}, t("league.seasons")),
    await growing(`${base}/seasons`, list, card, t("league.no_seasons")),
    found.organises && folded(t("league.new_season"), opening()),
    section(t("league.organisers"), h("ul", { class: "plain" }, found.organisers.map((each) => organiser(found, each, again))),
      found.organises && adding(again)),
  ];
});

function card(season) {
  return h("li", { class: "panel" }, h("h3", {}, h("a", { href: `/seasons/${season.id}` }, bdi(season.name))),
    h("p", { class: "muted" }, t("league.since"), " ", on(season.created_at)));
}

function opening() {
  const dates = h("div", { class: "fields" }, text(t("season.starts"), "starts", { type: "date" }), text(t("season.ends"), "ends", { type: "date" }));
  const shown = [text(t("season.name"), "name", { maxlength: 40, required: true }), dates, fields()];
  return form(shown, t("league.open_season"), async (values) => {
    const body = { name: values.name, starts: values.starts || null, ends: values.ends || null, ...given(values) };
    location.assign(`/seasons/${(await post(`${base}/seasons`, body)).id}/members`);
  });
}

function organiser(found, each, again) {
  const goes = async () => {
    await call("DELETE", `${base}/organisers/${each.id}`);
    say(t("league.done"));
    await again();
  };
  return h("li", {}, h("a", { href: `/players/${each.id}` }, named(each.name)),
    found.organises && found.organisers.length > 1 && does(t("league.remove"), goes, "quiet-button small"));
}

function adding(again) {
  return find(t("league.add_organiser"), async (player) => {
    await post(`${base}/organisers`, { player });
    say(t("league.done"));
    await again();
  });
}
