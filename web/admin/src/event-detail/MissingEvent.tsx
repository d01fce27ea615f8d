import { PageHeading } from "../frame/PageHeading";
import { BackToEvents } from "./BackToEvents";

export function MissingEvent() {
  return (
    <>
      <PageHeading title="イベントが見つかりません">アドレスがまちがっているようです。イベントの一覧から選び直してください。</PageHeading>
      <BackToEvents />
    </>
  );
}
