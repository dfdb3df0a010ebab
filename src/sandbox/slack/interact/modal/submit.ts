import { z } from 'zod';
import type { ViewOutcome } from '../../page-api.ts';
import type { WorkspaceContext } from '../../workspace-context.ts';
import { type Element, elementsIn } from '../elements.ts';
import { sendInteraction, whoAndWhere } from '../payload.ts';
import { outcomeOf } from '../person.ts';
import { PersonError } from '../person-error.ts';
import { complaintsOf } from './complaints.ts';
import type { OpenView } from './open-view.ts';
import { fillView, openedView } from './opened.ts';
import { presentView } from './present.ts';
import type { ViewValues } from './state.ts';
import { takeModal } from './take.ts';

/** A modal that a person sends off. */
export interface SubmitInput {
  as: string;
  view_id: string;
  /** What the person has changed; the rest is sent as it stands. */
  values: ViewValues;
}

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
  if (stray !== undefined) throw trouble(`the app’s errors name ${stray}, which is no input of the window`);
  if (Object.keys(errors).length === 0) throw trouble('the app’s errors are empty');
  return errors;
}

/**
 * Does what the app's acknowledgement says of the modal; one without a word closes it.
 *
 * @returns the errors that the app found, by `block_id`.
 */
function settle(world: WorkspaceContext, view: OpenView, body: Record<string, unknown> | undefined): Errors {
  if (body === undefined || Object.keys(body).length === 0) {
    world.views.close(view.id);
    return {};
  }
  const answer = Answer.safeParse(body);
  if (!answer.success) throw trouble('the app answered in a way that Slack does not know');
  const { data } = answer;
  switch (data.response_action) {
    case 'errors':
      return checkErrors(elementsIn(view.blocks), data.errors);
    case 'update':
      world.views.update(view, takeModal(world, data.view));
      return {};
    case 'push':
      world.views.push(view, takeModal(world, data.view));
      return {};
    case 'clear':
      for (const { id } of world.views.stackOf(view).reverse()) world.views.close(id);
      return {};
  }
}

async function send(world: WorkspaceContext, { as, view_id, values }: SubmitInput): Promise<Errors> {
  const opened = openedView(world, as, view_id);
  if (!opened.view.modal.submit) throw new PersonError('That window has nothing to send.');
  const view = fillView(world, opened, values);
  const complaints = complaintsOf(opened.elements, view.values);
  if (Object.keys(complaints).length > 0) return complaints;
  const body = await sendInteraction(world, {
    type: 'view_submission',
    ...whoAndWhere(world, opened.user),
    trigger_id: world.triggers.issue(opened.user.id, view.id),
    view: presentView(world, view),
    response_urls: [],
  }).catch((cause: unknown) => {
    throw cause instanceof PersonError ? trouble(cause.message) : cause;
  });
  return settle(world, view, body);
}

/**
 * Sends a `view_submission` to the app, once Slack's own checks of the inputs pass. Where those or the app
 * find errors, the modal stays open.
 */
export async function submitView(world: WorkspaceContext, input: SubmitInput): Promise<ViewOutcome> {
  let errors: Errors = {};
  const outcome = await outcomeOf(async () => {
    errors = await send(world, input);
  });
  if (!outcome.ok || Object.keys(errors).length === 0) return outcome;
  return { ok: false, error: Object.values(errors).join(' '), errors };
}
