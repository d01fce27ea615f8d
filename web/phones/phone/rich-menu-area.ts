import type { RichMenu, RichMenuArea } from "../client/types";

export interface AreaPlace {
  left: string;
  top: string;
  width: string;
  height: string;
}

/** Where an area lies on the picture, in percent, so that it fits a phone of any width. */
export function placeOf(area: RichMenuArea, size: RichMenu["size"]): AreaPlace {
  const percent = (part: number, whole: number) => `${whole > 0 ? Math.round((part / whole) * 10_000) / 100 : 0}%`;
  return {
    left: percent(area.bounds.x, size.width),
    top: percent(area.bounds.y, size.height),
    width: percent(area.bounds.width, size.width),
    height: percent(area.bounds.height, size.height),
  };
}
