import { z } from 'zod';
import type { PageOutcome } from '../../page-api.ts';
import type { SubmitRequest } from '../../page-requests.ts';
import type { WorkspaceContext } from '../../workspace-context.ts';
import { type Element, elementsIn } from '../elements.ts';
import { sendInteraction, whoAndWhere } from '../payload.ts';
import { outcomeOf } from '../person.ts';
import { PersonError } from '../person-error.ts';
import { checkedModal } from './check.ts';
import { fieldErrors } from './field-errors.ts';
import { fillView, openedView } from './open-modal.ts';
import type { OpenView } from './open-view.ts';
import { presentView } from './present.ts';

const Answer = z.discriminatedUnion('response_action', [
  z.object({ response_action: z.literal('clear') }),
  z.object({ response_action: z.literal('errors'), errors: z.record(z.string(), z.string()) }),
  z.object({ response_action: z.literal('update'), view: z.unknown() }),
  z.object({ response_action: z.literal('push'), view: z.unknown() }),
]);

type Errors = Record<string, string>;

const trouble = (why: string) => new PersonError(`We had some trouble connecting. Try again? (${why})`);

/** Slack shows an error at an input; one that names anything else is a fault of the app. */
function checkErrors(elements: readonly Element[], errors: Errors): Errors {
  const inputs = elements.filter(({ input }) => input !== null).map(({ block_id }) => block_id);
  const stray = Object.keys(errors).find((block_id) => !inputs.includes(block_id));
  if (stray !== undefined)
    throw trouble(`the app’s errors name ${stray}, which is not an input of the modal`);
  if (Object.keys(errors).length === 0) throw trouble('the app’s errors are empty');
  return errors;
}

/**
 * Does what the app's acknowledgement says of the modal; one without a word closes it.
 *
 * @returns the errors that the app found, by `block_id`.
 */
function settle(
  context: WorkspaceContext,
  view: OpenView,
  body: Record<string, unknown> | undefined,
): Errors {
  if (body === undefined || Object.keys(body).length === 0) {
    context.views.close(view.id);
    return {};
  }
  const answer = Answer.safeParse(body);
  if (!answer.success) throw trouble('Slack does not understand the app’s answer');
  const { data } = answer;
  switch (data.response_action) {
    case 'errors':
      return checkErrors(elementsIn(view.blocks), data.errors);
    case 'update':
      context.views.update(view, checkedModal(context, data.view));
      return {};
    case 'push':
      context.views.push(view, checkedModal(context, data.view));
      return {};
    case 'clear':
      for (const { id } of context.views.stackOf(view).reverse()) context.views.close(id);
      return {};
  }
}

async function send(context: WorkspaceContext, { as, view_id, values }: SubmitRequest): Promise<Errors> {
  const opened = openedView(context, as, view_id);
  if (!opened.view.modal.submit) throw new PersonError('That modal cannot be submitted.');
  const view = fillView(context, opened, values);
  const complaints = fieldErrors(opened.elements, view.values);
  if (Object.keys(complaints).length > 0) return complaints;
  const body = await sendInteraction(context, {
    type: 'view_submission',
    ...whoAndWhere(context, opened.user),
    trigger_id: context.triggers.issue(opened.user.id, view.id),
    view: presentView(context, view),
    response_urls: [],
  }).catch((cause: unknown) => {
    throw cause instanceof PersonError ? trouble(cause.message) : cause;
  });
  return settle(context, view, body);
}

/**
 * Sends a `view_submission` to the app, once Slack's own checks of the inputs pass. Where those or the app
 * find errors, the modal stays open.
 */
export async function submitView(context: WorkspaceContext, input: SubmitRequest): Promise<PageOutcome> {
  let errors: Errors = {};
  const outcome = await outcomeOf(async () => {
    errors = await send(context, input);
  });
  if (!outcome.ok || Object.keys(errors).length === 0) return outcome;
  return { ok: false, error: Object.values(errors).join(' '), errors };
}
