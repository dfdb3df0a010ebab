import { createContext } from 'react';
import type { SuggestOutcome } from '../../src/page-api.ts';
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

/** What connects an input with its label, its hint and its error. */
export interface FieldLabels {
  id: string;
  /** Id of the written label. */
  labelledBy: string | undefined;
  /** Where no label is written. */
  label: string | undefined;
  describedBy: string | undefined;
  isInvalid: boolean;
  isOptional: boolean;
}

/** The attributes that say so. */
export function ariaOf({ labelledBy, label, describedBy, isInvalid }: FieldLabels) {
  return {
    'aria-labelledby': labelledBy,
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid || undefined,
  };
}
