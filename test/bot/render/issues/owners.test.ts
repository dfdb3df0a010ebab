import { expect, it } from 'vitest';
import { ownerLine, renderAskOwner } from '../../../../src/bot/render/issues/owners.ts';
import { context, section } from '../../../../src/bot/render/rendered.ts';

const UNTIL = Date.parse('2026-11-20T18:00:00Z');
const shown = '<!date^1795197600^{time} {date_short_pretty}|2026-11-20 18:00 UTC>';

it('a line says who owns it, who is on call until when, and where to ask; nobody is mentioned', () => {
  const onCall = { names: ['<@U0ALICE>', 'bo'], until: UNTIL, asOf: 0 };
  expect(ownerLine({ of: null, name: 'payments', onCall, channel: 'C0PAYMENTS' })).toBe(
    `Owner: payments · on call: &lt;@U0ALICE&gt;, bo until ${shown} · ask in <#C0PAYMENTS>`,
  );
  const asOf = { names: ['ana'], until: null, asOf: UNTIL };
  expect(ownerLine({ of: 'payments-db', name: 'dba', onCall: asOf, channel: null })).toBe(
    `Owner of payments-db: dba · on call: ana as of ${shown}`,
  );
  expect(ownerLine({ of: null, name: 'dba', onCall: { ...asOf, names: [] }, channel: null })).toBe(
    'Owner: dba',
  );
});

it('the owner reads the verdict in three lines, who asks, and the way to the thread', () => {
  const { blocks } = renderAskOwner({
    number: 12,
    title: 'HighErrorRate · checkout',
    owner: 'payments',
    askedBy: 'U0ALICE',
    results: { rootCause: { rootCauseSummary: 'The pool is too small <!here>.' } },
    next: 'Roll back payments',
    url: 'https://acme.slack.com/archives/C0ALERTS/p1',
    simulated: false,
  });
  expect(blocks).toEqual([
    section(
      '*#12 HighErrorRate · checkout*\n🔎 *Root cause* · no confidence given: The pool is too small &lt;!here&gt;.\n*Do first:* Roll back payments',
    ),
    context(
      '<@U0ALICE> asks payments, which owns this, to take a look · <https://acme.slack.com/archives/C0ALERTS/p1|Open the thread>',
    ),
  ]);
});
