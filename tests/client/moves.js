// Moves a second of boardgame.io's client without a server, in the game of its own tutorial: recorded games of
// tic-tac-toe played again. Prints one number, of processor time, the best of a few runs.
const { Client } = require("boardgame.io/client");
const { INVALID_MOVE } = require("boardgame.io/core");

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const won = (cells) => LINES.some(([a, b, c]) => cells[a] !== null && cells[a] === cells[b] && cells[b] === cells[c]);

const game = {
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    clickCell: ({ G, playerID }, at) => {
      if (G.cells[at] !== null) return INVALID_MOVE;
      G.cells[at] = playerID;
    },
  },
  endIf: ({ G, ctx }) => {
    if (won(G.cells)) return { winner: ctx.currentPlayer };
    if (G.cells.every((cell) => cell !== null)) return { draw: true };
  },
};

const RECORDED = [[0, 1, 2, 4, 3, 5, 7, 6, 8], [0, 4, 8, 2, 6, 3, 5, 7, 1], [4, 0, 2, 6, 3, 5, 1, 7, 8]];

let best = 0;
for (let run = 0; run < 8; run++) {
  const began = process.cpuUsage();
  let moves = 0;
  for (let lap = 0; lap < 200; lap++) {
    for (const recorded of RECORDED) {
      const client = Client({ game, debug: false });
      client.start();
      for (const at of recorded) {
        client.moves.clickCell(at);
        moves++;
        if (client.getState().ctx.gameover) break;
      }
      client.stop();
    }
  }
  const spent = process.cpuUsage(began);
  best = Math.max(best, moves / ((spent.user + spent.system) / 1e6));
}
console.log(best);
