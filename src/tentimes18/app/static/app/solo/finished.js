// Finished games of one player, kept on this device: for drill and review without the network. Those that were drawn here go
// into the outbox as well, until the service has them.
import { kept } from "../core/kept.js";
import { outbox } from "../core/outbox.js";
import { formatRecord, parseRecord, recordOf, recordToJson } from "../game/record.js";
import { positionOfSolo } from "./rounds.js";

const FINISHED = "finished";
const MOST = 200; // games that are kept here; the service has all

/** Keep a finished game, once. @param {import("./rounds.js").Solo} solo */
export async function keepFinished(solo) {
  if (!solo.ordered) return; // the service alone knows in which order it was played
  const key = `${solo.begun} ${solo.id}`;
  if (await kept.db.get(FINISHED, key)) return;
  const record = recordOf(positionOfSolo(solo), { tags: { coach: solo.coach, date: solo.begun.slice(0, 19) } });
  await kept.db.put(FINISHED, key, formatRecord(record));
  if (solo.local) await outbox.record(recordToJson(record));
  const all = await kept.db.all(FINISHED);
  for (const [old] of all.slice(0, Math.max(0, all.length - MOST))) await kept.db.remove(FINISHED, old);
}

/** The records of the games that ended before this one, the latest first. @param {import("./rounds.js").Solo} solo */
export async function finishedBefore(solo) {
  const all = await kept.db.all(FINISHED);
  return all.reverse().filter(([key]) => key !== `${solo.begun} ${solo.id}`).map(([, line]) => parseRecord(line));
}

/** The records that are kept here, the latest first. @returns {Promise<import("../game/record.js").GameRecord[]>} */
export async function finishedHere() {
  const all = await kept.db.all(FINISHED);
  return all.reverse().map(([, line]) => parseRecord(line));
}
