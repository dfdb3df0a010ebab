import pino from 'pino';
import { expect, it } from 'vitest';
import { type Model, ModelUnavailable } from '../../../src/service/model/model.ts';
import { changeReading } from '../../../src/service/model/read-changes.ts';
import type { Reply } from '../../../src/service/model/wire.ts';
import type { IssueRow } from '../../../src/service/store/tables.ts';
import { anIssue } from '../agent/an-issue.ts';

const { findings: found } = anIssue({
  number: 1,
  title: 'payments',
  triggeredAt: 0,
  cause: { service: 'payments', summary: 'The pool of payments is full.' },
});
if (found === null) throw new Error('an investigated issue has findings');
const findings = {
  ...found,
  rootCause: {
    ...found.rootCause,
    incidentOverview: 'The pool of payments is full (maxPoolSize reached) since 10:02 UTC.',
  },
};
const changes = [
  {
    at: 0,
    service: 'payments',
    kind: 'deploy',
    title: 'Deploy',
    version: '2.0.0',
    ref: null,
    url: null,
    details: 'src/pool.ts\n--- a/src/pool.ts\n+++ b/src/pool.ts\n+  const maxPoolSize = 1;',
  },
];
const issue: IssueRow = {
  id: 1,
  uuid: 'u',
  organization: 'acme',
  number: 1,
  title: 'payments',
  description: '',
  severity: 'high',
  status: 'investigating',
  environment: 'production',
  triggeredAt: 0,
  createdAt: 0,
  updatedAt: 0,
  context: '{}',
  visibility: 'public',
  agreedModel: null,
};
const REPORT = {
  change: 1,
  verdict: 'explains',
  diffLine: '+  const maxPoolSize = 1;',
  symptomLine: 'The pool of payments is full (maxPoolSize reached) since 10:02 UTC.',
};

async function read(of: IssueRow, complete: () => Promise<Reply>) {
  let asked = 0;
  const model: Model = {
    name: 'scripted',
    host: 'model.example.com',
    uses: () => true,
    settings: { private: false, shareTalk: false, maxCalls: 6 },
    today: async () => ({ tokens: 0, ceiling: 1 }),
    begin: () => ({
      complete: () => {
        asked++;
        return complete();
      },
      end: () => undefined,
    }),
  };
  const reading = changeReading(model, pino({ level: 'silent' }));
  const now = await reading?.({ issue: of, findings, changes }, new AbortController().signal);
  return { now, asked };
}

const explains = async (): Promise<Reply> => ({
  text: '',
  calls: [{ name: 'report', args: { ...REPORT, confidence: 'high' } }],
  tokens: 1,
});

it('a suspicion is one more sentence: no cause, confidence or step is another than before', async () => {
  const { now } = await read(issue, explains);
  const { incidentOverview, ...rootCause } = now?.rootCause ?? {};
  expect(incidentOverview).toMatch(
    /^The pool of payments .*\n\nReading the change: a language model suspects, without proof/u,
  );
  const { incidentOverview: _before, ...before } = findings.rootCause;
  expect({ ...now, rootCause }).toEqual({ ...findings, rootCause: before });
});

it.each(['private', null] as const)('an issue that is %s is not shown to the model', async (visibility) => {
  expect(await read({ ...issue, visibility }, explains)).toEqual({ now: findings, asked: 0 });
});

it('where the model fails, the findings are as they were', async () => {
  const fail = async () => Promise.reject(new ModelUnavailable('status', 'the server answers with 500'));
  expect((await read(issue, fail)).now).toEqual(findings);
});
