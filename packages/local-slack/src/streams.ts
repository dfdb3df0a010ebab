import { z } from 'zod';
import { noteStreamEnd, noteStreamStart } from './agent/sessions.ts';
import type { Block, Channel, Message, Metadata } from './entities.ts';
import { SlackError } from './errors.ts';
import { announceEdit } from './events/announce.ts';
import { newId, type Random } from './ids.ts';
import { LIMITS } from './limits.ts';
import { cutText, normaliseBlocks, richTextOf } from './messages/normalise.ts';
import { postMessage, showAgain } from './messages/post.ts';
import type { Stream } from './store/messages.ts';
import type { SessionStatus } from './store/people.ts';
import { checkBlocks } from './validate/check.ts';
import type { WorkspaceContext } from './workspace-context.ts';

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

type TaskUpdate = z.infer<typeof taskUpdate>;

/** What a stream grows by. */
type Chunk =
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

/** What a plan is called until the app says it. */
const UNNAMED_PLAN = 'Plan';

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Replaces the first block that is meant, or adds one at the end. */
function replace(blocks: readonly Block[], isMeant: (block: Block) => boolean, next: Block): Block[] {
  const at = blocks.findIndex(isMeant);
  return at < 0 ? [...blocks, next] : blocks.with(at, next);
}

/** Details and output are appended; a task's title and status are replaced. */
function task(random: Random, before: Block | undefined, update: TaskUpdate): Block {
  const grown = (field: 'details' | 'output') => {
    const more = update[field];
    const old = before?.[field];
    if (more === undefined) return old === undefined ? {} : { [field]: old };
    const fresh = richTextOf(more, newId(random, '', 5));
    const elements = typeof old === 'object' && old !== null && 'elements' in old ? list(old.elements) : [];
    return { [field]: { ...fresh, elements: [...elements, ...list(fresh.elements)] } };
  };
  return {
    type: 'task_card',
    block_id: before?.block_id ?? newId(random, '', 5),
    task_id: update.id,
    title: update.title,
    status: update.status,
    ...grown('details'),
    ...grown('output'),
    ...(update.sources
      ? { sources: update.sources }
      : before?.sources !== undefined && { sources: before.sources }),
  };
}

const isTask = (id: string) => (block: Block) => block.type === 'task_card' && block.task_id === id;

function withTask(random: Random, blocks: readonly Block[], update: TaskUpdate): Block[] {
  const before = blocks.find(isTask(update.id));
  return replace(blocks, isTask(update.id), task(random, before, update));
}

function withPlan(random: Random, blocks: readonly Block[], change: (plan: Block) => Block): Block[] {
  const isPlan = (block: Block) => block.type === 'plan';
  const fresh: Block = { type: 'plan', block_id: newId(random, '', 5), title: UNNAMED_PLAN, tasks: [] };
  return replace(blocks, isPlan, change(blocks.find(isPlan) ?? fresh));
}

const isBlock = (value: unknown): value is Block =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function withText(random: Random, blocks: readonly Block[], text: string): Block[] {
  const last = blocks.at(-1);
  if (last?.type === 'markdown' && typeof last.text === 'string') {
    return blocks.with(-1, { ...last, text: last.text + text });
  }
  return text === '' ? [...blocks] : [...blocks, ...normaliseBlocks(random, [{ type: 'markdown', text }])];
}

/**
 * A stream's blocks with one more chunk: text continues the last text, and a task is updated in place.
 *
 * @param display whether tasks stand among the text or together in a plan.
 */
function grow(random: Random, blocks: readonly Block[], chunk: Chunk, display: 'timeline' | 'plan'): Block[] {
  switch (chunk.type) {
    case 'markdown_text':
      return withText(random, blocks, chunk.text);
    case 'blocks':
      return [...blocks, ...normaliseBlocks(random, chunk.blocks)];
    case 'plan_update':
      return withPlan(random, blocks, (plan) => ({ ...plan, title: chunk.title }));
    case 'task_update':
      if (display === 'timeline') return withTask(random, blocks, chunk);
      return withPlan(random, blocks, (plan) => ({
        ...plan,
        tasks: withTask(random, list(plan.tasks).filter(isBlock), chunk),
      }));
  }
}

