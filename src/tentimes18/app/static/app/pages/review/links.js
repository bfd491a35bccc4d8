// The permanent link of a record: the whole game is in the fragment, so it needs no store, and no server sees it.
import { link } from "../../core/links.js";
import { CLASSIC } from "../../game/game.js";
import { formatRecord } from "../../game/record.js";

const TOLD = ["name", "against", "day", "date", "aim", "takebacks", "comment"]; // of the tags; the rest proves or counts
const PARTS = /^(\S+ [^\s;#:]+:) ?([^;#]*)(.*)$/s;

/** A record as a short line that `parseRecord` reads. @param {import("../../game/record.js").GameRecord} record */
export function shortText(record) {
  const tags = Object.fromEntries(Object.entries(record.tags).filter(([name, value]) => TOLD.includes(name) && value !== "mean"));
  const [, game, moves, rest] = PARTS.exec(formatRecord({ ...record, tags }));
  const isClassic = game === `${CLASSIC.dice} ${CLASSIC.slots}:`;
  return `${isClassic ? "" : `${game} `}${moves.trim().replaceAll(" ", ",")}${rest}`;
}

/** The path of a record's review, with the record in it. @param {import("../../game/record.js").GameRecord} record */
export function recordPath(record) {
  const text = encodeURIComponent(shortText(record)).replace(/%(?:40|3A|3B|3D|2C|2F)/g, decodeURIComponent);
  return `${link("review")}#${text}`;
}

/** The whole address, to be copied. @param {import("../../game/record.js").GameRecord} record */
export function recordAddress(record) {
  return new URL(recordPath(record), location.href).href;
}
