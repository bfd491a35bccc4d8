// What a page says when it has nothing to show yet, or no longer: loading, failed, empty, offline, not there.
import { html, useEffect, useState } from "../html.js";
import { link } from "../core/links.js";
import { useOnline } from "../core/online.js";
import { Shell } from "./shell.js";

const PATIENCE = 400; // ms: what comes sooner needs no words

/** After 400 ms, that something is being fetched; before that nothing. @param {{text?: string}} props */
export function Loading({ text = "Setting the table…" }) {
  const [isLate, say] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => say(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return html`<p class="loading muted" role="status">${isLate ? text : ""}</p>`;
}

/**
 * Something went wrong: what, what is safe, and one button.
 * @param {{what: string, safe?: string, action?: string, again?: () => void, children?: any}} props  children: a second way out
 */
export function Failed({ what, safe, action = "Try again", again, children }) {
  return html`<section class="stack">
    <p class="note bad" role="alert"><b>${what}</b>${safe && ` ${safe}`}</p>
    ${(again || children) && html`<div class="row">${again && html`<button class="btn" type="button" onClick=${again}>${action}</button>`}${children}</div>`}
  </section>`;
}

/**
 * Nothing here yet: one sentence, and one button that changes that.
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
 * That there is no network, where there is none; else nothing.
 * @param {{text?: string, again?: () => void, children?: any}} props  text: what that means on this page; again: asks the
 *   service once more; children: a way out, such as "Play solo"
 */
export function OfflineNote({ text = "Solo, Drill and Lab work as usual.", again, children }) {
  const online = useOnline();
  if (online) return null;
  return html`<section class="stack"><p class="note" role="status"><b>${navigator.onLine ? "The service is away." : "You are offline."}</b> ${text}</p>
    ${(again || children) && html`<div class="row">${again && html`<button class="btn" type="button" onClick=${again}>Try again</button>`}${children}</div>`}</section>`;
}

/** An address that leads nowhere. */
export function NoPage() {
  return html`<${Shell} page=""><div class="page"><section class="stack"><h1>There is no such page</h1>
    <p class="lead">The address may be mistyped, or what was there is gone.</p>
    <div class="row"><a class="btn" href=${link("play")}>Play a game</a></div></section></div><//>`;
}
