import { z } from 'zod';
import type { Attachment, Block, Metadata } from '../entities.ts';
import { refuseBlocks } from '../faults/blocks.ts';
import { showFiles } from '../files/in-blocks.ts';
import { SlackError } from '../slack-error.ts';
import { checkAttachments, checkBlocks } from '../validate/check.ts';
import { type Entity, readEntity } from '../validate/entity.ts';
import { refusalFor } from '../validate/explain.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { json } from './method.ts';

/** The arguments with a message's content. */
export const content = {
  text: z.string().optional(),
  blocks: json.optional(),
  attachments: json.optional(),
  metadata: json.optional(),
};

const EventMetadata = z.object({
  event_type: z.string().min(1),
  event_payload: z.record(z.string(), z.unknown()),
});
const Entities = z.object({ entities: z.array(z.unknown()).min(1) });

interface Content {
  text: string | undefined;
  blocks: Block[] | undefined;
  attachments: Attachment[] | undefined;
  metadata: Metadata | undefined;
}

interface RawContent {
  text?: string | undefined;
  blocks?: unknown;
  attachments?: unknown;
  metadata?: unknown;
}

/** What every method that takes content may refuse. */
export const CONTENT_CHECKS = [
  'invalid_blocks_format',
  'invalid_blocks',
  'msg_blocks_too_long',
  'invalid_attachments',
  'too_many_attachments',
  'invalid_metadata_format',
] as const;

function checkEntity(value: unknown, index: number): Entity {
  const read = readEntity(value);
  if ('entity' in read) return read.entity;
  throw refusalFor('invalid_metadata_format', read.faults, `/metadata/entities/${index}`);
}

function checkMetadata(value: unknown): Metadata {
  const { data: event } = EventMetadata.safeParse(value);
  const { data: objects } = Entities.safeParse(value);
  const isHalf = typeof value === 'object' && value !== null && !event && 'event_type' in value;
  if ((!event && !objects) || isHalf) throw new SlackError('invalid_metadata_format');
  return { ...event, ...(objects && { entities: objects.entities.map(checkEntity) }) };
}

/** Slack takes an empty string for "none". */
const given = (value: unknown) => value !== undefined && value !== '';

/** @throws SlackError one of `CONTENT_CHECKS`. */
export function readContent(context: WorkspaceContext, { text, metadata, ...raw }: RawContent): Content {
  const blocks = given(raw.blocks) ? checkBlocks(raw.blocks) : undefined;
  const attachments = given(raw.attachments) ? checkAttachments(raw.attachments) : undefined;
  if (blocks) refuseBlocks(context, blocks);
  showFiles(context, blocks, '/blocks', 'invalid_blocks');
  showFiles(context, attachments, '/attachments', 'invalid_blocks');
  return {
    text,
    blocks,
    attachments,
    metadata: given(metadata) ? checkMetadata(metadata) : undefined,
  };
}
