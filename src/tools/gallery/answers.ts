import { renderAnswerParts } from '../../bot/render/asking/answer.ts';
import {
  lateAnswersAskedFor,
  offerToAnswer,
  stoppedListening,
} from '../../bot/render/asking/thread-notices.ts';
import type { Rendered } from '../../bot/render/rendered.ts';
import type { AnswerView } from '../../bot/render/views.ts';

const ANSWER = `The checkout service runs out of database connections: **32 of 32** are in use since 14:02, right after deploy \`v2.31.0\`.

| Time | Event |
|---|---|
| 14:01 | \`v2.31.0\` is rolled out |
| 14:02 | \`pool_waiting\` rises from 0 to 35 |
| 14:05 | the first 502 |

1. Roll back, as in #12:
   \`\`\`sh
   kubectl rollout undo deploy/checkout
   \`\`\`
2. Then raise the pool’s size: [the runbook](https://runbooks.example/pool) says how.`;

const ARTIFACTS = [
  {
    id: 'a1',
    data_type: 'metric',
    provider: 'datadog',
    summary: 'pool_waiting of checkout rose from 0 to 35 at 14:02',
  },
  {
    id: 'a2',
    data_type: 'change',
    provider: 'github',
    summary: 'checkout v2.31.0: one connection per request',
  },
  {
    id: 'a3',
    data_type: 'log',
    provider: 'loki',
    summary: '`timeout waiting for a connection`, 1,204 times',
  },
];
const HOSTILE =
  '<!channel> <@U0ALICE> [https://bank.example](https://evil.example) ![p](https://evil.example/p.png)\n\n`#12` api#12 #12';

const answer: AnswerView = {
  questionId: 'question-1',
  askedBy: null,
  question: null,
  answer: ANSWER,
  artifacts: ARTIFACTS,
  state: 'complete',
  ahead: 0,
  elapsedMs: 0,
  stoppedBy: null,
  note: null,
  listening: true,
  issueLinks: { 12: 'https://acme.slack.com/archives/C0ALERTS/p1' },
  simulated: false,
};

const views: Record<string, Partial<AnswerView>> = {
  'answer that waits for others': { state: 'queued', ahead: 2, answer: '' },
  'answer that waits for a place': { state: 'queued', elapsedMs: 4_000, answer: '' },
  'answer that begins': { state: 'growing', answer: '' },
  'answer that takes long': { state: 'growing', answer: '', elapsedMs: 26_000 },
  'answer that grows': { state: 'growing', answer: ANSWER.slice(0, 150), askedBy: 'U0ALICE' },
  'answer that grows below a table': { state: 'growing', answer: ANSWER.slice(0, 272) },
  'answer that grows in code': { state: 'growing', answer: ANSWER.slice(0, 330) },
  'answer that is whole': { askedBy: 'U0ALICE', question: 'Why does checkout answer 502?' },
  'answer in a new conversation': {
    answer: 'Nothing is firing.',
    artifacts: [],
    note: 'The service had lost this conversation, so I started a new one.',
    simulated: true,
  },
  'answer with many finds': {
    answer: 'All of these rose at 14:02.',
    artifacts: Array.from({ length: 12 }, (_, at) => ({ ...ARTIFACTS[at % 3], id: `many-${at}` })),
    listening: false,
  },
  'answer that is long': { answer: Array.from({ length: 12 }, () => ANSWER).join('\n\n') },
  'answer that was stopped': {
    state: 'stopped',
    stoppedBy: 'U0ALICE',
    answer: ANSWER.slice(0, 150),
    artifacts: [],
  },
  'answer that broke off': {
    state: 'failed',
    answer: ANSWER.slice(0, 150),
    artifacts: [],
    note: 'The answer was cut off: it took too long. Try again to get all of it. (request req_12)',
  },
  'answer that failed': {
    state: 'failed',
    answer: '',
    artifacts: [],
    note: 'The investigation service returned an error (HTTP 500). Try again in a few minutes (request req_12).',
  },
  'answer that there is none of': { answer: '', artifacts: [] },
  'answer that is hostile': {
    answer: HOSTILE,
    question: HOSTILE,
    askedBy: 'U0ALICE',
    note: HOSTILE,
    artifacts: [{ id: 'a', data_type: '<!here>', provider: '*x*', summary: `Found ${HOSTILE}` }],
  },
};

/** Answers in every state, and what is said beside them, as a thread shows them. */
export function answerEntries(): { name: string; messages: Rendered[] }[] {
  const late = [
    { asker: 'U0ALICE', text: 'Why does checkout answer 502?' },
    { asker: 'U0BOB', text: 'And is payments all right?' },
  ];
  return [
    ...Object.entries(views).map(([name, view]) => ({
      name,
      messages: renderAnswerParts({ ...answer, ...view }),
    })),
    {
      name: 'asides in a conversation',
      messages: [
        offerToAnswer('late:1', late),
        lateAnswersAskedFor('U0ALICE'),
        stoppedListening('U0ALICE', false),
      ],
    },
  ];
}
