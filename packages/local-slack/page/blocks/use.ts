import { createContext, useContext } from 'react';
import type { Click } from './schema.ts';

/** Takes clicks in the blocks below; `type` is the element's. Resolves when the app has answered. */
export type Interaction = (click: Click, type: string) => Promise<unknown>;

/** Set around the blocks of a message, and around the body of a modal. */
export const InteractionContext = createContext<Interaction | null>(null);

export function useInteraction(): Interaction {
  const interaction = useContext(InteractionContext);
  if (!interaction) throw new Error('Blocks stand outside <InteractionContext>.');
  return interaction;
}
