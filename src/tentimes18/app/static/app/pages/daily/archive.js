// The days that have passed: what one made of them, and their rolls to practise on.
import { html, useEffect, useState } from "../../html.js";
import { Away, Problem, get, post } from "../../core/api.js";
import { go, link } from "../../core/links.js";
import { setting } from "../../core/settings.js";
import { told } from "../../parts/scale.js";
import { shortDay } from "./days.js";

const FIRST = 7;
const MORE = 30;

/** The archive. */
export function Archive() {
  const [{ days, next, isBusy, failed }, show] = useState({ days: [], next: null, isBusy: true, failed: false });
  const load = async (before, limit) => {
    show((now) => ({ ...now, isBusy: true, failed: false }));
    try {
      const page = await get(`/daily/archive?limit=${limit}${before ? `&before=${before}` : ""}`);
      show((now) => ({ days: [...(before ? now.days : []), ...page.days], next: page.next, isBusy: false, failed: false }));
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      show((now) => ({ ...now, isBusy: false, failed: true }));
    }
  };
  useEffect(() => void load(null, FIRST), []);
  return html`<section class="stack"><h2>Past days</h2>
    <p class="s muted">Practice on their rolls counts nowhere, and a coach may help.</p>
    ${days.length > 0 && html`<table class="archive"><caption class="vh">Past days, latest first</caption>
      <thead><tr><th scope="col">Day</th><th scope="col">You</th><th scope="col">Perfect</th><th scope="col"><span class="vh">What to do</span></th></tr></thead>
      <tbody>${days.map((day) => html`<${Day} key=${day.day} found=${day} />`)}</tbody></table>`}
    ${failed && html`<p class="note" role="status"><b>The past days did not come.</b> They are kept.</p>`}
    ${!isBusy && (next || failed) && html`<button type="button" class="btn quiet small" onClick=${() => load(days.at(-1)?.day ?? null, days.length ? MORE : FIRST)}>
      ${failed ? "Try again" : "Earlier days"}</button>`}
  </section>`;
}

function Day({ found }) {
  const { day, number, own, open, optimal } = found;
  const name = html`<b>${shortDay(day)}</b> <span class="muted">Daily ${number}</span>`;
  return html`<tr><td>${own ? html`<a class="day" href=${link("daily", { day })}>${name}</a>` : html`<span class="day">${name}</span>`}</td>
    <td>${own ? html`${told(own.score)}${own.kind === "solo" && html`<span class="vh"> in practice</span><span class="muted" aria-hidden="true">*</span>`}` : ""}</td>
    <td>${optimal === null ? "" : told(optimal)}</td>
    <td>${open ? html`<a class="btn quiet small" href=${link("game", { id: open })}>Go on</a>` : html`<${Practise} day=${day} isAgain=${own !== null} />`}</td></tr>`;
}

/**
 * The button that begins practice on a day.
 * @param {{day: string, isAgain?: boolean, label?: string}} props
 */
export function Practise({ day, isAgain = false, label }) {
  const [state, show] = useState("");
  const begin = async () => {
    show("busy");
    try {
      const game = await post(`/daily/${day}`, { coach: setting("coach") });
      go(link("game", { id: game.id }));
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      show(error instanceof Problem ? error.detail : "The service is away.");
    }
  };
  const isWrong = state && state !== "busy";
  return html`<button type="button" class=${label ? "btn" : "btn quiet small"} disabled=${state === "busy"} aria-label=${label ? undefined : `${isAgain ? "Play again" : "Practise"}: ${shortDay(day)}`}
      onClick=${begin}>${label ?? (isAgain ? "Again" : "Practise")}</button>${isWrong && html`<p class="wrong" role="alert">${state}</p>`}`;
}
