// Drill: positions to answer. Own mistakes come first, close calls after; what was wrong comes back.
import { html, useEffect, useMemo, useState } from "../html.js";
import { announce } from "../core/messages.js";
import { Away, Problem, get } from "../core/api.js";
import { exact2, points } from "../core/format.js";
import { link } from "../core/links.js";
import { isOnline } from "../core/online.js";
import { useSetting } from "../core/settings.js";
import { playSound } from "../core/sound.js";
import { Intro, Ways, bestOf, isRunOver, keepBest, runFigures, runOf, runStrip, runWords, useClock } from "../drill/runs.js";
import { Session, cards, daysUntil, mistakesOf, pastErrors } from "../drill/schedule.js";
import { facesOf } from "../game/faces.js";
import { gameOf } from "../game/game.js";
import { boardOf, freeSlots } from "../game/position.js";
import { reasonFor } from "../game/reasons.js";
import { formatMoves, parseRecord, recordFromJson } from "../game/record.js";
import { advise } from "../game/thresholds.js";
import { Wrong } from "../game/wrong.js";
import { Actions, Keys } from "../parts/actions.js";
import { Board } from "../parts/board.js";
import { railOf, shownCost, told } from "../parts/scale.js";
import { Empty, Failed, Loading } from "../parts/notes.js";
import { Shell } from "../parts/shell.js";
import { Tray } from "../parts/dice.js";
import { finishedHere } from "../solo/finished.js";
import { useBoardKeys } from "../solo/keys.js";
import { texts } from "../texts.js";

export const title = texts.drill.title;

/**
 * @param {{params: {record?: string}, query: {record?: string, dice?: string, slots?: string, run?: string}}} props
 *   record: one game, whose moves are drilled. dice, slots: another game than the classic one
 */
export default function Page({ params, query }) {
  const record = params.record ?? query.record;
  const run = record ? null : runOf(query.run);
  const [{ session, game, wrong }, show] = useState({});
  const begin = async () => {
    show({});
    try {
      show(await found(record, query, run));
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      show({ wrong: error.message });
    }
  };
  useEffect(() => void begin(), [record, query.dice, query.slots, run]);
  const [started, start] = useState(null); // the session of a run that has begun
  if (run && session && started !== session) {
    return html`<${Shell} page="drill" end=${html`<${Ways} run=${run} />`}><${Intro} run=${run} game=${game} begin=${() => start(session)} /><//>`;
  }
  if (session?.question || session?.answers.length) return html`<${Round} key=${session} session=${session} game=${game} run=${run} again=${begin} />`;
  return html`<${Shell} page="drill"><div class="page"><h1>${texts.drill.title}</h1>
    ${wrong && html`<${Failed} what=${texts.drill.wrong} safe=${wrong}><a class="btn" href=${link("drill")}>${texts.drill.closeCalls}</a><//>`}
    ${session && html`<${Empty} lead=${record ? texts.drill.allBest : texts.drill.nothing}
      text=${record ? texts.drill.allBestText : texts.drill.nothingText} action=${texts.drill.closeCalls} href=${link("drill")} />`}
    ${!session && !wrong && html`<${Loading} text=${texts.drill.loading} />`}
  </div><//>`;
}

/** What is drilled: one game's moves, or what comes back, own mistakes and close calls. */
async function found(record, { dice, slots }, run) {
  if (record) {
    const { position } = parseRecord(record);
    return { game: position.game, session: new Session(position.game, { errors: mistakesOf(position), only: true, count: position.game.size }) };
  }
  const game = gameOf(dice, slots);
  if (run) return { game, session: new Session(game, { count: Infinity, isRun: true }) };
  return { game, session: new Session(game, { errors: pastErrors(game, await pastGames()) }) };
}

