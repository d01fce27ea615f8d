import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { accountsQuery } from "../account/queries";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { PageHeading } from "../frame/PageHeading";
import { AdminDrawer } from "./AdminDrawer";
import { AdminsTable } from "./AdminsTable";
import { NewAdminDialog } from "./NewAdminDialog";
import { type OneTime, OneTimeDialog } from "./OneTimeDialog";

export function AdminsPage() {
  const { data: admins, isPending, error, refetch } = useQuery(accountsQuery);
  const [making, setMaking] = useState(false);
  const [openedId, setOpenedId] = useState<number | null>(null);
  const [given, setGiven] = useState<OneTime | null>(null);
  /** Who is logged in may have changed since the page was opened. */
  const open = (id: number) => {
    setOpenedId(id);
    void refetch();
  };
  const opened = admins?.find(({ id }) => id === openedId);
  return (
    <>
      <PageHeading title="管理者" aside={<Button onClick={() => setMaking(true)}>管理者を登録する</Button>}>
        この管理画面に入れる人です。辞めた人は「無効」にしてください。その人の操作履歴は残ります。
      </PageHeading>
      {isPending && <ListSkeleton />}
      {error && <Failure error={error} retry={() => void refetch()} />}
      {admins && <AdminsTable admins={admins} open={open} />}
      <AdminDrawer admin={opened} close={() => setOpenedId(null)} given={setGiven} />
      <NewAdminDialog opened={making} close={() => setMaking(false)} done={setGiven} />
      <OneTimeDialog given={given} close={() => setGiven(null)} />
    </>
  );
}
