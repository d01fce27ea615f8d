import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { EventRows } from "../events-list/EventRows";
import classes from "./HomePage.module.css";
import type { Home } from "./queries";

export function NextEvents({ events }: { events: Home["next_events"] }) {
  return (
    <section aria-labelledby="home-events">
      <div className={classes.title}>
        <h2 id="home-events" className={classes.heading}>
          これからのイベント
        </h2>
        <Link to="/events">すべて見る</Link>
      </div>
      {events.length > 0 ? (
        <EventRows events={events} fading={false} />
      ) : (
        <div className={classes.none}>
          <p>これからのイベントはありません。案内の画像と日時を用意すれば、5分ほどで会員のLINEに出欠のお願いを送れます。</p>
          <Button size="md" variant="default" renderRoot={(props) => <Link to="/events/new" {...props} />}>
            イベントを作る
          </Button>
        </div>
      )}
    </section>
  );
}