/** A round of questions, one at a time. */
function Round({ session, game, run, again }) {
  const [placing] = useSetting("placing");
  const [, redraw] = useState(0);
  const [armed, arm] = useState(null);
  const [answer, setAnswer] = useState(null);
  const { question } = session;
  const advice = useMemo(() => question && advise(question.position, question.roll), [question]);
  const grade = answer && gradeOf(answer, advice);
  const left = useClock(run === "time" && !answer && question !== null);
  const [best] = useState(() => run && bestOf(run, game));
  const isOver = run !== null && !answer && isRunOver(run, session, left);

  const advance = () => {
    session.advance();
    setAnswer(null);
    redraw((count) => count + 1);
  };
  const commit = (slot) => {
    arm(null);
    const given = session.answer(slot);
    playSound("place");
    if (run && given.loss === 0) {
      announce(texts.runs.saidRight(session.right));
      advance();
    } else setAnswer(given);
  };
  const pick = (slot) => {
    if (answer || !question || isOver) return;
    if (armed === slot || placing === "tap") commit(slot);
    else arm(slot);
  };
  useBoardKeys({
    size: game.size,
    isFree: (slot) => question !== null && !answer && freeSlots(question.position).includes(slot),
    pick,
    arm,
    commit: answer ? advance : armed !== null ? () => commit(armed) : undefined,
    cancel: () => arm(null),
    others: answer ? { n: advance } : question && !isOver ? {} : { n: again },
  });
  useEffect(() => {
    if (answer) announce(`${grade.head} ${grade.rest} ${backWords(answer.card)}`);
    else if (question && !run) announce(texts.drill.saidQuestion(session.answers.length + 1, told(question.roll)));
  }, [question, answer]);

  if (!question || isOver) return html`<${Result} session=${session} game=${game} run=${run} again=${again} />`;
  const number = session.answers.length + (answer ? 0 : 1);
  const figures = run ? runFigures(run, session, left, best) : [{ name: texts.drill.question, value: texts.play.roundOf(number, session.count) }, { name: texts.drill.best, value: String(session.right) }, { name: texts.drill.from, value: originOf(question) }];
  const board = boardOf(question.position);
  return html`<${Shell} page="drill" hasActions end=${html`<${Ways} run=${run} />`}>
    <h1 class="vh">${texts.drill.title}</h1>
    <div class=${answer ? "table drill answered" : "table drill"}>
      <${Tray} roll=${question.roll} faces=${facesOf(game.dice, question.roll, `${JSON.stringify(board)} ${question.roll}`)} turn=${number} figures=${figures} ...${run ? runStrip(run, session, left) : { rounds: session.count, round: number }} />
      <${Board} game=${game} board=${board} roll=${question.roll} armed=${answer ? answer.slot : armed} arming=${placing === "arm"}
        advice=${answer ? advice : null} rail=${railOf(game)} wrong=${answer?.loss ? answer.slot : null} locked=${answer !== null} pick=${pick} />
      ${answer ? html`<${Actions} ask=${grade.head} words=${html`${grade.rest} <span class="more">${backWords(answer.card)}</span>`} primary=${{ label: texts.drill.next, act: advance }}>
          <p class="only-desk"><kbd>Enter</kbd>${texts.drill.nextKey}</p><//>`
        : armed !== null ? html`<${Actions} primary=${{ label: texts.drill.answer(game.labels[armed - 1]), act: () => commit(armed) }}><${Keys} most=${game.size} /><//>`
          : html`<${Actions} ask=${texts.drill.ask(told(question.roll))} words=${texts.drill.askText}><${Keys} most=${game.size} places=${placing === "tap"} /><//>`}
    </div>
  <//>`;
}

/** How the round went, and what comes back when. */
function Result({ session, game, run, again }) {
  const [before] = useState(() => run && keepBest(run, game, session.right));
  const words = run ? { head: texts.runs.heads[run], rest: runWords(session.right, before) } : roundWords(session);
  useEffect(() => {
    window.scrollTo(0, 0);
    announce(`${words.head} ${words.rest}`);
  }, []);
  const back = run ? "" : waitingWords(cards().filter((card) => card.question.position.game === game));
  const wrong = [...new Map(session.answers.filter(({ loss }) => loss > 0).map((answer) => [labLink(answer.question), answer])).values()]; // each position once
  return html`<${Shell} page="drill" end=${html`<${Ways} run=${run} />`}><div class="page drilled">
    <section class="hero"><h1 class="num">${session.right}<span class="muted of"> ${run ? texts.runs.rightIn[run] : texts.drill.ofBest(session.answers.length)}</span></h1>
      <p class="lead">${words.rest}</p></section>
    ${wrong.length > 0 && html`<section class="stack"><h2>${texts.drill.missed}</h2><div class="scroll-x"><table>
      <thead><tr>${texts.drill.missedHead.map((name) => html`<th key=${name} scope="col">${name}</th>`)}</tr></thead>
      <tbody>${wrong.map((answer, place) => html`<${Missed} key=${place} answer=${answer} game=${game} />`)}</tbody>
    </table></div></section>`}
    ${back && html`<p class="muted">${back}</p>`}
    <div class="row"><button type="button" class="btn" onClick=${again}>${texts.drill.again}</button><a class="btn quiet" href=${link("play")}>${texts.shell.playGame}</a></div>
  </div><//>`;
}

