// What the player has chosen, once for all pages: coach, placing, theme.
import { useEffect, useState } from "../html.js";
import { kept } from "./kept.js";

/** The settings, each with what it may be; the first is what holds until the player chooses. */
export const SETTINGS = Object.freeze({
  coach: ["warn", "off", "full"],
  placing: ["arm", "tap"],
  theme: ["auto", "light", "dark"],
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
