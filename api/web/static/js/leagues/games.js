// The catalogue: what games and variants are called, and the options that a league may set.
import { get } from "../api.js";
import { h } from "../dom.js";
import { language, t } from "../words.js";
import { checkbox, field, select } from "./forms.js";

let asked;
export const catalogue = () => (asked ||= get("/v1/games").then((found) => found.items));

export async function gameName(game, variant) {
  const found = (await catalogue()).find((each) => each.id === game);
  return found?.variants.find((each) => each.id === variant)?.name[language] ?? found?.name[language] ?? game;
}

// All games and their variants, as a choice; its value is "game variant".
export async function chooser(value) {
  const groups = (await catalogue()).map((game) => h("optgroup", { label: game.name[language] },
    game.variants.map((variant) => option(`${game.id} ${variant.id}`, variant.name[language], value))));
  return h("select", {}, groups);
}

const option = (value, text, chosen) => h("option", { value, selected: value === chosen }, text);

// The options of a game; only what differs from its default is sent.
export async function options(game) {
  const found = (await catalogue()).find((each) => each.id === game);
  return found.options.filter((each) => ["integer", "string", "boolean"].includes(each.type)).map(control);
}

// What an option, and a choice that it leaves, are called.
const plain = (name) => String(name).replaceAll("_", " ");
export const optionName = (name) => t(`option.${name}`, {}, plain(name));
export const choiceName = (value) => t(`choice.${value}`, {}, plain(value));

function control(rule) {
  const label = optionName(rule.name), name = `options.${rule.name}`, what = rule.description[language];
  if (rule.type === "boolean") return h("div", { class: "field" }, checkbox(what, name, rule.default), h("p", { class: "said" }));
  if (rule.choices) return select(label, name, rule.choices.map((each) => [each, choiceName(each)]), rule.default, what);
  const facts = { type: "number", min: rule.min, max: rule.max, value: rule.default, placeholder: rule.nullable ? t("leagues.none") : null };
  return field(label, name, h("input", facts), what);
}

// What a form says of the options of a game.
export async function chosen(game, whole) {
  const rules = (await catalogue()).find((each) => each.id === game).options, found = {};
  for (const rule of rules) {
    const given = whole.elements[`options.${rule.name}`];
    if (!given) continue;
    const value = rule.type === "boolean" ? given.checked : rule.type === "integer" ? (given.value === "" ? null : Number(given.value)) : given.value;
    if (value !== rule.default) found[rule.name] = value;
  }
  return found;
}
