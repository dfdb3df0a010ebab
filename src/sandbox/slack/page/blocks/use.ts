import { createContext, useContext } from 'react';
import type { Click } from '../api.ts';
import type { Option } from './schema.ts';

/** What an element says when it is used; where it stands is added where it is drawn. */
export type Use = Omit<Click, 'block_id' | 'action_id'>;

/** What every kind of interactive element is drawn from. */
export interface ElementProps<T> {
  element: T;
  /** A click of it is under way. */
  isBusy: boolean;
  onUse: (use: Use) => void;
}

/** A chosen option, as Slack's `selected_option` names it. */
export function optionUse({ text, value }: Option): Pick<Option, 'text'> & { value?: string } {
  return { text, ...(value === undefined ? {} : { value }) };
}

/** Takes what is clicked in the blocks below; `type` is the element's. Resolves when the app has answered. */
export type Interaction = (click: Click, type: string) => Promise<unknown>;

/** Set where blocks stand: around a message, and around the body of a modal. */
export const InteractionContext = createContext<Interaction | null>(null);

export function useInteraction(): Interaction {
  const interaction = useContext(InteractionContext);
  if (!interaction) throw new Error('Blocks stand outside <InteractionContext>.');
  return interaction;
}
