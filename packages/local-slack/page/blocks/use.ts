import { createContext, useContext } from 'react';
import type { Click } from '../api.ts';
import type { Option } from './schema.ts';

/** The payload of an element when it is used; its place is added where it is drawn. */
export type Use = Omit<Click, 'block_id' | 'action_id'>;

/** The properties of every kind of interactive element. */
export interface ElementProps<T> {
  element: T;
  /** A click on it is being handled. */
  isBusy: boolean;
  onUse: (use: Use) => void;
}

/** A chosen option, as Slack's `selected_option` names it. */
export function optionUse({ text, value }: Option): Pick<Option, 'text'> & { value?: string } {
  return { text, ...(value === undefined ? {} : { value }) };
}

/** Takes clicks in the blocks below; `type` is the element's. Resolves when the app has answered. */
export type Interaction = (click: Click, type: string) => Promise<unknown>;

/** Set around the blocks of a message, and around the body of a modal. */
export const InteractionContext = createContext<Interaction | null>(null);

export function useInteraction(): Interaction {
  const interaction = useContext(InteractionContext);
  if (!interaction) throw new Error('Blocks stand outside <InteractionContext>.');
  return interaction;
}
