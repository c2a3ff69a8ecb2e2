// Signing in: by a name, which registers somebody new, or by a token that one has.
import { call } from "./api.js";
import { $ } from "./dom.js";
import { fault } from "./words.js";

const asked = new URLSearchParams(location.search).get("next") || "/";
const next = /^\/(?![/\\])/.test(asked) ? asked : "/";  // a path of ours, and nobody else's

function onSubmit(form, field, act) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = $("[type=submit]", form), said = $(".fault", form);
    button.disabled = true;
    said.textContent = "";
    try {
      await act(field.value.trim());
    } catch (error) {
      said.textContent = fault(error);
      field.setAttribute("aria-invalid", "true");
      field.focus();
    }
    button.disabled = false;
  });
  $("[type=submit]", form).disabled = false;
}

onSubmit($("#by-name"), $("#name"), async (name) => {
  const made = await call("POST", "/v1/players", { name });
  await call("PUT", "/session", { token: made.token });
  $("#welcome-name").textContent = made.name;
  $("#new-token").textContent = made.token;
  $("#go").href = next;
  $(".pair").hidden = true;
  $("#kept").hidden = false;
  $("#kept h1").focus();
});

onSubmit($("#by-token"), $("#token"), async (token) => {
  await call("PUT", "/session", { token });
  location.assign(next);
});

$("#copy").addEventListener("click", () => navigator.clipboard?.writeText($("#new-token").textContent));
