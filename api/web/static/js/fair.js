// The shuffle, computed again from its seed by the reader's own browser: docs/fairness.md says every byte.
const text = new TextEncoder(), SCHEME = "tapete-1";
const bytes = (...parts) => Uint8Array.from(parts.flatMap((part) => [...(typeof part === "string" ? text.encode(part) : part)]));
const u32 = (number) => [number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255];
const sized = (part) => [part.length >> 8, part.length & 255, ...part];
const unhex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

async function hmac(key, message) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, message));
}

// An endless stream of 32-bit words.
async function* stream(key, label) {
  for (let counter = 0; ; counter += 1) {
    const block = new DataView((await hmac(key, bytes(SCHEME, label, u32(counter)))).buffer);
    for (let at = 0; at < 32; at += 4) yield block.getUint32(at);
  }
}

async function uniform(words, below) {
  const limit = 2 ** 32 - (2 ** 32 % below);
  for (;;) {
    const { value } = await words.next();
    if (value < limit) return value % below;
  }
}

const rank = (card) => (/[CDHS]$/.test(card) ? ["CDHS".indexOf(card.at(-1)), "A23456789TJQK".indexOf(card[0])] : [card.replace(/\d+$/, ""), Number(card.replace(/^\D+/, ""))]);
function canonical(a, b) {
  const [one, two] = [rank(a), rank(b)];
  return one[0] < two[0] ? -1 : one[0] > two[0] ? 1 : one[1] - two[1];
}

// Whether a `dealt` event that lies open is what its seed makes of it; `nonces` by seat, in hex. `due`: who has to deal,
// or null for the first deal, whose dealer is drawn among all `seats` of the match.
export async function isSound(dealt, nonces, seats, due = null) {
  const seed = unhex(dealt.seed), id = bytes(sized(text.encode(dealt.shuffled_as)), u32(dealt.deal));
  const given = Object.keys(nonces).map(Number).sort((a, b) => a - b).map((seat) => unhex(nonces[seat]));
  const promised = hex(await crypto.subtle.digest("SHA-256", bytes(SCHEME, "/commit\0", id, seed)));
  const key = await hmac(seed, bytes(SCHEME, "/deal\0", id, [given.length], ...given.map(sized)));
  const dealer = due ?? (await uniform(stream(key, "/dealer\0"), seats));
  const words = stream(key, "/pack\0"), pack = [...dealt.pack].sort(canonical);
  for (let last = pack.length - 1; last > 0; last -= 1) {
    const other = await uniform(words, last + 1);
    [pack[last], pack[other]] = [pack[other], pack[last]];
  }
  return promised === dealt.commitment && dealer === dealt.dealer && pack.join() === dealt.pack.join();
}

// Every deal of a match: {deal, dealt, nonces, due}. After the first one the next seat that plays has to deal.
export function dealsOf(events) {
  const found = [];
  let nonces = {}, due = events[0].dealer ?? null;
  for (const event of events) {
    if (event.type === "committed") nonces = {};
    if (event.type === "nonce") nonces[event.seat] = event.nonce;
    if (event.type === "dealt") {
      if (found.length) due = after(found.at(-1).dealt.dealer, event.seats);
      found.push({ deal: event.deal, dealt: event, nonces, due });
      nonces = {};
    }
  }
  return found;
}

const after = (dealer, seats) => Math.min(...(seats.some((seat) => seat > dealer) ? seats.filter((seat) => seat > dealer) : seats));
