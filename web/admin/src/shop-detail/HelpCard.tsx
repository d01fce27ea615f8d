import { Button } from "@mantine/core";
import classes from "../booking/Booking.module.css";
import { HelpAddress } from "../shops/HelpAddress";
import type { Shop } from "../shops/queries";

/** The page on which the shop's customers help themselves. */
export function HelpCard({ shop }: { shop: Shop }) {
  return (
    <section className={classes.card} aria-labelledby="shop-help">
      <div className={classes.cardHead}>
        <h2 id="shop-help">お客さま用のヘルプページ</h2>
        <Button variant="default" size="sm" renderRoot={(props) => <a href={shop.help_url} target="_blank" rel="noreferrer" {...props} />}>
          開いて確かめる
        </Button>
      </div>
      <HelpAddress url={shop.help_url} shopName={shop.name} />
    </section>
  );
}
