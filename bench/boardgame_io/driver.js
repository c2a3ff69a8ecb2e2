'use strict';
// Plays known matches at a boardgame.io server by its own clients, a socket a player. `node driver.js BASE`, then JSON
// by lines, each answered by one: first the tables' scripts; then numbers of seconds to play for, which is cut short
// when the server is killed; then `null`, how many of the words that had been shown are gone. Beside it: game.js.

const { createInterface } = require('node:readline');
const { Client, LobbyClient } = require('boardgame.io/client');
const { SocketIO } = require('boardgame.io/multiplayer');
const { SEATS, game } = require('./game.js');

const server = process.argv[2];
const lobby = new LobbyClient({ server });
const PATIENCE = 20000; // milliseconds

class CutError extends Error {}

class Player {
  constructor(matchID, playerID, credentials) {
    const multiplayer = SocketIO({ server, socketOpts: { transports: ['websocket'], forceNew: true } });
    this.client = Client({ game, numPlayers: SEATS, matchID, playerID, credentials, multiplayer, debug: false });
    this.client.subscribe((state) => state && this.wanted && this.wanted(state));
    this.client.start();
  }

  /** Until so many cards of the match have been shown to this player; the state in which they are. */
  async shown(played) {
    const now = this.client.getState();
    if (now && !now.isConnected) throw new CutError();
    if (now && now.G.played >= played) return now;
    let late;
    return new Promise((seen, cut) => {
      late = setTimeout(() => cut(new Error(`card ${played} is not shown`)), PATIENCE);
      this.wanted = (state) => {
        if (!state.isConnected) cut(new CutError());
        else if (state.G.played >= played) seen(state);
      };
    }).finally(() => {
      clearTimeout(late);
      this.wanted = undefined;
    });
  }
}

class Table {
  constructor(script) {
    Object.assign(this, { script, players: [], played: script.words.length });
  }

  /** A match is made, and all four come. */
  async sit() {
    this.rise();
    const { packs, dealer } = this.script;
    const { matchID } = await lobby.createMatch(game.name, { numPlayers: SEATS, setupData: { packs, dealer } });
    const joined = [];
    for (let seat = 0; seat < SEATS; seat += 1) {
      joined.push(await lobby.joinMatch(game.name, matchID, { playerID: String(seat), playerName: `seat ${seat}` }));
    }
    // Only then: a socket that comes while another joins may put the credentials back that it has read.
    this.players = joined.map(({ playerID, playerCredentials }) => new Player(matchID, playerID, playerCredentials));
    await Promise.all(this.players.map((player) => player.shown(0)));
    Object.assign(this, { matchID, played: 0 });
  }

  rise() {
    this.players.splice(0).forEach((player) => player.client.stop());
  }

  /** Whoever is next says his word once he sees that he is; the milliseconds until he sees it played. */
  async move() {
    if (this.played === this.script.words.length) await this.sit();
    const [seat, word] = this.script.words[this.played];
    const player = this.players[seat];
    await player.shown(this.played);
    const began = performance.now();
    player.client.moves.play(word);
    const { ctx } = await player.shown(this.played + 1);
    const took = performance.now() - began;
    this.played += 1;
    if (this.played === this.script.words.length) this.check(ctx.gameover.points);
    return took;
  }

  check(points) {
    if (String(points) !== String(this.script.points)) throw new Error(`another game: ${points}`);
  }

  /** How many words that were shown to who said them the server does not know any more; all, if it has no match. */
  async lost() {
    const watcher = new Player(this.matchID);
    const { G } = await watcher.shown(0).catch(() => ({ G: { played: 0 } }));
    watcher.client.stop();
    return Math.max(0, this.played - G.played);
  }
}

async function played(tables, seconds) {
  const began = performance.now();
  const took = [];
  await Promise.all(tables.map(async (table) => {
    try {
      while (performance.now() - began < seconds * 1000) took.push(await table.move());
    } catch (fault) {
      if (!(fault instanceof CutError || fault.cause)) throw fault; // a fetch that was cut has a cause
    }
  }));
  return { seconds: (performance.now() - began) / 1000, milliseconds: took };
}

async function main() {
  const tables = [];
  const answer = async (said) => {
    if (typeof said === 'number') return played(tables, said);
    if (said === null) return Promise.all(tables.map((table) => table.lost()));
    tables.push(...said.map((script) => new Table(script)));
    return Promise.all(tables.map((table) => table.sit()));
  };
  for await (const line of createInterface({ input: process.stdin })) {
    console.log(JSON.stringify(await answer(JSON.parse(line))));
  }
}

main().catch((fault) => {
  console.error(fault);
  process.exit(1);
});
