// An invite that somebody was sent: who invites, and the button that takes the seat. Looking takes nothing.
import { html, useEffect, useState } from "../html.js";
import { Problem, get, post } from "../core/api.js";
import { go, link } from "../core/links.js";
import { Empty, Failed, Loading, OfflineNote } from "../parts/notes.js";

const OVER = {
  taken: { lead: "Somebody else has taken this invite.", text: "An invite is for one friend. Ask for another one, or invite somebody yourself." },
  over: { lead: "This duel is over.", text: "Nobody can join it any more." },
  missing: { lead: "There is no such invite.", text: "The link may be cut short: ask for it again." },
};

/** @param {{code: string}} props */
export function Join({ code }) {
  const [{ invite, error, isJoining }, show] = useState({});
  const path = `/duels/${encodeURIComponent(code)}`;
  const load = async () => {
    show({});
    try {
      const found = await get(path);
      if (found.state === "joined") go(link("game", { id: found.game }), { replace: true });
      else show({ invite: found });
    } catch (problem) {
      show({ error: problem });
    }
  };
  useEffect(() => void load(), [code]);
  const join = async () => {
    show({ invite, isJoining: true });
    try {
      const game = await post(`${path}/join`);
      go(link("game", { id: game.id }), { replace: true });
    } catch (problem) {
      if (problem instanceof Problem && problem.status === 409) await load();
      else show({ invite, error: problem });
    }
  };
  const state = error instanceof Problem && error.status === 404 ? "missing" : invite?.state;
  if (!state && !error) return html`<${Loading} text="Opening the invite…" />`;
  if (OVER[state]) return html`<${Empty} ...${OVER[state]} action="Go to duels" href=${link("duel")} />`;
  if (state === "own") {
    return html`<${Empty} lead="This is your own invite." text="Give it to somebody else: it takes the other seat." action="Go to the duel" href=${link("game", { id: invite.game })} />`;
  }
  return html`<section class="card stack welcome">
    ${invite && html`<p class="lead"><b>${invite.by}</b> invites you to a duel.</p>
      <p class="muted">Ten rolls, the same for both of you. Both place each roll before either move is shown; the higher score wins. No account, nothing to install.</p>
      <div class="row"><button class="btn" type="button" onClick=${join} disabled=${isJoining}>${isJoining ? "Joining…" : "Join the duel"}</button></div>`}
    ${error && html`<${Failed} what=${error instanceof Problem ? error.detail : "The service did not answer."} safe="The invite is as it was." again=${invite ? join : load} />`}
    <${OfflineNote} text="A duel needs the network." />
  </section>`;
}
