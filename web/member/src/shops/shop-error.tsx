import type { ComponentProps, JSX } from "preact";
import { OfficePhone } from "../../../kit/ask-office";
import { MemberError } from "../screens/member-error";
import { shopErrorWords } from "./words";

type Props = Omit<ComponentProps<typeof MemberError>, "words" | "children">;

/** A screen of a shop that cannot be shown. Somebody may stand in front of its door, so that a telephone number follows. */
export function ShopError(props: Props): JSX.Element {
  return (
    <MemberError {...props} words={shopErrorWords(props.error)}>
      <p>
        <OfficePhone>お急ぎのときは、お電話ください。</OfficePhone>
      </p>
    </MemberError>
  );
}
