// Sounds and vibration, made in the browser: a rattle when dice are thrown, a thump when a block lands (the heavier the slot, the deeper), three
// notes at the end. Off until the player turns them on, and silent where motion is reduced.
import { setting } from "./settings.js";

const NOTES = [523.25, 659.25, 783.99]; // of the end, in Hz
const BUZZ = { roll: [12, 40, 12], place: [18], end: [20, 60, 20, 60, 40] }; // ms

let audio = null;

/** @param {"roll" | "place" | "end"} what @param {number} [weight]  of the slot, 0 to 10 */
export function playSound(what, weight = 5) {
  if (setting("sound") !== "on" || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  navigator.vibrate?.(BUZZ[what]);
  audio ??= "AudioContext" in window ? new AudioContext() : null;
  if (audio === null) return;
  if (audio.state === "suspended") audio.resume();
  if (what === "roll") [0, 0.06, 0.12, 0.3, 0.42].forEach((after) => noise(after, 0.04, 1800, 0.12));
  else if (what === "place") {
    noise(0, 0.05, 300, 0.2);
    tone(170 - 9 * weight, 0, 0.16, 0.5);
  } else NOTES.forEach((pitch, at) => tone(pitch, at * 0.13, 0.4, 0.16));
}

function tone(pitch, after, seconds, loud) {
  const source = audio.createOscillator();
  source.frequency.value = pitch;
  start(source, source, after, seconds, loud);
}

function noise(after, seconds, pitch, loud) {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * seconds), audio.sampleRate);
  buffer.getChannelData(0).forEach((_, at, samples) => (samples[at] = Math.random() * 2 - 1));
  const source = audio.createBufferSource();
  source.buffer = buffer;
  const filter = audio.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  source.connect(filter);
  start(source, filter, after, seconds, loud);
}

function start(source, last, after, seconds, loud) {
  const gain = audio.createGain();
  const at = audio.currentTime + after;
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  last.connect(gain).connect(audio.destination);
  source.start(at);
  source.stop(at + seconds);
}
