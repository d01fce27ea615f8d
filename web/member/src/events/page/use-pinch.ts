import { useEffect, useRef } from "preact/hooks";
import { distance, middle, moveBy, type Point, type View, WHOLE, zoomAt } from "./zoom";

const STEP = 1.6;
const DOUBLE_TAP_MS = 300;
const MOVE_PX = 60;

/**
 * Fingers, mouse, wheel and keys on a picture. The position is set on the element itself: drawing the
 * component again for each movement of a finger would stutter on an old phone.
 */
export function usePinch() {
  const stage = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLImageElement>(null);
  const view = useRef<View>(WHOLE);

  const show = (next: View) => {
    view.current = next;
    if (picture.current) picture.current.style.transform = `translate(${next.x}px, ${next.y}px) scale(${next.scale})`;
  };
  const frame = () => ({ width: stage.current?.clientWidth ?? 0, height: stage.current?.clientHeight ?? 0 });
  const zoom = (factor: number, at: Point = { x: 0, y: 0 }) => show(zoomAt(view.current, factor, at, frame()));
  const move = (x: number, y: number) => show(moveBy(view.current, { x, y }, frame()));

  useEffect(() => {
    const place = stage.current;
    return place ? listen(place, { zoom, move, scale: () => view.current.scale }) : undefined;
  }, []);

  const keys: Record<string, () => void> = {
    "+": () => zoom(STEP),
    ";": () => zoom(STEP),
    "-": () => zoom(1 / STEP),
    "0": () => show(WHOLE),
    ArrowLeft: () => move(MOVE_PX, 0),
    ArrowRight: () => move(-MOVE_PX, 0),
    ArrowUp: () => move(0, MOVE_PX),
    ArrowDown: () => move(0, -MOVE_PX),
  };
  return { stage, picture, larger: () => zoom(STEP), smaller: () => zoom(1 / STEP), onKeyDown: (event: KeyboardEvent) => keys[event.key]?.() };
}

interface Hands {
  zoom: (factor: number, at?: Point) => void;
  move: (x: number, y: number) => void;
  scale: () => number;
}

function listen(place: HTMLElement, { zoom, move, scale }: Hands): () => void {
  const fingers = new Map<number, Point>();
  let lastTap = 0;
  const fromMiddle = (at: Point): Point => {
    const { left, top, width, height } = place.getBoundingClientRect();
    return { x: at.x - left - width / 2, y: at.y - top - height / 2 };
  };

  const down = (event: PointerEvent) => {
    place.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size > 1) return;
    if (event.timeStamp - lastTap < DOUBLE_TAP_MS) zoom(scale() > 1.2 ? 0 : 2.5, fromMiddle({ x: event.clientX, y: event.clientY }));
    lastTap = event.timeStamp;
  };
  const moved = (event: PointerEvent) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    fingers.set(event.pointerId, now);
    // With two fingers the picture follows the point between them, which moves half as far as either.
    const share = other ? 2 : 1;
    move((now.x - before.x) / share, (now.y - before.y) / share);
    if (other) zoom(distance(now, other) / Math.max(1, distance(before, other)), fromMiddle(middle(now, other)));
  };
  const up = (event: PointerEvent) => fingers.delete(event.pointerId);
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 300), fromMiddle({ x: event.clientX, y: event.clientY }));
  };

  place.addEventListener("pointerdown", down);
  place.addEventListener("pointermove", moved);
  place.addEventListener("pointerup", up);
  place.addEventListener("pointercancel", up);
  place.addEventListener("wheel", wheel, { passive: false });
  return () => {
    place.removeEventListener("pointerdown", down);
    place.removeEventListener("pointermove", moved);
    place.removeEventListener("pointerup", up);
    place.removeEventListener("pointercancel", up);
    place.removeEventListener("wheel", wheel);
  };
}