/** The text of all chunks. */
function textOf(blocks: readonly Block[]): string {
  return blocks
    .flatMap(({ type, text }) => (type === 'markdown' && typeof text === 'string' ? text : []))
    .join('\n\n');
}

/** A stream to be, in a thread that is there. */
interface Beginning {
  channel: Channel;
  thread_ts: string;
  growth: Growth;
  display: Stream['display'];
  /** In a channel: the one person who sees it grow. */
  recipient: string | null;
}

function checkCount(blocks: readonly Block[]): void {
  if (blocks.length > LIMITS.blocksPerMessage) throw new SlackError('msg_blocks_too_long');
}

function grown(
  context: WorkspaceContext,
  blocks: readonly Block[],
  growth: Growth,
  display: Stream['display'],
): Block[] {
  const next = growth.chunks.reduce<Block[]>(
    (before, chunk) => grow(context.random, before, chunk, display),
    [...blocks],
  );
  checkCount(next);
  return next;
}

function withBlocks(message: Message, blocks: Block[]): Message {
  const { blocks: _, ...rest } = message;
  return { ...rest, text: cutText(textOf(blocks)), ...(blocks.length > 0 && { blocks }) };
}

/** Ends a stream: everybody sees all of it, and the app gets an event with the final message. */
function end(
  context: WorkspaceContext,
  stream: Stream,
  state: Exclude<Stream['state'], 'open'>,
  last?: Message,
): void {
  const { store } = context;
  store.streams.put({ ...stream, state });
  const channel = store.channels.get(stream.channel);
  const message = store.messages.get(stream.channel, stream.ts);
  if (!channel || !message) return;
  const streaming_state = state === 'expired' ? 'errored' : 'completed';
  const next: Message = { ...(last ?? message), streaming_state };
  store.messages.replace(channel.id, next);
  showAgain(context, channel.id, next);
  announceEdit(context, channel, next, message);
}

function expire(context: WorkspaceContext, { channel, ts }: Stream): void {
  const stream = context.store.streams.get(channel, ts);
  if (stream?.state !== 'open' || context.clock.now() < stream.expires_at) return;
  end(context, stream, 'expired');
  const message = context.store.messages.get(channel, ts);
  if (message) noteStreamEnd(context, channel, message, 'active');
}

function expireLater(context: WorkspaceContext, stream: Stream): void {
  const left = Math.ceil(stream.expires_at - context.clock.now());
  context.jobs.later(left, () => expire(context, stream));
}

/** After a restart: streams that nobody ended end in their time, or at once if that is over. */
export function resumeStreams(context: WorkspaceContext): void {
  for (const stream of context.store.streams.open()) expireLater(context, stream);
}

/**
 * Begins a message that grows.
 *
 * @throws SlackError `thread_not_found`, `msg_blocks_too_long`.
 */
export function startStream(
  context: WorkspaceContext,
  { channel, thread_ts, growth, ...rest }: Beginning,
): Message {
  const { store, clock, streamLife } = context;
  if (!store.messages.get(channel.id, thread_ts)) throw new SlackError('thread_not_found');
  const blocks = grown(context, [], growth, rest.display);
  const text = cutText(textOf(blocks));
  const expires_at = clock.now() + streamLife;
  const message = postMessage(context, {
    channel,
    author: { kind: 'app' },
    text,
    blocks,
    thread_ts,
    streaming: (ts) =>
      store.streams.put({
        channel: channel.id,
        ts,
        state: 'open',
        mode: growth.mode,
        began: text,
        expires_at,
        ...rest,
      }),
  });
  const stream = store.streams.get(channel.id, message.ts);
  if (stream) expireLater(context, stream);
  noteStreamStart(context, { channel: channel.id, thread_ts: message.thread_ts ?? thread_ts });
  return message;
}

