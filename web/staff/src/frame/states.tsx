import type { ComponentChildren, JSX } from "preact";
import { ErrorScreen } from "../../../kit/error-screen";
import { Loading } from "../../../kit/loading";
import { Link } from "../../../kit/router";
import { Tabs } from "./tabs";

export function StaffLoading({ back }: { back?: ComponentChildren }): JSX.Element {
  return (
    <div class="framed">
      <Tabs />
      <Loading back={back} />
    </div>
  );
}

interface StaffErrorProps {
  error: unknown;
  retry?: () => void;
  words?: { title: string; text: string };
  back?: ComponentChildren;
  /** Further ways on. */
  children?: ComponentChildren;
}

export function StaffError({ error, retry, words, back, children }: StaffErrorProps): JSX.Element {
  return (
    <div class="framed">
      <Tabs />
      <ErrorScreen
        error={error}
        retry={retry}
        back={back}
        {...(words ? { words } : {})}
        actions={
          !retry && (
            <>
              <Link to="/reservations" class="button">
                予約の一覧を見る
              </Link>
              {children}
            </>
          )
        }
      />
    </div>
  );
}
