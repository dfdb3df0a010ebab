import type { Workspace } from '../src/workspace.ts';
import { clientOf } from '../testing/index.ts';

// The calls of `coverage.deep.test.ts` for streams and prompts.

interface Ground {
  ts: string;
  archived: string;
  old: string;
}

type Calls = Record<string, (ground: Ground) => Record<string, unknown>>;

const CHANNEL = 'C0ALERTS01';
const NEVER = '1600000000.000001';
const ALICE = 'U0ALICE001';
const TO = { recipient_user_id: ALICE, recipient_team_id: 'T0LOCAL001' };

/** In place of a `ts`: a stream in that state is begun first. */
export function isKindOfStream(ts: unknown): ts is 'stream of text' | 'stopped stream' {
  return ts === 'stream of text' || ts === 'stopped stream';
}

/** The `ts` of a stream in `#alerts`. */
export async function aStream(
  workspace: Workspace,
  kind: 'stream of text' | 'stopped stream',
): Promise<string> {
  const { chat } = clientOf(workspace);
  const { ts: thread_ts = '' } = await chat.postMessage({ channel: CHANNEL, text: 'root' });
  const { ts = '' } = await chat.startStream({ channel: CHANNEL, thread_ts, markdown_text: 'a', ...TO });
  if (kind === 'stopped stream') await workspace.stopStream({ as: ALICE, channel: CHANNEL, ts });
  return ts;
}

const sections = Array(51).fill({ type: 'divider' });
const long = Array(5).fill({ type: 'section', text: { type: 'plain_text', text: 'x'.repeat(3_000) } });
const blocks = (list: unknown) => ({ chunks: [{ type: 'blocks', blocks: list }] });

/** What may be wrong with what a stream grows by. */
function growing(args: (ground: Ground) => Record<string, unknown>): Calls {
  return {
    invalid_arguments: (ground) => ({ ...args(ground), chunks: [{ type: 'task_update', text: 'x' }] }),
    invalid_blocks: (ground) => ({ ...args(ground), ...blocks(sections) }),
    invalid_blocks_format: (ground) => ({ ...args(ground), ...blocks('nonsense') }),
    msg_blocks_too_long: (ground) => ({ ...args(ground), ...blocks(long) }),
    msg_too_long: (ground) => ({ ...args(ground), markdown_text: 'x'.repeat(12_001) }),
  };
}

const inChannel = (args: (ground: Ground) => Record<string, unknown>): Calls => ({
  channel_not_found: (ground) => ({ ...args(ground), channel: 'C0NONE' }),
  not_in_channel: (ground) => ({ ...args(ground), channel: 'C0PAYMENTS' }),
  is_archived: (ground) => ({ ...args(ground), channel: ground.archived, ts: ground.old }),
});

const onStream = { channel: CHANNEL, ts: 'stream of text', markdown_text: 'b' };

const openOnly: Calls = {
  message_not_found: () => ({ ...onStream, ts: NEVER }),
  message_not_owned_by_app: ({ ts }) => ({ ...onStream, ts }),
  message_not_in_streaming_state: () => ({ ...onStream, ts: 'own' }),
  stopped_by_user: () => ({ ...onStream, ts: 'stopped stream' }),
  streaming_mode_mismatch: () => ({
    channel: CHANNEL,
    ts: 'stream of text',
    chunks: [{ type: 'markdown_text', text: 'b' }],
  }),
};

const started = ({ ts }: Ground) => ({ channel: CHANNEL, thread_ts: ts, ...TO });

export const STREAM_CALLS: Record<string, Calls> = {
  'chat.startStream': {
    ...growing(started),
    ...inChannel(started),
    missing_recipient_user_id: ({ ts }) => ({ channel: CHANNEL, thread_ts: ts }),
    missing_recipient_team_id: ({ ts }) => ({ channel: CHANNEL, thread_ts: ts, recipient_user_id: ALICE }),
    user_not_found: (ground) => ({ ...started(ground), recipient_user_id: 'U0NOBODY' }),
    thread_not_found: (ground) => ({ ...started(ground), thread_ts: NEVER }),
  },
  'chat.appendStream': {
    ...growing(() => ({ channel: CHANNEL, ts: 'stream of text' })),
    ...inChannel(() => onStream),
    ...openOnly,
    no_text: () => ({ channel: CHANNEL, ts: 'stream of text', chunks: [] }),
  },
  'chat.stopStream': {
    ...growing(() => ({ channel: CHANNEL, ts: 'stream of text' })),
    ...inChannel(() => onStream),
    ...openOnly,
    invalid_metadata_format: () => ({ ...onStream, metadata: { event_type: '' } }),
  },
};

const PROMPTS = [{ title: 'What now?', message: 'What should I do now?' }];

const prompting = { channel_id: 'D0ALICE001', prompts: PROMPTS };

export const ASSISTANT_CALLS: Record<string, Calls> = {
  'assistant.threads.setSuggestedPrompts': {
    channel_not_found: () => ({ ...prompting, channel_id: 'C0NONE' }),
    not_in_channel: () => ({ ...prompting, channel_id: 'C0PAYMENTS' }),
    invalid_arguments: () => ({ ...prompting, prompts: Array(5).fill(PROMPTS[0]) }),
  },
};
