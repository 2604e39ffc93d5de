"""A small network that learns Breakthrough 6×6 from games against itself, in PyTorch: minutes on two cores.

`python network.py [minutes]` trains and then plays a match against plain Monte-Carlo tree search. The network is asked about
leaves of many games at once, which is what makes it bearable without a graphics processor.
"""

import random
import sys
import time

import numpy as np
import spinney
import torch
from torch import nn

SIZE = 6
GAME = spinney.game(f"breakthrough(rows={SIZE}, columns={SIZE})")


class Net(nn.Module):
    """Two planes of pawns and one of whose turn it is; a value for the first player, and a logit for each move id."""

    def __init__(self, moves, width=32):
        super().__init__()
        layers = []
        for number in range(3):
            layers += [nn.Conv2d(3 if number == 0 else width, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU()]
        self.body = nn.Sequential(*layers, nn.Flatten())
        self.value = nn.Sequential(nn.Linear(width * SIZE * SIZE, 64), nn.ReLU(), nn.Linear(64, 1), nn.Tanh())
        self.policy = nn.Linear(width * SIZE * SIZE, moves)

    def forward(self, planes):
        body = self.body(planes)
        return self.value(body)[:, 0], self.policy(body)


def planes_of(states):
    """Positions as numbers, all at once."""
    texts = [state.position for state in states]
    letters = np.frombuffer("".join(text[:-2].replace("/", "") for text in texts).encode(), np.uint8)
    board = letters.reshape(len(texts), SIZE, SIZE)
    second = np.array([text[-1] == "2" for text in texts])[:, None, None]
    return torch.from_numpy(np.stack([board == ord("w"), board == ord("b"), np.broadcast_to(second, board.shape)], 1).astype(np.float32))


def judge_of(net):
    """The network as a search asks it: values for the first player, and priors of the legal moves."""

    def judge(states, ids):
        net.eval()
        with torch.no_grad():
            values, logits = net(planes_of(states))
        logits = logits.numpy()
        priors = []
        for row, own in enumerate(ids):
            weights = np.exp(logits[row, own] - logits[row, own].max())
            priors.append((weights / weights.sum()).tolist())
        return values.tolist(), priors

    return judge


def self_play(agent, games, sims, dice):
    """Games at the same time, each move drawn by its visits at first; gives positions, ids, visits and results."""
    states, samples, finished = [GAME.state() for _ in range(games)], [[] for _ in range(games)], []
    while states:
        found = agent.search(states, seed=dice.getrandbits(60), sims=sims)
        going = []
        for state, own, result in zip(states, samples, found):
            visits = [one.visits for one in result.moves]
            own.append((state.copy(), visits))
            plies = len(state.history)
            pick = dice.choices(range(len(visits)), visits)[0] if plies < 8 else int(np.argmax(visits))
            state.play(pick)
            if state.is_over:
                reward = 1.0 if state.outcome == 1 else -1.0
                finished.extend((position, counts, reward) for position, counts in own)
            else:
                going.append((state, own))
        states, samples = [list(part) for part in zip(*going)] if going else ([], [])
    return finished


def train(minutes=4.0, games=48, sims=48, seed=1):
    """A network that has learned for so many minutes."""
    torch.manual_seed(seed)
    torch.set_num_threads(2)
    dice, ids_of, known = random.Random(seed), {}, []

    def learn_ids(states, ids):
        # The ids of moves by position, for training.
        ids_of.update((state.position, own) for state, own in zip(states, ids))
        return judge(states, ids)

    net = Net(moves=4096)
    judge = judge_of(net)
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-4)
    started, rounds = time.time(), 0
    while time.time() - started < 60 * minutes:
        known += self_play(spinney.NetworkAgent(learn_ids, leaves=4), games, sims, dice)
        known = known[-20_000:]
        net.train()
        for _ in range(24):
            batch = dice.sample(known, min(256, len(known)))
            values, logits = net(planes_of([position for position, _, _ in batch]))
            rewards = torch.tensor([reward for _, _, reward in batch])
            loss = nn.functional.mse_loss(values, rewards)
            for row, (position, visits, _) in enumerate(batch):
                own = ids_of[position.position]
                target = torch.tensor(visits, dtype=torch.float32)
                loss = loss - (target / target.sum() * logits[row, own].log_softmax(0)).sum() / len(batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        rounds += 1
        print(f"round {rounds:3}, {time.time() - started:4.0f} s, {len(known)} positions, loss {loss.item():.3f}", flush=True)
    return net


if __name__ == "__main__":
    trained = train(float(sys.argv[1]) if len(sys.argv) > 1 else 4.0)
    network = spinney.NetworkAgent(judge_of(trained), sims=100, leaves=4)
    print(spinney.match(GAME, network, "mcts(sims=100)", games=40, seed=1, opening=2))
