// A score sheet by phone: deal by deal with running totals, checked while it is filled in, sent in, confirmed.
import { call, get, post } from "../api.js";
import { h, say } from "../dom.js";
import { fault, t } from "../words.js";
import { base, entry, folded, here, pill, section, show, viewer } from "./common.js";
import { clear, does, form, note } from "./forms.js";
import { cells, dealer, deals, next, told, written } from "./pad.js";
import { called, status } from "./outcomes.js";
import { opening, people } from "./season.js";
import { word } from "./word.js";

const path = `${base}/sheets/${entry}`;

show(async (again) => {
  const [found, sheet, members, papers] = await Promise.all([opening(t("sheet.title")), get(path), people(), get(`${base}/paper`)]);
  const asked = papers.items.find((each) => each.seats === sheet.seats.length);
  const writes = viewer && found.status === "open" && sheet.status === "open" && (found.organises || sheet.seats.some((seat) => members[seat.member]?.you));
  const afterwards = async (text = t("league.done")) => {
    say(text);
    await again();
  };
  return [
    section([called(sheet), " ", sheet.status === "open" ? pill("open", t("sheet.open")) : status(sheet)], deals(sheet), links(sheet, writes, afterwards)),
    writes && !sheet.over && section(t("sheet.deal_n", { n: sheet.deals.length + 1 }), entering(sheet, asked, afterwards)),
    writes && sheet.deals.some((deal) => !deal.void) && sending(sheet, afterwards),
    word(found, sheet, members, afterwards),
    found.organises && sheet.status === "open" && folded(t("sheet.throw_away"), form([note()], t("sheet.throw_away"), async (given) => {
      await post(`${base}/results/${entry}/ruling`, { outcome: "void", note: given.note });
      await afterwards();
    }, "second")),
  ];
});

function links(sheet, writes, afterwards) {
  const drop = writes && sheet.deals.length > 0 && does(t("sheet.drop"), async () => {
    await conflicting(() => call("DELETE", `${path}/deals/last`, undefined, { version: sheet.deals.length }), afterwards);
  }, "quiet-button small");
  const result = ["confirmed", "submitted", "disputed"].includes(sheet.status) && h("a", { href: `${here}/results/${entry}` }, t("outcome.title"));
  return h("p", { class: "links" }, drop, result, h("a", { href: path, target: "_blank" }, t("sheet.print")));
}

// The next deal. What it comes to is asked for while it is filled in; faults are said at their fields when it is sent.
function entering(sheet, asked, afterwards) {
  const said = h("p", { class: "comes-to", role: "status" });
  const misdeal = does(t("sheet.misdeal"), () => write({ dealer: Number(new FormData(whole).get("dealer")), void: true }));
  const write = (deal) => conflicting(() => post(`${path}/deals`, deal, { version: sheet.deals.length }), afterwards);
  const whole = form([dealer(sheet, next(sheet)), cells(asked, sheet), said], t("sheet.write", { n: sheet.deals.length + 1 }),
    () => write(written(whole, asked)), "wide-button");
  whole.append(h("p", {}, misdeal));
  let waiting, trial = 0;
  whole.addEventListener("input", () => {
    clear(whole);
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const mine = trial += 1;
      const [text, fine] = await tried(sheet, written(whole, asked));
      if (mine !== trial) return;
      said.textContent = text;
      said.classList.toggle("fine", fine);
    }, 250);
  });
  return whole;
}

async function tried(sheet, deal) {
  try {
    const filled = await post(`${path}/deals?preview=true`, deal, { version: sheet.deals.length, key: undefined });
    return [`\u2713 ${told(filled, sheet)}`, true];
  } catch (error) {
    return [t("sheet.not_yet", { what: fault(error) }), false];
  }
}

// Somebody else may have written meanwhile: then the sheet is shown as it is now, and nothing is written.
async function conflicting(act, afterwards) {
  try {
    await act();
  } catch (error) {
    if (error.code !== "stale_version") throw error;
    return afterwards(t("sheet.stale"));
  }
  return afterwards(t("sheet.written"));
}

function sending(sheet, afterwards) {
  const send = async () => {
    await conflicting(() => post(`${path}/submit`, undefined, { version: sheet.deals.length }), afterwards);
    document.getElementById("main").scrollIntoView();
  };
  return section(t(sheet.over ? "sheet.over" : "sheet.early"), h("p", {}, t(sheet.over ? "sheet.over_what" : "sheet.early_what")),
    does(t("sheet.submit"), send, sheet.over ? "wide-button" : "second"));
}
