import type { Block } from '../entities.ts';
import { newHex, newId, type Random } from '../ids.ts';
import { normaliseBlocks } from '../messages/normalise.ts';
import type { Modal } from '../validate/view.ts';

/** A modal that a person has open. */
export interface OpenView {
  id: string;
  /** Whose screen it is on. */
  user: string;
  hash: string;
  modal: Modal;
  blocks: Block[];
}

/** The open modals. Like the screens they are on, they do not outlive a restart. */
export interface Views {
  open(user: string, modal: Modal): OpenView;
  /** Puts another modal in the place of an open one. */
  replace(view: OpenView, modal: Modal): void;
  get(id: string): OpenView | undefined;
  of(user: string): OpenView[];
  close(id: string): void;
}

export function createViews(random: Random): Views {
  const views = new Map<string, OpenView>();
  const show = (id: string, user: string, modal: Modal): OpenView => {
    const blocks = normaliseBlocks(random, modal.blocks);
    const view: OpenView = { id, user, hash: newHex(random, 8), modal, blocks };
    views.set(id, view);
    return view;
  };
  return {
    open: (user, modal) => show(newId(random, 'V'), user, modal),
    replace: (view, modal) => {
      show(view.id, view.user, modal);
    },
    get: (id) => views.get(id),
    of: (user) => [...views.values()].filter((view) => view.user === user),
    close: (id) => {
      views.delete(id);
    },
  };
}
