// The games that have a name, and what is said of them where one is picked.

/** @typedef {{name: string, title: string, dice: string, slots: string, words: string}} NamedGame */

/** @type {readonly NamedGame[]} */
export const GAMES = Object.freeze([
  { name: "classic", title: "Classic", dice: "3d6", slots: "1-10", words: "Three dice, ten slots." },
  { name: "blitz", title: "Blitz", dice: "3d6", slots: "1-5", words: "Three dice, five slots: a minute." },
  { name: "twelves", title: "Twelves", dice: "2d12:12=2", slots: "1,3,5,7,9,11,13,15,17", words: "Two dice of twelve sides, loaded: a twelve is twice as likely." },
]);

/** The named game that this is, or null. @param {{dice: string, slots: string}} game */
export function namedGame({ dice, slots }) {
  return GAMES.find((named) => named.dice === dice && named.slots === slots) ?? null;
}
