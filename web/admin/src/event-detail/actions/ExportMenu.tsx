import { Button, Menu } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { download, type ExportName } from "../download";

interface ExportMenuProps {
  eventId: number;
  asOf: string | null;
  failed: (error: unknown) => void;
}

const LATEST: [ExportName, string][] = [
  ["export/latest.csv", "最新の回答（CSV）"],
  ["export/latest.xlsx", "最新の回答（Excel）"],
];
const OTHERS: [ExportName, string][] = [
  ["export/history.csv", "回答の履歴（CSV）"],
  ["export/history.xlsx", "回答の履歴（Excel）"],
  ["event.ics", "カレンダー（ICS）"],
];

export function ExportMenu({ eventId, asOf, failed }: ExportMenuProps) {
  const taking = useMutation({ mutationFn: (name: ExportName) => download(eventId, name, asOf), onError: failed });
  const item = ([name, label]: [ExportName, string]) => (
    <Menu.Item key={name} onClick={() => taking.mutate(name)}>
      {label}
    </Menu.Item>
  );
  return (
    <Menu position="bottom-end" shadow="md" width="16rem">
      <Menu.Target>
        <Button variant="default" loading={taking.isPending}>
          出力・印刷
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          renderRoot={(props) => (
            <Link to="/events/$eventId/print" params={{ eventId: String(eventId) }} {...props} />
          )}
        >
          受付名簿を印刷（A4）
        </Menu.Item>
        <Menu.Divider />
        {asOf !== null && <Menu.Label>「最新」は、表示中の時点のものです</Menu.Label>}
        {LATEST.map(item)}
        {OTHERS.map(item)}
      </Menu.Dropdown>
    </Menu>
  );
}
