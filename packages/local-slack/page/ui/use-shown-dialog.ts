import { type RefObject, useLayoutEffect, useRef } from 'react';

/** A modal dialog while it is mounted; afterwards the focus returns to where it was. */
export function useShownDialog(): RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return ref;
}
