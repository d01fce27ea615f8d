import type { JSX } from "preact";

interface QrPictureProps {
  /** As the server sends it: the width in modules, and the path of the dark ones. */
  qr: { size: number; path: string };
  label: string;
}

export function QrPicture({ qr: { size, path }, label }: QrPictureProps): JSX.Element {
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path d={path} fill="#000" />
    </svg>
  );
}
