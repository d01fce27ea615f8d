import { Button, CopyButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answerOf, api } from "../api/client";
import classes from "../booking/Booking.module.css";
import { ConfirmDialog } from "../booking/ConfirmDialog";
import { Moment } from "../frame/Moment";
import { registrationCodeQuery } from "./queries";
import own from "./Staffs.module.css";

/** The code that people need to register themselves. It is shown only where the installation asks for one. */
export function RegistrationCodePanel() {
  const { data } = useQuery(registrationCodeQuery);
  const [rotating, setRotating] = useState(false);
  if (data?.selfRegistration !== "code") return null;
  return (
    <section className={classes.card} aria-labelledby="registration-code">
      <div className={own.codeRow}>
        <h2 id="registration-code">登録コード</h2>
        {data.code === null ? <span className={classes.soft}>まだありません</span> : <code className={own.code}>{data.code}</code>}
        {data.code !== null && (
          <CopyButton value={data.code}>
            {({ copied, copy }) => (
              <Button variant="subtle" size="sm" onClick={copy}>
                <span aria-live="polite">{copied ? "コピーしました" : "コピー"}</span>
              </Button>
            )}
          </CopyButton>
        )}
        <Button variant="default" size="sm" onClick={() => setRotating(true)}>
          {data.code === null ? "コードを作る" : "新しいコードに替える"}
        </Button>
      </div>
      <p className={classes.emptyLine}>
        職員が自分で登録するときに使います。院内の掲示などで知らせてください。
        {data.createdAt && (
          <>
            （<Moment at={data.createdAt} />
            から）
          </>
        )}
      </p>
      <ConfirmDialog
        opened={rotating}
        close={() => setRotating(false)}
        title="登録コード"
        action="新しいコードにする"
        run={() => answerOf(api.POST("/api/admin/staffs/registration-code", {}))}
      >
        <p>新しいコードを作ります。いままでのコードは、すぐに使えなくなります。掲示しているものも替えてください。</p>
      </ConfirmDialog>
    </section>
  );
}
