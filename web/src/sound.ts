// Sounds, made on the spot and off until somebody asks for them: a knock for a move, two tones at the end.
import { byId } from "./dom";

const KEY = "glaux-sound";
let context: AudioContext | null = null;
let on = false;

function tone(frequency: number, at: number, seconds: number, type: OscillatorType): void {
  if (!context) return;
  const start = context.currentTime + at;
  const volume = context.createGain();
  volume.gain.setValueAtTime(0.2, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + seconds);
  const oscillator = context.createOscillator();
  oscillator.type = type;
  oscillator.frequency.value = frequency;
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + seconds);
}

export function playSound(what: "move" | "end"): void {
  if (!on) return;
  context ??= new AudioContext();
  document.documentElement.dataset["sounded"] = what;
  if (what === "move") tone(190, 0, 0.09, "triangle");
  else [392, 523].forEach((frequency, i) => tone(frequency, i * 0.16, 0.3, "sine"));
}

function show(): void {
  byId("sound").setAttribute("aria-pressed", String(on));
}

export function startSound(): void {
  try {
    on = localStorage.getItem(KEY) === "on";
  } catch {
    // a browser that keeps nothing
  }
  show();
  byId("sound").addEventListener("click", () => {
    on = !on;
    try {
      localStorage.setItem(KEY, on ? "on" : "off");
    } catch {
      // the choice holds for this page
    }
    show();
    playSound("move");
  });
}
