import { useState } from "preact/hooks";
import type { Person } from "../client/types";
import { drawingOf } from "./face-drawing";
import { ownPicture } from "./stand-in";

interface FaceProps {
  person: Person;
  size: number;
  happy?: boolean;
}

/** The picture of a person, or a small drawn face. Whoever blocked the account has their eyes closed. */
export function Face({ person, size, happy = false }: FaceProps) {
  const [broken, setBroken] = useState(false);
  const picture = ownPicture(person.picture_url);
  if (picture && !broken) {
    return <img class="face" src={picture} width={size} height={size} alt="" onError={() => setBroken(true)} />;
  }
  return <DrawnFace userId={person.user_id} size={size} asleep={person.blocked} happy={happy} />;
}

interface DrawnFaceProps {
  userId: string;
  size: number;
  asleep?: boolean;
  happy?: boolean;
}

export function DrawnFace({ userId, size, asleep = false, happy = false }: DrawnFaceProps) {
  const face = drawingOf(userId);
  return (
    <svg class="face" width={size} height={size} viewBox="0 0 48 48" aria-hidden="true">
      <rect width="48" height="48" fill={face.background} />
      <path d="M7 49c1-11 9-14 17-14s16 3 17 14z" fill={face.clothes} />
      {face.bun && <circle cx="24" cy="9" r="4.5" fill={face.hair} />}
      <circle cx="24" cy="24" r="11.5" fill={face.skin} />
      <path d={face.hairPath} fill={face.hair} />
      <circle cx="17.5" cy="27.5" r="2" fill="#ee8f80" opacity=".45" />
      <circle cx="30.5" cy="27.5" r="2" fill="#ee8f80" opacity=".45" />
      <Eyes asleep={asleep} happy={happy} />
      {face.glasses && !asleep && (
        <path class="line" d="M16.5 24.5a3.5 3.5 0 1 0 7 0 3.5 3.5 0 1 0-7 0zm8 0a3.5 3.5 0 1 0 7 0 3.5 3.5 0 1 0-7 0zm-1 0h1" />
      )}
      <path class="line" d={happy ? "M20.5 29q3.5 4.5 7 0z" : "M21.5 29.5q2.5 2 5 0"} />
    </svg>
  );
}

function Eyes({ asleep, happy }: { asleep: boolean; happy: boolean }) {
  if (asleep) return <path class="line" d="M18 24.5q2 1.5 4 0M26 24.5q2 1.5 4 0" />;
  if (happy) return <path class="line" d="M18 25q2-2.5 4 0M26 25q2-2.5 4 0" />;
  return (
    <>
      <circle cx="20" cy="24.5" r="1.3" />
      <circle cx="28" cy="24.5" r="1.3" />
    </>
  );
}
