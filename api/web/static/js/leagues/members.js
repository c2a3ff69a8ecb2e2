// Who plays in a season; for organisers, adding players and guests, codes by which a guest becomes a player.
import { call, post } from "../api.js";
import { h, say } from "../dom.js";
import { moment, t } from "../words.js";
import { base, folded, grid, here, named, pill, plainName, show } from "./common.js";
import { does, form, text } from "./forms.js";
import { find } from "./players.js";
import { opening, people } from "./season.js";

show(async (again) => {
  const found = await opening(t("season.members"));
  const members = Object.values(await people());
  const manages = found.organises && found.status === "open";
  const mine = members.some((member) => member.you && member.active) && found.status === "open";
  const columns = [
    [t("standings.name"), "", (member) => [h("a", { href: `${here}/members/${member.id}` }, named(member.name)), member.you && [" ", pill("open", t("members.you"))]]],
    [t("members.account"), "", (member) => account(member)],
    ...(manages || mine ? [[t("members.acts"), "acts", (member) => acts(member, manages, again)]] : []),
  ];
  return [
    members.length ? grid(t("season.members"), columns, members) : h("p", { class: "muted" }, t("members.none")),
    manages && h("div", { class: "pair below" }, folded(t("members.add_guest"), guest(again)), folded(t("members.add_player"), player(again))),
  ];
});

function account(member) {
  const left = !member.active && [" ", pill("void", t("members.left"))];
  return [member.player ? h("a", { href: `/players/${member.player}` }, t("members.player")) : t("members.guest"), left];
}

function acts(member, manages, again) {
  const done = async () => {
    say(t("league.done"));
    await again();
  };
  if (!member.active) {
    return manages && does(t("members.back"), async () => {
      await post(`${base}/members`, { member: member.id });
      await done();
    });
  }
  const code = h("span", { "aria-live": "polite" });
  return [
    manages && member.guest && does(t("members.code"), async () => code.replaceChildren(...given(await post(`${base}/members/${member.id}/claim-code`)))),
    (manages || member.you) && does(member.you ? t("members.leave") : t("members.remove"), async () => {
      if (!confirm(t("members.sure", { name: plainName(member.name) }))) return;
      await call("DELETE", `${base}/members/${member.id}`);
      await done();
    }, "quiet-button small"),
    code,
  ];
}

const given = (made) => [h("code", { class: "code" }, made.code), h("small", { class: "muted" }, t("members.code_until", { at: moment.format(new Date(made.expires_at)) }))];

function guest(again) {
  return form([text(t("members.name"), "name", { maxlength: 40, required: true }, t("members.guest_what"))], t("members.add_guest"), async ({ name }) => {
    await post(`${base}/members`, { name });
    say(t("league.done"));
    await again();
  });
}

function player(again) {
  return find(t("members.name"), async (id) => {
    await post(`${base}/members`, { player: id });
    say(t("league.done"));
    await again();
  });
}
