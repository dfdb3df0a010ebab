import { z } from 'zod';
import type { Block } from '../entities.ts';
import { LIMITS } from '../limits.ts';
import { SlackError } from '../slack-error.ts';
import { checkBlocks } from '../validate/check.ts';

const words = z.string().max(LIMITS.taskText);

const markdownText = z.strictObject({ type: z.literal('markdown_text'), text: z.string() });

const taskUpdate = z.strictObject({
  type: z.literal('task_update'),
  id: z.string().min(1).max(LIMITS.blockId),
  title: words.min(1),
  status: z.enum(['pending', 'in_progress', 'complete', 'error']),
  details: words.optional(),
  output: words.optional(),
  sources: z
    .array(z.strictObject({ type: z.literal('url'), url: z.string().min(1), text: z.string().min(1) }))
    .optional(),
});

const planUpdate = z.strictObject({ type: z.literal('plan_update'), title: words.min(1) });

const blocks = z.strictObject({ type: z.literal('blocks'), blocks: z.unknown() });

const Chunks = z.array(z.discriminatedUnion('type', [markdownText, taskUpdate, planUpdate, blocks]));

export type TaskUpdate = z.infer<typeof taskUpdate>;

/** What a stream grows by. */
export type Chunk =
  | z.infer<typeof markdownText>
  | TaskUpdate
  | z.infer<typeof planUpdate>
  | { type: 'blocks'; blocks: Block[] };

/** What one call brings, and in which of the two ways. */
export interface Growth {
  mode: 'text' | 'chunks' | null;
  chunks: Chunk[];
}

/** By others' account the limit is of each piece, not of the whole. */
function checkLength(text: string): void {
  if (text.length > LIMITS.markdown) throw new SlackError('msg_too_long');
}

function checkChunks(value: unknown): Chunk[] {
  const parsed = Chunks.safeParse(value);
  if (!parsed.success) {
    const messages = parsed.error.issues.map(
      ({ message, path }) => `[ERROR] ${message} [json-pointer:/chunks/${path.map(String).join('/')}]`,
    );
    throw new SlackError('invalid_arguments', { response_metadata: { messages } });
  }
  return parsed.data.map((chunk, index) => {
    if (chunk.type === 'markdown_text') checkLength(chunk.text);
    return chunk.type === 'blocks'
      ? { type: chunk.type, blocks: checkBlocks(chunk.blocks, `/chunks/${index}/blocks`) }
      : chunk;
  });
}

interface RawGrowth {
  markdown_text?: string | undefined;
  chunks?: unknown;
}

/**
 * The content of a call to the streaming methods; nothing if it brings none.
 *
 * @throws SlackError `msg_too_long`, `invalid_arguments`, `invalid_blocks`, `invalid_blocks_format`,
 *   `msg_blocks_too_long`.
 */
export function readGrowth({ markdown_text: text = '', chunks: raw }: RawGrowth): Growth {
  const chunks = raw === undefined || raw === '' ? [] : checkChunks(raw);
  if (chunks.length > 0 && text !== '') {
    const messages = ['[ERROR] markdown_text and chunks exclude each other'];
    throw new SlackError('invalid_arguments', { response_metadata: { messages } });
  }
  if (chunks.length > 0) return { mode: 'chunks', chunks };
  if (text === '') return { mode: null, chunks: [] };
  checkLength(text);
  return { mode: 'text', chunks: [{ type: 'markdown_text', text }] };
}
