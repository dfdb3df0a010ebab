import { type KeyboardEvent, type RefObject, type SyntheticEvent, useLayoutEffect, useRef } from 'react';

const FIRST_FIELD = ':is(.input-block, .loose-input) :is(input, select, textarea, button)';

interface OpenDialog {
  ref: RefObject<HTMLDialogElement | null>;
  /** To be put on the `<dialog>`: Escape asks to close it, and closes nothing by itself. */
  onKeyDown: (key: KeyboardEvent) => void;
  onCancel: (event: SyntheticEvent) => void;
}

/** A modal dialog while it is mounted: the first field has the focus, and what had it before gets it back. */
export function useDialog(onLeave: () => void): OpenDialog {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // If there is no field, not the button that sends: the key that opened the modal may still be down.
    const first = dialog?.querySelector<HTMLElement>(FIRST_FIELD);
    (first ?? dialog)?.focus();
    return () => dialog?.close();
  }, []);
  return {
    ref,
    onKeyDown: (key) => {
      const dialog = ref.current;
      const isInside = key.target instanceof Element && key.target.closest('dialog') === dialog;
      // An open list takes the key for itself.
      if (key.key !== 'Escape' || !isInside || dialog?.querySelector(':popover-open')) return;
      key.preventDefault();
      onLeave();
    },
    onCancel: (event) => {
      if (event.target !== ref.current) return;
      event.preventDefault();
      onLeave();
    },
  };
}
