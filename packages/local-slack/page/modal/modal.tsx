import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
import type { PageView } from '../../src/page-api.ts';
import { Blocks } from '../blocks/blocks.tsx';
import { EmojiText } from '../blocks/elements.tsx';
import { InteractionContext } from '../blocks/use.ts';
import { Avatar, Boundary } from '../ui/basics.tsx';
import { useDesk } from '../ui/desk.ts';
import { FormContext, useForm } from './form.ts';
import { viewFrame } from './input-schema.ts';

interface Props {
  view: PageView;
  /** How many modals lie under this one. */
  depth: number;
  isOnTop: boolean;
}

/** A modal of the app's: Enter in a line or Ctrl+Enter anywhere sends it, Escape leaves it. */
function Modal({ view, depth, isOnTop }: Props) {
  const { workspace, views } = useDesk();
  const { bot, users } = workspace;
  const color = users.find(({ id }) => id === bot.user_id)?.color ?? null;
  const { form, failure, isSubmitting, click, submit } = useForm(view);
  const leave = () => views.close(view);
  const dialog = useDialog(leave);
  const titleId = useId();
  const { title, submit: submitLabel, close: closeLabel } = viewFrame.parse(view);

  useEffect(() => {
    if (Object.keys(form.errors).length === 0) return;
    dialog.ref.current
      ?.querySelector<HTMLElement>('.input-block.invalid :is(input, select, textarea, button)')
      ?.focus();
  }, [form.errors, dialog.ref]);

  const send = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (submitLabel !== null) void submit();
  };
  const onKeyDown = (key: KeyboardEvent) => {
    if (key.key === 'Enter' && (key.ctrlKey || key.metaKey)) send(key);
    else dialog.onKeyDown(key);
  };
  return (
    <dialog
      ref={dialog.ref}
      className={isOnTop ? 'modal' : 'modal under'}
      aria-labelledby={titleId}
      aria-busy={isSubmitting}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onCancel={dialog.onCancel}
    >
      <form noValidate onSubmit={send}>
        <header>
          {depth > 0 && (
            <button type="button" className="plain back" aria-label="Back" onClick={leave}>
              ‹
            </button>
          )}
          <Avatar name={bot.name} color={color} emoji={null} size="small" />
          <h2 id={titleId}>
            <EmojiText text={title} />
          </h2>
          <button type="button" className="plain close" aria-label="Dismiss" onClick={leave}>
            ×
          </button>
        </header>
        <div className="modal-body body">
          <Boundary subject={view} fallback={<p>The page cannot show the content of this modal.</p>}>
            <InteractionContext value={click}>
              <FormContext value={form}>
                <Blocks blocks={view.blocks} />
              </FormContext>
            </InteractionContext>
          </Boundary>
        </div>
        {failure !== null && (
          <p className="modal-failure" role="alert">
            {failure}
          </p>
        )}
        <footer>
          <button type="button" className="button" onClick={leave}>
            <EmojiText text={closeLabel ?? (submitLabel === null ? 'Close' : 'Cancel')} />
          </button>
          {submitLabel !== null && (
            <button type="submit" className="button primary" disabled={isSubmitting} aria-busy={isSubmitting}>
              <EmojiText text={submitLabel} />
            </button>
          )}
        </footer>
      </form>
    </dialog>
  );
}

/** The acting person's open modals, stacked; only the last is visible. */
export function Modals({ views }: { views: readonly PageView[] }) {
  return views.map((view, index) => (
    <Modal key={view.id} view={view} depth={index} isOnTop={index === views.length - 1} />
  ));
}

const FIRST_FIELD = ':is(.input-block, .loose-input) :is(input, select, textarea, button)';

interface OpenDialog {
  ref: RefObject<HTMLDialogElement | null>;
  /** To be put on the `<dialog>`: Escape asks to close it, and closes nothing by itself. */
  onKeyDown: (key: KeyboardEvent) => void;
  onCancel: (event: SyntheticEvent) => void;
}

/** A modal dialog while it is mounted: the first field has the focus, and what had it before gets it back. */
function useDialog(onLeave: () => void): OpenDialog {
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
