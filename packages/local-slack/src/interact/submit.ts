import { z } from 'zod';
import { PersonError } from '../errors.ts';
import type { PageOutcome } from '../page-api.ts';
import type { CloseRequest, SubmitRequest, ViewActionRequest } from '../page-requests.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { type Element, elementsIn } from './elements.ts';
import { actionTs, outcomeOf, sendInteraction, whoAndWhere } from './payload.ts';
import { checkedModal, fillView, openedView, presentView, surfaceOf } from './surface.ts';
import { chosen, type ElementState, holdsState, type OpenView, type ViewValues } from './views.ts';

/** Sends a `block_actions` payload with the modal or the Home to the app. */
export function actInView(context: WorkspaceContext, input: ViewActionRequest): Promise<PageOutcome> {
  const { block_id, action_id, state = {}, values = {} } = input;
  return outcomeOf(async () => {
    const surface = surfaceOf(context, input.as, input.view_id);
    const element = surface.elements.find((one) => one.block_id === block_id && one.action_id === action_id);
    if (!element) throw new PersonError('That is no longer in the modal.');
    if (element.input?.dispatches === false) {
      throw new PersonError('The app only sees that field when the modal is submitted.');
    }
    const own = holdsState(element) ? { [block_id]: { ...values[block_id], [action_id]: state } } : {};
    const view = surface.fill({ ...values, ...own });
    await sendInteraction(context, {
      type: 'block_actions',
      ...whoAndWhere(context, surface.user),
      container: { type: 'view', view_id: input.view_id },
      trigger_id: context.triggers.issue(surface.user.id, surface.modal),
      view,
      actions: [
        { action_id, block_id, type: element.type, ...chosen(element, state), action_ts: actionTs(context) },
      ],
    });
  });
}

/**
 * Closes a modal: only this one, or with `clear_on_close` its whole stack. The app is told if the modal has
 * `notify_on_close`; what it answers changes nothing any more.
 */
export function closeView(context: WorkspaceContext, { as, view_id }: CloseRequest): Promise<PageOutcome> {
  return outcomeOf(async () => {
    const { user, view } = openedView(context, as, view_id);
    const is_cleared = view.modal.clear_on_close ?? false;
    const closed = is_cleared ? context.views.stackOf(view).reverse() : [view];
    for (const { id } of closed) context.views.close(id);
    if (!view.modal.notify_on_close || !context.manifest.interactive) return;
    await context.send('interactive', {
      type: 'view_closed',
      ...whoAndWhere(context, user),
      view: presentView(context, view),
      is_cleared,
    });
  });
}

const REQUIRED = 'Please complete this required field.';

const limit = (value: unknown): number | undefined => (value === undefined ? undefined : Number(value));

function textError({ fields }: Element, value: string): string | undefined {
  const { length } = value;
  const least = limit(fields.min_length) ?? 0;
  const most = limit(fields.max_length) ?? Number.POSITIVE_INFINITY;
  if (length < least) return `Please enter at least ${least} characters.`;
  return length > most ? `Please enter at most ${most} characters.` : undefined;
}

function numberError({ fields }: Element, value: string): string | undefined {
  if (!/^-?\d+(\.\d+)?$/.test(value)) return 'Please enter a number.';
  const number = Number(value);
  if (fields.is_decimal_allowed !== true && value.includes('.')) return 'Please enter a whole number.';
  const least = limit(fields.min_value) ?? Number.NEGATIVE_INFINITY;
  const most = limit(fields.max_value) ?? Number.POSITIVE_INFINITY;
  if (number < least) return `Please enter a number of at least ${least}.`;
  return number > most ? `Please enter a number of at most ${most}.` : undefined;
}

function urlError(_: Element, value: string): string | undefined {
  const url = URL.parse(value);
  const isLink = url !== null && ['http:', 'https:'].includes(url.protocol);
  return isLink ? undefined : 'Please enter a valid URL, with https:// before it.';
}

function emailError(_: Element, value: string): string | undefined {
  return /^[^\s@]+@[^\s@]+$/.test(value) ? undefined : 'Please enter a valid e-mail address.';
}

const TEXT_CHECKS: Readonly<Record<string, (element: Element, value: string) => string | undefined>> = {
  plain_text_input: textError,
  number_input: numberError,
  url_text_input: urlError,
  email_text_input: emailError,
};

function fieldError(element: Element, { type: _, ...held }: ElementState): string | undefined {
  const [value] = Object.values(held);
  if (value === null || (Array.isArray(value) && value.length === 0)) {
    return element.input?.optional ? undefined : REQUIRED;
  }
  const most = limit(element.fields.max_selected_items);
  if (Array.isArray(value) && most !== undefined && value.length > most)
    return `Please choose at most ${most}.`;
  return typeof value === 'string' ? TEXT_CHECKS[element.type]?.(element, value) : undefined;
}

/** What Slack itself finds wrong with a form before it sends it to the app, by `block_id`. */
function fieldErrors(elements: readonly Element[], values: ViewValues): Record<string, string> {
  return Object.fromEntries(
    elements.flatMap((element) => {
      const state = values[element.block_id]?.[element.action_id];
      const words = element.input && state ? fieldError(element, state) : undefined;
      return words === undefined ? [] : [[element.block_id, words]];
    }),
  );
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
