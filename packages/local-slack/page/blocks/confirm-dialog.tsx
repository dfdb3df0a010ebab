import { plainText } from '../model/plain.ts';
import { useShownDialog } from '../ui/use-shown-dialog.ts';
import type { Confirm } from './schema.ts';

interface Props {
  confirm: Confirm;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before a click counts; Escape is no. */
export function ConfirmDialog({ confirm, onConfirm, onCancel }: Props) {
  const dialog = useShownDialog();
  return (
    <dialog ref={dialog} className="confirm" aria-labelledby="confirm-title" onClose={onCancel}>
      <h2 id="confirm-title">{confirm.title?.text ?? 'Are you sure?'}</h2>
      <p>{plainText(confirm.text?.text ?? '')}</p>
      <div className="confirm-buttons">
        <button type="button" className="button" onClick={onCancel}>
          {confirm.deny?.text ?? 'Cancel'}
        </button>
        <button
          type="button"
          className={`button ${confirm.style === 'danger' ? 'danger' : 'primary'}`}
          onClick={onConfirm}
        >
          {confirm.confirm?.text ?? 'Yes'}
        </button>
      </div>
    </dialog>
  );
}
