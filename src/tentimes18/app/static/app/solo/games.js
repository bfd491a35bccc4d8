// The games that have a name, and what is said of them where one is picked.

/** @typedef {{name: string, title: string, short: string, about: string, dice: string, slots: string}} NamedGame */

/** @type {readonly NamedGame[]} */
export const GAMES = Object.freeze([
  { name: "classic", title: "Classic", short: "Classic", about: "Three dice, ten slots.", dice: "3d6", slots: "1-10" },
  { name: "blitz", title: "Blitz", short: "Blitz", about: "Three dice, five slots: a minute.", dice: "3d6", slots: "1-5" },
  {
    name: "loaded",
    title: "Loaded twelves",
    short: "Twelves",
    about: "The paper's variant: two dice of twelve sides, and the twelve comes twice as often.",
    dice: "2d12:12=2",
    slots: "1,3,5,7,9,11,13,15,17",
  },
]);

/** The named game that this is, or null. @param {{dice: string, slots: string}} game */
export function namedGame({ dice, slots }) {
  return GAMES.find((named) => named.dice === dice && named.slots === slots) ?? null;
}
