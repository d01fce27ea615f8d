import { api } from "../api/client";
import { Button, Menu } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "../audiences/Dialog";
import { saveAnswer } from "../api/files";
import { Refusal } from "../members/Refusal";

const FORMATS = [
  { label: "CSV（Excel・Shift_JIS）", query: { format: "csv", encoding: "cp932" } },
  { label: "CSV（UTF-8）", query: { format: "csv", encoding: "utf8" } },
  { label: "Excel（XLSX）", query: { format: "xlsx" } },
] as const;

type ExportPath = "/api/admin/staffs/export" | "/api/admin/reservations/export" | "/api/admin/coverage/export" | "/api/admin/payments/export";

interface ExportMenuProps {
  path: ExportPath;
  /** What the file is about, without its format. */
  query: object;
  name: string;
}

/** The three files are asked for in the same way, but each route has its own filters. */
function fetched(path: ExportPath, query: object): Promise<{ data?: unknown; error?: unknown; response: Response }> {
  const options = { params: { query }, parseAs: "blob" } as never;
  return api.GET(path, options);
}

/** Files are fetched rather than linked to, so that an error has words instead of being the content of a file. */
export function ExportMenu({ path, query, name }: ExportMenuProps) {
  const [failed, setFailed] = useState(false);
  const saving = useMutation({
    mutationFn: (format: (typeof FORMATS)[number]) =>
      saveAnswer(fetched(path, { ...query, ...format.query }), `${name}.${format.query.format}`),
    onError: () => setFailed(true),
  });
  return (
    <>
      <Menu position="bottom-end" shadow="md" width="16rem">
        <Menu.Target>
          <Button variant="default" loading={saving.isPending}>
            書き出し
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {FORMATS.map((format) => (
            <Menu.Item key={format.label} onClick={() => saving.mutate(format)}>
              {format.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Dialog opened={failed} close={() => setFailed(false)} title="書き出し">
        <Refusal title="書き出せませんでした" error={saving.error} />
      </Dialog>
    </>
  );
}
