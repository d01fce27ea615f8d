import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Notice } from "../frame/Notice";
import { PageHeading } from "../frame/PageHeading";
import classes from "./Membership.module.css";

/** Somebody else has deleted the group, before it was opened or while it was edited. */
export function Gone() {
  return (
    <>
      <PageHeading title="このグループはありません" />
      <Notice tone="warning" title="ほかの人が削除したようです" alert>
        会員の方は、会員名簿にそのまま残っています。必要なら、グループの一覧から作り直してください。
        <div className={classes.onward}>
          <Button variant="default" size="sm" renderRoot={(props) => <Link to="/audiences" {...props} />}>
            グループの一覧へ
          </Button>
        </div>
      </Notice>
    </>
  );
}
