import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { composeRequest } from '../../../src/bot/asking/request.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { START, type TestService, testService } from '../support.ts';

const MINUTE = 60_000;
const Answer = z.looseObject({
  conversation_id: z.string(),
  answer: z.string(),
  artifacts: z.array(z.looseObject({ id: z.string(), data_type: z.string(), summary: z.string() })),
});
type Asked = z.infer<typeof Answer>;

/** At 12:00: Bad deploy of payments ten minutes ago; issues 1 (production), 2 and 3 (staging, 3 muted), all investigated. */
async function incident() {
  const clock = manualClock();
  const service = await testService({ clock, seed: 5, investigationMs: 1_000 });
  service.service().inject({
    kind: 'bad_deploy',
    service: 'payments',
    from: START - 10 * MINUTE,
    to: START + 20 * MINUTE,
  });
  const { uuid } = await service.create({
    title: 'HighErrorRate checkout-api',
    severity: 'high',
    triggeredAt: new Date(START - 4 * MINUTE).toISOString(),
    context: { service: 'checkout-api' },
  });
  await service.create({ title: 'Disk of orders-db is filling up', environment: 'staging' });
  const cart = await service.create({ title: 'Cart is slow', environment: 'staging', severity: 'low' });
  await investigated(service, clock);
  await service.patch(`/issues/${cart.uuid}`, { status: 'muted' });
  return { clock, service, uuid };
}

async function investigated(service: TestService, clock: { advance(ms: number): void }) {
  clock.advance(1_000);
  const running = async () => (await service.get('/issues?status=investigating')).body;
  await expect.poll(running, { interval: 20 }).toMatchObject({ data: [] });
}

/** Asks one question after the other, in one conversation. */
async function converse(
  service: TestService,
  questions: readonly (string | ReturnType<typeof withIssue>)[],
  key = 'acme-key',
): Promise<Asked[]> {
  const answers: Asked[] = [];
  for (const question of questions) {
    const conversation_id = answers.at(-1)?.conversation_id;
    const sent = typeof question === 'string' ? { question } : question;
    const body = { ...sent, ...(conversation_id && { conversation_id }) };
    answers.push(Answer.parse((await service.post('/query', body, { key })).body));
  }
  return answers;
}

async function answersTo(service: TestService, questions: Parameters<typeof converse>[1]): Promise<string[]> {
  return (await converse(service, questions)).map(({ answer }) => answer);
}

const UNCLEAR =
  /^I can’t tell(?: what that asks for|: I found no metric, object or label here named .*)\. Ask me, for example: “Why is /u;
const ABILITIES =
  /^I answer questions about telemetry, changes and issues, and change nothing\. Connected: /u;

