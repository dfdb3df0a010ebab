import { type RefObject, useLayoutEffect, useRef } from 'react';

/** A modal dialog for as long as it is mounted; what had the focus before gets it back. */
export function useShownDialog(): RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return ref;
}
