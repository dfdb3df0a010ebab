import { onTestFinished } from 'vitest';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createMetrics } from '../../../../src/bot/shared/metrics.ts';
import type { SlackUser } from '../../../../src/bot/slack/access/people.ts';
import {
  type AgentContextOptions,
  createAgentContext,
} from '../../../../src/bot/slack/agent-context/agent-context.ts';
import { createPace } from '../../../../src/bot/slack/delivery/pace.ts';
import type { Conversation } from '../../../../src/bot/store/conversations.ts';
import type { Question } from '../../../../src/bot/store/questions.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { openTestStore } from '../../../support/open-test-store.ts';
import { testSlack } from '../../../support/slack.ts';

export const ROOT = '1700000000.000100';
/** When the question is asked. */
export const NOW = '1700009999.000000';

const member = (name: string, ...names: string[]): SlackUser => ({
  isExternal: false,
  name,
  names: [name, ...names],
});

/** Who is who, but for people whom Slack does not tell of. */
export const somebodies: Readonly<Record<string, SlackUser>> = {
  U0MARIA: member('maria', 'Maria Lopez', 'Maria'),
  U0BOB: member('Bobby T', 'Robert Tables', 'Robert', 'bob'),
  U0LI: member('Li', 'Li Wei'),
  U0EVE: { isExternal: true, name: 'eve', names: ['eve', 'Eve Rival', 'Eve'] },
};

let count = 0;

/** A message in the thread of `ROOT`; each later than the one before. */
export function message(from: string, text: string, more: Record<string, unknown> = {}) {
  count += 1;
  const ts = `${1_700_001_000 + count}.000000`;
  return { type: 'message', ts, thread_ts: ROOT, user: from, text, ...more };
}

export const conversation: Conversation = {
  id: 'c1',
  channel: 'C1',
  threadTs: ROOT,
  conversationId: null,
  issueId: null,
  startedBy: 'U0MARIA',
  createdAt: 1,
  updatedAt: 1,
  listening: true,
  organization: 'default',
};

export const question: Question = {
  id: `C1:${NOW}`,
  conversation: 'c1',
  asker: 'U0MARIA',
  text: 'why?',
  state: 'asking',
  answer: '',
  artifacts: '[]',
  note: null,
  createdAt: 1,
  updatedAt: 1,
  writtenAt: 1,
  askedAt: null,
  askedTs: null,
  files: '[]',
  stoppedBy: null,
  offer: null,
  lookingAt: null,
};

/** Materials between a Slack whose thread holds these messages, and a real store. */
export async function reading(messages: object[], overrides: Partial<AgentContextOptions> = {}) {
  // The next thread begins where this one did: however many were read, none reaches the moment of asking.
  count = 0;
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const clock = manualClock();
  const slack = testSlack(clock);
  slack.answers('conversations.replies', { messages });
  const metrics = createMetrics();
  const logged: string[] = [];
  const log = createLogger('warn', { write: (line: string) => void logged.push(line) });
  const asked: string[] = [];
  const agentContext = createAgentContext({
    slack: { client: slack.client, pace: createPace(), clock, log, metrics },
    store: opened.store,
    mayRead: async () => true,
    people: {
      whoIs: async (id) => {
        asked.push(id);
        const somebody = somebodies[id];
        if (!somebody) throw new Error('users.info fails');
        return somebody;
      },
    },
    identity: { botUserId: 'U0GUMSHOE', botId: 'B0GUMSHOE' },
    botToken: 'xoxb-1-secret',
    apiUrl: 'https://slack.test/api/',
    shareThread: true,
    shareUserNames: false,
    ...overrides,
  });
  return { agentContext, slack, clock, store: opened.store, metrics, logged, asked };
}
