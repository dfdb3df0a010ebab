import type { Workspace } from '../src/workspace.ts';
import { testWorkspace } from '../testing/index.ts';

// The calls of `coverage.deep.test.ts` for an agent's sessions.

type Calls = Record<string, () => Record<string, unknown>>;

const CHANNEL = 'C0ALERTS01';
const NEVER = '1600000000.000001';

/** In place of a `thread_ts`: a thread that is there. */
const THERE = 'a thread';

/** A workspace whose app is an agent; `given` gets the thread that it names. */
export async function anAgent(given: Record<string, unknown>): Promise<Workspace> {
  const workspace = await testWorkspace({ agent: true });
  if (given.thread_ts === THERE) {
    given.thread_ts = (await workspace.post({ channel: CHANNEL, text: 'root' })).ts;
  }
  return workspace;
}

const at = { channel_id: CHANNEL, thread_ts: THERE };

const inThread = (args: Record<string, unknown>): Calls => ({
  channel_not_found: () => ({ ...at, ...args, channel_id: 'C0NONE' }),
  not_authorized: () => ({ ...at, ...args, channel_id: 'C0PAYMENTS' }),
  thread_ts_required: () => ({ channel_id: CHANNEL, ...args }),
  thread_not_found: () => ({ ...at, ...args, thread_ts: NEVER }),
});

export const AGENT_CALLS: Record<string, Calls> = {
  'agents.sessions.rename': {
    ...inThread({ title: 'Slow checkout' }),
    invalid_arguments: () => ({ ...at, title: 'x'.repeat(201) }),
  },
  'agents.sessions.setStatus': {
    ...inThread({ status: 'processing' }),
    invalid_arguments: () => ({ ...at, status: 'is thinking…' }),
    invalid_status: () => ({ ...at }),
    user_not_found: () => ({ ...at, status: 'active', initiator_user_id: 'U0NOBODY' }),
    missing_scope: () => ({ ...at, status: 'active', icon_emoji: ':mag:' }),
  },
};
