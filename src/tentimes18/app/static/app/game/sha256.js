// SHA-256 (FIPS 180-4): by the browser where it offers it, else by the code below, since plain http has no WebCrypto.

const WORDS = 64;

// The first 32 bits of the fractional parts of square and cube roots of primes, exactly: roots of whole numbers.
const PRIMES = primes(WORDS);
const K = Uint32Array.from(PRIMES, (prime) => Number(root(BigInt(prime) << 96n, 3n) & 0xffffffffn));
const H = Uint32Array.from(PRIMES.slice(0, 8), (prime) => Number(root(BigInt(prime) << 64n, 2n) & 0xffffffffn));

function primes(count) {
  const found = [];
  for (let n = 2; found.length < count; n += 1) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}

// The largest whole number whose power is at most n, by halving.
function root(n, power) {
  let [low, high] = [0n, 1n << 42n];
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** power <= n) low = middle;
    else high = middle;
  }
  return low;
}

/** The digest of an ASCII or UTF-8 text, in lower-case hexadecimal digits. @param {string} text @returns {Promise<string>} */
export async function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const subtle = globalThis.crypto?.subtle;
  return hex(subtle ? new Uint8Array(await subtle.digest("SHA-256", bytes)) : sha256Bytes(bytes));
}

/** The same in plain script. @param {Uint8Array} bytes @returns {Uint8Array} 32 bytes */
export function sha256Bytes(bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const state = Uint32Array.from(H);
  const w = new Uint32Array(WORDS);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(block + 4 * i);
    for (let i = 16; i < WORDS; i += 1) {
      const [a, b] = [w[i - 15], w[i - 2]];
      w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    compress(state, w);
  }
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  state.forEach((word, i) => out.setUint32(4 * i, word));
  return digest;
}

function compress(state, w) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < WORDS; i += 1) {
    const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] += word;
  });
}

function turn(word, by) {
  return (word >>> by) | (word << (32 - by));
}

/** Bytes as lower-case hexadecimal digits. @param {Uint8Array} bytes */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
