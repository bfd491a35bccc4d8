// The style sheet of a page, there before the page is shown.
import { STYLED, fileAt } from "./place.js";

/** Wait for the style sheet of a page, where it has one. @param {string} page @returns {Promise<void>} */
export function styleOf(page) {
  if (!STYLED.has(page) || document.querySelector(`link[data-style="${page}"]`)) return Promise.resolve();
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: fileAt(`style/${page}.css`) });
  link.dataset.style = page;
  return new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => {
      link.remove();
      reject(new Error(`no style for ${page}`));
    };
    document.head.append(link);
  });
}
