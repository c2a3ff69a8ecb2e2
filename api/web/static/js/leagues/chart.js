// A rating match by match, as a line with what it is unsure of as a band around it. No library: two paths and a grid.
import { h, svg } from "../dom.js";
import { number, t } from "../words.js";
import { minus } from "./common.js";

const WIDTH = 640, HEIGHT = 260, LEFT = 40, RIGHT = 12, TOP = 12, BOTTOM = 34;

// `steps`, oldest first: {number, mu, sigma, rating}.
export function ratingChart(steps, name) {
  const low = Math.min(...steps.map((step) => step.rating), 0), high = Math.max(...steps.map((step) => step.mu + 2 * step.sigma));
  const first = steps[0].number, last = Math.max(steps.at(-1).number, first + 1);
  const x = (n) => LEFT + ((n - first) / (last - first)) * (WIDTH - LEFT - RIGHT);
  const y = (value) => TOP + ((high - value) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM);
  const line = (value) => steps.map((step) => `${x(step.number).toFixed(1)},${y(value(step)).toFixed(1)}`);
  const band = [...line((step) => step.mu + 2 * step.sigma), ...line((step) => step.mu - 2 * step.sigma).reverse()];
  const now = steps.at(-1);
  return h("div", { class: "chart" }, svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": t("profile.chart_alt", { name, n: now.number, rating: minus(number.format(Math.round(now.rating * 10) / 10)) }) },
    ticks(low, high).map((value) => [
      svg("line", { class: "guide", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
      svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, minus(`${value}`))]),
    svg("polygon", { class: "band", points: band.join(" ") }),
    svg("polyline", { class: "mean", points: line((step) => step.mu).join(" ") }),
    svg("polyline", { class: "rating", points: line((step) => step.rating).join(" ") }),
    steps.length < 60 && steps.map((step) => svg("circle", { class: "dot", cx: x(step.number), cy: y(step.rating), r: 3 })),
    svg("text", { x: LEFT, y: HEIGHT - 10 }, t("profile.match_n", { n: first })),
    svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 10, "text-anchor": "end" }, t("profile.match_n", { n: now.number }))),
  h("p", { class: "key muted" }, h("span", { class: "swatch rating" }), t("profile.key_rating"), " ", h("span", { class: "swatch band" }), t("profile.key_band")));
}

function ticks(low, high) {
  const step = [1, 2, 5, 10, 20, 50, 100].find((each) => (high - low) / each <= 6) || 200;
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) found.push(value);
  return found;
}
