import { Dialog } from "../page/Dialog";
import { Icon } from "../page/Icon";

export function ImageViewer({ address, onClose }: { address: string; onClose: () => void }) {
  return (
    <Dialog title="画像" kind="viewer" onClose={onClose}>
      <img src={address} alt="受け取った画像" onClick={onClose} />
      <a class="button" href={address} target="_blank" rel="noopener noreferrer">
        <Icon name="outside" />
        別のタブで開く
      </a>
    </Dialog>
  );
}
