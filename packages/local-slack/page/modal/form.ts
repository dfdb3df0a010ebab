import { createContext, useState } from 'react';
import type { PageView, SuggestOutcome } from '../../src/page-api.ts';
import type { ViewAction } from '../api.ts';
import type { Interaction } from '../blocks/use.ts';
import { useDesk } from '../ui/desk.ts';
import type { ElementState, Values } from './input-schema.ts';
import { valuesOf, withState } from './values.ts';

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

/** An open modal, or a Home, from the person's side: what they have put in, and what can be done with it. */
export interface OpenForm {
  form: Form;
  /** Why the last call failed, as a sentence; nothing that was put in is lost by it. */
  failure: string | null;
  isSubmitting: boolean;
  click: Interaction;
  submit(): Promise<void>;
}

/** Keeps what is put into `view` over its updates, and sends it off. */
export function useForm(view: Pick<PageView, 'id' | 'blocks'>): OpenForm {
  const { views, suggest } = useDesk();
  const [kept, setKept] = useState(() => ({ blocks: view.blocks, values: valuesOf(view.blocks) }));
  const [errors, setErrors] = useState<Form['errors']>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [isSubmitting, setSubmitting] = useState(false);
  if (kept.blocks !== view.blocks) {
    setKept({ blocks: view.blocks, values: valuesOf(view.blocks, kept.values) });
  }
  const { values } = kept;

  const act = async (action: ViewAction) => {
    const outcome = await views.act(view.id, action);
    setFailure(outcome.ok ? null : outcome.error);
  };
  const submit = async () => {
    if (isSubmitting) return;
    setSubmitting(true);
    const outcome = await views.submit(view.id, values);
    setSubmitting(false);
    const wrong = outcome.ok ? {} : (outcome.errors ?? {});
    setErrors(wrong);
    setFailure(outcome.ok || Object.keys(wrong).length > 0 ? null : outcome.error);
  };
  const form: Form = {
    values,
    errors,
    change: (blockId, actionId, state) => {
      setKept((now) => ({ ...now, values: withState(now.values, blockId, actionId, state) }));
      setErrors(({ [blockId]: _mended, ...others }) => others);
    },
    dispatch: (block_id, action_id, state) => {
      void act({ block_id, action_id, state, values: withState(values, block_id, action_id, state) });
    },
    suggest: (block_id, action_id, value) => suggest({ view_id: view.id, block_id, action_id, value }),
  };
  const click: Interaction = ({ block_id, action_id, ...use }, type) =>
    act({ block_id, action_id, state: { type, ...use }, values });
  return { form, failure, isSubmitting, click, submit };
}
