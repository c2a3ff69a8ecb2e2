// The API, as the pages use it: what a third party could do as well, with the session's cookie instead of a header.

export class Problem extends Error {
  // What the API refused: application/problem+json. `status` 0: the server does not answer.
  constructor(status, content) {
    super(content.detail || content.title || String(status));
    this.status = status;
    this.code = content.code;
    this.facts = content;
  }
}

const language = document.documentElement.lang;

// One request. `version` goes into If-Match, `key` into Idempotency-Key: with it a lost answer is asked for again.
export async function call(method, path, body, { version, key, signal, accept = "application/json" } = {}) {
  const headers = { "Accept": accept, "Accept-Language": language, "X-Tapete-Page": "1" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (version !== undefined) headers["If-Match"] = `"${version}"`;
  if (key) headers["Idempotency-Key"] = key;
  const request = { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body), credentials: "same-origin" };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await fetch(path, request);
      if (response.status === 503 && attempt < 4 && (key || method === "GET")) throw new TypeError("unavailable");
      return await read(response);
    } catch (fault) {
      if (fault instanceof Problem || fault.name === "AbortError") throw fault;
      if (attempt >= 4 || !(key || method === "GET")) throw new Problem(0, { code: "unreachable" });
      await new Promise((resolve) => setTimeout(resolve, 300 * 2 ** attempt));
    }
  }
}

async function read(response) {
  const type = response.headers.get("Content-Type") || "";
  const content = /json/.test(type) && !/ndjson/.test(type) ? await response.json() : await response.text();
  if (response.ok) return content;
  throw new Problem(response.status, typeof content === "string" ? { title: `${response.status}` } : content);
}

export const get = (path, more) => call("GET", path, undefined, more);
export const post = (path, body = {}, more = {}) => call("POST", path, body, { key: newKey(), ...more });

// A key that nobody has used: crypto.randomUUID would want https.
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
