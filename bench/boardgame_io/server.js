'use strict';
// boardgame.io's own server with that game: `node server.js PORT postgres '{"host": …}'` or `… PORT flatfile FOLDER`.

const { FlatFile, Server } = require('boardgame.io/server');
const { PostgresStore } = require('bgio-postgres');
const { game } = require('./game.js');

const STORES = {
  postgres: (given) => new PostgresStore({ ...JSON.parse(given), logging: false, pool: { max: 10 } }),
  flatfile: (dir) => new FlatFile({ dir }),
};
// A file of FlatFile that a kill cut off cannot be read: that is to cost one match, which is counted, not the server.
process.on('unhandledRejection', () => {});
const [port, store, given] = process.argv.slice(2);

Server({ games: [game], db: STORES[store](given), origins: [] }).run(Number(port));
