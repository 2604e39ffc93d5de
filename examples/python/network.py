"""A small network that learns Breakthrough 6×6 from games against itself: minutes on two cores.

`python network.py [minutes]` trains and then plays a match against plain Monte-Carlo tree search. The network is one of
PyTorch where that is installed, and else one of NumPy by hand. It is asked about leaves of many games at once, which is what
makes it bearable without a graphics processor.
"""

import random
import sys
import time

import numpy as np
import spinney

try:
    import torch
except ImportError:
    torch = None

SIZE = 6
GAME = spinney.game(f"breakthrough(rows={SIZE}, columns={SIZE})")
MOVES = 192
INPUTS = 2 * SIZE * SIZE + 1
WIDTH = 128


def inputs_of(states):
    """Positions as numbers, all at once: where the pawns of both are, and whose turn it is."""
    texts = [state.position for state in states]
    board = np.frombuffer("".join(text[:-2].replace("/", "") for text in texts).encode(), np.uint8).reshape(len(texts), -1)
    second = np.array([[text[-1] == "2"] for text in texts])
    return np.concatenate([board == ord("w"), board == ord("b"), second], 1).astype(np.float32)


class ByHand:
    """Two hidden layers, a value for the first player and a logit for each move; Adam, in NumPy."""

    def __init__(self, seed):
        dice = np.random.default_rng(seed)
        shapes = [(INPUTS, WIDTH), (WIDTH, WIDTH), (WIDTH, 1 + MOVES)]
        self.weights = [dice.normal(0, np.sqrt(2 / rows), (rows, columns)).astype(np.float32) for rows, columns in shapes]
        self.weights += [np.zeros(columns, np.float32) for _, columns in shapes]
        self.moments = [(np.zeros_like(one), np.zeros_like(one)) for one in self.weights]
        self.steps = 0

    def _layers(self, inputs):
        w1, w2, w3, b1, b2, b3 = self.weights
        first = np.maximum(inputs @ w1 + b1, 0)
        second = np.maximum(first @ w2 + b2, 0)
        return first, second, second @ w3 + b3

    def __call__(self, inputs):
        out = self._layers(inputs)[2]
        return np.tanh(out[:, 0]), out[:, 1:]

    def learn(self, inputs, rewards, targets, legal):
        """A step; `targets` are shares of visits, `legal` what may be played. Returns the loss."""
        first, second, out = self._layers(inputs)
        values, logits = np.tanh(out[:, 0]), np.where(legal, out[:, 1:], -1e9)
        shares = np.exp(logits - logits.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        loss = np.mean((values - rewards) ** 2) - np.mean(np.sum(targets * np.log(shares + 1e-9), 1))
        back = np.empty_like(out)
        back[:, 0] = 2 * (values - rewards) * (1 - values**2)
        back[:, 1:] = shares - targets
        back /= len(inputs)
        below = (back @ self.weights[2].T) * (second > 0)
        lowest = (below @ self.weights[1].T) * (first > 0)
        slopes = [inputs.T @ lowest, first.T @ below, second.T @ back, lowest.sum(0), below.sum(0), back.sum(0)]
        self.steps += 1
        for weight, slope, (mean, square) in zip(self.weights, slopes, self.moments):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            rate = 2e-3 * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
            weight -= rate * mean / (np.sqrt(square) + 1e-8) + 2e-7 * weight
        return float(loss)


class ByTorch:
    """The same network in PyTorch."""

    def __init__(self, seed):
        torch.manual_seed(seed)
        layers = [torch.nn.Linear(INPUTS, WIDTH), torch.nn.ReLU(), torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU()]
        self.net = torch.nn.Sequential(*layers, torch.nn.Linear(WIDTH, 1 + MOVES))
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=2e-3)

    def __call__(self, inputs):
        with torch.no_grad():
            out = self.net(torch.from_numpy(inputs))
        return torch.tanh(out[:, 0]).numpy(), out[:, 1:].numpy()

    def learn(self, inputs, rewards, targets, legal):
        out = self.net(torch.from_numpy(inputs))
        logits = out[:, 1:].masked_fill(~torch.from_numpy(legal), -1e9)
        loss = torch.nn.functional.mse_loss(torch.tanh(out[:, 0]), torch.from_numpy(rewards))
        loss = loss - (torch.from_numpy(targets) * logits.log_softmax(1)).sum(1).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


def judge_of(net, ids_of=None):
    """The network as a search asks it; `ids_of` remembers the ids of moves by position, for training."""

    def judge(states, ids):
        values, logits = net(inputs_of(states))
        if ids_of is not None:
            ids_of.update((state.position, own) for state, own in zip(states, ids))
        return values.tolist(), [np.exp(row[own] - row[own].max()).tolist() for row, own in zip(logits, ids)]

    return judge


def self_play(agent, games, sims, dice):
    """Games at the same time, whose first moves are drawn by visits; gives positions, visits and results."""
    going, finished = [(GAME.state(), []) for _ in range(games)], []
    while going:
        found = agent.search([state for state, _ in going], seed=dice.getrandbits(60), sims=sims)
        for (state, own), result in zip(going, found):
            visits = [one.visits for one in result.moves]
            own.append((state.copy(), visits))
            drawn = dice.choices(range(len(visits)), visits)[0]
            state.play(drawn if len(state.history) < 8 else int(np.argmax(visits)))
            if state.is_over:
                finished += [(position, counts, 1.0 if state.outcome == 1 else -1.0) for position, counts in own]
        going = [(state, own) for state, own in going if not state.is_over]
    return finished


def train(minutes, games=64, sims=40, seed=1, kind=None, tell=print):
    """A network that has learned for so many minutes."""
    net = (kind or (ByTorch if torch else ByHand))(seed)
    dice, ids_of, known, started, number = random.Random(seed), {}, [], time.time(), 0
    while time.time() - started < 60 * minutes:
        known = (known + self_play(spinney.NetworkAgent(judge_of(net, ids_of), leaves=4), games, sims, dice))[-30_000:]
        for _ in range(40):
            batch = dice.sample(known, min(256, len(known)))
            targets, legal = np.zeros((len(batch), MOVES), np.float32), np.zeros((len(batch), MOVES), bool)
            for row, (position, visits, _) in enumerate(batch):
                own = ids_of[position.position]
                targets[row, own], legal[row, own] = np.array(visits) / sum(visits), True
            rewards = np.array([reward for _, _, reward in batch], np.float32)
            loss = net.learn(inputs_of([position for position, _, _ in batch]), rewards, targets, legal)
        number += 1
        tell(f"round {number:3}, {time.time() - started:4.0f} s, {len(known)} positions, loss {loss:.3f}")
    return net


if __name__ == "__main__":
    trained = train(float(sys.argv[1]) if len(sys.argv) > 1 else 4.0)
    learned = spinney.NetworkAgent(judge_of(trained), sims=100, leaves=4)
    untrained = spinney.NetworkAgent(judge_of(ByHand(1)), sims=100, leaves=4)
    print(spinney.match(GAME, learned, untrained, games=20, seed=1, opening=2))
    print(spinney.match(GAME, learned, "mcts(sims=100)", games=40, seed=1, opening=2))
