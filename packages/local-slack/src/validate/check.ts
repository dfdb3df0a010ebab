import { z } from 'zod';
import type { Attachment, Block } from '../entities.ts';
import { SlackError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { block } from './blocks.ts';
import { plainText } from './elements.ts';
import { faultsOf, refusalFor, repeated } from './explain.ts';

const AttachmentList = z.array(z.record(z.string(), z.unknown()));

/**
 * Blocks as an app sends them, held against Slack's shapes and limits.
 *
 * @param pointer where they stand, as a JSON pointer, for the messages.
 * @throws SlackError `invalid_blocks_format`, `invalid_blocks` with every fault, `msg_blocks_too_long`.
 */
export function checkBlocks(
  value: unknown,
  pointer = '/blocks',
  most: number = LIMITS.blocksPerMessage,
): Block[] {
  if (!Array.isArray(value)) throw new SlackError('invalid_blocks_format');
  const parsed = z.array(block).max(most).safeParse(value);
  if (!parsed.success) throw refusalFor('invalid_blocks', faultsOf(parsed.error, value), pointer);
  const blocks: Block[] = parsed.data;
  const faults = repeated(blocks);
  const tables = blocks.filter(({ type }) => type === 'table' || type === 'data_table');
  if (tables.filter(({ type }) => type === 'table').length > 1)
    faults.push({ message: 'only_one_table_allowed', path: [] });
  const charts = blocks.filter(({ type }) => type === 'data_visualization');
  if (charts.length > LIMITS.chartsPerMessage) {
    faults.push({
      message: `no more than ${LIMITS.chartsPerMessage} data_visualization blocks allowed`,
      path: [],
    });
  }
  if (tables.reduce((sum, table) => sum + tableLength(table), 0) > LIMITS.tableText) {
    faults.push({ message: `must be less than ${LIMITS.tableText + 1} characters`, path: [] });
  }
  if (markdownLength(blocks) > LIMITS.markdown) {
    faults.push({ message: `must be less than ${LIMITS.markdown + 1} characters`, path: [] });
  }
  if (faults.length > 0) throw refusalFor('invalid_blocks', faults, pointer);
  if (messageLength(blocks) > LIMITS.messageBlocksLength) throw new SlackError('msg_blocks_too_long');
  return blocks;
}

/**
 * Attachments as an app sends them; their blocks are held to the same limits.
 *
 * @throws SlackError `invalid_attachments`, `too_many_attachments`, or as `checkBlocks`.
 */
export function checkAttachments(value: unknown): Attachment[] {
  const parsed = AttachmentList.safeParse(value);
  if (!parsed.success) throw new SlackError('invalid_attachments');
  if (parsed.data.length > LIMITS.attachmentsPerMessage) throw new SlackError('too_many_attachments');
  return parsed.data.map((attachment, index) =>
    attachment.blocks === undefined
      ? attachment
      : { ...attachment, blocks: checkBlocks(attachment.blocks, `/attachments/${index}/blocks`) },
  );
}

/** A text as Slack stores it: anything but `mrkdwn`, which the sender has escaped, gets its entities. */
function stored(text: string, isEscaped: boolean): number {
  return isEscaped ? text.length : text.replaceAll('&', '&amp;').replace(/[<>]/g, '&lt;').length;
}

/** The characters of every `text` below a value. */
function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + textLength(item), 0);
  if (typeof value !== 'object' || value === null) return 0;
  const isEscaped = 'type' in value && value.type === 'mrkdwn';
  return Object.entries(value).reduce(
    (sum, [key, item]) =>
      sum + (key === 'text' && typeof item === 'string' ? stored(item, isEscaped) : textLength(item)),
    0,
  );
}

/** A `markdown` block becomes several, a header for each of its headings. */
function headings({ type, text }: Block): number {
  if (type === 'header') return 1;
  if (type !== 'markdown' || typeof text !== 'string') return 0;
  return text.match(/^ {0,3}#{1,6} /gm)?.length ?? 0;
}

/** What the blocks of a message count towards `LIMITS.messageBlocksLength`. */
function messageLength(blocks: readonly Block[]): number {
  const headers = blocks.reduce((sum, block) => sum + headings(block), 0);
  return textLength(blocks) + headers * LIMITS.headerExtra;
}

/** The characters of a table's cells. */
function tableLength({ rows }: Block): number {
  return textLength(rows);
}

/** The characters of all `markdown` blocks together, as sent. */
function markdownLength(blocks: readonly Block[]): number {
  return blocks.reduce(
    (sum, { type, text }) => sum + (type === 'markdown' && typeof text === 'string' ? text.length : 0),
    0,
  );
}

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
