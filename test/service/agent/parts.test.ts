import { describe, expect, it } from 'vitest';
import { createShop } from '../../../src/demo/shop/shop.ts';
import { answerOf } from '../../../src/service/agent/answer.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { combine } from '../../../src/service/telemetry/combined.ts';
import { unknown } from '../../../src/service/telemetry/model.ts';
import type { TelemetrySource } from '../../../src/service/telemetry/source.ts';
import { anIssue, issuesOf } from './an-issue.ts';

const MINUTE = 60_000;
const from = Date.UTC(2026, 2, 17, 13, 58, 20);
const now = from + 8 * MINUTE;
const shop = createShop({
  seed: 5,
  injected: () => [{ kind: 'bad_deploy', service: 'payments', from, to: from + 60 * MINUTE }],
  recurring: false,
});
const seven = anIssue({
  number: 7,
  title: 'HighErrorRate checkout-api',
  triggeredAt: from + 4 * MINUTE,
  service: 'checkout-api',
  cause: { service: 'payments', summary: 'Bad deploy of payments.' },
});

async function ask(question: string, telemetry: TelemetrySource = shop): Promise<string> {
  const context = { now, before: null, issues: issuesOf([seven]) };
  return (await answerOf(question, context, telemetry, { id: () => 'id', budget: UNLIMITED })).answer;
}

describe('of a question in two parts', () => {
  it('each is answered, about what it names itself', async () => {
    const answer = await ask('is checkout-api slow and what changed in payments?');
    expect(answer).toMatch(/^Yes\. \*\*checkout-api is degraded/u);
    expect(answer).not.toContain('**payments is degraded');
    expect(answer).toMatch(/\n\nChanges in payments and payments-db from/u);
  });

  it('both are answered where the same tool knows both', async () => {
    const answer = await ask('what is wrong with payments, and since when?');
    expect(answer).toMatch(/^\*\*payments is degraded\.[\s\S]*\n\n\*\*Since 13:58 UTC/u);
  });

  it('each is about its own measure', async () => {
    const answer = await ask("what's the memory of cart, and are there any errors in its logs?");
    expect(answer).toMatch(/^\*\*cart memory usage: [\s\S]*\n\n(?:Yes|No)\. \*\*cart logs\*\*/u);
  });

  it('one that names something unknown says so, and the other one is answered', async () => {
    const answer = await ask('is cart alright and what changed in ledger?');
    expect(answer).toMatch(/^Yes\. \*\*cart is healthy\.\*\*[\s\S]*\n\nI know no service called ledger: /u);
    expect(answer).not.toContain('Changes in');
  });

  it('a remark beside a question is not answered by itself', async () => {
    const answer = await ask('payments is broken!! customers complain. what is going on?');
    expect(answer.match(/payments is degraded/gu)).toHaveLength(1);
  });
});

it.each(['Is payments failing every night?', 'Was payments failing before today?'])(
  'yes and no come only where what was asked for was computed: %s',
  async (question) => {
    expect(await ask(question)).toMatch(/^I can’t tell: “/u);
  },
);

describe('asked for the changes of something unknown', () => {
  it('it says so, and lists no changes of something else', async () => {
    expect(await ask('what changed in ledger?')).toMatch(/^I know no service called ledger: /u);
  });

  it('it does not say that there is no such service where a source cannot be read', async () => {
    const down: TelemetrySource = {
      ...shop,
      name: 'prometheus',
      services: async () => unknown('Prometheus could not be reached.'),
    };
    expect(await ask('what changed in ledger?', combine([down, shop]))).toMatch(
      /^No source that I can read right now knows a service called ledger\. .*Prometheus could not be reached\./u,
    );
  });

  it('what everybody says of changes is no name', async () => {
    expect(await ask('what changed in prod?')).toMatch(/^Changes in any service from/u);
  });
});

describe('an issue that is named by its number', () => {
  it('is what the question is about', async () => {
    expect(await ask('is #7 over?')).toMatch(/^No\. \*\*Ongoing\*\* since 13:58 UTC/u);
    expect(await ask('what happened to #7?')).toMatch(/^\*\*#7:\*\* Bad deploy of payments\./u);
  });

  it('but that does not exist, is not answered with what goes on elsewhere', async () => {
    expect(await ask('is #99 over?')).toMatch(/^I can’t find issue #99\./u);
  });

  it('is compared with another one that is named', async () => {
    expect(await ask('is #7 related to #99?')).toMatch(/^I can’t find issue #99\./u);
  });
});

it('of a rule that is named, how often it fired is asked of the rules', async () => {
  expect(await ask('how often did HighErrorRate fire last week')).toMatch(/evaluates rules\.$/u);
});
