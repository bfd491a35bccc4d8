// History: the own games, the course of score and skill, the players by skill, and what belongs to the player.
import { html, useEffect, useState } from "../html.js";
import { Away, Problem, get } from "../core/api.js";
import { count } from "../core/format.js";
import { link } from "../core/links.js";
import { useOnline } from "../core/online.js";
import { outbox } from "../core/outbox.js";
import { gameOf, allSlots } from "../game/game.js";
import { valueOf } from "../game/thresholds.js";
import { Failed, Loading, OfflineNote } from "../parts/notes.js";
import { Shell } from "../parts/shell.js";
import { Brought, broughtGames } from "./history/brought.js";
import { Course } from "./history/course.js";
import { AnotherDevice, TakeOver } from "./history/device.js";
import { Games, firstPath } from "./history/games.js";
import { Leaving } from "./history/leaving.js";
import { Name } from "./history/name.js";
import { Players } from "./history/players.js";
import { Records } from "./history/records.js";

export const title = "History";

/** @param {{params: {record?: string}}} props  record: a code that makes this device a player, from the fragment */
export default function Page({ params }) {
  const [{ status, me, games, skill, board, brought }, show] = useState({ status: "loading" });
  const online = useOnline();
  const load = async () => {
    try {
      const me = await get("/me");
      const [games, skill, board, brought] = await Promise.all([get(firstPath()), get("/me/skill"), get("/skill"), broughtGames()]);
      show({ status: "ready", me, games, skill, board, brought });
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      show((now) => ({ ...now, status: "failed" }));
    }
  };
  useEffect(() => {
    load();
    return outbox.watch(({ kind }) => void (kind === "records" && load()));
  }, []);
  useEffect(() => {
    if (online && status === "failed") load();
  }, [online]);
  const isThere = me !== undefined;
  return html`<${Shell} page="history"><div class="page history">
    <header class="stack tight whole"><h1>History</h1>${isThere && html`<p class="muted">${whoWords(me)}</p>`}<${OfflineNote} text=${isThere ? "What is here came before." : "Your games are kept by the service. Solo, Drill and Lab work as usual."} again=${status === "failed" ? load : undefined}><a class="btn quiet" href=${link("play")}>Play solo</a><//></header>
    ${isThere && params.record && html`<div class="whole"><${TakeOver} code=${params.record} me=${me} /></div>`}
    ${!isThere && status === "loading" && html`<${Loading} text="Looking up your games…" />`}
    ${!isThere && online && status === "failed" && html`<div class="whole"><${Failed} what="Your history did not come." safe="It is kept by the service." again=${load}><a class="btn quiet" href=${link("play")}>Play solo</a><//></div>`}
    ${isThere && html`<div class="stack wide-gap"><${Games} key=${me.games} first=${games} hasOthers=${brought.length > 0} /><${Brought} games=${brought} /></div>
      <div class="stack wide-gap">
        ${skill.course.length > 0 && html`<${Course} skill=${skill} par=${par()} />`}
        <${Players} board=${board} />
      </div>
      <div class="account whole"><${Name} key=${me.shown} me=${me} change=${(found) => { show((now) => ({ ...now, me: found })); load(); }} />
        <${AnotherDevice} />
        <${Records} games=${me.games} change=${load} />
        <${Leaving} me=${me} /></div>`}
  </div><//>`;
}

/** Par of the classic game. */
function par() {
  const game = gameOf();
  return valueOf(game, allSlots(game));
}

function whoWords({ shown, games, finished }) {
  if (!games) return `You are ${shown} in the lists.`;
  return `You are ${shown} in the lists. ${count(finished)} of ${count(games)} games finished.`;
}
