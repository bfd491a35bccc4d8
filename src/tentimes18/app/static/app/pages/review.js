// Review: what was luck and what was you. A finished game of one's own, or any record that is pasted in or comes by a link.
import { html, useCallback, useEffect, useState } from "../html.js";
import { Problem } from "../core/api.js";
import { link } from "../core/links.js";
import { parseRecord } from "../game/record.js";
import { Wrong } from "../game/wrong.js";
import { Empty, Failed, Loading } from "../parts/notes.js";
import { Shell } from "../parts/shell.js";
import { reviewOfGame, reviewOfRecord } from "./review/measured.js";
import { Paste } from "./review/paste.js";
import { Recent } from "./review/recent.js";
import { Review } from "./review/reviewed.js";

export const title = "Review";

/** @param {{params: {id?: string, record?: string}, query: Record<string, string>}} props */
export default function Page({ params: { id, record } }) {
  const [{ reviewed, error }, show] = useState({});
  const load = useCallback(async () => {
    show({});
    try {
      if (id) show({ reviewed: await reviewOfGame(id) });
      else if (record) show({ reviewed: await reviewOfRecord(parseRecord(record), (early) => show({ reviewed: early })) });
    } catch (problem) {
      show({ error: problem });
    }
  }, [id, record]);
  useEffect(() => void load(), [load]);
  if (reviewed) return html`<${Shell} page="review"><${Review} reviewed=${reviewed} /><//>`;
  if (error instanceof Wrong || !(id || record)) return html`<${Shell} page="review"><${Begin} text=${record} problem=${error?.message} /><//>`;
  return html`<${Shell} page="review"><div class="page"><h1 class="vh">Review</h1>${error ? html`<${NotThere} id=${id} error=${error} again=${load} />` : html`<${Loading} text="Counting every move…" />`}</div><//>`;
}

/** Where no game is given: one's own, and the field for any other. */
function Begin({ text, problem }) {
  return html`<div class="page begin">
    <section class="stack tight span"><h1>Review</h1><p class="lead muted">What was luck and what was you: every move of a game, measured exactly.</p></section>
    <${Paste} text=${text} problem=${problem} />
    <${Recent} />
  </div>`;
}

function NotThere({ id, error, again }) {
  const status = error instanceof Problem ? error.status : 0;
  if (status === 404) {
    return html`<${Empty} lead="There is no such game of yours." text="A game is seen by its player alone, in the browser that began it. Its record can be reviewed anywhere."
      action="Review a record" href=${link("review")} />`;
  }
  if (status === 409) {
    return html`<${Empty} lead="This game is not over yet." text="Its review comes with the last move." action="Go on playing" href=${link("game", { id })} />`;
  }
  return html`<${Failed} what="The review did not come." safe="The game is kept." again=${again} />`;
}
