import { beforeAll, describe, expect, it } from 'vitest';
import { composeRequest } from '../../../src/bot/asking/request.ts';
import { answerOf } from '../../../src/service/agent/answer.ts';
import type { IssueRecord } from '../../../src/service/agent/types.ts';
import { investigate } from '../../../src/service/investigation/investigate.ts';
import type { NewArtifact } from '../../../src/service/investigation/types.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { type MadeSystem, madeSource } from '../../support/made-source.ts';
import { deploy, noise, red } from '../investigation/freight.ts';
import { issuesOf } from './an-issue.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 27, 18, 0);
const ROLLED_OUT = NOW - 60 * MINUTE;
const ALERT = NOW - 50 * MINUTE;
const ROLLED_BACK = NOW - 30 * MINUTE;

/** A bad deploy of `orders`, which `storefront` calls; undone half an hour ago, or not. */
function shop({ isUndone, hasCalls }: { isUndone: boolean; hasCalls: boolean }): MadeSystem {
  const isBad = (at: number) => at > ROLLED_OUT && (!isUndone || at < ROLLED_BACK);
  const level = (seed: number, usual: number, bad: number) => (at: number) =>
    (isBad(at) ? bad : usual) * (1 + 0.05 * noise(seed, at));
  const isBroken = Array.from({ length: 10 }, (_, i) => ROLLED_OUT + 30_000 + i * 20_000);
  const details = 'src/total.ts\n-  return roundTotal(total ?? 0);\n+  return roundTotal(total);';
  const undone = { title: 'Rolled orders back to 7.2.9', version: '7.2.9' };
  return {
    services: [{ name: 'storefront' }, { name: 'orders', instances: ['10.0.6.1:8080'] }, { name: 'catalog' }],
    edges: hasCalls
      ? [
          { caller: 'storefront', callee: 'orders' },
          { caller: 'storefront', callee: 'catalog' },
        ]
      : [],
    metrics: [
      ...red('storefront', { errors: level(1, 0.003, 0.054), latency: level(2, 0.12, 0.2) }),
      ...red('orders', { errors: level(3, 0.002, 0.19), latency: level(4, 0.05, 0.4) }),
      ...red('catalog', { errors: level(5, 0.001, 0.001), latency: level(6, 0.02, 0.02) }),
    ],
    logs: isBroken.map((at) => ({
      at,
      service: 'orders',
      instance: null,
      level: 'error',
      message: 'TypeError: total is undefined at roundTotal (src/total.ts:12)',
      traceId: null,
    })),
    changes: [
      deploy('orders', ROLLED_OUT, { details }),
      ...(isUndone ? [deploy('orders', ROLLED_BACK, undone)] : []),
    ],
  };
}

async function investigated(
  number: number,
  title: string,
  made: MadeSystem,
  context: { service?: string; tags?: string[] },
): Promise<IssueRecord> {
  let id = 0;
  const issue = {
    title,
    description: title,
    environment: 'production',
    triggeredAt: ALERT,
    service: context.service ?? null,
    context,
  };
  const { results } = await investigate(issue, madeSource(made), {
    id: () => `${number}-${++id}`,
    now: NOW,
    budget: UNLIMITED,
  });
  return {
    ...issue,
    number,
    status: 'ready_to_fix',
    severity: 'high',
    visibility: 'public',
    agreedModel: null,
    rootCauseSummary: results.rootCause.rootCauseSummary ?? null,
    remediation: results.remediation.actions.map((action) => action.title),
    findings: results,
  };
}

interface World {
  made: MadeSystem;
  issues: IssueRecord[];
}

async function worldOf(how: { isUndone: boolean; hasCalls: boolean }): Promise<World> {
  const made = shop(how);
  return {
    made,
    issues: [
      await investigated(1, 'HighErrorRate storefront', made, { service: 'storefront' }),
      await investigated(2, 'CertExpiring', made, { tags: ['instance:billing.example.com:443'] }),
      await investigated(3, 'DiskFull', made, { tags: ['instance:db-7:9100'] }),
    ],
  };
}

