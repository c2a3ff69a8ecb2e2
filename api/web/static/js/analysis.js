// What each word of a match was worth: asked for once, worked out by the server, shown decision by decision.
import { get, post } from "./api.js";
import { seatName, spoken } from "./board.js";
import { $, h } from "./dom.js";
import { fault, figure, t } from "./words.js";

const MOST = 8;  // of the dearest words in the list
const decimal = (value) => figure(Math.round(value * 100) / 100);
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Makes ready the panel of a match that is over. `go(version)` shows a moment; `fresh()` is called when more is known.
export function analysisOf(match, go, fresh) {
  const path = `/v1/matches/${match.id}/analysis`, judged = new Map();
  const signedIn = Boolean(document.body.dataset.viewer);
  $("#analysis").hidden = match.status !== "ended" && match.status !== "voided";
  $("#analyse").hidden = !signedIn;
  $("#analysis-sign-in").hidden = signedIn;
  $("#analyse").addEventListener("click", async () => {
    $("#analyse").disabled = true;
    try {
      await post(path);
      await follow();
      $("#analyse").hidden = true;
    } catch (error) {
      $("#analysed").textContent = fault(error);
    }
    $("#analyse").disabled = false;
  });

  async function follow() {
    for (let after = 0; ;) {
      const found = await get(`${path}?after=${after}&limit=200`);
      for (const item of found.items) judged.set(item.version, item);
      after = found.items.at(-1)?.version ?? after;
      show(found);
      fresh();
      const over = found.state === "done" || found.state === "failed";
      if (over && !found.next) return;
      if (!found.next) await pause(700);
    }
  }

  function show(found) {
    const bar = $("#analysing"), state = found.state === "waiting" && found.ahead ? "ahead" : found.state;
    bar.hidden = found.state === "done" || found.state === "failed";
    bar.max = found.words || 1;
    bar.value = found.looked_at;
    $("#analysed").textContent = t(`analysis.${state}`, { ...found, n: judged.size });
    $("#losses").replaceChildren(judged.size ? perSeat() : "");
    $("#dearest").replaceChildren(...dearest());
  }

  function perSeat() {
    const rows = match.seats.map(({ seat }) => [seat, [...judged.values()].filter((each) => each.seat === seat)]).filter(([, own]) => own.length);
    const head = [t("standings.name"), t("analysis.decisions"), t("analysis.lost")].map((text, at) => h("th", { scope: "col", class: at ? "number" : "" }, text));
    return h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows.map(([seat, own]) => h("tr", {}, h("th", { scope: "row" }, h("bdi", {}, seatName(match, seat))),
      h("td", { class: "number" }, own.length), h("td", { class: "number" }, decimal(own.reduce((sum, each) => sum + (each.loss ?? 0), 0)))))));
  }

  function dearest() {
    const dear = [...judged.values()].filter((each) => each.loss > 0).sort((a, b) => b.loss - a.loss).slice(0, MOST);
    return dear.map((each) => h("li", {}, h("button", { type: "button", class: "deal", onclick: () => go(each.version) },
      h("span", {}, h("bdi", {}, seatName(match, each.seat)), `: ${spoken(each.move, match)} `), h("strong", { class: "loss" }, `\u2212${decimal(each.loss)}`))));
  }

  // What is known of the word said at a version: its loss, and what else could have been said.
  return (version) => {
    const found = judged.get(version);
    if (!found) return null;
    const loss = found.loss === null ? t("analysis.unusual") : found.loss ? t("analysis.cost", { loss: decimal(found.loss) }) : t("analysis.best");
    return [h("p", {}, h("strong", {}, loss)), candidates(match, found)];
  };
}

// Words with what they were found to be worth, best first; `found.move` stands out.
export function candidates(match, found) {
  return h("table", { class: "candidates" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("analysis.word")), h("th", { scope: "col", class: "number" }, t("analysis.worth")))),
    h("tbody", {}, found.candidates.map((each) => h("tr", { class: each.move === found.move ? "said-word" : "" },
      h("th", { scope: "row" }, spoken(each.move, match)), h("td", { class: "number" }, `${decimal(each.value)} \u00b1 ${decimal(each.error)}`)))));
}
