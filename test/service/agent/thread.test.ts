import { describe, expect, it } from 'vitest';
import { composeRequest } from '../../../src/bot/asking/request.ts';
import { createShop } from '../../../src/demo/shop/shop.ts';
import { answerOf } from '../../../src/service/agent/answer.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { anIssue, issuesOf } from './an-issue.ts';

const MINUTE = 60_000;
const from = Date.UTC(2026, 2, 17, 13, 58, 20);
const now = from + 8 * MINUTE;
const shop = createShop({
  seed: 5,
  injected: () => [{ kind: 'bad_deploy', service: 'payments', from, to: from + 60 * MINUTE }],
  recurring: false,
});
const checkout = anIssue({
  number: 12,
  title: 'HighErrorRate checkout-api',
  triggeredAt: from + 4 * MINUTE,
  service: 'checkout-api',
  cause: { service: 'payments', summary: 'Bad deploy of payments.', actions: ['Roll back payments'] },
});

type Parts = Partial<Parameters<typeof composeRequest>[0]>;

/** Asks one after the other, in one conversation; the first with what precedes it. */
async function asked(questions: string[], parts: Parts): Promise<string> {
  const history: Awaited<ReturnType<typeof answerOf>>[] = [];
  for (const [i, question] of questions.entries()) {
    const nothing = { about: null, talk: [], before: [], files: [] };
    const sent = composeRequest({ ...nothing, ...(i === 0 ? parts : {}), question }).thread ?? question;
    const context = { now, before: history.at(-1)?.subject ?? null, issues: issuesOf([checkout]) };
    history.push(await answerOf(sent, context, shop, { id: () => 'id', budget: UNLIMITED }));
  }
  return history.at(-1)?.answer ?? '';
}

const talk = (...lines: string[]) => ({ talk: lines.map((text) => ({ speaker: 'Person A', text })) });
const file = (text: string, name = 'app.log') => ({ files: [{ name, text }] });
const firstOf = (answer: string) => answer.split('\n')[0];

