// Drill: positions to answer. Own mistakes come first, close calls after; what was wrong comes back.
import { html, useEffect, useMemo, useState } from "../html.js";
import { announce } from "../core/announce.js";
import { link } from "../core/links.js";
import { useSetting } from "../core/settings.js";
import { pastGames } from "../drill/past.js";
import { mistakesOf, pastErrors } from "../drill/questions.js";
import { cards } from "../drill/schedule.js";
import { Session } from "../drill/session.js";
import { backWords, gradeOf, originOf, roundWords, waitingWords } from "../drill/words.js";
import { facesOf } from "../game/faces.js";
import { gameOf } from "../game/game.js";
import { boardOf, freeSlots } from "../game/position.js";
import { parseRecord } from "../game/record.js";
import { advise } from "../game/thresholds.js";
import { Wrong } from "../game/wrong.js";
import { Actions, Keys } from "../parts/actions.js";
import { Board } from "../parts/board.js";
import { railOf } from "../parts/costs.js";
import { Empty, Failed, Loading } from "../parts/notes.js";
import { told } from "../parts/scale.js";
import { Shell } from "../parts/shell.js";
import { Tray } from "../parts/tray.js";
import { useBoardKeys } from "../solo/keys.js";

export const title = "Drill";

/**
 * @param {{params: {record?: string}, query: {record?: string, dice?: string, slots?: string}}} props
 *   record: one game, whose moves are drilled. dice, slots: another game than the classic one
 */
export default function Page({ params, query }) {
  const record = params.record ?? query.record;
  const [{ session, game, wrong }, show] = useState({});
  const begin = async () => {
    show({});
    try {
      show(await found(record, query));
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      show({ wrong: error.message });
    }
  };
  useEffect(() => void begin(), [record, query.dice, query.slots]);
  if (session?.question || session?.answers.length) return html`<${Round} key=${session} session=${session} game=${game} again=${begin} />`;
  return html`<${Shell} page="drill"><div class="page"><h1>Drill</h1>
    ${wrong && html`<${Failed} what="This cannot be drilled." safe=${wrong}><a class="btn" href=${link("drill")}>Drill close calls</a><//>`}
    ${session && html`<${Empty} lead=${record ? "Every move of this game was best." : "There is nothing to drill in this game."}
      text=${record ? "There is nothing to drill in it." : "No move of it is a choice."} action="Drill close calls" href=${link("drill")} />`}
    ${!session && !wrong && html`<${Loading} text="Looking for your mistakes…" />`}
  </div><//>`;
}

/** What is drilled: one game's moves, or what comes back, own mistakes and close calls. */
async function found(record, { dice, slots }) {
  if (record) {
    const { position } = parseRecord(record);
    return { game: position.game, session: new Session(position.game, { errors: mistakesOf(position), only: true, count: position.game.size }) };
  }
  const game = gameOf(dice, slots);
  return { game, session: new Session(game, { errors: pastErrors(game, await pastGames()) }) };
}

