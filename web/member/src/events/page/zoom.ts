// How a picture lies on the screen: scaled around its middle, then moved. Pure, in pixels of the screen.

export interface View {
  scale: number;
  x: number;
  y: number;
}
export interface Size {
  width: number;
  height: number;
}
export interface Point {
  x: number;
  y: number;
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };
const LARGEST = 6;

/** Scales so that what lies under `at` (measured from the middle of the screen) stays under it. */
export function zoomAt(view: View, factor: number, at: Point, frame: Size): View {
  const scale = Math.min(LARGEST, Math.max(1, view.scale * factor));
  const ratio = scale / view.scale;
  return inside({ scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio }, frame);
}

export function moveBy(view: View, by: Point, frame: Size): View {
  return inside({ ...view, x: view.x + by.x, y: view.y + by.y }, frame);
}

/** The picture cannot be pushed off the screen. */
function inside({ scale, x, y }: View, frame: Size): View {
  const spareX = (frame.width * (scale - 1)) / 2;
  const spareY = (frame.height * (scale - 1)) / 2;
  return { scale, x: clamp(x, spareX), y: clamp(y, spareY) };
}

function clamp(value: number, spare: number): number {
  // Adding zero turns -0 into 0.
  return Math.min(spare, Math.max(-spare, value)) + 0;
}

export function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
