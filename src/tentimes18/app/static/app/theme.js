// Runs before the first paint, so that a page never shows the other theme or language first: the player's choices where
// they exist, else the browser's. No module: those run after the page is drawn.
(() => {
  const chosen = (name) => {
    try {
      return JSON.parse(localStorage.getItem(`ten18.${name}`));
    } catch {
      return null; // Storage is forbidden, or holds something else.
    }
  };
  const languages = ["en", "de"]; // those of app/texts
  document.documentElement.lang = [chosen("language"), ...navigator.languages.map((tag) => tag.slice(0, 2))].find((tag) => languages.includes(tag)) ?? "en";
  const theme = chosen("theme");
  const media = { dark: "screen", light: "not all" }[theme];
  if (!media) return;
  document.querySelector("link[data-theme=dark]").media = media;
  for (const meta of document.querySelectorAll("meta[name=theme-color]")) {
    meta.media = (meta.dataset.theme === theme) ? "all" : "not all";
  }
})();
