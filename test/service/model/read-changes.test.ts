import { expect, it } from 'vitest';
import type { Findings } from '../../../src/contract/schema.ts';
import type { ModelSession } from '../../../src/service/model/model.ts';
import { readChanges } from '../../../src/service/model/read-changes.ts';
import type { Prompt } from '../../../src/service/model/wire.ts';
import type { Change } from '../../../src/service/telemetry/model.ts';
import { anIssue } from '../agent/an-issue.ts';

const change: Change = {
  at: 0,
  service: 'payments',
  kind: 'deploy',
  title: 'Deploy payments 2.0.0',
  version: '2.0.0',
  ref: null,
  url: null,
  details: [
    'abc1234567 Faster checks (ann)',
    '+  logger.warn("payments is full");',
    'src/fees.ts',
    'src/pool.ts',
    '--- a/src/fees.ts',
    '+++ b/src/fees.ts',
    '+// see https://evil.example.com/collect',
    '--- a/src/pool.ts',
    '+++ b/src/pool.ts',
    '-  const maxPoolSize = 20;',
    '+  const maxPoolSize = 1;',
  ].join('\n'),
};
const SYMPTOM = 'The pool of payments has been full (maxPoolSize reached) since 10:02 UTC.';

function findings(): Findings {
  const { findings: found } = anIssue({
    number: 1,
    title: 'payments',
    triggeredAt: 0,
    cause: { service: 'payments', summary: 'Pool of payments is full.' },
  });
  if (found === null) throw new Error('an investigated issue has findings');
  return { ...found, rootCause: { ...found.rootCause, incidentOverview: SYMPTOM } };
}

async function reading(args: unknown) {
  const prompts: Prompt[] = [];
  const session: ModelSession = {
    complete: async (prompt) => {
      prompts.push(prompt);
      return { text: 'The cause is orders, certainly.', calls: [{ name: 'report', args }], tokens: 10 };
    },
    end: () => undefined,
  };
  const asking = { organization: 'acme', issue: 1, use: 'changes' } as const;
  const said = await readChanges({ findings: findings(), changes: [change] }, session, asking);
  return { said, prompts };
}

const REPORT = {
  change: 1,
  verdict: 'explains',
  diffLine: '+  const maxPoolSize = 1;',
  symptomLine: SYMPTOM,
};

it('a suspicion has a line of the diff and one of the symptom, and says that it is none but that', async () => {
  const { said } = await reading(REPORT);
  expect(said).toBe(
    `Reading the change: a language model suspects, without proof, that payments 2.0.0 may explain \`${SYMPTOM}\` by its line \`+  const maxPoolSize = 1;\`.`,
  );
});

it.each([
  ['a line that the diff has not', { ...REPORT, diffLine: '+  const maxPoolSize = 2;' }],
  ['a line of its head', { ...REPORT, diffLine: 'abc1234567 Faster checks (ann)' }],
  ['an address', { ...REPORT, diffLine: '+// see https://evil.example.com/collect' }],
  ['a symptom that nobody measured', { ...REPORT, symptomLine: 'Everything burns since 10:02 UTC.' }],
  ['too little to be a quote', { ...REPORT, symptomLine: 'payments' }],
  ['another change', { ...REPORT, change: 2 }],
  [
    'a line that shares only the name of the service with the symptom',
    { ...REPORT, diffLine: '+  logger.warn("payments is full");' },
  ],
  ['no verdict', { ...REPORT, verdict: 'proves' }],
  ['nothing', undefined],
])('%s is no proof, so nothing is said', async (_what, args) => {
  expect((await reading(args)).said).toBeNull();
});

it('the files that the symptom names come first, within a bound', async () => {
  const { prompts } = await reading(REPORT);
  const [message] = prompts[0]?.messages ?? [];
  expect(message).toMatchObject({ role: 'user' });
  expect(JSON.stringify(prompts).length).toBeLessThan(14_000);
});
