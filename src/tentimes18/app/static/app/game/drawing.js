// Rolls drawn in the browser, each with exactly its chance: for games without the service.

/**
 * So many rolls from the browser's generator. Numbers of as many random bits as the total of the law needs are drawn, and
 * those that are not below it are passed over: all that are left have the same chance, and each stands for a roll.
 * @param {import("./law.js").Law} law @param {number} count @returns {number[]}
 */
export function drawRolls(law, count) {
  const bits = law.total > 1n ? (law.total - 1n).toString(2).length : 0;
  return Array.from({ length: count }, () => {
    let number = drawBits(bits);
    while (number >= law.total) number = drawBits(bits);
    return law.support[law.counts.findIndex((weight) => (number -= weight) < 0n)];
  });
}

/** One roll. @param {import("./law.js").Law} law */
export function drawRoll(law) {
  return drawRolls(law, 1)[0];
}

/** An id for a game that was made here, and the seed of what its dice show: 32 hexadecimal digits. */
export function drawId() {
  return drawBits(128).toString(16).padStart(32, "0");
}

function drawBits(bits) {
  const bytes = crypto.getRandomValues(new Uint8Array(Math.ceil(bits / 8)));
  const number = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return number & ((1n << BigInt(bits)) - 1n);
}
