import type { Click } from '../api.ts';

/** What an element says when it is used; where it stands is added where it is drawn. */
export type Use = Omit<Click, 'block_id' | 'action_id'>;

/** What every kind of interactive element is drawn from. */
export interface ElementProps<T> {
  element: T;
  /** A click of it is under way. */
  isBusy: boolean;
  onUse: (use: Use) => void;
}
