// The games that the lab offers by name.

/** @type {{name: string, title: string, dice: string, slots: string}[]} */
export const PRESETS = [
  { name: "classic", title: "Ten times eighteen", dice: "3d6", slots: "1-10" },
  { name: "blitz", title: "Blitz, five slots", dice: "3d6", slots: "1-5" },
  { name: "loaded", title: "Loaded twelves", dice: "2d12:12=2", slots: "1,3,5,7,9,11,13,15,17" },
  { name: "twenty", title: "One twenty-sided die", dice: "1d20", slots: "1-10" },
  { name: "three", title: "The best three of four", dice: "4d6kh3", slots: "1-10" },
];
