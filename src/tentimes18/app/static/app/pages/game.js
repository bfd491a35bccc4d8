// A game of one's own by its id, whatever its kind: shown by the page of that kind.
import { html, useEffect, useState } from "../html.js";
import { Problem, get } from "../core/api.js";
import { link } from "../core/links.js";
import { styleOf } from "../core/styles.js";
import { Empty, Failed, Loading } from "../parts/notes.js";
import { Shell } from "../parts/shell.js";

export const title = "Game";

const PAGES = { solo: "play", daily: "daily", duel: "duel" };

/** @param {{params: {id: string}, query: Record<string, string>}} props */
export default function Page({ params, query }) {
  const [{ game, page, error }, show] = useState({});
  const load = async () => {
    show({});
    try {
      const found = await get(`/games/${encodeURIComponent(params.id)}`);
      const name = PAGES[found.kind];
      const [page] = await Promise.all([import(`./${name}.js`), styleOf(name)]);
      show({ game: found, page });
    } catch (problem) {
      show({ error: problem });
    }
  };
  useEffect(() => void load(), [params.id]);
  if (page) return html`<${page.default} params=${params} query=${query} game=${game} />`;
  const isGone = error instanceof Problem && error.status === 404;
  return html`<${Shell} page="play"><div class="page"><h1 class="vh">A game</h1>
    ${!error && html`<${Loading} />`}
    ${isGone && html`<${Empty} lead="There is no such game of yours." text="A game is seen by its player alone, in the browser that began it." action="Play a game" href=${link("play")} />`}
    ${error && !isGone && html`<${Failed} what="The game did not come." safe="It is kept: nothing is lost." again=${load} />`}
  </div><//>`;
}
