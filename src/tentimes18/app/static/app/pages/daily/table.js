// The daily game on the table: the board of Play without a coach, and the scores of the day when it is over.
import { html, useEffect } from "../../html.js";
import { styleOf } from "../../core/styles.js";
import { Loading } from "../../parts/notes.js";
import { Shell } from "../../parts/shell.js";
import { useSolo } from "../../solo/keeper.js";
import { isOver } from "../../solo/rounds.js";
import { Table } from "../../solo/table.js";

/** Under which the game is kept on this device. */
export const KEY = "daily";

/**
 * @param {object} props
 * @param {object | null} props.game  the Game of the API; null: the one that is kept here, while the service is away
 * @param {any} props.name  what stands at the end of the header
 * @param {() => void} props.finish  called when every roll is placed and the service has it, or the game is not there
 */
export function DailyTable({ game, name, finish }) {
  const keeper = useSolo(game, KEY);
  const { solo } = keeper;
  const isDone = solo === null || isOver(solo);
  useEffect(() => {
    if (isDone) finish();
  }, [isDone]);
  useEffect(() => void styleOf("play"), []);
  if (isDone) {
    return html`<${Shell} page="daily"><div class="daily"><h1 class="vh">The daily game</h1><section class="felt cloth blank"></section>
      <div class="page"><${Loading} text="Fetching the scores of the day…" /></div></div><//>`;
  }
  return html`<${Shell} page="daily" hasActions end=${html`<span class="date s muted">${name}</span>`}>
    <h1 class="vh">The daily game</h1>
    <${Table} keeper=${keeper} coach="off" begin=${finish} />
  <//>`;
}
