// Short sounds for moves, made here; they are off until somebody wants them.

const KEY = "spinney.sound";
let context = null;

/// Whether sounds are on.
export function isOn() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}

/// Turns them on or off.
export function turn(on) {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // Without storage they stay off.
  }
  if (on) play("move");
}

const SOUNDS = { move: [[220, 0]], capture: [[170, 0], [120, 0.05]], over: [[392, 0], [523, 0.12], [659, 0.24]] };

/// Plays a sound: `move`, `capture` or `over`.
export function play(kind) {
  if (!isOn() || document.hidden || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  for (const [pitch, delay] of SOUNDS[kind] ?? []) {
    const start = context.currentTime + delay;
    const [tone, volume] = [new OscillatorNode(context, { type: "triangle", frequency: pitch }), new GainNode(context, { gain: 0 })];
    volume.gain.setValueAtTime(0.25, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.14);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + 0.15);
  }
}
