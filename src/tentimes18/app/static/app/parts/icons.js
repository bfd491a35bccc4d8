// The mark and the icons, as paths on a grid of 24.
import { html } from "../html.js";

const PATHS = {
  menu: html`<path d="M4 7h16M4 12h16M4 17h16" />`,
  more: html`<path d="M6 12h.01M12 12h.01M18 12h.01" />`,
  lock: html`<rect x="5" y="11" width="14" height="9" rx="2" /><path d="M8 11V8a4 4 0 0 1 8 0v3" />`,
  back: html`<path d="M15 5l-7 7 7 7" />`,
  on: html`<path d="M9 5l7 7-7 7" />`,
  down: html`<path d="M6 9l6 6 6-6" />`,
  share: html`<path d="M12 15V4M8 7l4-4 4 4M5 12v7a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1v-7" />`,
  cup: html`<path d="M8 4h8v5a4 4 0 0 1-8 0zM8 6H4c0 3 1.5 5 4 5M16 6h4c0 3-1.5 5-4 5M12 13v4M8 20h8M10 17h4v3h-4z" />`,
  flame: html`<path d="M12 3c1 4 5 5.5 5 10.5a5 5 0 0 1-10 0c0-2 1-3.5 2-4.5 0 2 1 3 2 3 1.5 0 1.5-4 1-9z" />`,
  sound: html`<path d="M4 10v4h3l4 4V6L7 10zM15 9a4 4 0 0 1 0 6M17.5 6.5a8 8 0 0 1 0 11" />`,
  silent: html`<path d="M4 10v4h3l4 4V6L7 10zM15 10l5 5M20 10l-5 5" />`,
  close: html`<path d="M6 6l12 12M18 6L6 18" />`,
  play: html`<rect x="4" y="4" width="16" height="16" rx="4" /><path d="M9 9h.01M15 15h.01M12 12h.01" />`,
  daily: html`<circle cx="12" cy="12" r="4" /><path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4M18.4 5.6L17 7M7 17l-1.4 1.4" />`,
  duel: html`<path d="M10 5v14M14 5v14M10 8H4M10 15H6M14 8h4M14 15h6" />`,
  review: html`<path d="M4 17l5-6 4 3 7-8" />`,
  drill: html`<circle cx="12" cy="12" r="8" /><circle cx="12" cy="12" r="3" />`,
  lab: html`<path d="M4 4h16v16H4zM4 9.3h16M4 14.7h16M9.3 4v16M14.7 4v16" />`,
  history: html`<path d="M4 12a8 8 0 1 0 2.5-5.8M4 4v4h4M12 8v4l3 2" />`,
  about: html`<circle cx="12" cy="12" r="8" /><path d="M12 11v5M12 8h.01" />`,
  dark: html`<path d="M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5z" />`,
  light: html`<circle cx="12" cy="12" r="4" /><path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4M18.4 5.6L17 7M7 17l-1.4 1.4" />`,
};

/** An icon; what it means is said by the text beside it or by its button's label. @param {{name: keyof typeof PATHS}} props */
export const Icon = ({ name }) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${PATHS[name]}</svg>`;

/** The mark: three blocks that grow in length and thickness, as points do. */
export const Mark = () => html`<svg class="mark" viewBox="0 0 26 22" aria-hidden="true"><rect width="12" height="2" rx="1" /><rect
  y="5" width="19" height="5" rx="1.5" /><rect y="13" width="26" height="9" rx="2" /></svg>`;
