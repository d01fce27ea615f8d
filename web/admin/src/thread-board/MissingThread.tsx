import { PageHeading } from "../frame/PageHeading";
import { BackToThreads } from "./BackToThreads";

export function MissingThread() {
  return (
    <>
      <PageHeading title="日程調整が見つかりません">アドレスがまちがっているようです。一覧から選び直してください。</PageHeading>
      <BackToThreads />
    </>
  );
}
