"""Optuna proposes, spinney plays: python drive.py SPINNEY FILE TRIALS GAMES"""
import json
import subprocess
import sys

import optuna

program, file, trials, games = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
spinney = subprocess.Popen(
    [program, "tune", "play", file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
)
parameters = json.loads(spinney.stdout.readline())["parameters"]


def suggest(trial, parameter):
    name = parameter["name"]
    if "words" in parameter:
        return trial.suggest_categorical(name, parameter["words"])
    kind = trial.suggest_int if parameter["whole"] else trial.suggest_float
    return kind(name, parameter["from"], parameter["to"], log=parameter["scale"] == "logarithmic")


def score(trial):
    setting = {parameter["name"]: suggest(trial, parameter) for parameter in parameters}
    print(json.dumps({"setting": setting, "games": games}), file=spinney.stdin)
    answer = json.loads(spinney.stdout.readline())
    trial.set_user_attr("agent", answer["agent"])
    return answer["score"]


optuna.logging.set_verbosity(optuna.logging.WARNING)
study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=1))
study.optimize(score, n_trials=trials)
spinney.stdin.close()
print(f"best {study.best_value:.3f} with {study.best_trial.user_attrs['agent']}")
