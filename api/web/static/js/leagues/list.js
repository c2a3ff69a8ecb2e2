// All leagues; founding one; becoming the guest that one was.
import { post } from "../api.js";
import { bdi, h } from "../dom.js";
import { t } from "../words.js";
import { folded, growing, named, pill, show, viewer } from "./common.js";
import { field, form, select, text } from "./forms.js";
import { chooser, chosen, gameName, options } from "./games.js";

const VISIBILITIES = ["public", "unlisted", "private"];

show(async () => {
  const list = h("ul", { class: "cards" });
  const found = await growing("/v1/leagues", list, card, t("leagues.none_yet"));
  return [
    h("p", { class: "lead" }, t("leagues.what")),
    found,
    viewer ? h("div", { class: "pair below" }, folded(t("leagues.found"), await founding()), folded(t("leagues.claim"), claiming()))
      : h("p", { class: "below" }, h("a", { class: "button second", href: "/sign-in?next=/leagues" }, t("leagues.sign_in"))),
  ];
});

function card(league) {
  const what = h("p", {});
  gameName(league.game, league.variant).then((name) => what.prepend(name));
  return h("li", { class: "panel" },
    h("h2", {}, h("a", { href: `/leagues/${league.id}` }, bdi(league.name))),
    what,
    h("p", { class: "muted" }, t("leagues.by"), " ", league.organisers.map((each, at) => [at ? ", " : "", named(each.name)])),
    h("p", {}, league.organises && pill("open", t("leagues.yours")), league.visibility !== "public" && pill("", t(`leagues.${league.visibility}`))));
}

async function founding() {
  const game = await chooser("polignac polignac"), rules = h("div", { class: "fields" });
  const draw = async () => rules.replaceChildren(...await options(game.value.split(" ")[0]));
  game.addEventListener("change", draw);
  await draw();
  const fields = [
    text(t("leagues.name"), "name", { maxlength: 40, required: true }),
    field(t("leagues.game"), "game", game),
    select(t("leagues.visibility"), "visibility", VISIBILITIES.map((each) => [each, t(`leagues.${each}_what`)]), "public"),
    folded(t("leagues.options"), rules),
  ];
  return form(fields, t("leagues.found_it"), async (given, whole) => {
    const [name, variant] = given.game.split(" ");
    const body = { name: given.name, game: name, variant, visibility: given.visibility, options: await chosen(name, whole) };
    location.assign(`/leagues/${(await post("/v1/leagues", body)).id}`);
  });
}

function claiming() {
  const fields = [h("p", {}, t("leagues.claim_what")), text(t("leagues.code"), "code", { maxlength: 80, required: true })];
  return form(fields, t("leagues.claim_it"), async ({ code }) => {
    location.assign(`/seasons/${(await post("/v1/claims", { code: code.trim() })).season}`);
  });
}
