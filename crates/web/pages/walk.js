// Going back and forth in a game: by turns of persons, by single moves, to any place.

/// Back to where a person was to move; without persons, by one move of a player.
export async function undo(room) {
  const number = ++room.asking;
  const persons = room.state.seats.slice(0, room.players()).some(({ agent }) => agent === "person");
  let fallback = null;
  for (let length = room.view.moves.length - 1; length >= 0; length--) {
    const view = await room.ask(room.place(room.view.moves.slice(0, length), false)).catch(() => null);
    if (number !== room.asking || room.closed || !view) return;
    if (!view.turn.player) continue;
    fallback ??= length;
    if (!persons || room.state.seats[view.turn.player - 1].agent === "person") return back(room, length, false);
  }
  if (fallback !== null) back(room, fallback, true);
}

function back(room, length, pause) {
  const taken = room.view.moves.slice(length).reverse();
  const agents = room.state.seats.slice(0, room.players()).every(({ agent }) => agent !== "person");
  return room.go(room.view.moves.slice(0, length), [...room.state.redo, ...taken], { paused: room.state.paused || pause || agents });
}

/// On to where a person is to move, or to the end of what was taken back.
export async function redo(room) {
  const number = ++room.asking;
  let [moves, rest] = [room.view.moves, room.state.redo];
  while (rest.length) {
    moves = [...moves, rest.at(-1)];
    rest = rest.slice(0, -1);
    const view = await room.ask(room.place(moves, false)).catch(() => null);
    if (number !== room.asking || room.closed || !view) return;
    const seat = view.turn.player && room.state.seats[view.turn.player - 1];
    if (view.turn.over || (seat && (seat.agent === "person" || room.state.paused))) break;
  }
  return room.go(moves, rest);
}

/// To the place after so many moves.
export function jump(room, ply) {
  const moves = [...room.view.moves, ...[...room.state.redo].reverse()];
  return room.go(moves.slice(0, ply), moves.slice(ply).reverse(), { paused: room.hasAgents() && ply < moves.length });
}

/// All moves of the game, those that were taken back as well.
export function allMoves({ view, state }) {
  return [...view.moves, ...[...state.redo].reverse()];
}
