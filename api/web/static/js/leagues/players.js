// Finding a player by his exact name: names are not unique, so that the reader chooses.
import { h } from "../dom.js";
import { t } from "../words.js";
import { all, named } from "./common.js";
import { does, form, text } from "./forms.js";

// A form that finds players; `act(id)` is done with the one that is meant.
export function find(label, act) {
  const several = h("ul", { class: "plain" });
  const asked = form([text(label, "name", { maxlength: 40, required: true }, t("league.exact_name"))], t("league.find"), async ({ name }) => {
    const found = await all(`/v1/players?name=${encodeURIComponent(name.normalize("NFC").trim())}`);
    several.replaceChildren(...found.map((each) => choice(each, act)));
    if (!found.length) several.append(h("li", { role: "status" }, t("league.nobody")));
  }, "second small");
  return h("div", {}, asked, several);
}

const choice = (found, act) => h("li", {}, h("a", { href: `/players/${found.id}` }, named(found.name)), " ",
  h("code", {}, found.id.slice(0, 6)), " ", does(t("league.add"), () => act(found.id)));
