// The notes of a page that has nothing to show: loading, failed, empty, offline, no such page.
import { html, useEffect, useState } from "../html.js";
import { link } from "../core/links.js";
import { useOnline } from "../core/online.js";
import { texts } from "../texts.js";
import { Shell } from "./shell.js";

/**
 * A module that a first visit does not need at once: loaded after the first paint, and again when the network is back.
 * @param {() => Promise<object>} load  such as () => import("./ending.js")
 * @returns {object | null}
 */
export function useModule(load) {
  const [module, show] = useState(null);
  useEffect(() => {
    const fetchIt = () => load().then(show, () => undefined);
    fetchIt();
    window.addEventListener("online", fetchIt);
    return () => window.removeEventListener("online", fetchIt);
  }, []);
  return module;
}

const PATIENCE = 400; // ms: a faster answer needs no note

/** After 400 ms, a text that says what is loading; nothing before. @param {{text?: string}} props */
export function Loading({ text = texts.shell.loading }) {
  const [isLate, say] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => say(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return html`<p class="loading muted" role="status">${isLate ? text : ""}</p>`;
}

/**
 * Something failed: what, what is safe, and one button.
 * @param {{what: string, safe?: string, action?: string, again?: () => void, children?: any}} props  children: a second way out
 */
export function Failed({ what, safe, action = texts.shell.tryAgain, again, children }) {
  return html`<section class="stack">
    <p class="note bad" role="alert"><b>${what}</b>${safe && ` ${safe}`}</p>
    ${(again || children) && html`<div class="row">${again && html`<button class="btn" type="button" onClick=${again}>${action}</button>`}${children}</div>`}
  </section>`;
}

/**
 * Nothing here yet: one sentence, and one button that changes this.
 * @param {{lead: string, text?: string, action?: string, href?: string, onAction?: () => void, children?: any}} props
 */
export function Empty({ lead, text, action, href, onAction, children }) {
  return html`<section class="card stack">
    <p class="lead">${lead}</p>
    ${text && html`<p class="muted">${text}</p>`}
    ${(action || children) && html`<div class="row">
      ${action && (href ? html`<a class="btn" href=${href}>${action}</a>` : html`<button class="btn" type="button" onClick=${onAction}>${action}</button>`)}
      ${children}</div>`}
  </section>`;
}

/**
 * A note when there is no network or no server; otherwise nothing.
 * @param {{text?: string, again?: () => void, children?: any}} props  text: what that means on this page. again: asks the
 *   server once more. children: a way out, such as "Play solo"
 */
export function OfflineNote({ text = texts.shell.offlineText, again, children }) {
  const online = useOnline();
  if (online) return null;
  return html`<section class="stack"><p class="note" role="status"><b>${navigator.onLine ? texts.shell.serviceAway : texts.shell.offline}</b> ${text}</p>
    ${(again || children) && html`<div class="row">${again && html`<button class="btn" type="button" onClick=${again}>${texts.shell.tryAgain}</button>`}${children}</div>`}</section>`;
}

/** The page for an unknown address. */
export function NoPage() {
  return html`<${Shell} page=""><div class="page"><section class="stack"><h1>${texts.shell.noPage}</h1>
    <p class="lead">${texts.shell.noPageText}</p>
    <div class="row"><a class="btn" href=${link("play")}>${texts.shell.playGame}</a></div></section></div><//>`;
}
