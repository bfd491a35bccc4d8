// A game of the player by its id: the page of its kind shows it.
import { html, useEffect, useState } from "../html.js";
import { Problem, get } from "../core/api.js";
import { link, styleOf } from "../core/links.js";
import { Empty, Failed, Loading } from "../parts/notes.js";
import { Shell } from "../parts/shell.js";
import { texts } from "../texts.js";

export const title = texts.game.title;

const PAGES = { solo: "play", daily: "daily", duel: "duel", group: "group" };

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
  return html`<${Shell} page="play"><div class="page"><h1 class="vh">${texts.game.heading}</h1>
    ${!error && html`<${Loading} />`}
    ${isGone && html`<${Empty} lead=${texts.game.none} text=${texts.game.noneText} action=${texts.game.playGame} href=${link("play")} />`}
    ${error && !isGone && html`<${Failed} what=${texts.game.failed} safe=${texts.game.safe} again=${load} />`}
  </div><//>`;
}
