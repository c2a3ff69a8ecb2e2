// What every page does: language and theme by choice, signing out, being read anew when the reader comes back to it.
import { call } from "./api.js";
import { say } from "./dom.js";
import { fault } from "./words.js";

const YEAR = 365 * 24 * 3600;

function choose(id, apply) {
  document.getElementById(id).addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    document.cookie = `tapete_${id}=${button.value}; path=/; max-age=${button.value ? YEAR : 0}; samesite=lax`;
    for (const each of event.currentTarget.querySelectorAll("button")) each.setAttribute("aria-pressed", each === button);
    apply(button.value);
  });
}

// A browser may have kept the page as it was left: with a hand on it, before its reader signed out.
addEventListener("pageshow", (event) => event.persisted && location.reload());

choose("language", () => location.reload());
choose("theme", (theme) => {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
});

document.getElementById("sign-out")?.addEventListener("click", async () => {
  try {
    await call("DELETE", "/session");
    location.assign("/");
  } catch (error) {
    say(fault(error), true);
  }
});