/** The position of a question, in the lab. */
const labLink = ({ position: { game, placements }, roll }) => link("lab", { dice: game.dice, slots: game.slots, board: formatMoves(placements).replaceAll(" ", ","), roll });

function Missed({ answer: { question, slot, loss }, game }) {
  const { bestSlots } = advise(question.position, question.roll);
  return html`<tr><td><a class="day" href=${labLink(question)} aria-label=${texts.runs.openInLab(told(question.roll))}><span class="pip">${told(question.roll)}</span></a></td><td><b>×${game.labels[slot - 1]}</b></td>
    <td>${bestSlots.map((best) => `×${game.labels[best - 1]}`).join(", ")}</td><td><b class="cost">−${exact2(loss)}</b></td></tr>`;
}

// What the drill says: the grade of an answer, why, when it comes back, and how the round went. Plain text, no DOM.

/** Where a question comes from, in two words. @param {import("../drill/schedule.js").Question} question */
function originOf({ isBack, source }) {
  return isBack ? texts.drill.origins.back : source === "history" ? texts.drill.origins.own : texts.drill.origins.close;
}

/**
 * The grade of an answer.
 * @param {import("../drill/schedule.js").Answer} answer
 * @param {import("../game/thresholds.js").Advice} advice
 * @returns {{head: string, rest: string}}
 */
function gradeOf({ question, slot, loss }, advice) {
  const { game } = question.position;
  const times = (number) => `×${game.labels[number - 1]}`;
  const others = advice.bestSlots.filter((number) => number !== slot).map(times);
  const rest = reasonFor(game, freeSlots(question.position), question.roll, times);
  return { head: loss === 0 ? texts.drill.isBest(times(slot), others) : texts.drill.costs(times(slot), shownCost(loss), others), rest };
}

/** When an answered position comes back; nothing where it does not. @param {import("../drill/schedule.js").Card | null} card */
function backWords(card) {
  if (card === null) return "";
  return texts.drill.back(Math.max(0, daysUntil(card)));
}

/**
 * The end of a round.
 * @param {import("../drill/schedule.js").Session} session
 */
function roundWords({ right, cost, answers }) {
  const head = right === answers.length ? texts.drill.roundAll(told(right)) : texts.drill.roundSome(told(right), told(answers.length));
  return { head, rest: cost === 0 ? texts.drill.noCost : texts.drill.roundCost(points(Math.max(cost, 0.1))) };
}

/**
 * What waits, and until when.
 * @param {import("../drill/schedule.js").Card[]} cards  of the game, in the order they come back
 */
function waitingWords(cards) {
  const counts = new Map();
  for (const card of cards) {
    const days = Math.max(0, daysUntil(card));
    counts.set(days, (counts.get(days) ?? 0) + 1);
  }
  return counts.size ? texts.drill.comingBack([...counts]) : "";
}

// The player's finished games, from the service and from this device: where their mistakes are.

const LATEST = 200; // games

/** All that can be had, the latest first, none twice. @returns {Promise<import("../game/record.js").GameRecord[]>} */
async function pastGames() {
  const found = new Map();
  for (const record of [...(await fromService()), ...(await finishedHere())]) {
    const { game, placements } = record.position;
    const key = `${game.dice} ${game.slots}: ${formatMoves(placements)}`;
    if (!found.has(key)) found.set(key, record);
  }
  const date = ({ tags }) => String(tags.date ?? "");
  return [...found.values()].sort((one, other) => (date(one) < date(other) ? 1 : -1));
}

async function fromService() {
  if (!isOnline()) return [];
  try {
    const text = await get(`/me/games?limit=${LATEST}`);
    return text.split("\n").filter(Boolean).flatMap(readable);
  } catch (error) {
    if (error instanceof Away || error instanceof Problem) return [];
    throw error;
  }
}

function readable(line) {
  try {
    return [recordFromJson(JSON.parse(line))];
  } catch (error) {
    if (error instanceof Wrong || error instanceof SyntaxError) return [];
    throw error;
  }
}
