// Cards as elements: a word ("JS", "17", "A13") becomes a face that can be read, seen and heard. Beside it: games/.
import { h, svg } from "./dom.js";
import { t } from "./words.js";

const SUITS = {
  S: "M12 2c2.600 4.200 8 6.800 8 11.300a4.200 4.200 0 0 1-7 3.100c.2 2.200 1 3.900 2.400 5.600H8.600c1.400-1.700 2.200-3.400 2.400-5.600a4.200 4.200 0 0 1-7-3.100C4 8.800 9.400 6.200 12 2z",
  H: "M12 21.500C8.500 18 3 13.800 3 8.600A4.700 4.700 0 0 1 7.700 3.800c1.900 0 3.500 1.100 4.300 2.800.8-1.700 2.400-2.800 4.300-2.800A4.700 4.700 0 0 1 21 8.600c0 5.200-5.500 9.400-9 12.900z",
  D: "M12 1.500 20 12l-8 10.500L4 12z",
  C: "M12 2a4.300 4.300 0 0 1 3.300 7.100A4.400 4.400 0 1 1 13 16.300c.2 2.200 1 4 2.400 5.700H8.600c1.400-1.700 2.200-3.500 2.400-5.700a4.400 4.400 0 1 1-2.300-7.200A4.300 4.300 0 0 1 12 2z",
};
const CROWNS = {
  K: "M3 19 2 7l5.500 4L12 4l4.500 7L22 7l-1 12z",
  Q: "M4 19 2.500 9l4.300 4L9 6.500l3 5 3-5 2.200 6.500 4.300-4L20 19z",
  J: "M4 19c-.5-5 1-9 4.500-11C11 6.500 14 7 15 9c2-2.500 4.500-3.500 6.500-3-1 2-2.500 3-4.500 3.500 2 2 3 5.500 3 9.500z",
};
export const FRENCH = /^[A23456789TJQK][CDHS]$/;

export function pip(suit, name = "pip") {
  return svg("svg", { class: name, viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: SUITS[suit] }));
}

const rankText = (rank) => (rank === "T" ? "10" : rank);

function french(word) {
  const [rank, suit] = word;
  const middle = CROWNS[rank]
    ? h("span", { class: "court" }, svg("svg", { class: "crown", viewBox: "0 0 24 22", "aria-hidden": "true" }, svg("path", { d: CROWNS[rank] })), pip(suit, "pip"))
    : h("span", { class: rank === "A" ? "ace" : "many" }, pip(suit));
  return { kind: `french ${"HD".includes(suit) ? "red" : "black"} suit-${suit}`, corner: [rankText(rank), pip(suit, "mini")], middle,
    name: t("card.french", { rank: t(`rank.${rank}`), suit: t(`suit.${suit}`) }) };
}

let faceOf = null;  // of the page's game, where it has faces of its own

export function useFaces(face) {
  faceOf = face;
}

function faceFor(word) {
  return (faceOf && faceOf(word)) || (FRENCH.test(word) ? french(word) : { kind: "plain", corner: [word], middle: h("span", { class: "plain-word" }, word), name: word });
}

// What a card is called, to be read aloud.
export const nameOf = (word) => faceFor(word).name;

export function card(word, facts = {}) {
  const face = faceFor(word), { tag = "span", ...more } = facts;
  const element = h(tag, { ...more, "data-word": word, class: `card ${face.kind} ${facts.class || ""}`, "aria-label": facts["aria-label"] || face.name, role: tag === "span" ? "img" : undefined },
    h("span", { class: "corner" }, face.corner), face.middle, h("span", { class: "corner other" }, face.corner.map((part) => (part.cloneNode ? part.cloneNode(true) : part))));
  return element;
}

export const back = (name) => h("span", { class: "card back", role: "img", "aria-label": name || t("card.back") });

// Some cards seen from behind, as a small fan with their number.
export function backs(number) {
  const fan = h("span", { class: "fan", role: "img", "aria-label": t("card.number", { number }) });
  for (let at = 0; at < Math.min(number, 12); at += 1) fan.append(h("span", { class: "sliver", "aria-hidden": "true" }));
  fan.append(h("span", { class: "count", "aria-hidden": "true" }, String(number)));
  return fan;
}

const FRENCH_RANKS = "A23456789TJQK";

// Sorted as a player holds them: suits together, strongest first.
export function sorted(cards, ranks) {
  const strength = ranks || "KQJT98765432A";
  const key = (word) => {
    if (FRENCH.test(word)) return "SHCD".indexOf(word[1]) * 100 + (strength.includes(word[0]) ? strength.indexOf(word[0]) : FRENCH_RANKS.indexOf(word[0]));
    const letters = word.replace(/\d+$/, "");
    return (letters ? letters.charCodeAt(0) * 100 : 0) + Number(word.slice(letters.length));
  };
  return [...cards].sort((a, b) => key(a) - key(b));
}
