// Play: a game alone, with the coach off, warning or speaking, on the service or in the browser.
import { html, useMemo, useState } from "../html.js";
import { kept } from "../core/kept.js";
import { useSetting } from "../core/settings.js";
import { diceShown } from "../game/faces.js";
import { CLASSIC, gameOf } from "../game/game.js";
import { Board } from "../parts/board.js";
import { Shell } from "../parts/shell.js";
import { Tray } from "../parts/tray.js";
import { CoachSwitch } from "../solo/coach_switch.js";
import { StartActions } from "../solo/bar.js";
import { useSolo } from "../solo/keeper.js";
import { NewGameButton, NewGameSheet } from "../solo/new_game.js";
import { isOver } from "../solo/rounds.js";
import { Table } from "../solo/table.js";

export const title = "Play";

/**
 * @param {{game?: object}} props  game: a Game of the API to go on with, as of /game/{id}
 */
export default function Page({ game: begun = null }) {
  const keeper = useSolo(begun);
  const [coach, setCoach] = useSetting("coach");
  const [lastGame, setLastGame] = useState(() => kept.get("last-game", CLASSIC));
  const [picking, setPicking] = useState(null); // the game that another one may take the place of
  const begin = (wanted) => {
    kept.set("last-game", wanted);
    setLastGame(wanted);
    keeper.begin({ ...wanted, coach });
  };
  const { solo } = keeper;
  const end = html`<${CoachSwitch} coach=${coach} setCoach=${setCoach} />
    ${solo && html`<${NewGameButton} open=${() => setPicking(solo.id)} />`}`;
  return html`<${Shell} page="play" hasActions end=${end}>
    <h1 class="vh">Play</h1>
    ${solo ? html`<${Table} key=${solo.id} keeper=${keeper} coach=${coach} begin=${begin} />` : html`<${Start} keeper=${keeper} last=${lastGame} coach=${coach} begin=${begin} />`}
    ${solo?.id === picking && solo && html`<${NewGameSheet} solo=${solo} isDone=${isOver(solo)} wrong=${keeper.wrong} busy=${keeper.status === "beginning"}
      begin=${begin} close=${() => setPicking(null)} />`}
  <//>`;
}

/** The table before a game: everything is drawn, only the numbers are missing. */
function Start({ keeper, last, coach, begin }) {
  const [picked, setPicked] = useState(last);
  const game = useMemo(() => readable(picked) ?? readable(last) ?? gameOf(), [picked, last]);
  const figures = [{ name: "Score", value: "0" }, { name: "Rounds", value: String(game.size) }, { name: "Free slots", value: String(game.size) }];
  return html`<div class="table start flat">
    <${Tray} count=${diceShown(game.dice)} figures=${figures} rounds=${game.size} round=${0} />
    <${Board} game=${game} board=${{}} />
    <${StartActions} keeper=${keeper} last=${last} game=${game} coach=${coach} pick=${setPicked} begin=${begin} />
  </div>`;
}

function readable({ dice, slots }) {
  try {
    return gameOf(dice, slots);
  } catch {
    return null;
  }
}
