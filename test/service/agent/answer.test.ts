import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../src/demo/shop/faults.ts';
import { createShop } from '../../../src/demo/shop/shop.ts';
import { answerOf } from '../../../src/service/agent/answer.ts';
import type { IssueRecord } from '../../../src/service/agent/types.ts';
import { type Asked, plainly } from '../../../src/service/agent/understand.ts';
import type { NewArtifact } from '../../../src/service/investigation/types.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { anIssue, issuesOf } from './an-issue.ts';

const MINUTE = 60_000;
const from = Date.UTC(2026, 2, 17, 13, 58, 20);
const now = from + 8 * MINUTE;

const checkout = anIssue({
  number: 12,
  title: 'HighErrorRate checkout-api',
  triggeredAt: from + 4 * MINUTE,
  service: 'checkout-api',
  cause: {
    service: 'payments',
    summary: 'Bad deploy of payments: 3.1.4 rolled out at 13:57 UTC.',
    actions: ['Roll back payments', 'Fix what 3.1.4 broke'],
  },
});
const disk = anIssue({
  number: 9,
  title: 'Disk of orders-db is filling up',
  triggeredAt: from,
  status: 'investigating',
  environment: 'staging',
  severity: 'medium',
});
const badDeploy: Fault = { kind: 'bad_deploy', service: 'payments', from, to: from + 60 * MINUTE };

/** Asks one question after the other, in one conversation. */
async function converse(
  questions: readonly (Asked | string)[],
  options: { faults?: Fault[]; issues?: IssueRecord[] } = {},
) {
  const { faults = [badDeploy], issues = [checkout, disk] } = options;
  const shop = createShop({ seed: 5, injected: () => faults, recurring: false });
  const history: Awaited<ReturnType<typeof answerOf>>[] = [];
  const artifacts: NewArtifact[][] = [];
  let count = 0;
  for (const question of questions) {
    const found = await answerOf(
      question,
      {
        now,
        before: history.at(-1)?.subject ?? null,
        issues: issuesOf(issues),
      },
      shop,
      { id: () => `id-${++count}`, budget: UNLIMITED },
    );
    history.push(found);
    artifacts.push(found.artifacts);
  }
  return { answers: history.map(({ answer }) => answer), last: history.at(-1)?.answer ?? '', artifacts };
}

const inThread = (question: string): Asked => ({
  ...plainly(question),
  issue: {
    number: 12,
    title: 'HighErrorRate checkout-api',
    service: 'checkout-api',
    root_cause: 'Bad deploy of payments.',
  },
});

