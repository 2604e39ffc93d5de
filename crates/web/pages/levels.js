// How strong an agent plays, as people say it: levels, which are the same on every machine, or seconds for a move.

const SIMULATIONS = [20, 60, 200, 600, 2000, 6000, 20000, 60000];
const NAMES = ["beginner", "learner", "casual", "club", "strong", "stronger", "expert", "master"];
const SECONDS = [0.5, 1, 2, 5, 10, 30];

/// For a select: groups of `[value, text]`.
export function strengths() {
  const levels = SIMULATIONS.map((amount, at) => [`simulations ${amount}`, `level ${at + 1}, ${NAMES[at]}`]);
  const seconds = SECONDS.map((amount) => [`seconds ${amount}`, `${amount} s a move`]);
  return { Levels: levels, "Thinking time": seconds, Other: [["other", "own …"]] };
}

/// The value of a strength in that select.
export function strengthOf({ amount, unit }) {
  const known = unit === "seconds" ? SECONDS : SIMULATIONS;
  return known.includes(amount) ? `${unit} ${amount}` : "other";
}

/// What such a value means.
export function readStrength(value) {
  const [unit, amount] = value.split(" ");
  return { unit, amount: Number(amount) };
}
