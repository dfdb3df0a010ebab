import { useState } from 'react';
import type { PageView } from '../../src/page-api.ts';
import type { ViewAction } from '../api.ts';
import type { Interaction } from '../blocks/use.ts';
import { useDesk } from '../ui/desk.ts';
import type { Form } from './form.ts';
import { valuesOf, withState } from './values.ts';

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
