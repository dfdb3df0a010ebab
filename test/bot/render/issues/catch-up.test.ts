import { expect, it } from 'vitest';
import { type CatchUpView, renderCatchUp } from '../../../../src/bot/render/issues/catch-up.ts';

const minute = (n: number) => Date.parse('2026-11-20T08:00:00Z') + n * 60_000;

const view = (more: Partial<CatchUpView> = {}): CatchUpView => ({
  number: 12,
  title: 'HighErrorRate checkout (prod checkout-7d9f critical)',
  service: 'checkout',
  unnamed: ['checkout-7d9f', '1.4.0'],
  severity: 'high',
  environment: 'production',
  status: 'ready_to_fix',
  statusSince: minute(7),
  firedAt: minute(5),
  firstSignAt: minute(2),
  requestedBy: null,
  repeats: 2,
  lastRepeatAt: minute(9),
  recoveredAt: null,
  attachedTo: null,
  verdict: {
    results: {
      rootCause: {
        rootCauseSummary: 'payments 1.4.0 on checkout-7d9f, says ana, opens too few connections.',
      },
    },
    at: minute(6),
  },
  isInvestigating: false,
  failure: null,
  steps: [
    { name: 'Check the pool', required: false, done: { by: 'U0ALICE', at: minute(10) } },
    { name: 'Watch the error rate', required: false, done: null },
    { name: 'Roll back payments', required: true, done: null },
  ],
  acts: [{ at: minute(8), who: 'U0BOB', what: 'had it investigated again' }],
  notes: [{ number: 1, who: 'U0BOB', text: 'Seen on *all* pods', at: minute(9), editedAt: null }],
  votes: { up: 2, down: 0 },
  simulated: false,
  ...more,
});

/** Times without their tokens. */
function shown(one: CatchUpView): string[] {
  return renderCatchUp(one, minute(12)).blocks.flatMap((block) =>
    block.type === 'section' && block.text !== undefined
      ? block.text.text.replace(/<!date[^|]*\|2026-11-20 (\d\d:\d\d) UTC>/gu, '$1').split('\n')
      : [],
  );
}

it('whoever joins late reads in eight lines what is broken, known, tried, what helped and what is open', () => {
  expect(shown(view())).toEqual([
    '*Where #12 is now* · 08:12',
    '*Broken:* HighErrorRate · checkout · production · 🔴 High',
    '*Since:* first sign in the telemetry 08:02 · the alert fired 08:05 · fired again 2 times, last 08:09',
    '*Status:* 🛠️ Ready to fix since 08:07',
    '*Known:* 🔎 *Root cause* · no confidence given: payments 1.4.0 on checkout-7d9f, says ana, opens too few connections. · 08:06',
    '*From people:* 👍 2 · 📝 1. Seen on ∗all∗ pods · <@U0BOB> · 08:09',
    '*Tried:* <@U0BOB> had it investigated again 08:08 · _Check the pool_, <@U0ALICE> 08:10',
    '*Helped:* nothing that lasted: it has fired again',
    '*Open:* 2 steps, 1 required; next: _Roll back payments_',
    '*For the status page* (a draft)',
    '```',
    'At 2026-11-20 08:02 UTC a problem with checkout began.',
    'We have found the likely cause and have begun to fix it.',
    'It is not resolved yet.',
    '```',
  ]);
});

it('a recovery is told with the step before it, and not as its effect', () => {
  const helped = (more: Partial<CatchUpView>) => shown(view(more)).find((line) => line.startsWith('*Helped'));
  expect(helped({ recoveredAt: minute(14) })).toBe(
    '*Helped:* the alert recovered 08:14, 4 min after _Check the pool_ (<@U0ALICE>)',
  );
  // The step was done once it was over.
  expect(helped({ recoveredAt: minute(9) })).toBe(
    '*Helped:* the alert recovered 08:09; no step was marked as done before',
  );
  // Nobody ticked it: telemetry shows it.
  const timeline = [{ type: 'change', timestamp: '2026-11-20T08:12:00Z', title: 'checkout 2.40 (was 2.41)' }];
  const verdict = { results: { timeline }, at: minute(6) };
  expect(helped({ recoveredAt: minute(14), verdict })).toBe(
    '*Helped:* the alert recovered 08:14, 2 min after _checkout 2.40 (was 2.41)_ (seen in telemetry)',
  );
});

it.each<[string, Partial<CatchUpView>, string[]]>([
  [
    'a host, which the alert calls its service, is not named',
    { service: 'bastion', unnamed: ['Bastion'], verdict: null, isInvestigating: true, firstSignAt: null },
    [
      'At 2026-11-20 08:05 UTC a problem with one of our services began.',
      'We are investigating the cause.',
      'It is not resolved yet.',
    ],
  ],
  [
    'nor is what may be a version or an address',
    { service: 'db-01.internal', verdict: { results: {}, at: null }, steps: [], recoveredAt: minute(14) },
    [
      'At 2026-11-20 08:02 UTC a problem with one of our services began.',
      'The cause is not known yet.',
      'Our monitoring has not reported it since 2026-11-20 08:14 UTC; we have not closed it yet.',
    ],
  ],
  [
    'what is over is in the past tense',
    { status: 'resolved', recoveredAt: minute(14), statusSince: minute(20) },
    [
      'At 2026-11-20 08:02 UTC a problem with checkout began.',
      'We found the likely cause.',
      'Our monitoring has not reported it since 2026-11-20 08:14 UTC, and it is resolved.',
    ],
  ],
])('on the status page %s', (_, more, sentences) => {
  expect(shown(view(more)).slice(-4, -1)).toEqual(sentences);
});

it('an issue that was attached to another points to its investigation', () => {
  expect(shown(view({ attachedTo: 4 }))[4]).toBe('*Known:* attached to #4: see its investigation');
});