/**
 * The app's open stream that a call names.
 *
 * @throws SlackError `message_not_found`, `message_not_owned_by_app`, `stopped_by_user`,
 *   `message_not_in_streaming_state`.
 */
function openStream(
  context: WorkspaceContext,
  channel: Channel,
  ts: string,
): { stream: Stream; message: Message } {
  const { store, app } = context;
  const message = store.messages.get(channel.id, ts);
  if (!message) throw new SlackError('message_not_found');
  if (message.bot_id !== app.bot_id) throw new SlackError('message_not_owned_by_app');
  const known = store.streams.get(channel.id, ts);
  if (known) expire(context, known);
  const stream = store.streams.get(channel.id, ts);
  if (stream?.state === 'stopped_by_user') throw new SlackError('stopped_by_user');
  if (stream?.state !== 'open') throw new SlackError('message_not_in_streaming_state');
  return { stream, message };
}

/** @throws SlackError `streaming_mode_mismatch` if it began with text and goes on with chunks, or the reverse. */
function modeAfter({ mode }: Stream, growth: Growth): Stream['mode'] {
  if (mode !== null && growth.mode !== null && mode !== growth.mode)
    throw new SlackError('streaming_mode_mismatch');
  return mode ?? growth.mode;
}

/**
 * Appends to a message; the app gets no event.
 *
 * @throws SlackError as `openStream`, `streaming_mode_mismatch`, `msg_blocks_too_long`.
 */
export function appendStream(context: WorkspaceContext, channel: Channel, ts: string, growth: Growth): void {
  const { stream, message } = openStream(context, channel, ts);
  const mode = modeAfter(stream, growth);
  const next = withBlocks(message, grown(context, message.blocks ?? [], growth, stream.display));
  // Those who do not see it grow see what it began with, even if that was nothing.
  const began = stream.began === '' ? next.text : stream.began;
  context.store.streams.put({ ...stream, mode, began });
  context.store.messages.replace(channel.id, next);
  showAgain(context, channel.id, next);
}

/** What a stream ends with, below all else. */
export interface Ending {
  growth: Growth;
  blocks: readonly Block[];
  metadata: Metadata | undefined;
  /** The next state of the thread's session. */
  session: SessionStatus;
}

/**
 * Ends a stream for the app.
 *
 * @throws SlackError as `openStream`, `streaming_mode_mismatch`, `msg_blocks_too_long`.
 */
export function stopStream(context: WorkspaceContext, channel: Channel, ts: string, ending: Ending): Message {
  const { stream, message } = openStream(context, channel, ts);
  const mode = modeAfter(stream, ending.growth);
  const body = grown(context, message.blocks ?? [], ending.growth, stream.display);
  const whole = [...body, ...normaliseBlocks(context.random, ending.blocks)];
  checkCount(whole);
  const next: Message = {
    ...withBlocks(message, whole),
    text: cutText(textOf(body)),
    ...(ending.metadata && { metadata: ending.metadata }),
  };
  end(context, { ...stream, mode }, 'stopped', next);
  noteStreamEnd(context, channel.id, next, ending.session);
  return context.store.messages.get(channel.id, ts) ?? next;
}

/** Ends a stream on a person's request; returns whether there was one. */
export function stopForPerson(context: WorkspaceContext, channel: Channel, ts: string): boolean {
  const known = context.store.streams.get(channel.id, ts);
  if (known) expire(context, known);
  const stream = context.store.streams.get(channel.id, ts);
  if (stream?.state !== 'open') return false;
  end(context, stream, 'stopped_by_user');
  return true;
}

/** Whether a message still grows: then nothing else may change it. */
export function isStreaming(context: WorkspaceContext, channel: string, ts: string): boolean {
  const stream = context.store.streams.get(channel, ts);
  return stream?.state === 'open' && context.clock.now() < stream.expires_at;
}
