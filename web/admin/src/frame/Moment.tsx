import { formatDateTime } from "../../../api/times";

/** A moment as people read it, with the exact one for machines. */
export function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{formatDateTime(at)}</time>;
}
