import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderHeld } from '../../../../src/bot/render/held/held.ts';
import type { HeldProblemView, HeldView } from '../../../../src/bot/render/held/held-view.ts';
import { anyCodePoint } from '../../../support/code-point.ts';
import { runs } from '../../../support/property-runs.ts';
import { refusals } from '../every-renderer/limits.ts';

const AT = Date.parse('2026-03-17T12:01:00Z');
const DATE = '<!date^1773748860^{time} {date_short_pretty}|2026-03-17 12:01 UTC>';

function problem(overrides: Partial<HeldProblemView> = {}): HeldProblemView {
  return {
    key: '1773748800.000100',
    state: 'waiting',
    title: 'CPU is high',
    service: 'checkout',
    tool: 'Alertmanager',
    severity: null,
    messages: 1,
    issue: null,
    ...overrides,
  };
}

function held(problems: readonly HeldProblemView[], overrides: Partial<HeldView> = {}): HeldView {
  return {
    id: 'hold-1',
    reason: 'storm',
    state: 'rolling',
    lastAt: AT,
    freesAt: null,
    budget: { issues: 10, minutes: 10 },
    maxIssuesPerDay: 500,
    dismissedBy: null,
    problems,
    ...overrides,
  };
}

/** The texts of the sections and small print, in their order. */
function wordsOf(view: HeldView): string[] {
  return renderHeld(view).blocks.flatMap((block) => {
    if (block.type === 'section') return [block.text?.text ?? ''];
    if (block.type === 'context') return block.elements.map((one) => ('text' in one ? one.text : ''));
    return [];
  });
}

const issue = (number: number | null, more: object = {}) => ({
  number,
  refused: false,
  url: `https://acme.slack.com/archives/C1/p${number ?? 0}`,
  ...more,
});

describe('the message of a storm', () => {
  it('says why, how many of what, the newest, and that more may come', () => {
    const problems = [
      problem({ title: 'Disk is full', messages: 3 }),
      problem({ service: null, tool: 'Grafana', title: 'Slow *queries*' }),
      problem({ messages: 2 }),
    ];
    expect(wordsOf(held(problems))).toEqual([
      '✋ *6 alerts from 3 problems are on hold.* Too many alerts fired within a minute, so I am holding the rest here instead of flooding the channel. Nothing is lost: you decide what happens to them.',
      '• *checkout* · Alertmanager: 5 alerts from 2 problems\n• _no service_ · Grafana: 1 alert',
      '*Newest*\n• *checkout*: Disk is full (3 alerts)\n• Slow ∗queries∗\n• *checkout*: CPU is high (2 alerts)',
      `More may follow. Last one: ${DATE}.`,
    ]);
  });

  it('says once what reads the same, of the service that the titles name', () => {
    const pods = Array.from({ length: 12 }, (_, at) =>
      problem({
        service: null,
        title: `PoolUsedUp payments (prod payments-${at} shop critical)`,
        messages: at === 0 ? 3 : 1,
      }),
    );
    expect(wordsOf(held([...pods, problem()])).slice(1, 3)).toEqual([
      '• *payments* · Alertmanager: 14 alerts from 12 problems\n• *checkout* · Alertmanager: 1 alert',
      '*Newest*\n• PoolUsedUp · payments (14 alerts from 12 problems)\n• *checkout*: CPU is high',
    ]);
  });

  it('lists the most severe first, and counts what is beyond ten', () => {
    const problems = Array.from({ length: 12 }, (_, at) =>
      problem({ title: `pod ${at}`, severity: at === 11 ? 'high' : 'medium' }),
    );
    const listed = [
      '*Most severe*',
      '• *checkout*: pod 11',
      ...problems.slice(0, 9).map(({ title }) => `• *checkout*: ${title}`),
    ];
    expect(wordsOf(held(problems))[2]).toBe([...listed, '… and 2 more problems'].join('\n'));
  });

  it('has its three buttons while anything waits, and Dismiss asks first', () => {
    expect(renderHeld(held([problem(), problem()])).blocks.at(-1)).toEqual({
      type: 'actions',
      elements: [
        expect.objectContaining({ action_id: 'hold:choose', value: 'hold-1', style: 'primary' }),
        expect.objectContaining({
          action_id: 'hold:file-all',
          value: 'hold-1',
          text: expect.objectContaining({ text: 'File all (2)' }),
        }),
        expect.objectContaining({
          action_id: 'hold:dismiss',
          value: 'hold-1',
          confirm: expect.objectContaining({ style: 'danger' }),
        }),
      ],
    });
    const decided = renderHeld(held([problem({ state: 'recovered' })]));
    expect(decided.blocks.some(({ type }) => type === 'actions')).toBe(false);
  });

  it.each<[string, Partial<HeldView>, string]>([
    ['the budget', { reason: 'budget' }, 'This channel’s budget of 10 new issues in 10 minutes is used up.'],
    [
      'the day',
      { reason: 'day', freesAt: AT },
      `The workspace has reached its limit of 500 new issues in 24 hours; the next slot frees up ${DATE}.`,
    ],
    [
      'the day, once it has room again',
      { reason: 'day' },
      'The workspace has reached its limit of 500 new issues in 24 hours.',
    ],
    ['a pause', { reason: 'paused', state: 'quiet' }, 'They arrived while filing was paused.'],
  ])('names %s as its reason', (_what, overrides, sentence) => {
    expect(wordsOf(held([problem()], overrides))[0]).toContain(sentence);
  });

  it('says when it is over', () => {
    expect(wordsOf(held([problem()], { state: 'quiet' })).at(-1)).toBe(
      `It has stopped: none since ${DATE}. These stay here until somebody decides.`,
    );
  });

  it('says what became of those that no longer wait, beside those that wait', () => {
    const words = wordsOf(held([problem(), problem({ state: 'filed', messages: 4, issue: issue(12) })]));
    expect(words[0]).toMatch(/1 alert is on hold/);
    expect(words).toContain(
      'Of 5 alerts from 2 problems on hold:\n*Filed*: 4 alerts from 1 problem\n• <https://acme.slack.com/archives/C1/p12|#12> CPU is high (4 alerts)',
    );
  });

  it('says in the end what became of each', () => {
    const problems = [
      problem({ state: 'filed', messages: 4, title: 'B', issue: issue(13) }),
      problem({ state: 'filed', messages: 2, title: 'A', issue: issue(12) }),
      problem({ state: 'filed', title: 'C', issue: issue(null) }),
      problem({ state: 'filed', title: 'D', issue: issue(null, { refused: true, url: null }) }),
      problem({ state: 'joined', messages: 3, title: 'E', issue: issue(7, { url: null }) }),
      problem({ state: 'recovered', messages: 5, title: 'F' }),
      problem({ state: 'dismissed', messages: 6, title: 'G' }),
    ];
    expect(wordsOf(held(problems, { state: 'closed', dismissedBy: 'U0ALICE' }))).toEqual([
      '✅ *All 22 alerts from 7 problems on hold have been dealt with.*',
      [
        '*Filed*: 8 alerts from 4 problems',
        '• <https://acme.slack.com/archives/C1/p12|#12> A (2 alerts)',
        '• <https://acme.slack.com/archives/C1/p13|#13> B (4 alerts)',
        '• <https://acme.slack.com/archives/C1/p0|being filed> C (1 alert)',
        '• could not be filed D (1 alert)',
        '*Counted toward open issues*: 3 alerts from 1 problem',
        '• #7 E (3 alerts)',
        '*Recovered on their own*: 5 alerts from 1 problem',
        '• F',
        '*Dismissed* by <@U0ALICE>: 6 alerts from 1 problem',
        '• G',
      ].join('\n'),
    ]);
  });
});

