import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { PageHeading } from "./PageHeading";

export function NotFoundPage() {
  return (
    <>
      <PageHeading title="ページが見つかりません">
        アドレスが変わったか、まちがっているようです。メニューか、下のボタンからお進みください。
      </PageHeading>
      <Button renderRoot={(props) => <Link to="/" {...props} />}>ホームへ</Button>
    </>
  );
}
