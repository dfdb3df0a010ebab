import { createContext } from 'react';
import type { SuggestOutcome } from '../../page-api.ts';
import type { ElementState, Values } from './input-schema.ts';

/** What the inputs of an open modal share. */
export interface Form {
  values: Values;
  /** What is wrong with a field, by `block_id`. */
  errors: Readonly<Record<string, string>>;
  change(blockId: string, actionId: string, state: ElementState): void;
  /** Tells the app at once that the input holds `state`. */
  dispatch(blockId: string, actionId: string, state: ElementState): void;
  /** Asks the app for the options of a list. */
  suggest(blockId: string, actionId: string, typed: string): Promise<SuggestOutcome>;
}

/** `null` outside modals, where no inputs stand. */
export const FormContext = createContext<Form | null>(null);
