// Questions to the service about a game, asked a moment after the last change; what is no longer wanted is given up.
import { useEffect, useState } from "../../html.js";
import { Away, Problem, get } from "../../core/api.js";
import { formatMoves } from "../../game/record.js";

const PAUSE = 250; // ms: whoever types or steps is not done yet
const SECONDS = 120; // the first question about a game may need a table that is made while one waits

/** The path of a question about a position. @param {string} question @param {import("../../game/position.js").Position} position */
export function pathOf(question, position, more = {}) {
  const { dice, slots } = position.game;
  const moves = formatMoves(position.placements);
  const query = new URLSearchParams({ dice, slots, ...(moves ? { moves } : {}), ...more });
  return `/lab/${question}?${query}`;
}

/**
 * The answers to questions, one after the other, as they come.
 * @param {string[]} paths  in the order of their weight
 * @returns {{answers: Map<string, any>, error: ?Error, isAsking: boolean}}  error: the first refusal
 */
export function useAnswers(paths) {
  const key = paths.join("\n");
  const [state, setState] = useState({ key: "", answers: new Map(), error: null, isAsking: false });
  useEffect(() => {
    if (!key) return undefined;
    const given = new AbortController();
    const answers = new Map();
    const tell = (isAsking, error = null) => {
      if (!given.signal.aborted) setState({ key, answers: new Map(answers), error, isAsking });
    };
    const ask = async () => {
      for (const path of key.split("\n")) {
        try {
          answers.set(path, await get(path, { signal: given.signal, seconds: SECONDS }));
          tell(true);
        } catch (error) {
          if (given.signal.aborted) return;
          if (!(error instanceof Problem) && !(error instanceof Away)) throw error;
          tell(false, error);
          return;
        }
      }
      tell(false);
    };
    setState((before) => ({ ...before, isAsking: true }));
    const timer = setTimeout(ask, PAUSE);
    return () => {
      clearTimeout(timer);
      given.abort();
    };
  }, [key]);
  return state.key === key ? state : { answers: new Map(), error: null, isAsking: key !== "" };
}

/** A refusal, or that nobody answered, in a sentence. @param {Error} error */
export function toldError(error) {
  if (!(error instanceof Problem)) return "The service does not answer. What the browser can work out itself is shown.";
  if (error.status === 429) return "Too many questions at once. Wait a moment, then change something.";
  return `Too large: ${error.message.replace(/\.$/, "")}.`;
}