describe('asked in a thread that people talked in, the agent', () => {
  it('takes the service that they spoke of last, and says so', async () => {
    const answer = await asked(['why?'], talk('cart looks fine', 'payments is failing', 'oh dear'));
    expect(answer).toMatch(
      /^Answering about payments, which this thread mentions\.\n\n\*\*payments is degraded\.\*\*/u,
    );
  });

  it('goes on about it, and says so no more', async () => {
    expect(await asked(['why?', 'since when?'], talk('payments is failing'))).toMatch(
      /^\*\*Since 13:58 UTC\*\*/u,
    );
  });

  it('takes the issue that they spoke of, but no number of something else', async () => {
    expect(await asked(['what happened?'], talk('like #12?', 'see PR #482'))).toMatch(
      /^Answering about #12, which this thread mentions\.\n\n\*\*#12:\*\* Bad deploy/u,
    );
  });

  it('holds to what the question names', async () => {
    expect(await asked(['how is cart?'], talk('payments is failing'))).toMatch(/^\*\*cart is healthy/u);
    expect(await asked(['how is everything?'], talk('cart is slow'))).toMatch(/^\*\*payments is degraded/u);
  });

  it('holds to the issue that the thread is about', async () => {
    const about = { ...checkout, service: null, rootCause: null, how: 'This is about' as const };
    expect(await asked(['why?'], { about, ...talk('cart is slow') })).toMatch(/^\*\*#12:\*\* Bad deploy/u);
  });

  it('knows the time that they named where the question means it, and else speaks of now', async () => {
    const said = talk('payments was slow at 13:30', 'payments, really?');
    expect(await asked(['how was it at that time?'], said)).toContain(
      '**payments was healthy at 13:30 UTC.**',
    );
    expect(await asked(['how is it?'], said)).toContain('**payments is degraded.**');
  });

  it('lists what is open without any of it', async () => {
    expect(firstOf(await asked(['what is open?'], talk('payments is failing')))).toBe('One issue is open:');
  });
});

describe('asked anew what it has forgotten, the agent', () => {
  it('goes on from the questions before', async () => {
    const before = [
      { question: 'latency of cart in the last 20 minutes', answer: '…' },
      { question: 'and the error rate?', answer: '…' },
    ];
    expect(await asked(['and payments?'], { before })).toMatch(
      /^\*\*payments error rate: .* in the last 20 min/u,
    );
  });
});

describe('asked about an attached file, the agent', () => {
  const log = [
    '13:58:21 INFO payments started',
    '13:58:22 ERROR payments-db connection refused after 312 ms',
    '13:58:23 WARN retrying',
    '',
    '13:58:24 ERROR payments-db connection refused after 40 ms',
    '13:58:25 FATAL `payments` gives up',
    '13:58:26 INFO 0 errors since',
  ].join('\n');

  it('counts the errors in it, the most frequent first, and says what they name', async () => {
    expect(await asked(['what does this log say?'], file(log))).toBe(
      [
        '`app.log` has 6 lines, with 3 errors and 1 warning. Most frequent first:',
        '',
        '- 2 times, first in line 2: `13:58:22 ERROR payments-db connection refused after 312 ms`',
        "- line 6: `13:58:25 FATAL 'payments' gives up`",
        '',
        'They mention payments-db: ask me how it is doing.',
      ].join('\n'),
    );
  });

  it('goes on about it in later questions', async () => {
    expect(await asked(['what does this log say?', 'show app.log again'], file(log))).toMatch(
      /^`app\.log` has 6 lines/u,
    );
    expect(await asked(['what does this log say?', 'and how is payments-db?'], file(log))).toMatch(
      /^(?:\*\*)?payments-db/u,
    );
  });

  it('says that it finds none where there is none', async () => {
    expect(await asked(['what is in the file?'], file('a: 1\nb: 2\n', 'a.yml'))).toBe(
      '`a.yml` has 2 lines, but no errors.',
    );
  });

  it('takes the service that its errors name where the question names none', async () => {
    expect(await asked(['why?'], file(log))).toMatch(
      /^Answering about payments-db, which the attached file mentions\.\n\n/u,
    );
  });

  it('answers another question as ever', async () => {
    expect(await asked(['how is cart?'], file(log))).toMatch(/^\*\*cart is healthy/u);
  });

  it('reads a large file of one long line within a second', async () => {
    const started = cpuMs();
    await asked(['what does this log say?'], file('error '.repeat(8_000)));
    await asked(['what does this log say?'], file(`${'a'.repeat(49_000)} error`));
    expect(cpuMs() - started).toBeLessThan(15_000);
  });
});

describe('who owns what and who is on call', () => {
  const about = { ...checkout, service: null, rootCause: null, how: 'This is about' as const };
  const owners = [
    { service: 'checkout-api', name: 'team-orders', channel: null, on_call: ['ana'] },
    { service: 'payments', name: 'team-money', channel: 'C0MONEY001', on_call: [] },
  ];

  it.each([
    [
      'who do I wake?',
      '**team-orders** owns checkout-api; on call: ana. **team-money** owns payments. The card links to the channel to ask in.',
    ],
    ['who owns payments?', '**team-money** owns payments. The card links to the channel to ask in.'],
    [
      'who is on call for payments?',
      '**team-money** owns payments. I don’t know who is on call. The card links to the channel to ask in.',
    ],
    ['which team is responsible for checkout-api', '**team-orders** owns checkout-api; on call: ana.'],
    ['who owns ledger?', 'I don’t know who owns ledger: add it to the `OWNERS` file.'],
    ['who owns cart', 'I don’t know who owns cart: add it to the `OWNERS` file.'],
  ])('%s', async (question, answer) => {
    expect(await asked([question], { about, owners })).toBe(answer);
  });

  it('is not known where nobody says so', async () => {
    expect(await asked(['whom should I call?'], { about })).toBe(
      'I don’t know who owns #12: add it to the `OWNERS` file.',
    );
  });

  it('is another question than who calls a service', async () => {
    expect(await asked(['who calls payments?'], { about, owners })).toMatch(/checkout-api/u);
    expect(await asked(['who calls payments?'], { about, owners })).not.toMatch(/team-/u);
  });
});

describe('asked whether another issue has the same cause, the agent', () => {
  const cart = (cause: { service: string; summary: string } | null) =>
    anIssue({ number: 13, title: 'CartQueueBacklog', triggeredAt: from, service: 'cart', cause });
  const related = async (question: string, other: ReturnType<typeof cart>) => {
    const thread = { number: 12, title: checkout.title, service: 'checkout-api', root_cause: null };
    const context = { now, before: null, issues: issuesOf([checkout, other]) };
    const sent = { question, issue: thread, said: [], asked: [], files: [] };
    return (await answerOf(sent, context, shop, { id: () => 'id', budget: UNLIMITED })).answer;
  };

  it('compares what both are blamed on, by the words of its title or as the only other one', async () => {
    const other = cart({ service: 'cart', summary: 'Traffic surge on cart.' });
    for (const question of ['same cause as the queue backlog?', 'is it related to the other issue?'])
      expect(await related(question, other)).toMatch(
        /^\*\*No\.\*\* I see no connection: they have different causes\.\n\n- #12: Bad deploy of payments\.\n- #13: Traffic surge/u,
      );
  });

  it('says neither yes nor no where one has no cause', async () => {
    expect(await related('is it related to the other issue?', cart(null))).toMatch(
      /^I can’t tell: no cause is known for both\./u,
    );
  });
});
