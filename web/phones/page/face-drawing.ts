/** How a face is drawn. Everything follows from the user id, so that a person looks the same everywhere. */
export interface FaceDrawing {
  background: string;
  skin: string;
  hair: string;
  clothes: string;
  hairPath: string;
  bun: boolean;
  glasses: boolean;
}

const BACKGROUNDS = ["#dce6f5", "#fbe3d2", "#ece6f6", "#f9e0e4", "#e8ead6", "#e2e6ea"];
const CLOTHES = ["#2b4c8c", "#c4511f", "#7a68ab", "#b9566a", "#7b7a34", "#3c4252"];
const SKINS = ["#fbdcc0", "#f4c9a3", "#e9b58a"];
const HAIRS = ["#2f2a2b", "#4a352b", "#6b4a35", "#8d9096", "#b9bcc2"];
const HAIR_PATHS = [
  "M12 26C9 8 39 8 36 26c0-5-2-8-5-9-5 2-11 2-14 0-3 2-5 5-5 9z",
  "M13 21c0-14 22-14 22 0-2-4-6-6-11-6s-9 2-11 6z",
  "M11 35C7 6 41 6 37 35h-4c2-8 1-14-1-17-5 1-11 0-15-2-3 4-4 11-2 19z",
  "M12.5 25c-2-6 1-9 2-10 0 3-.5 6-.5 10zM35.5 25c2-6-1-9-2-10 0 3 .5 6 .5 10z",
  "M13 22c-1-12 8-13 13-12 8 0 10 6 9 12-2-4-5-4-8-7-3 4-9 4-14 7z",
];

/** FNV-1a: short, and neighbouring ids come out far apart. */
function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

export function drawingOf(userId: string): FaceDrawing {
  const seed = numberOf(userId);
  const choose = <Item>(items: Item[], shift: number) => items[(seed >>> shift) % items.length] as Item;
  return {
    background: choose(BACKGROUNDS, 0),
    clothes: choose(CLOTHES, 0),
    skin: choose(SKINS, 5),
    hair: choose(HAIRS, 9),
    hairPath: choose(HAIR_PATHS, 13),
    bun: (seed >>> 17) % 4 === 0,
    glasses: (seed >>> 21) % 3 === 0,
  };
}
