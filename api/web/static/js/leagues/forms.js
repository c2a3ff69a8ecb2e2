// Forms made of fields with their labels, hints and faults; what the API refuses is said at its field.
import { h, say } from "../dom.js";
import { fault, t } from "../words.js";

let made = 0;

// A field: a label, a control (input, select, textarea), a hint. `name` is what the API calls it.
export function field(label, name, control, hint) {
  const id = `f${made += 1}`;
  control.id = id;
  if (name) control.name = name;
  control.setAttribute("aria-describedby", `${hint ? `${id}-hint ` : ""}${id}-fault`);
  return h("div", { class: "field" }, h("label", { for: id }, label), control,
    hint && h("p", { class: "hint", id: `${id}-hint` }, hint), h("p", { class: "said", id: `${id}-fault` }));
}

export const text = (label, name, facts = {}, hint) => field(label, name, h("input", { autocomplete: "off", ...facts }), hint);

export const note = () => field(t("league.why"), "note", h("textarea", { rows: 2, maxlength: 1000, required: true }), t("league.why_hint"));

// `choices`: [value, text].
export function select(label, name, choices, value, hint) {
  const options = choices.map(([key, shown]) => h("option", { value: key, selected: key === value }, shown));
  return field(label, name, h("select", {}, options), hint);
}

export function checkbox(label, name, checked = false) {
  return h("label", { class: "check" }, h("input", { type: "checkbox", name, checked }), h("span", {}, label));
}

// A form: `act` is given the form's values and sends them. It is sent once at a time. `called`: what the API's fields
// are called here.
export function form(fields, button, act, kind = "", called = undefined) {
  const send = h("button", { class: `button ${kind}`, type: "submit" }, button);
  const said = h("p", { class: "said", role: "alert" });
  const whole = h("form", { novalidate: true, autocomplete: "off" }, fields, said, h("p", {}, send));
  whole.addEventListener("submit", async (event) => {
    event.preventDefault();
    clear(whole);
    send.disabled = true;
    try {
      await act(Object.fromEntries(new FormData(whole)), whole);
    } catch (error) {
      refused(whole, said, error, called);
    }
    send.disabled = false;
  });
  return whole;
}

// A button that does one thing; what goes wrong is said beside everything.
export function does(label, act, kind = "second small") {
  const button = h("button", { type: "button", class: `button ${kind}` }, label);
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await act();
    } catch (error) {
      say(fault(error), true);
    }
    button.disabled = false;
  });
  return button;
}

export function clear(whole) {
  for (const each of whole.querySelectorAll(".said")) each.textContent = "";
  for (const each of whole.querySelectorAll("[aria-invalid]")) each.removeAttribute("aria-invalid");
}

// What was refused, at its fields; what belongs to none, above the button.
export function refused(whole, said, error, called = (name) => name) {
  const errors = Object.entries(error.facts?.errors || {});
  const others = errors.filter(([name, what]) => !at(whole, called(name), what)).map(([name, what]) => (name ? `${name}: ${what}` : what));
  if (!errors.length || others.length) said.textContent = others.join(" \u00b7 ") || fault(error);
  whole.querySelector("[aria-invalid]")?.focus();
}

function at(whole, name, what) {
  const control = whole.querySelector(`[name="${CSS.escape(name)}"]`);
  const place = control?.closest(".field")?.querySelector(".said");
  if (!place) return false;
  place.textContent = what;
  control.setAttribute("aria-invalid", "true");
  return true;
}
