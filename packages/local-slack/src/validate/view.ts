import { z } from 'zod';
import { SlackError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { block } from './blocks.ts';
import { plainText } from './elements.ts';
import { faultsOf, refusalFor, repeated } from './explain.ts';

const Modal = z
  .strictObject({
    type: z.literal('modal'),
    title: plainText(LIMITS.viewTitle),
    blocks: z.array(block).max(LIMITS.blocksPerView),
    submit: plainText(LIMITS.viewTitle).optional(),
    close: plainText(LIMITS.viewTitle).optional(),
    private_metadata: z.string().max(LIMITS.viewPrivateMetadata).optional(),
    callback_id: z.string().max(LIMITS.viewCallbackId).optional(),
    external_id: z.string().max(LIMITS.viewCallbackId).optional(),
    clear_on_close: z.boolean().optional(),
    notify_on_close: z.boolean().optional(),
    submit_disabled: z.boolean().optional(),
  })
  .refine((view) => view.submit !== undefined || view.blocks.every(({ type }) => type !== 'input'), {
    error: 'missing required field: submit',
  });

/** A modal as an app describes it. */
export type Modal = z.infer<typeof Modal>;

/**
 * A view as an app sends it, held against Slack's shapes and limits.
 *
 * @param pointer its place as a JSON pointer, for the messages.
 * @throws SlackError `invalid_arguments` with every fault, `view_too_large`.
 */
export function checkModal(value: unknown, pointer = '/view'): Modal {
  const parsed = Modal.safeParse(value);
  if (!parsed.success) throw refusalFor('invalid_arguments', faultsOf(parsed.error, value), pointer);
  const faults = repeated(parsed.data.blocks);
  if (faults.length > 0) throw refusalFor('invalid_arguments', faults, `${pointer}/blocks`);
  if (Buffer.byteLength(JSON.stringify(value)) > LIMITS.view) throw new SlackError('view_too_large');
  return parsed.data;
}

const Home = z.strictObject({
  type: z.literal('home'),
  blocks: z.array(block).max(LIMITS.blocksPerView),
  private_metadata: z.string().max(LIMITS.viewPrivateMetadata).optional(),
  callback_id: z.string().max(LIMITS.viewCallbackId).optional(),
  external_id: z.string().max(LIMITS.viewCallbackId).optional(),
});

/** A Home as an app describes it. */
export type Home = z.infer<typeof Home>;

/**
 * A Home as an app sends it, held against Slack's shapes and limits.
 *
 * @param pointer its place as a JSON pointer, for the messages.
 * @throws SlackError `invalid_arguments` with every fault, `view_too_large`.
 */
export function checkHome(value: unknown, pointer = '/view'): Home {
  const parsed = Home.safeParse(value);
  if (!parsed.success) throw refusalFor('invalid_arguments', faultsOf(parsed.error, value), pointer);
  const faults = repeated(parsed.data.blocks);
  if (faults.length > 0) throw refusalFor('invalid_arguments', faults, `${pointer}/blocks`);
  if (Buffer.byteLength(JSON.stringify(value)) > LIMITS.view) throw new SlackError('view_too_large');
  return parsed.data;
}
