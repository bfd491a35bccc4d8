// The invite of a duel: its link to copy or share, and as a picture for the friend's camera.
import { html, useState } from "../html.js";
import { announce } from "../core/announce.js";
import { apiAddress } from "../core/api.js";
import { link } from "../core/links.js";

/** The whole address of an invite's page. @param {string} code */
const inviteAddress = (code) => new URL(link("duel", { code }), location.href).href;

/**
 * What to send to the friend, until the friend has come.
 * @param {{code: string, isPlaced: boolean}} props  isPlaced: the first roll is
 */
export function Invite({ code, isPlaced }) {
  const address = inviteAddress(code);
  const [state, say] = useState("");
  const copy = async (event) => {
    const field = event.currentTarget.closest(".invite").querySelector("input");
    try {
      await navigator.clipboard.writeText(address);
      say("Copied.");
      announce("The link is copied.");
    } catch {
      field.select(); // where the browser does not let us: one key away
      say("Press Ctrl and C to copy it.");
    }
  };
  const share = async () => {
    try {
      await navigator.share({ title: "A duel of Ten times eighteen", text: "Ten rolls, the same for both of us. Your move?", url: address });
    } catch (error) {
      if (error.name !== "AbortError") say("Sharing did not work here: copy the link.");
    }
  };
  return html`<section class="invite card" aria-labelledby="invite-title">
    <div class="stack">
      <h2 id="invite-title">Send this link to your friend</h2>
      <p class="s muted">It takes the second seat of this duel, once. The duel begins when your friend comes; the link waits for seven days.</p>
      <div class="field"><label for="invite-link">Link</label><input id="invite-link" class="in" readonly value=${address} onFocus=${(event) => event.target.select()} /></div>
      <div class="row">
        <button class="btn small" type="button" onClick=${copy}>Copy link</button>
        ${navigator.share && html`<button class="btn small quiet" type="button" onClick=${share}>Share…</button>`}
        <span class="s muted" role="status">${state}</span>
      </div>
      <p class="waits" role="status"><i aria-hidden="true"></i>Waiting for your friend. ${isPlaced ? "Your first roll is placed." : "You may place the first roll meanwhile."}</p>
    </div>
    <figure class="qr"><img src=${apiAddress(`/duels/${code}/qr.svg`)} width="164" height="164" alt="The link as a QR code" /><figcaption class="xs muted">Or have it scanned</figcaption></figure>
  </section>`;
}
