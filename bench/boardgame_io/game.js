'use strict';
// Polignac without declarations, four seats, as domain/games/polignac.md has it (1-3), written for boardgame.io.
// The packs of all deals are given when a match is made. Beside it: server.js, driver.js.

const { INVALID_MOVE, PlayerView } = require('boardgame.io/core');

const SEATS = 4;
const PACKETS = [3, 2, 3]; // (1.3)
const RANKS = '789TAJQK'; // weakest first (1.2)
const COSTS = { JS: 2, JH: 1, JD: 1, JC: 1 }; // (3.1)

function setup(_, { packs, dealer }) {
  const players = Object.fromEntries([...Array(SEATS).keys()].map((seat) => [seat, { hand: [] }]));
  const G = { secret: { packs }, players, dealer, deal: 0, trick: [], taken: {}, points: [0, 0, 0, 0], played: 0 };
  shareOut(G);
  return G;
}

function shareOut(G) {
  const pack = [...G.secret.packs[G.deal]];
  for (const packet of PACKETS) {
    for (let place = 1; place <= SEATS; place += 1) {
      G.players[(G.dealer + place) % SEATS].hand.push(...pack.splice(0, packet));
    }
  }
  G.next = (G.dealer + 1) % SEATS; // (2.1)
}

function play({ G, playerID }, card) {
  const { hand } = G.players[playerID];
  const suit = G.trick.length ? G.trick[0].card[1] : card[1];
  if (!hand.includes(card)) return INVALID_MOVE;
  if (card[1] !== suit && hand.some((held) => held[1] === suit)) return INVALID_MOVE; // (2.2)
  hand.splice(hand.indexOf(card), 1);
  G.trick.push({ seat: Number(playerID), card });
  G.next = (Number(playerID) + 1) % SEATS;
  G.played += 1;
  if (G.trick.length === SEATS) gather(G);
  return undefined;
}

function gather(G) {
  const suit = G.trick[0].card[1];
  const height = ({ card }) => (card[1] === suit ? RANKS.indexOf(card[0]) : -1);
  const { seat } = G.trick.reduce((best, each) => (height(each) > height(best) ? each : best)); // (2.3)
  for (const { card } of G.trick) if (COSTS[card]) G.taken[card] = seat;
  G.trick = [];
  G.next = seat;
  if (G.players[seat].hand.length === 0) close(G);
}

function close(G) {
  for (const [card, seat] of Object.entries(G.taken)) G.points[seat] += COSTS[card]; // (3)
  G.taken = {};
  G.deal += 1;
  G.dealer = (G.dealer + 1) % SEATS;
  if (G.deal < G.secret.packs.length) shareOut(G);
}

exports.SEATS = SEATS;
exports.game = {
  name: 'polignac',
  minPlayers: SEATS,
  maxPlayers: SEATS,
  setup,
  moves: { play: { move: play, client: false } }, // it deals anew: nothing for a client to foresee
  turn: { minMoves: 1, maxMoves: 1, order: { first: ({ G }) => G.next, next: ({ G }) => G.next } },
  endIf: ({ G }) => (G.deal === G.secret.packs.length ? { points: G.points } : undefined),
  playerView: PlayerView.STRIP_SECRETS,
  disableUndo: true, // or the state would keep a copy of itself for each move
};
