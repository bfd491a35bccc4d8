// The style sheet of a page, there before the page is shown.
import { STYLED, fileAt } from "./place.js";

/** Wait for the style sheet of a page, where it has one. @param {string} page @returns {Promise<void>} */
export function styleOf(page) {
  const href = new URL(fileAt(`style/${page}.css`)).href;
  const isThere = [...document.querySelectorAll("link[rel=stylesheet]")].some((link) => link.href === href);
  if (!STYLED.has(page) || isThere) return Promise.resolve();
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  return new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => {
      link.remove();
      reject(new Error(`no style for ${page}`));
    };
    document.head.append(link);
  });
}
