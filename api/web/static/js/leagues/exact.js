// A number of points that the API gives exactly, "25/2" or "7", as it is read.
import { points } from "./common.js";

export function exact(text) {
  if (text === null || text === undefined) return "\u2013";
  const [above, below = 1] = text.split("/").map(Number);
  return points(above, below);
}
