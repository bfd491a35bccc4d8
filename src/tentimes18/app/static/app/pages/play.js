// Play: a game alone, with the coach off, warning or speaking, on the server or in the browser. A first visit begins with one question and a
// guided game.
import { html, useMemo, useRef, useState } from "../html.js";
import { longDay } from "../core/dates.js";
import { kept } from "../core/kept.js";
import { go, link } from "../core/links.js";
import { useSetting } from "../core/settings.js";
import { diceShown } from "../game/faces.js";
import { CLASSIC, gameOf } from "../game/game.js";
import { Board } from "../parts/board.js";
import { Shell } from "../parts/shell.js";
import { Tray } from "../parts/dice.js";
import { Loading, useModule } from "../parts/notes.js";
import { NewGameButton, NewGameSheet, StartActions } from "../solo/bar.js";
import { CoachSwitch } from "../solo/coach.js";
import { useSolo } from "../solo/keeper.js";
import { isOver } from "../solo/rounds.js";
import { Table, loadEnding } from "../solo/table.js";
import { Today } from "../solo/today.js";
import { Welcome } from "../solo/welcome.js";
import { texts } from "../texts.js";

export const title = texts.play.title;

/**
 * @param {{query?: Record<string, string>, game?: object}} props  query: with `guided`, the guided game. game: a Game of the API to continue,
 *   as on /game/{id}
 */
export default function Page({ query = {}, game: begun = null }) {
  const keeper = useSolo(begun);
  const [coach, setCoach] = useSetting("coach");
  const [lastGame, setLastGame] = useState(() => kept.get("last-game", CLASSIC));
  const [isNew, meet] = useState(() => !kept.get("welcomed", false) && kept.get("last-game", null) === null);
  const [isGuided, guide] = useState("guided" in query);
  const [picking, setPicking] = useState(null); // the id of the game that a new one may replace
  const hasBegun = useRef(false);
  const { solo } = keeper;
  const welcomed = () => {
    kept.set("welcomed", true);
    meet(false);
  };
  const begin = (wanted) => {
    hasBegun.current = true;
    welcomed();
    kept.set("last-game", wanted);
    setLastGame(wanted);
    keeper.begin({ ...wanted, coach });
  };
  const leave = (next) => {
    welcomed();
    guide(false);
    history.replaceState(history.state, "", link("play"));
    window.scrollTo(0, 0);
    next?.();
  };
  if (isGuided) return html`<${Lesson} hasGame=${solo !== null && !isOver(solo)} leave=${() => leave()} playTen=${() => leave(() => begin(CLASSIC))} />`;
  const isPlaying = solo !== null && !isOver(solo);
  const end = html`<${CoachSwitch} coach=${coach} setCoach=${setCoach} />
    ${solo && html`<${NewGameButton} open=${() => setPicking(solo.id)} />`}`;
  return html`<${Shell} page="play" hasActions=${isPlaying} end=${end}>
    ${solo?.day && isPlaying ? html`<h1 class="felt practised">${texts.ending.practised(longDay(solo.day))}</h1>` : solo || !isNew ? html`<h1 class="vh">${texts.play.title}</h1>` : null}
    ${solo ? html`<${Table} key=${solo.id} keeper=${keeper} coach=${coach} takesFocus=${hasBegun.current} begin=${begin} />`
      : isNew ? html`<${Welcome} busy=${keeper.status === "beginning"} guide=${() => go(link("play", { guided: 1 }))} skip=${() => begin(CLASSIC)} />`
        : html`<${Start} keeper=${keeper} last=${lastGame} coach=${coach} begin=${begin} />`}
    ${solo?.id === picking && solo && html`<${NewGameSheet} solo=${solo} isDone=${isOver(solo)} wrong=${keeper.wrong} busy=${keeper.status === "beginning"}
      begin=${begin} close=${() => setPicking(null)} />`}
  <//>`;
}

/** The guided game, whose module a first visit does not load before it is asked for. */
function Lesson(props) {
  const guided = useModule(() => import("../solo/guided.js"));
  return guided ? html`<${guided.Guided} ...${props} />` : html`<${Shell} page="play"><div class="page"><${Loading} /></div><//>`;
}

/** The table before a game: everything is drawn, only the numbers are missing. */
function Start({ keeper, last, coach, begin }) {
  const [picked, setPicked] = useState(last);
  useModule(loadEnding); // the next game may be played without a network
  const game = useMemo(() => readable(picked) ?? readable(last) ?? gameOf(), [picked, last]);
  const figures = [{ name: texts.play.score, value: "0" }, { name: texts.play.rounds, value: String(game.size) }, { name: texts.play.freeSlots, value: String(game.size) }];
  return html`<div class="table start flat">
    <${Tray} count=${diceShown(game.dice)} figures=${figures} rounds=${game.size} round=${0} />
    <${Board} game=${game} board=${{}} />
    <${StartActions} keeper=${keeper} last=${last} game=${game} coach=${coach} pick=${setPicked} begin=${begin} />
    <${Today} />
  </div>`;
}

function readable({ dice, slots }) {
  try {
    return gameOf(dice, slots);
  } catch {
    return null;
  }
}
