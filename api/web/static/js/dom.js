// Elements from code. Text is always text: nothing here or elsewhere sets HTML.

export function h(name, facts = {}, ...children) {
  return filled(document.createElement(name), facts, children);
}

export function svg(name, facts = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), facts, children);
}

function filled(element, facts, children) {
  for (const [name, value] of Object.entries(facts)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// A name of somebody's choice, kept from turning the text around it.
export const bdi = (text) => h("bdi", {}, text);

export const $ = (selector, root = document) => root.querySelector(selector);

// Something to be read at once, and to go by itself.
export function say(text, bad = false) {
  const toast = h("div", { class: bad ? "toast bad" : "toast" }, text);
  $("#news").append(toast);
  setTimeout(() => toast.remove(), bad ? 8000 : 4000);
}
