// Duel: the lobby, an invite, or a duel of one's own.
import { html } from "../html.js";
import { Join } from "../duel/join.js";
import { Lobby } from "../duel/lobby.js";
import { Table } from "../duel/table.js";
import { Shell } from "../parts/shell.js";

export const title = "Duel";

/** @param {{params: {code?: string, id?: string}, game?: object}} props  game: a Game of the API, as of /game/{id} */
export default function Page({ params, game = null }) {
  if (game) return html`<${Table} key=${game.id} game=${game} />`;
  if (params.code) return html`<${Shell} page="duel"><div class="page lobby"><h1>An invite</h1><${Join} code=${params.code} /></div><//>`;
  return html`<${Shell} page="duel"><${Lobby} /><//>`;
}
