import { Icon } from "../page/Icon";

/** What went wrong with the last thing this person did; stays until it is closed or something works again. */
export function TroubleNote({ trouble, onClose }: { trouble: string | null; onClose: () => void }) {
  if (trouble === null) return null;
  return (
    <div class="trouble" role="alert">
      <p>{trouble}</p>
      <button type="button" class="round small" aria-label="知らせを閉じる" onClick={onClose}>
        <Icon name="close" size={16} />
      </button>
    </div>
  );
}
