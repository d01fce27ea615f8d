import { Button, CopyButton } from "@mantine/core";
import hidden from "../frame/Hidden.module.css";
import classes from "./Shops.module.css";

/** The address of a shop's help page, to open and to copy. */
export function HelpAddress({ url, shopName }: { url: string; shopName: string }) {
  return (
    <div className={classes.address}>
      <a href={url} target="_blank" rel="noreferrer">
        {url.replace(/^https?:\/\//, "")}
        <span className={hidden.hidden}>（{shopName}のヘルプページを新しいタブで開く）</span>
      </a>
      <CopyButton value={url}>
        {({ copied, copy }) => (
          <Button variant="default" size="xs" onClick={copy} aria-label={copied ? "コピーしました" : `${shopName}のヘルプページのアドレスをコピー`}>
            <span aria-live="polite">{copied ? "コピーしました" : "コピー"}</span>
          </Button>
        )}
      </CopyButton>
    </div>
  );
}