/** Asks one question after the other in the thread of an issue (0: elsewhere); the last answer. */
async function ask(
  { made, issues }: World,
  questions: readonly string[],
  about = 1,
): Promise<{ answer: string; artifacts: NewArtifact[]; cited: string[] }> {
  let found: Awaited<ReturnType<typeof answerOf>> | null = null;
  const issue = issues.find(({ number }) => number === about);
  let id = 0;
  for (const [i, words] of questions.entries()) {
    const about =
      issue && i === 0
        ? { ...issue, rootCause: issue.rootCauseSummary, how: 'This is about' as const }
        : null;
    const sent = composeRequest({ about, talk: [], before: [], files: [], question: words });
    found = await answerOf(
      sent.thread ?? words,
      { now: NOW, before: found?.subject ?? null, issues: issuesOf(issues) },
      madeSource(made),
      { id: () => `answer-${++id}`, budget: UNLIMITED },
    );
  }
  if (found === null) throw new Error('nothing was asked');
  return found;
}

let ongoing: World;
let undone: World;
beforeAll(async () => {
  ongoing = await worldOf({ isUndone: false, hasCalls: true });
  undone = await worldOf({ isUndone: true, hasCalls: false });
});

/** Question, what its answer must begin with or contain, what it must not. */
type Case = [question: string, must: RegExp, mustNot?: RegExp];
const LIST = /Ask me, for example|you can ask me/u;
const UNCLEAR =
  /^I can’t tell(?: what that asks for|: I found no metric, object or label here named .*)\. About #1 you can ask me: why, /u;

it.each(['why?', 'what should I do?'])(
  'after a rollback that has not ended it, %s is answered with a verdict of before',
  async (question) => {
    const rollback = deploy('orders', ROLLED_BACK, {
      title: 'Rolled orders back to 7.2.9',
      version: '7.2.9',
    });
    const made = { ...ongoing.made, changes: [...(ongoing.made.changes ?? []), rollback] };
    const { answer } = await ask({ made, issues: ongoing.issues }, [question]);
    expect(answer).toMatch(
      /^The verdict below is from before “Rolled orders back to 7\.2\.9” at 17:30 UTC\. It is failing all the same/u,
    );
  },
);

