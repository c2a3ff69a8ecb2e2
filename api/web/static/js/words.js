// The words of the page's language, from the same file as the templates'.

const table = await (await fetch(`/static/words/${document.documentElement.lang}.json`)).json();

// The words of a key, with {values}; the key itself, or `otherwise`, where nobody has written them.
export function t(key, values = {}, otherwise = key) {
  return (table[key] ?? otherwise).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

export const language = document.documentElement.lang;
export const number = new Intl.NumberFormat(language);
export const moment = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

// A number as it is read: with a minus sign, which a hyphen is not.
export const figure = (value) => number.format(value).replace("-", "\u2212");

// What went wrong, to be read.
export function fault(error) {
  if (error.status === 0) return t("fault.unreachable");
  if (error.status === undefined) throw error;
  const errors = Object.values(error.facts.errors || {});
  return errors.length ? errors.join(" ") : error.message;
}
