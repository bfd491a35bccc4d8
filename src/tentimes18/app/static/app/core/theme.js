// The theme: the dark form is a style sheet of its own, and its media says when it holds: never on paper.
import { useEffect, useState } from "../html.js";
import { kept } from "./kept.js";
import { setting } from "./settings.js";

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

/** Whether the page is dark; a component that asks is drawn anew when that changes, as a chart on canvas must be. */
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
