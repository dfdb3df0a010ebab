import type { Block } from '../../entities.ts';
import type { PageView } from '../../page-api.ts';
import type { Modal } from '../../validate/view.ts';
import type { ViewValues } from './state.ts';

/** A modal that a person has open. */
export interface OpenView {
  id: string;
  /** Whose screen it is on. */
  user: string;
  hash: string;
  modal: Modal;
  blocks: Block[];
  /** What every element holds now. */
  values: ViewValues;
  /** The first of its stack. */
  root: string;
  /** The one below it. */
  previous: string | null;
}

/** A modal as the page draws it. */
export function onPage({ id, user, hash, modal, blocks }: OpenView): PageView {
  const { title, submit, close } = modal;
  return { id, user, hash, title, ...(submit && { submit }), ...(close && { close }), blocks };
}
