import { WebAPIPlatformError } from '@slack/web-api';
import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../../lib/log.ts';
import { isNewerBlock, type MessageBlock, type NewerBlock } from '../../render/newer-blocks.ts';
import type { Store } from '../../store/open.ts';

/** Slack rolls out new blocks gradually: a refused one is tried again after a week. */
const TRY_AGAIN_MS = 7 * 24 * 60 * 60_000;

/** The newer blocks that the workspace has refused: messages are sent without them. */
export interface RefusedBlocks {
  now(): Promise<ReadonlySet<NewerBlock>>;
  /** Slack has refused these types regardless of content. Stores and logs each once. */
  add(types: readonly NewerBlock[]): Promise<void>;
}

export function createRefusedBlocks({
  store,
  teamId,
  clock,
  log,
}: {
  store: Pick<Store, 'flags'>;
  teamId: string;
  clock: Pick<Clock, 'now'>;
  log: Pick<Logger, 'warn'>;
}): RefusedBlocks {
  const now = async () => {
    const since = await store.flags.refusedBlocks(teamId);
    const after = clock.now() - TRY_AGAIN_MS;
    return new Set([...since].flatMap(([type, at]) => (isNewerBlock(type) && at > after ? [type] : [])));
  };
  return {
    now,
    add: async (types) => {
      const known = await now();
      for (const type of types.filter((one) => !known.has(one))) {
        await store.flags.refuseBlock(teamId, type, clock.now());
        log.warn(
          { block: type },
          'this Slack workspace does not accept a newer type of block; its plain form is used for a week',
        );
      }
    },
  };
}

const Refusal = z.object({
  errors: z.array(z.unknown()).optional(),
  response_metadata: z.object({ messages: z.array(z.unknown()).optional() }).optional(),
});

/** A block that is in a message itself, and its type: `/blocks/3`, `/blocks/3/type`. */
const PLACE = /\/blocks\/(\d+)(?:\/type)?\]/u;
const OF_THE_TYPE = /\b(?:unsupported|unknown|invalid|disallowed) (?:block )?type\b/iu;

/**
 * The types among a message's newer blocks that Slack does not take here at all, as its refusal says. A block of a type
 * that it takes, with something wrong in it, is not one of them.
 */
export function typesRefused(error: unknown, blocks: readonly MessageBlock[]): NewerBlock[] {
  if (!(error instanceof WebAPIPlatformError)) return [];
  const read = Refusal.safeParse(error.data);
  const said = [...(read.data?.errors ?? []), ...(read.data?.response_metadata?.messages ?? [])];
  const types = said.flatMap((line) => {
    if (typeof line !== 'string' || !OF_THE_TYPE.test(line)) return [];
    const index = PLACE.exec(line)?.[1];
    const type = index === undefined ? undefined : blocks[Number(index)]?.type;
    return isNewerBlock(type) ? [type] : [];
  });
  return [...new Set(types)];
}
