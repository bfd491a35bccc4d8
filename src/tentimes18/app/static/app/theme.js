// Runs before the first paint, so that a page never shows the other theme first: takes the player's choice, where there
// is one, for the style sheet of the dark form. No module: those run after the page is drawn.
(() => {
  let theme = null;
  try {
    theme = JSON.parse(localStorage.getItem("ten18.theme"));
  } catch {
    // Storage is forbidden, or holds something else: the system's theme it is.
  }
  const media = { dark: "screen", light: "not all" }[theme];
  if (!media) return;
  document.querySelector("link[data-theme=dark]").media = media;
  for (const meta of document.querySelectorAll("meta[name=theme-color]")) {
    meta.media = (meta.dataset.theme === theme) ? "all" : "not all";
  }
})();
