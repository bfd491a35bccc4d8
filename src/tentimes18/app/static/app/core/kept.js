// What is kept on this device: small things in localStorage, long lists in IndexedDB. Where the browser forbids either,
// or its space is used up, things are kept as long as the page is open.
const PREFIX = "ten18.";
const DATABASE = "ten18";
const STORE = "kept";

const memory = new Map();
const listeners = new Map();

function storage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** @param {string} key */
function get(key, fallback = null) {
  if (memory.has(key)) return memory.get(key);
  try {
    const text = storage()?.getItem(PREFIX + key) ?? null;
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/** Keep a value that JSON can hold. @param {string} key */
function set(key, value) {
  try {
    storage().setItem(PREFIX + key, JSON.stringify(value));
    memory.delete(key);
  } catch {
    memory.set(key, value);
  }
  tell(key);
}

/** @param {string} key */
function remove(key) {
  memory.delete(key);
  try {
    storage()?.removeItem(PREFIX + key);
  } catch {
    // It was never kept there.
  }
  tell(key);
}

/** Have a function called whenever a key changes, here or in another tab; returns what ends it. */
function watch(key, listener) {
  if (!listeners.has(key)) listeners.set(key, new Set());
  listeners.get(key).add(listener);
  return () => listeners.get(key).delete(listener);
}

function tell(key) {
  for (const listener of listeners.get(key) ?? []) listener();
}

window.addEventListener("storage", ({ key }) => {
  for (const name of key === null ? listeners.keys() : [key.slice(PREFIX.length)]) tell(name);
});

/** Forget all that is kept on this device, small and large. @param {string[]} except  keys that stay */
async function clear(except = []) {
  memory.clear();
  lists.clear();
  try {
    const keys = Object.keys(storage()).filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
    for (const key of keys) if (!except.includes(key)) remove(key);
  } catch {
    // Nothing was kept there.
  }
  await inDatabase("readwrite", (store) => store.clear(), () => undefined);
}

let opened = null;

/** The database, or null where the browser has none for us. @returns {Promise<?IDBDatabase>} */
function database() {
  opened ??= new Promise((resolve) => {
    try {
      const request = indexedDB.open(DATABASE, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE);
      request.onsuccess = () => resolve(request.result);
      request.onerror = request.onblocked = () => resolve(null);
    } catch {
      resolve(null);
    }
  });
  return opened;
}

const lists = new Map(); // what the database does not take

/** Do one thing in the database, or in memory where that fails. */
async function inDatabase(mode, work, instead) {
  const base = await database();
  if (base === null) return instead();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = base.transaction(STORE, mode);
      const request = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  } catch {
    return instead();
  }
}

const below = (list) => IDBKeyRange.bound([list], [list, []]);

/** Lists of things by key: `list` is the list's name, keys are texts or numbers. */
const db = {
  /** @param {string} list @param {string | number} key @returns {Promise<any>} undefined where there is none */
  async get(list, key) {
    const own = lists.get(list)?.get(key);
    return own ?? inDatabase("readonly", (store) => store.get([list, key]), () => undefined);
  },
  /** @param {string} list @param {string | number} key */
  put(list, key, value) {
    return inDatabase("readwrite", (store) => store.put(value, [list, key]), () => {
      if (!lists.has(list)) lists.set(list, new Map());
      lists.get(list).set(key, value);
    });
  },
  /** All of a list, in the order of its keys. @param {string} list @returns {Promise<[string | number, any][]>} */
  async all(list) {
    const keys = await inDatabase("readonly", (store) => store.getAllKeys(below(list)), () => []);
    const values = await inDatabase("readonly", (store) => store.getAll(below(list)), () => []);
    const found = new Map(keys.map((key, i) => [key[1], values[i]]));
    for (const [key, value] of lists.get(list) ?? []) found.set(key, value);
    return [...found];
  },
  /** @param {string} list @param {string | number} key */
  async remove(list, key) {
    lists.get(list)?.delete(key);
    await inDatabase("readwrite", (store) => store.delete([list, key]), () => undefined);
  },
};

export const kept = { get, set, remove, watch, clear, db };
