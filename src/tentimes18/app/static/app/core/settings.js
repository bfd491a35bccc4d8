// What the player has chosen, once for all pages: coach, placing, theme, language, sound.
import { useEffect, useState } from "../html.js";
import { kept } from "./kept.js";

/** The settings, each with what it may be; the first is what holds until the player chooses. */
export const SETTINGS = Object.freeze({
  coach: ["warn", "off", "full"],
  placing: ["arm", "tap"],
  theme: ["auto", "light", "dark"],
  language: ["auto", "en", "de"],
  sound: ["off", "on"],
});

/** @param {keyof typeof SETTINGS} name */
export function setting(name) {
  const value = kept.get(name);
  return SETTINGS[name].includes(value) ? value : SETTINGS[name][0];
}

/** A setting, and what changes it, here and in all other tabs. @param {keyof typeof SETTINGS} name @returns {[string, (value: string) => void]} */
export function useSetting(name) {
  const [value, show] = useState(() => setting(name));
  useEffect(() => {
    show(setting(name));
    return kept.watch(name, () => show(setting(name)));
  }, [name]);
  return [value, (chosen) => kept.set(name, chosen)];
}

// The theme: the dark form is a style sheet of its own, and its media says when it holds: never on paper.

const system = window.matchMedia("(prefers-color-scheme: dark)");
const changed = new EventTarget();

/** Whether the page is dark now. */
const isDark = () => (setting("theme") === "auto" ? system.matches : setting("theme") === "dark");

function apply() {
  const chosen = setting("theme");
  document.querySelector("link[data-theme=dark]").media = { auto: `screen and ${system.media}`, dark: "screen", light: "not all" }[chosen];
  for (const meta of document.querySelectorAll("meta[name=theme-color]")) {
    meta.media = chosen === "auto" ? `(prefers-color-scheme: ${meta.dataset.theme})` : meta.dataset.theme === chosen ? "all" : "not all";
  }
  changed.dispatchEvent(new Event("change"));
}

/** Follow the player's choice and the system's. */
export function followTheme() {
  kept.watch("theme", apply);
  system.addEventListener("change", apply);
  apply();
}

/** Whether the page is dark; a component that asks is drawn again when that changes, as a chart on canvas must be. */
export function useDark() {
  const [dark, show] = useState(isDark);
  useEffect(() => {
    const look = () => show(isDark());
    look();
    changed.addEventListener("change", look);
    return () => changed.removeEventListener("change", look);
  }, []);
  return dark;
}
