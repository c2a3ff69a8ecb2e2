// A second word to a sheet: a member of the table, or an organiser, confirms it or says that it is wrong.
import { post } from "../api.js";
import { h } from "../dom.js";
import { t } from "../words.js";
import { base, folded, named, section, viewer } from "./common.js";
import { does, form, note } from "./forms.js";

// What the reader may say of a result (or a sheet, which has the same fields); nothing where he has no say.
export function word(found, result, members, afterwards) {
  const waits = result.status === "submitted", sits = result.seats.some((seat) => members[seat.member]?.you);
  if (!viewer || !(sits || found.organises) || !["submitted", "confirmed"].includes(result.status)) return null;
  const author = Object.values(members).find((member) => member.player && member.player === result.submitted_by);
  const own = result.submitted_by === viewer && (sits || !found.organises);
  const confirming = waits && !own && h("p", {}, does(t("outcome.confirm"), async () => {
    await post(`${base}/results/${result.id}/confirm`);
    await afterwards();
  }, ""));
  const disputing = folded(t("outcome.dispute"), form([note()], t("outcome.dispute_it"), async (given) => {
    await post(`${base}/results/${result.id}/dispute`, { note: given.note });
    await afterwards();
  }, "second"));
  if (!waits) return disputing;
  return section(t("outcome.second_word"),
    h("p", {}, own ? t("outcome.others_word") : author ? [named(author.name), " ", t("outcome.wrote_it")] : t("outcome.organiser_wrote_it")), confirming, disputing);
}
