// Tags: what else is known of a played game, as text (docs/notation.md).
//
//     ; name=Ada; date=2026-11-15; elo=1500 # on the train
//
// A tag holds what JSON can hold. Text stands as it is where that is clear, everything else as JSON. What follows `#` is
// the comment, up to the end of the line.

import { Wrong, quoted } from "./wrong.js";

const KEY = /^[A-Za-z][A-Za-z0-9_-]*$/;
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** Tags as they stand at the end of a line. @param {Record<string, any>} tags */
export function formatTags(tags) {
  let [text, comment] = ["", ""];
  for (const [key, value] of Object.entries(tags)) {
    if (key === "comment" && typeof value === "string") comment = ` # ${formatText(value)}`;
    else text += `; ${KEY.test(key) ? key : dumps(key)}=${formatValue(value)}`;
  }
  return text + comment;
}

/** The tags of a line from here on, and its comment. @param {string} line @param {number} start @returns {Record<string, any>} */
export function parseTags(line, start = 0) {
  const tags = new Map();
  while (start < line.length) {
    if (line[start] === "#") {
      setNew(tags, "comment", parseText(line.slice(start + 1)));
      break;
    }
    start = skip(line, start + 1);
    if (start === line.length || ";#".includes(line[start])) continue;
    const isQuoted = line[start] === '"';
    let key;
    [key, start] = isQuoted ? token(line, start, "=;#") : plainToken(line, start, "=;#");
    if (start === line.length || line[start] !== "=" || !(key || isQuoted)) {
      throw new Wrong(`cannot read ${quoted(key)}; accepted: name=Ada, each after a semicolon`, "tags");
    }
    const [value, end] = token(line, skip(line, start + 1), ";#");
    setNew(tags, key, value);
    start = end;
  }
  return Object.fromEntries(tags);
}

function setNew(tags, key, value) {
  if (tags.has(key)) throw new Wrong(`${quoted(key)} is given twice`, "tags");
  tags.set(key, value);
}

function formatValue(value) {
  const isClear = typeof value === "string" && isPlain(value) && !/[;#"]/.test(value);
  return isClear && parseValue(value) === value ? value : dumps(value);
}

function parseValue(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function formatText(text) {
  return isPlain(text) && !text.startsWith('"') ? text : dumps(text);
}

function parseText(text) {
  const plain = text.trim();
  const found = plain.startsWith('"') ? parseValue(plain) : plain;
  return typeof found === "string" ? found : plain;
}

function isPlain(text) {
  return text !== "" && !UNPRINTABLE.test(text) && text.trim() === text;
}

// A JSON value, or plain text, up to one of these characters.
function token(line, start, ends) {
  const end = endOfJson(line, start);
  if (end !== null) {
    const after = skip(line, end);
    if (after === line.length || ends.includes(line[after])) {
      try {
        return [JSON.parse(line.slice(start, end)), after];
      } catch {
        // not JSON after all: plain text
      }
    }
  }
  return plainToken(line, start, ends);
}

function plainToken(line, start, ends) {
  let end = start;
  while (end < line.length && !ends.includes(line[end])) end += 1;
  return [line.slice(start, end).trim(), end];
}

const STRING = /"(?:[^"\\]|\\.)*"/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

// Where the JSON value that begins here ends; null where none does.
function endOfJson(line, start) {
  if (!"[{".includes(line[start] ?? "?")) return match(STRING, line, start) ?? match(SCALAR, line, start);
  let depth = 0;
  for (let i = start; i < line.length; i += 1) {
    if (line[i] === '"') {
      const end = match(STRING, line, i);
      if (end === null) return null;
      i = end - 1;
    } else if ("[{".includes(line[i])) depth += 1;
    else if ("]}".includes(line[i])) {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return null;
}

function match(pattern, line, start) {
  pattern.lastIndex = start;
  return pattern.test(line) ? pattern.lastIndex : null;
}

function skip(line, start) {
  while (start < line.length && /\s/.test(line[start])) start += 1;
  return start;
}

// JSON in ASCII, with blanks after commas and colons: the same text as the command writes.
function dumps(value) {
  if (Array.isArray(value)) return `[${value.map(dumps).join(", ")}]`;
  if (value !== null && typeof value === "object") {
    return `{${Object.entries(value).map(([key, part]) => `${dumps(key)}: ${dumps(part)}`).join(", ")}}`;
  }
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
