import { Drawer } from "@mantine/core";
import { useRef } from "react";
import { Notice } from "../../frame/Notice";
import type { EventDetail, Person } from "../event";
import { History } from "./History";
import { OnBehalfForm } from "./OnBehalfForm";
import classes from "./People.module.css";

interface PersonDrawerProps {
  event: EventDetail;
  /** Undefined: closed. */
  person: Person | undefined;
  past: boolean;
  close: () => void;
}

/** One person: what counts now, answering on behalf, and everything that was answered. */
export function PersonDrawer({ event, person, past, close }: PersonDrawerProps) {
  // While the drawer slides out it still shows whom it was about.
  const last = useRef(person);
  if (person) last.current = person;
  const filter = person ?? last.current;
  return (
    <Drawer
      opened={person !== undefined}
      onClose={close}
      position="right"
      size="26rem"
      title={<strong>{filter?.name}</strong>}
      closeButtonProps={{ "aria-label": "閉じる" }}
    >
      {filter && (
        <div className={classes.drawer}>
          <section aria-labelledby="person-on-behalf">
            <h2 id="person-on-behalf">代理で回答</h2>
            {cannotAnswer(event, past) ?? <OnBehalfForm key={filter.member_id} event={event} person={filter} />}
          </section>
          <section aria-labelledby="person-history">
            <h2 id="person-history">回答の履歴</h2>
            <History eventId={event.id} person={filter} />
          </section>
        </div>
      )}
    </Drawer>
  );
}

function cannotAnswer(event: EventDetail, past: boolean) {
  if (event.cancelled_at !== null) return <Notice tone="info">中止になったイベントには、回答を入力できません。</Notice>;
  if (past) return <Notice tone="info">過去の時点を表示しています。回答を入力するには、いまの表示に戻してください。</Notice>;
  return null;
}