/** A round of questions, one at a time. */
function Round({ session, game, again }) {
  const [placing] = useSetting("placing");
  const [, redraw] = useState(0);
  const [armed, arm] = useState(null);
  const [answer, setAnswer] = useState(null);
  const { question } = session;
  const advice = useMemo(() => question && advise(question.position, question.roll), [question]);
  const grade = answer && gradeOf(answer, advice);

  const commit = (slot) => {
    arm(null);
    setAnswer(session.answer(slot));
  };
  const pick = (slot) => {
    if (answer || !question) return;
    if (armed === slot || placing === "tap") commit(slot);
    else arm(slot);
  };
  const advance = () => {
    session.advance();
    setAnswer(null);
    redraw((count) => count + 1);
  };
  useBoardKeys({
    size: game.size,
    isFree: (slot) => question !== null && !answer && freeSlots(question.position).includes(slot),
    pick,
    arm,
    commit: answer ? advance : armed !== null ? () => commit(armed) : undefined,
    cancel: () => arm(null),
    others: answer ? { n: advance } : question ? {} : { n: again },
  });
  useEffect(() => {
    if (answer) announce(`${grade.head} ${grade.rest} ${backWords(answer.card)}`);
    else if (question) announce(`Question ${session.answers.length + 1}: you rolled ${told(question.roll)}.`);
  }, [question, answer]);

  if (!question) return html`<${Result} session=${session} game=${game} again=${again} />`;
  const number = session.answers.length + (answer ? 0 : 1);
  const figures = [{ name: "Question", value: `${number} of ${session.count}` }, { name: "Best", value: String(session.right) }, { name: "From", value: originOf(question) }];
  const board = boardOf(question.position);
  return html`<${Shell} page="drill" hasActions>
    <h1 class="vh">Drill</h1>
    <div class=${answer ? "table drill answered" : "table drill"}>
      <${Tray} roll=${question.roll} faces=${facesOf(game.dice, question.roll, `${JSON.stringify(board)} ${question.roll}`)} turn=${number} figures=${figures} rounds=${session.count} round=${number} />
      <${Board} game=${game} board=${board} roll=${question.roll} armed=${answer ? answer.slot : armed} arming=${placing === "arm"}
        advice=${answer ? advice : null} rail=${railOf(game)} wrong=${answer?.loss ? answer.slot : null} locked=${answer !== null} pick=${pick} />
      ${answer ? html`<${Actions} ask=${grade.head} words=${html`${grade.rest} <span class="more">${backWords(answer.card)}</span>`} primary=${{ label: "Next", act: advance }}>
          <p class="only-desk"><kbd>Enter</kbd> goes on.</p><//>`
        : armed !== null ? html`<${Actions} primary=${{ label: `Answer ×${game.labels[armed - 1]}`, act: () => commit(armed) }}><${Keys} most=${game.size} /><//>`
          : html`<${Actions} ask=${`Where does your ${told(question.roll)} go?`} words="Most points on average, with perfect play after it."><${Keys} most=${game.size} places=${placing === "tap"} /><//>`}
    </div>
  <//>`;
}

/** How the round went, and what comes back when. */
function Result({ session, game, again }) {
  const words = roundWords(session);
  useEffect(() => {
    window.scrollTo(0, 0);
    announce(`${words.head} ${words.rest}`);
  }, []);
  const back = waitingWords(cards().filter((card) => card.question.position.game === game));
  const wrong = session.answers.filter(({ loss }) => loss > 0);
  return html`<${Shell} page="drill"><div class="page drilled">
    <section class="hero"><h1 class="num">${session.right}<span class="muted of"> of ${session.answers.length} best</span></h1>
      <p class="lead">${words.rest}</p></section>
    ${wrong.length > 0 && html`<section class="stack"><h2>What was not best</h2><div class="scroll-x"><table>
      <thead><tr><th scope="col">Roll</th><th scope="col">You</th><th scope="col">Best</th><th scope="col">Cost</th></tr></thead>
      <tbody>${wrong.map((answer, place) => html`<${Missed} key=${place} answer=${answer} game=${game} />`)}</tbody>
    </table></div></section>`}
    ${back && html`<p class="muted">${back}</p>`}
    <div class="row"><button type="button" class="btn" onClick=${again}>Drill again</button><a class="btn quiet" href=${link("play")}>Play a game</a></div>
  </div><//>`;
}

function Missed({ answer: { question, slot, loss }, game }) {
  const { bestSlots } = advise(question.position, question.roll);
  return html`<tr><td><span class="pip">${told(question.roll)}</span></td><td><b>×${game.labels[slot - 1]}</b></td>
    <td>${bestSlots.map((best) => `×${game.labels[best - 1]}`).join(", ")}</td><td><b class="cost">−${loss.toFixed(2)}</b></td></tr>`;
}
