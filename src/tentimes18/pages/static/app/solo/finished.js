// Finished solo games, kept on this device: for drill and review without the network, and those that were drawn here until
// the service has them.
import { Away, Problem, post } from "../core/api.js";
import { kept } from "../core/kept.js";
import { isOnline, watchOnline } from "../core/online.js";
import { formatRecord, parseRecord, recordOf, recordToJson } from "../game/record.js";
import { positionOfSolo } from "./rounds.js";

const FINISHED = "finished";
const OUTBOX = "outbox";
const MOST = 200; // games that are kept here; the service has all

/** Keep a finished game. @param {import("./rounds.js").Solo} solo */
export async function keepFinished(solo) {
  const key = `${solo.begun} ${solo.id}`;
  if (await kept.db.get(FINISHED, key)) return;
  const record = recordOf(positionOfSolo(solo), { tags: { coach: solo.coach, date: solo.begun.slice(0, 19) } });
  await kept.db.put(FINISHED, key, formatRecord(record));
  const all = await kept.db.all(FINISHED);
  for (const [old] of all.slice(0, Math.max(0, all.length - MOST))) await kept.db.remove(FINISHED, old);
  if (!solo.local) return;
  await kept.db.put(OUTBOX, key, JSON.stringify(recordToJson(record)));
  await sendFinished();
}

/** The records that are kept here, the latest first. @returns {Promise<import("../game/record.js").GameRecord[]>} */
export async function finishedHere() {
  const all = await kept.db.all(FINISHED);
  return all.reverse().map(([, line]) => parseRecord(line));
}

let isSending = false;

/** Send what was played here, as records; what the service takes is not sent again. */
export async function sendFinished() {
  if (isSending || !isOnline()) return;
  isSending = true;
  try {
    const waiting = await kept.db.all(OUTBOX);
    if (!waiting.length) return;
    await post("/me/games", waiting.map(([, line]) => line).join("\n"), { type: "application/x-ndjson" });
    for (const [key] of waiting) await kept.db.remove(OUTBOX, key);
  } catch (error) {
    if (!(error instanceof Away || error instanceof Problem)) throw error;
  } finally {
    isSending = false;
  }
}

watchOnline(() => void sendFinished());