describe('asked about issues, the agent', () => {
  it('lists those that are open, here and there, muted or of a severity', async () => {
    const { service } = await incident();
    const [open, here, severe, muted, none] = await answersTo(service, [
      'what is open in staging?',
      'and in production?',
      'which high severity issues are open?',
      'which issues are muted?',
      'what was resolved today?',
    ]);
    expect(open).toBe(
      [
        '2 issues are open in staging:',
        '',
        '- **#3** Cart is slow (muted, low, staging)',
        '- **#2** Disk of orders-db is filling up (ready to fix, medium, staging)',
      ].join('\n'),
    );
    expect(here).toMatch(/^One issue is open in production:\n\n- \*\*#1\*\* .*\n {2}Bad deploy of payments/u);
    expect(severe).toMatch(/^One issue of high severity is open:\n\n- \*\*#1\*\* /u);
    expect(muted).toBe('One issue is muted:\n\n- **#3** Cart is slow (muted, low, staging)');
    expect(none).toBe('No issue is resolved.');
  });

  it('says what one was, and changes none', async () => {
    const { service, uuid } = await incident();
    const [was, deleted, unknown] = await answersTo(service, ['what was #1?', 'delete #1', 'and #77?']);
    expect(was).toMatch(
      /^\*\*#1 HighErrorRate checkout-api\*\* \(ready to fix, high, production\)\n\n\*\*Root cause:\*\* Bad deploy of payments: [\d.]+ rolled out at 11:49 UTC/u,
    );
    expect(was).toContain('**Remediation**\n- Roll back payments');
    expect(deleted).toBe('I’m read-only, so #1 is unchanged.');
    expect((await service.get(`/issues/${uuid}`)).status).toBe(200);
    expect(unknown).toBe(
      'I can’t find issue #77. It may have been deleted, or belong to another organization.',
    );
  });

  it('knows nothing of those of another organization', async () => {
    const { service } = await incident();
    const answers = await converse(service, ['what is open?', 'what was #1?'], 'globex-key');
    expect(answers.map(({ answer }) => answer)).toEqual([
      'No issue is open.',
      'I can’t find issue #1. It may have been deleted, or belong to another organization.',
    ]);
  });

  it('names the number of those that it does not show', async () => {
    const service = await testService();
    for (let i = 0; i < 17; i++) await service.create({ title: `Cart ${i}` });
    const [all = ''] = await answersTo(service, ['what is open?']);
    expect(all).toMatch(/^17 issues are open:\n/u);
    expect(all).toMatch(/- \*\*#3\*\* Cart 2 .*\n\n… and 2 more\.$/u);
  });
});

describe('asked about a service, the agent', () => {
  it('says why it is unwell, and goes on about others, since when, and what to do', async () => {
    const { service } = await incident();
    const [why, inventory, payments, since, todo] = await answersTo(service, [
      'why is checkout failing?',
      'and inventory?',
      'and payments?',
      'since when?',
      'what should I do?',
    ]);
    expect(why).toMatch(
      /^\*\*checkout-api is degraded\.\*\* checkout-api error rate rose .* at 11:50 UTC\./u,
    );
    expect(why).toMatch(/\n\n#1 covers this: Bad deploy of payments: /u);
    expect(inventory).toMatch(/^\*\*inventory is not well\.\*\*/u);
    expect(payments).toMatch(/^\*\*payments is degraded\.\*\*/u);
    expect(since).toMatch(
      /^\*\*Since 11:50 UTC\*\* \(10 min ago, ongoing\):\n\n- 11:49 UTC: Deploy payments .*\n- 11:50 UTC: payments error rate/u,
    );
    expect(todo).toMatch(
      /2\. Roll back: `kubectl -n shop rollout undo deployment\/payments --to-revision=\d+`/u,
    );
  });

  it('gives a metric over the time that is asked for, and what goes on from it', async () => {
    const { service } = await incident();
    const answers = await converse(service, [
      'error rate of checkout over the last 30 minutes',
      'and payments?',
      'and the latency?',
      'over the last 2 hours?',
      'between 11:30 and 11:45?',
      'how many requests per second does gateway handle?',
    ]);
    expect(answers.map(({ answer }) => /^\*\*([^:]+):.* in ([^,)]+)/u.exec(answer)?.slice(1))).toEqual([
      ['checkout-api error rate', 'the last 30 min'],
      ['payments error rate', 'the last 30 min'],
      ['payments p95 latency', 'the last 30 min'],
      ['payments p95 latency', 'the last 2 h'],
      ['payments p95 latency', 'the 15 min before 11:45 UTC'],
      ['gateway throughput', 'the last 3 h'],
    ]);
    expect(answers[0]?.answer).toMatch(/: 1\d(?:\.\d+)?% now\*\* \(median 0\.\d+%, max 1\d/u);
    expect(answers[0]?.artifacts.map(({ data_type }) => data_type)).toEqual(['metric']);
    const [artifact] = answers[0]?.artifacts ?? [];
    const Points = z.tuple([z.looseObject({ data: z.looseObject({ dataPoints: z.array(z.unknown()) }) })]);
    const [stored] = Points.parse((await service.get(`/artifacts?id=${artifact?.id}`)).body);
    expect(stored.data.dataPoints).toHaveLength(60);
  });

  it('lists what changed before a time, and before the problem began', async () => {
    const { service } = await incident();
    const [before, early, why, that] = await answersTo(service, [
      'what changed before 11:55?',
      'what changed in payments before 11:45?',
      'why is payments failing?',
      'what changed before that?',
    ]);
    expect(before).toMatch(
      /^Changes in any service from 10:55 UTC to 11:55 UTC, newest first:\n\n- 11:49 UTC: Deploy payments/u,
    );
    expect(early).not.toContain('Deploy payments');
    expect(why).toContain('at 11:50 UTC');
    expect(that).toMatch(
      /^Changes in payments and payments-db from 10:50 UTC to 11:50 UTC, newest first:\n\n- 11:49 UTC: Deploy payments .* \*\*\(the problem started right after this\)\*\*$/u,
    );
  });

  it('shows what supports the cause, and what was ruled out', async () => {
    const { service } = await incident();
    const [, sure] = await answersTo(service, ['how is payments?', 'how sure are you?']);
    expect(sure).toMatch(
      /^Confidence in the cause is \*\*high\*\*: Bad deploy of payments\.\n\n\*\*Evidence\*\*\n- Deploy payments/u,
    );
    expect(sure).toMatch(/\n\n\*\*Ruled out\*\*\n- .*payments/su);
  });
});

describe('asked in the thread of an issue, the agent', () => {
  it('takes the opening that Gumshoe writes, and goes on about that issue', async () => {
    const { service } = await incident();
    const [todo, since, caller] = await answersTo(service, [
      withIssue('what should I do?', issueOne, 'Bad deploy of payments.'),
      'since when?',
      'and inventory?',
    ]);
    expect(todo).toMatch(
      /^Root cause of #1: Bad deploy of payments\. Do this first \(checklist of #1\):\n\n\*\*Roll back payments to [\d.]+\.\*\* /u,
    );
    expect(since).toMatch(
      /^\*\*Since 11:50 UTC\*\* .*\n\n- 11:49 UTC: Deploy payments .*\n- 11:50 UTC: payments error rate .*\n- 11:\d\d UTC: checkout-api error rate/u,
    );
    // Its certificate expires in two hours.
    expect(caller).toMatch(/^\*\*inventory is not well\.\*\*/u);
  });

  it('still knows the cause when all is well again', async () => {
    const { service, clock } = await incident();
    clock.advance(120 * MINUTE);
    const [why, todo] = await answersTo(service, [withIssue('why?', issueOne, null), 'what should I do?']);
    expect(why).toMatch(
      /^\*\*#1:\*\* Bad deploy of payments: [\s\S]*? Confidence: \*\*high\*\*\.\n\n\*\*Evidence as of 11:56 UTC\*\*\n- [\s\S]*\n\n\*\*Against other causes\*\*\n- [\s\S]*\n\nSince 11:5\d UTC \(until 12:2\d UTC, .*\)\.$/u,
    );
    expect(todo).toMatch(
      /^Nothing is urgent: it has been over since 12:2\d UTC, after “Roll payments back to [\d.]+” at 12:20 UTC\. Root cause of #1: Bad deploy of payments\. Still to do \(checklist of #1\):\n\n- Fix what [\d.]+ broke: /u,
    );
  });
});

describe('asked what it cannot answer, the agent', () => {
  it('says what it can', async () => {
    const { service } = await incident();
    const [weather, help, about] = await answersTo(service, [
      'what will the weather be?',
      'help',
      'tell me about payments',
    ]);
    expect(weather).toMatch(UNCLEAR);
    expect(help).toMatch(ABILITIES);
    expect(about).toMatch(/^\*\*payments is degraded/u);
  });
});

/** A first question in the issue's thread, as Gumshoe sends it. */
function withIssue(question: string, issue: typeof issueOne, rootCause: string | null) {
  const about = { ...issue, rootCause, how: 'This is about' as const };
  const { words, thread } = composeRequest({ about, talk: [], before: [], files: [], question });
  return { question: words, thread };
}

/** Issue 1 as Gumshoe keeps it. */
const issueOne = {
  number: 1,
  title: 'HighErrorRate checkout-api',
  environment: 'production',
  status: 'ready_to_fix',
  service: 'checkout-api',
};
