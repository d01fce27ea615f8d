import { useSelected } from "../state/store";
import { Dialog } from "./Dialog";
import { Icon } from "./Icon";
import { otherPages } from "./other-pages";

/** The ways to everything else that belongs to the demo: the product's own pages, and those of other companies. */
export function OtherPages({ onClose }: { onClose: () => void }) {
  const config = useSelected((state) => state.config);
  return (
    <Dialog title="ほかの画面" kind="box" onClose={onClose}>
      <ul class="other-pages">
        {config &&
          otherPages(config.product_url).map(({ label, words, href }) => (
            <li key={href}>
              <a href={href} target="_blank" rel="noopener">
                <span>
                  <b>{label}</b>
                  <small>{words}</small>
                </span>
                <Icon name="outside" />
              </a>
            </li>
          ))}
      </ul>
    </Dialog>
  );
}
