// The same player on another device: a link that is good once, and what the other device sees when it is opened there.
import { html, useRef, useState } from "../../html.js";
import { Away, Problem, post } from "../../core/api.js";
import { announce } from "../../core/announce.js";
import { go, link } from "../../core/links.js";
import { counted } from "./words.js";

/** Makes the link. */
export function AnotherDevice() {
  const [{ address, until, wrong, isBusy }, show] = useState({ address: "", until: "", wrong: "", isBusy: false });
  const field = useRef(null);
  const make = async () => {
    show({ address: "", until: "", wrong: "", isBusy: true });
    try {
      const { code, expires } = await post("/me/link");
      const date = new Date(expires);
      const time = `${String(date.getHours()).padStart(2, "0")}:${String(date.getMinutes()).padStart(2, "0")}`;
      show({ address: new URL(link("history", { record: code }), location.href).href, until: time, wrong: "", isBusy: false });
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      show({ address: "", until: "", wrong: "The service is away. Try again in a moment.", isBusy: false });
    }
  };
  const copy = async () => {
    field.current.select();
    try {
      await navigator.clipboard.writeText(address);
    } catch {
      document.execCommand("copy");
    }
    announce("Copied.");
  };
  return html`<section class="stack"><h2>Another device</h2>
    <p class="muted">There is no password: this browser is you. A link makes another one you, too, with all your games.</p>
    ${address ? html`<div class="field"><label for="address">Open this there. It works once, until ${until}.</label>
        <div class="in-line"><input id="address" class="in" type="text" readonly ref=${field} value=${address} onFocus=${(event) => event.currentTarget.select()} />
          <button type="button" class="btn small" onClick=${copy}>Copy link</button></div>
        <p class="s muted">Whoever opens it first is you: send it to nobody else.</p></div>`
      : html`<div class="row"><button type="button" class="btn quiet small" disabled=${isBusy} onClick=${make}>Make a link</button></div>`}
    ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
  </section>`;
}

/**
 * What the other device is asked.
 * @param {{code: string, me: object}} props  me: who this device is so far
 */
export function TakeOver({ code, me }) {
  const [{ wrong, isBusy }, show] = useState({ wrong: "", isBusy: false });
  const take = async () => {
    show({ wrong: "", isBusy: true });
    try {
      await post("/link", { code });
      go(link("history"), { replace: true });
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      const isGone = error instanceof Problem;
      show({ wrong: isGone ? "This link was used already, or its hour is over. Make a new one on the first device." : "The service is away. The link is still good.", isBusy: false });
    }
  };
  return html`<section class="card stack"><p class="lead">Be the same player on this device?</p>
    <p class="muted">This browser then has the games, the streak and the name of the one who made the link.
      ${me.games > 0 ? ` The ${counted(me.games, "game")} that it has as ${me.shown} stay behind, and cannot be reached any more: download them first, below.` : ""}</p>
    ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
    <div class="row"><button type="button" class="btn" disabled=${isBusy} onClick=${take}>Yes, that is me</button>
      <a class="btn quiet" href=${link("history")}>No, stay ${me.shown}</a></div>
  </section>`;
}