const states = ['waiting', 'filed', 'joined', 'recovered', 'dismissed'] as const;

/** Problems whose words are the alerts' own. */
function anyProblems(words: fc.Arbitrary<string | null>): fc.Arbitrary<HeldProblemView[]> {
  return fc.array(
    fc.record({
      key: fc.constant('1.0'),
      state: fc.constantFrom(...states),
      title: words,
      service: words,
      tool: words,
      severity: fc.constantFrom('high', null),
      messages: fc.integer({ min: 1, max: 100_000 }),
      issue: fc.constantFrom(null, issue(123456), issue(null)),
    }),
    { minLength: 1, maxLength: 300, size: 'max' },
  );
}

const hostile = fc.oneof(
  fc.constant(null),
  fc.string({ unit: anyCodePoint, maxLength: 300 }),
  fc.constantFrom(
    '<!channel>',
    'word '.repeat(60),
    '&'.repeat(500),
    '*_~`'.repeat(50),
    '<https://a.example|b>'.repeat(20),
  ),
);

describe('whatever is held', () => {
  it('the message leaves no part of itself off', () => {
    fc.assert(
      fc.property(anyProblems(hostile), fc.boolean(), (problems, dismissed) => {
        const message = renderHeld(held(problems, { dismissedBy: dismissed ? 'U0ALICE' : null }));
        expect(JSON.stringify(message)).not.toMatch(/shortened:/);
      }),
      { numRuns: runs(150) },
    );
  });

  it('it names as many issues as fit, and counts the others', () => {
    const many = Array.from({ length: 400 }, (_, n) =>
      problem({ state: n % 2 ? 'filed' : 'joined', title: 'word '.repeat(60), issue: issue(n + 1) }),
    );
    const message = renderHeld(held(many));
    expect(refusals(message)).toEqual([]);
    expect(JSON.stringify(message)).not.toMatch(/shortened:/);
    const lines = wordsOf(held(many)).join('\n').split('\n');
    const named = lines.filter((line) => line.startsWith('• ')).length;
    expect(named).toBeGreaterThan(30);
    const counted = lines.flatMap((line) => /^… and (\d+) alerts more$/.exec(line)?.[1] ?? []);
    expect(counted.reduce((sum, n) => sum + Number(n), named)).toBe(400);
  });

  it('its counts add up to all that is held', () => {
    const names = fc.integer({ min: 0, max: 40 }).map((n) => `service-${n}`);
    fc.assert(
      fc.property(anyProblems(names), (problems) => {
        const lines = wordsOf(held(problems)).join('\n').split('\n');
        // `5 alerts from 2 problems`, or `2 alerts`, each of which is a problem.
        const counts = / (\d+) alerts?(?: from (\d+) problems?)?$/;
        const shown = lines.filter((line) =>
          /^(• \*|… and \d+ more group|\*(Filed|Counted|Recov|Dism))/.test(line),
        );
        const found = shown.map((line) => counts.exec(line) ?? []);
        const sum = (numbers: unknown[]) => numbers.reduce<number>((total, n) => total + Number(n), 0);
        expect(sum(found.map(([, alerts = 0]) => alerts))).toBe(
          problems.reduce((total, { messages }) => total + messages, 0),
        );
        expect(sum(found.map(([, alerts = 0, of = alerts]) => of))).toBe(problems.length);
      }),
      { numRuns: runs(100) },
    );
  });
});