describe('in the thread of an issue that goes on', () => {
  it.each<Case>([
    [
      'why?',
      /^\*\*#1:\*\* Bad deploy of orders: .*\nAbout [\d,]+ of [\d,]+ requests to storefront have failed since .* Confidence: \*\*\w+\*\*\.\n\n\*\*Evidence as of 17:10 UTC\*\*\n- /u,
    ],
    ['why?', /\n\nSince 17:0\d UTC \(.* ago, ongoing\)\.$/u, /Remediation/u],
    ['what happened', /^\*\*#1:\*\* Bad deploy of orders/u],
    ['why orders and not catalog?', /^\*\*#1:\*\* Bad deploy of orders[\s\S]*\*\*catalog is healthy/u],
    ['are you sure?', /^Yes\. Confidence in the cause of #1 is \*\*\w+\*\*: Bad deploy of orders/u],
    [
      'what else could it be?',
      /^Nothing else came close to this: Bad deploy of orders \(confidence \*\*\w+\*\*\)\./u,
    ],
    ['was the deploy the reason?', /^Yes\. The verdict blames Deploy orders 7\.3\.0 at 17:00 UTC/u],
    [
      'is it the network?',
      /^The verdict does not name \*network\*\. Root cause of #1: Bad deploy of orders\./u,
    ],
    ['which deploy?', /^\*\*Deploy orders 7\.3\.0\*\* at 17:00 UTC is blamed for #1\./u, /No changes/u],
    ['waht changd?', /^\*\*Deploy orders 7\.3\.0\*\* at 17:00 UTC/u],
    [
      'who deployed it?',
      /^I can’t tell who: no change here names a person\.\n\*\*Deploy orders 7\.3\.0\*\*/u,
    ],
    ['which commit broke it?', /^I can’t tell which commit: no change here names one\.\n\*\*Deploy orders/u],
    ['what version is running now?', /^orders has been running 7\.3\.0 since 17:00 UTC\./u],
    ['when was orders last deployed?', /17:00 UTC: Deploy orders 7\.3\.0/u],
    ['what should I do first?', /Do this first \(checklist of #1\):\n\n\*\*Roll back orders\.\*\*/u],
    ['can we roll back?', /Do this first \(checklist of #1\):\n\n\*\*Roll back orders\.\*\*/u],
    [
      'is it safe to roll back?',
      /^Deploy orders 7\.3\.0 can be rolled back to .* I can’t tell whether that is safe: .*.*Roll back orders/su,
    ],
    ['restart orders', /^I’m read-only, so I have changed nothing\./u],
    [
      'did the rollback help?',
      /^I can’t tell what helped: I see no rollback or other change in storefront and orders after 17:00 UTC/u,
      /Do this/u,
    ],
    [
      'who is affected?',
      /^\*\*Affected\*\* since 17:0\d UTC:\n\n- \*\*storefront\*\*: error rate is 5\.\d+% now/u,
    ],
    ['who is affected?', /I see no other service calling storefront\.$/u, /catalog/u],
    ['how bad is it?', /about [\d,]+ of [\d,]+ requests failed in that time/u],
    ['is it still happening?', /^Yes\. \*\*Ongoing\*\* since 17:0\d UTC/u],
    [
      'is it getting worse?',
      /It is holding steady: storefront error rate was 5\.\d+% between 20 and 10 min ago/u,
    ],
    ['since when?', /^\*\*Since 17:0\d UTC\*\* \(59 min ago, ongoing\):/u],
    ['when did it recover?', /^It has not recovered\. \*\*Ongoing\*\*/u],
    ['what calls orders?', /Called by storefront\./u],
    ['is catalog ok?', /^Yes\. \*\*catalog is healthy\.\*\*/u, /#1/u],
    [
      'is storefront ok?',
      /^No\. \*\*Ongoing\*\* since [\s\S]*Root cause of #1: Bad deploy of orders/u,
      /- orders/u,
    ],
    ['is 10.0.6.1:8080 ok?', /^10\.0\.6\.1:8080 is part of orders\.\n\nNo\. \*\*Ongoing\*\*/u],
    [
      'which endpoint fails?',
      /^I can’t tell which route: no metric, log line or trace of storefront and orders names one here\./u,
    ],
    ['wich route is broken', /^I can’t tell which route: no metric, log line or trace of/u],
    [
      'which customers are affected?',
      /^I can’t tell which customer: no metric, .* of storefront and orders names one here\./u,
    ],
    ['is it only one region?', /^I can’t tell which region: no metric, log line or trace of/u],
    [
      'erorr rate?',
      /^\*\*storefront error rate: 5\.58% now\*\* \(median 0\.3.*in the last 3 h[\s\S]*\*\*orders error rate: /u,
    ],
    ['p99 of orders last hour', /^I can’t give the p99, only the p95\./u],
    ['graph of orders latency since 2 hours', /^\*\*orders p95 latency: 402 ms now\*\* .* in the last 2 h/u],
    [
      'compare to yesterday',
      /^\*\*storefront error rate: 5\.58% now\*\* \(0\.3% from 17:45 UTC on 2026-11-26 to 18:15 UTC on 2026-11-26: 18\.\d times as much now,/u,
    ],
    ['logs of orders', /^\*\*orders logs\*\* in the 60 min before [\s\S]*TypeError: total is undefined/u],
    ['has this happened before?', /^No\. None of the other issues here \(2\) is like #1\./u],
    [
      'what happened at 16:30?',
      /^\*\*storefront was healthy at 16:30 UTC\.\*\* I compared 3 series of storefront from 15:00 UTC on/u,
    ],
    ['p99 of checkout', /^I know no service called checkout: there are no metrics for it\./u],
    ['is the payments service down?', /^I know no service called payments/u, /storefront is/u],
    ['what calls payments?', /^I know no service called payments/u],
    [
      'is db-7 ok?',
      /^I know no service called db-7\. There are no metrics for db-7\.[\s\S]*#3 covers this/u,
      /healthy/u,
    ],
    ['any alerts firing?', /^3 issues are open:/u],
    ['thanks!', /^You’re welcome\.$/u],
    ['what’s the weather in Berlin?', UNCLEAR],
    ['which one?', UNCLEAR],
    ['who is on call?', /^I don’t know who owns #1: add it to the `OWNERS` file\.$/u],
    ['who should I call?', /^I don’t know who owns #1/u],
    ['how many parcels are waiting for a connection', /^I can’t tell which metric counts parcels: /u],
    [
      'how many orders fail',
      /^About [\d,]+ requests to orders failed from 17:01 UTC to 18:00 UTC, of [\d,]+ requests \(19%\)\.$/u,
    ],
    [
      'which service has errors except orders?',
      /^\*\*Error rate of 2 services at 18:00 UTC\*\*, highest first:\n\n[\s\S]*\n- `storefront`: /u,
      /orders/u,
    ],
    ['who broke it?', /^I can’t tell who: no change here names a person\./u],
    [
      'which service is the slowest?',
      /^\*\*p95 latency of 3 services at 18:00 UTC\*\*, highest first:\n\n[\s\S]*\n- `orders`: /u,
    ],
    ['does storefront depend on orders?', /^Yes\. storefront calls orders\.$/u],
    ['max latency of storefront today', /^\*\*storefront p95 latency: .* in the last 18 h/u],
    ['what is the impact on checkout-service', /^I know no service called checkout-service/u],
    ['was there a deploy?', /^Yes\. \*\*Deploy orders 7\.3\.0\*\*/u],
    ['did the deploy of orders cause this?', /^Yes\. The verdict blames Deploy orders 7\.3\.0 at 17:00 UTC/u],
    ['is orders affected?', /^Yes\. \*\*Affected\*\*/u],
    ['are there errors in the logs of orders?', /^Yes\. \*\*orders logs\*\*/u],
    ['are there open issues?', /^Yes\. 3 issues are open/u],
    ['should we restart orders?', /^Root cause of #1/u],
    [
      'restart storefront please',
      /^I’m read-only, [\s\S]*Root cause of #1: Bad deploy of orders\. Its checklist begins with another step: \*\*Roll back/u,
    ],
    ['uh #1 kinda odd innit', /#1/u, UNCLEAR],
    ['should we roll back?', /^Yes\. Deploy orders 7\.3\.0 can be rolled back/u],
    ['is catalog affected too', /^No\. \*\*catalog is healthy\.\*\* I compared 3 series/u],
    ['show latency and error rate of orders', /^\*\*orders error rate: [\s\S]*\*\*orders p95 latency: /u],
    [
      'could it be catalog?',
      /^\*\*No, as far as I can see\.\*\* None of the 3 series of catalog has left its usual range since #1 began\. Root cause of #1: Bad deploy of orders\. \*\*catalog is healthy/u,
    ],
  ])('%s', async (question, must, mustNot) => {
    const { answer } = await ask(ongoing, [question]);
    expect(answer).toMatch(must);
    expect(answer.length).toBeLessThan(1_800);
    if (must !== UNCLEAR && !question.startsWith('who ')) expect(answer).not.toMatch(LIST);
    if (mustNot) expect(answer).not.toMatch(mustNot);
  });
});

describe('in the thread of an issue whose cause was undone', () => {
  it.each<Case>([
    [
      'did the rollback help?',
      /^Yes\. Before and after “Rolled orders back to 7\.2\.9” at 17:30 UTC:\n\n- storefront error rate: 5\.\d+% in the 10 min before, 0\.\d+% from 17:32 UTC to 17:42 UTC/u,
    ],
    [
      'what should I do first?',
      /^Nothing is urgent: it has been over since 17:30 UTC, after “Rolled orders back to 7\.2\.9” at 17:30 UTC\./u,
      /- Roll back orders/u,
    ],
    [
      'which deploy?',
      /^\*\*Deploy orders 7\.3\.0\*\* at 17:00 UTC[\s\S]*- 17:30 UTC: Rolled orders back to 7\.2\.9\n- 17:00 UTC: Deploy orders 7\.3\.0/u,
    ],
    ['what version is running now?', /^orders has been running 7\.2\.9 since 17:30 UTC\./u],
    [
      'who is affected?',
      /^\*\*Nothing is affected any more: over since 17:30 UTC\.\*\*[\s\S]*The callers of storefront are unknown: no source of telemetry shows which service calls which\.$/u,
      /no other service/iu,
    ],
    ['is it still happening?', /^No\. \*\*Over since 17:30 UTC\*\*, after/u],
    ['when did it recover?', /^\*\*Over since 17:30 UTC\*\*/u],
    ['since when?', /^\*\*Since 17:0\d UTC\*\* \(until 17:30 UTC, 29 min\):/u],
    ['why?', /\n\nSince 17:0\d UTC \(until 17:30 UTC, .*\)\.$/u],
    ['is version 7.3.0 still running anywhere?', /^No\. orders has been running 7\.2\.9 since 17:30 UTC\./u],
    ['did restarting help?', /^I see no restart\. Before and after “Rolled orders back to 7\.2\.9”/u],
    [
      'does catalog depend on orders?',
      /^I can’t tell whether catalog calls orders: no source of telemetry shows which service calls which\.$/u,
    ],
    [
      'what calls orders?',
      /^What orders calls and what calls it is unknown: no source of telemetry shows which service calls which\.$/u,
    ],
  ])('%s', async (question, must, mustNot) => {
    const { answer } = await ask(undone, [question]);
    expect(answer).toMatch(must);
    if (mustNot) expect(answer).not.toMatch(mustNot);
  });
});

describe('in the thread of an issue about what telemetry does not know', () => {
  const cannot = /^I can’t tell: there are no metrics for db-7:9100, which #3 is about\./u;
  it.each<Case>([
    ['why?', /^\*\*#3:\*\* No cause found\. There are no metrics for db-7:9100\./u, /Confidence/u],
    ['is it still happening?', cannot, /orders/u],
    ['since when?', cannot, /orders/u],
    ['who is affected?', cannot, /orders/u],
    ['how full is the disk?', cannot],
    ['what should I do first?', /^#3 has no checklist\. No cause found/u, /roll back/iu],
    ['which deploy?', /^No change is blamed for #3\./u],
    [
      'is this related to #1?',
      /^I can’t tell: there are no metrics for db-7:9100, and nothing connects the two\./u,
    ],
  ])('%s', async (question, must, mustNot) => {
    const { answer } = await ask(ongoing, [question], 3);
    expect(answer).toMatch(must);
    if (mustNot) expect(answer).not.toMatch(mustNot);
  });
});

describe('later in a thread', () => {
  it.each<[questions: string[], must: RegExp]>([
    [['is catalog ok?', 'what should I do?'], /\(checklist of #1\)/u],
    [['is catalog ok?', 'and since when?'], /^\*\*catalog is healthy\.\*\*/u],
    [['error rate of orders', 'and catalog?'], /^\*\*catalog error rate: /u],
    [['error rate of catalog', 'last 10 minutes?'], /^\*\*catalog error rate: .*in the last 10 min/u],
    [
      ['which deploy?', 'and before that?'],
      /^No changes in storefront, orders and catalog from 15:00 UTC to 16:59 UTC\.$/u,
    ],
    [['what was #3?', 'is it still happening?'], /^Yes\. \*\*Ongoing\*\* since/u],
  ])('%j', async (questions, must) => {
    expect((await ask(ongoing, questions)).answer).toMatch(must);
  });
});

describe('elsewhere', () => {
  it('names the open issue about what it sees', async () => {
    expect((await ask(undone, ['what is broken right now?'], 0)).answer).toMatch(
      /^\*\*Nothing is degraded any more\.\*\* Over since 17:30 UTC: [\s\S]*\n\n#1 covers this: Bad deploy of orders/u,
    );
  });
});

it('sends the series that are asked for, and nothing else, so that they can be drawn', async () => {
  const typesFor = async (question: string) =>
    (await ask(ongoing, [question])).artifacts.map(
      ({ type, summary }) => `${type}: ${summary.split('.')[0]}`,
    );
  expect(await typesFor('show me the error rate of orders')).toEqual(['metric: orders error rate']);
  expect(await typesFor('is it still happening?')).toEqual([
    'metric: storefront error rate',
    'metric: orders error rate',
  ]);
});

it('sends what the results rest on with its reasons', async () => {
  const { cited, artifacts } = await ask(ongoing, ['why?']);
  expect(artifacts).toEqual([]);
  expect(cited.length).toBeGreaterThan(1);
  expect(cited.every((id) => id.startsWith('1-'))).toBe(true);
});

it('who wrote a change is said where the repository was read, and not taken for who deployed it', async () => {
  const changes = ongoing.made.changes?.map((change) => ({ ...change, authors: ['Ada', 'Grace'] })) ?? [];
  const { answer } = await ask({ ...ongoing, made: { ...ongoing.made, changes } }, ['who deployed it?']);
  expect(answer).toMatch(
    /^Who is named wrote it, and may not be who deployed it\.\n\*\*Deploy orders[\s\S]*Deploy orders 7\.3\.0 \(by Ada and Grace\)/u,
  );
});

it('a person is looked for in the time that is asked about, and elsewhere by the last that they did', async () => {
  const changes = ongoing.made.changes?.map((change) => ({ ...change, authors: ['Ada Byron'] }));
  const asked = (question: string) =>
    ask({ ...ongoing, made: { ...ongoing.made, changes: changes ?? [] } }, [question]);
  expect((await asked('what did ada change?')).answer).toMatch(/^Changes of Ada Byron, newest first:/u);
  expect((await asked('did ada change anything in the last 5 minutes?')).answer).toMatch(
    /^No changes of Ada Byron from [\s\S]*The last one before that:\n- 17:00 UTC: Deploy orders 7\.3\.0/u,
  );
});