describe('asked about a service, the agent', () => {
  it('says what is wrong with it, and what the cause is', async () => {
    const { last, artifacts } = await converse(['Why is checkout failing?']);
    expect(last).toMatch(
      /^\*\*checkout-api is degraded\.\*\* checkout-api error rate rose from 0\.\d+% to 1\d/u,
    );
    expect(last).toMatch(/\n\n#12 covers this: Bad deploy of payments: 3\.1\.4 rolled out/u);
    expect(artifacts[0]?.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['metric', 'change', 'logs', 'trace']),
    );
  });

  it('says that it is well where it is', async () => {
    const { last } = await converse(['How is checkout-api?'], { faults: [] });
    expect(last).toMatch(
      /^\*\*checkout-api is healthy\.\*\* I compared \d+ series of checkout-api from .*, and none left its usual range\. At 14:06 UTC: error rate 0\.\d+%/u,
    );
  });

  it('speaks of the time of day that is asked about', async () => {
    expect((await converse(['Why was payments slow at 13:30?'])).last).toMatch(
      /^\*\*payments was healthy at 13:30 UTC\.\*\*/u,
    );
  });

  it('looks at everything where no service is named', async () => {
    expect((await converse(['How is everything?'])).last).toMatch(/^\*\*payments is degraded\.\*\*/u);
    expect((await converse(['How is everything?'], { faults: [], issues: [] })).last).toMatch(
      /^\*\*I see nothing wrong\.\*\* I compared \d+ series of all 13 services from .*, and none left its usual range\.$/u,
    );
  });

  it('gives a metric over the time that is asked for, with the series', async () => {
    const { last, artifacts } = await converse(['Show the error ratio of payments in the last 30 minutes']);
    expect(last).toMatch(
      /^\*\*payments error rate: 2\d\.\d% now\*\* \(median 0\.33%, max .* in the last 30 min/u,
    );
    expect(artifacts[0]?.map(({ summary }) => summary.split('.')[0])).toEqual(['payments error rate']);
  });

  it('says which services report a metric that this one does not', async () => {
    expect((await converse(['disk space of cart?'])).last).toBe(
      'cart does not report disk usage. These do: payments-db, orders-db, order-queue and search-indexer.',
    );
  });

  it('lists what changed, and which change the problem began after', async () => {
    const { last, artifacts } = await converse(['What changed in payments?']);
    expect(last).toMatch(
      /- 13:57 UTC: Deploy payments [\d.]+ \(was [\d.]+\) \*\*\(the problem started right after this\)\*\*/u,
    );
    expect(artifacts[0]?.every(({ type }) => type === 'change')).toBe(true);
  });

  it('lists no change after a time that is named', async () => {
    expect((await converse(['What changed before 13:45?'])).last).not.toContain('Deploy payments');
  });

  it('says who calls it, and who is unwell with it', async () => {
    expect((await converse(['What depends on payments?'])).last).toBe(
      [
        '- **payments** calls payments-db.',
        '- Called by checkout-api.',
        '- Also degraded: gateway, web and checkout-api.',
      ].join('\n'),
    );
  });
});

describe('asked about what is over, the agent', () => {
  const faults: Fault[] = [{ ...badDeploy, from: from - 40 * MINUTE, to: from - 20 * MINUTE }];
  const over =
    /[Oo]ver since 13:3\d UTC(?:: [\w-]+ error rate rose from 0\.\d+% to [\d.]+% at 13:1\d UTC\. The cause: (?:Bad deploy of payments|Degradation of payments after a deploy): |\*\*, after \d\d min:\n\n- payments error rate)|\(until 13:3\d UTC, \d\d min\)/u;

  it.each([
    ['Why is payments failing?', /^\*\*payments is healthy again\.\*\* Over since/u],
    ['How is checkout-api?', /^\*\*checkout-api is healthy again\.\*\* Over since/u],
    ['How is everything?', /^\*\*Nothing is degraded any more\.\*\* Over since/u],
    ['Since when is payments failing?', /^\*\*Since 13:1\d UTC\*\* \(until 13:3\d UTC/u],
    ['Is payments over?', /^Yes\. \*\*Over since 13:3\d UTC\*\*/u],
  ])('never denies it: %s', async (question, opening) => {
    const { last, artifacts } = await converse([question], { faults });
    expect(last).toMatch(opening);
    expect(last).toMatch(over);
    expect(artifacts[0]?.map(({ type }) => type)).toContain('metric');
  });
});

describe('asked to go on, the agent', () => {
  it('asks the same of another service', async () => {
    const { answers } = await converse(['Why is checkout failing?', 'and payments?', 'and inventory?']);
    expect(answers.map((answer) => answer.slice(0, answer.indexOf('.**')))).toEqual([
      '**checkout-api is degraded',
      '**payments is degraded',
      '**inventory is healthy',
    ]);
  });

  it('keeps the metric and the time', async () => {
    const { last } = await converse(['latency of cart in the last 20 minutes', 'and payments?']);
    expect(last).toMatch(/^\*\*payments p95 latency: \d+ ms now\*\* .*in the last 20 min/u);
  });

  it('says since when', async () => {
    const { last } = await converse(['Why is checkout failing?', 'since when?']);
    expect(last).toMatch(
      /^\*\*Since 13:58 UTC\*\* \(8 min ago, ongoing\):\n\n- 13:57 UTC: Deploy payments .*\n- 13:58 UTC: payments error rate/u,
    );
  });

  it('says what to do about what it found, step by step', async () => {
    const { last } = await converse(['Why is checkout failing?', 'What should I do?']);
    expect(last).toMatch(/\*\*Roll back payments to [\d.]+\.\*\*/u);
    expect(last).toMatch(
      /2\. Roll back: `kubectl -n shop rollout undo deployment\/payments --to-revision=\d+`/u,
    );
  });

  it('has nothing to advise where nothing is wrong', async () => {
    expect((await converse(['How is cart?', 'what should I do?'], { faults: [] })).last).toMatch(
      /^I have no steps to suggest for cart\. I compared \d+ series of cart/u,
    );
  });
});

describe('asked in the thread of an issue, the agent', () => {
  it('knows what "why" is about', async () => {
    const why = (await converse([inThread('why?')])).last;
    expect(why).toBe(
      [
        '**#12:** Bad deploy of payments: 3.1.4 rolled out at 13:57 UTC. Confidence: **medium**.',
        '',
        '**Evidence as of 14:02 UTC**',
        '- payments error rate rose. It did.',
        '- checkout-api error rate rose. It did.',
        '',
        'Since 13:58 UTC (8 min ago, ongoing).',
      ].join('\n'),
    );
  });

  it('advises what the investigation proposes, when all is well again too', async () => {
    expect((await converse([inThread('what should I do?')], { faults: [] })).last).toBe(
      [
        'Root cause of #12: Bad deploy of payments. Do this first (checklist of #12):',
        '',
        '**Roll back payments.** Roll back payments, since it is needed.',
        '',
        '1. Verify. Verify: it can be done.',
        '2. Do it. Do: Roll back payments.',
        '',
        '**Later**',
        '- Fix what 3.1.4 broke',
      ].join('\n'),
    );
  });

  it('goes on about it in the next question', async () => {
    const { last } = await converse([inThread('why?'), 'since when?']);
    expect(last).toContain('- 13:58 UTC: checkout-api error rate');
  });

  it('uses what it was told of an issue that it does not know', async () => {
    expect((await converse([inThread('why?')], { issues: [] })).last).toBe(
      '#12 HighErrorRate checkout-api: Bad deploy of payments.',
    );
  });
});

describe('asked about issues, the agent', () => {
  it('lists what is open, here and there', async () => {
    expect((await converse(['What is open in staging?'])).last).toBe(
      'One issue is open in staging:\n\n- **#9** Disk of orders-db is filling up (investigating, medium, staging)',
    );
    expect((await converse(['what is open?'])).last).toMatch(
      /^2 issues are open:\n\n- \*\*#12\*\*.*\n {2}Bad deploy of payments/u,
    );
    expect((await converse(['anything open in prod?'])).last).toMatch(/^One issue is open in production:/u);
    expect((await converse(['What is open?'], { issues: [] })).last).toBe('No issue is open.');
    expect((await converse(['Which issues about payments are open?'])).last).toBe(
      'No issue about payments is open.',
    );
  });

  it('says what one was, is still looked into, or cannot be found', async () => {
    expect((await converse(['What was #12?'])).last).toContain('**Root cause:** Bad deploy of payments');
    expect((await converse(['What was #9?'])).last).toContain('still under investigation.');
    expect((await converse(['What was #404?'])).last).toBe(
      'I can’t find issue #404. It may have been deleted, or belong to another organization.',
    );
  });
});

describe('asked something else, the agent', () => {
  it.each(['Sing me a song', '👋', 'x'.repeat(40_000), '<!channel>'])(
    'says what it can be asked',
    async (question) => {
      expect((await converse([question])).last).toMatch(
        /^I can’t tell(?: what that asks for|: I found no metric, object or label here named .*)\. (?:Ask me, for example: “Why is \S+ slow\?”|Did you mean “)/u,
      );
    },
  );

  it('answers with several tools where the question asks for several', async () => {
    const { last } = await converse(['What changed in payments, and is it over?']);
    expect(last).toMatch(
      /^Changes in payments and payments-db [\s\S]*\n\nNo\. \*\*Ongoing\*\* since 13:58 UTC \(8 min\):\n\n- payments /u,
    );
  });

  it('does not forget what the conversation was about', async () => {
    expect((await converse(['Why is payments failing?', 'thank you', 'since when?'])).last).toMatch(
      /^\*\*Since 13:58 UTC/u,
    );
  });
});
