import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import classes from "../booking/Booking.module.css";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { Notice } from "../frame/Notice";
import { type Parameter, parametersQuery, type Shop, shopsQuery } from "../shops/queries";
import shared from "../shops/Shops.module.css";
import { ParameterDialog } from "./ParameterDialog";
import { valueText } from "./parameters";
import own from "./ShopDetail.module.css";

/** How calls for this shop are made: each value that holds, and why it does. */
export function ParametersCard({ shop }: { shop: Shop }) {
  const { data, error, refetch } = useQuery(parametersQuery(shop.id));
  const shops = useQuery(shopsQuery).data?.shops ?? [];
  const [changing, setChanging] = useState<string | null>(null);
  const [told, setTold] = useState<string | null>(null);
  const shopName = (id: number) => shops.find((one) => one.id === id)?.name;
  return (
    <section className={classes.card} aria-labelledby="shop-parameters">
      <h2 id="shop-parameters">接続の設定</h2>
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <ListSkeleton />}
      <div role="status">
        {told !== null && (
          <Notice tone="success" className={classes.notice}>
            {told}
          </Notice>
        )}
      </div>
      <ul className={shared.lines}>
        {data?.parameters.map((parameter) => (
          <ParameterLine key={parameter.key} parameter={parameter} shopName={shopName} change={() => setChanging(parameter.key)} />
        ))}
      </ul>
      <ParameterDialog
        shop={shop}
        shops={shops}
        parameter={data?.parameters.find(({ key }) => key === changing) ?? null}
        close={() => setChanging(null)}
        done={setTold}
      />
    </section>
  );
}

interface ParameterLineProps {
  parameter: Parameter;
  shopName: (id: number) => string | undefined;
  change: () => void;
}

function ParameterLine({ parameter: { key, label, effective }, shopName, change }: ParameterLineProps) {
  return (
    <li className={own.parameter}>
      <span>{label}</span>
      <p className={`${own.value} figures`}>{valueText(key, effective.value, shopName)}</p>
      <p className={own.why}>{effective.why}</p>
      <Button className={own.change} variant="default" size="sm" onClick={change} aria-label={`${label}を変える`}>
        変える
      </Button>
    </li>
  );
}
