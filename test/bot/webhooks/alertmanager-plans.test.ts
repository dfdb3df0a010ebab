import { describe, expect, it } from 'vitest';
import { isWithin, plansOfIntervals, plansOfSilences } from '../../../src/bot/webhooks/alertmanager-plans.ts';

const NOW = Date.parse('2026-07-31T22:10:30Z');
const HOUR = 3_600_000;

const silence = (matchers: readonly object[], more: object = {}) => ({
  id: 'silence-1',
  status: { state: 'active' },
  matchers: matchers.map((one) => ({ name: '', value: '', isRegex: false, isEqual: true, ...one })),
  startsAt: '2026-07-31T22:00:00Z',
  endsAt: '2026-07-31T23:00:00Z',
  createdBy: 'ana',
  comment: 'database\nupgrade',
  ...more,
});
const scopeOf = (...matchers: readonly object[]) =>
  plansOfSilences([silence(matchers)], NOW)[0]?.scope ?? null;

describe('a silence of Alertmanager is planned work', () => {
  it('with its end, its comment and who made it', () => {
    expect(plansOfSilences([silence([{ name: 'service', value: 'payments' }])], NOW)).toEqual([
      {
        id: 'silence-1',
        scope: ['payments'],
        from: Date.parse('2026-07-31T22:00:00Z'),
        until: Date.parse('2026-07-31T23:00:00Z'),
        title: 'database upgrade (ana)',
      },
    ]);
  });

  it.each<[string, object[], string[] | null]>([
    [
      'several services',
      [{ name: 'service', value: 'payments|orders.*', isRegex: true }],
      ['payments', 'orders*'],
    ],
    [
      'a job beside a service',
      [
        { name: 'job', value: 'shop' },
        { name: 'service', value: 'payments' },
      ],
      ['job:shop', 'payments'],
    ],
    [
      'all labels of an alert',
      [
        { name: 'alertname', value: 'DiskFull' },
        { name: 'instance', value: 'db-1:9100' },
        { name: 'severity', value: 'critical' },
        { name: 'env', value: 'staging' },
        { name: 'cluster', value: 'eu' },
      ],
      ['alertname:DiskFull', 'instance:db-1:9100', 'severity:high', 'env:staging', 'cluster:eu'],
    ],
    [
      'what is excluded is no scope',
      [
        { name: 'service', value: 'payments' },
        { name: 'team', value: 'a', isEqual: false },
      ],
      null,
    ],
    ['an expression that words cannot say', [{ name: 'service', value: 'pay[a-z]+', isRegex: true }], null],
    ['several values of a label', [{ name: 'cluster', value: 'eu|us', isRegex: true }], null],
    ['everything', [{ name: 'service', value: '.*', isRegex: true }], null],
  ])('%s', (_, matchers, scope) => {
    expect(scopeOf(...matchers)).toEqual(scope);
  });

  it('unless it is over, ours, or longer than a week', () => {
    const matchers = [{ name: 'service', value: 'payments' }];
    const none = [
      silence(matchers, { status: { state: 'expired' } }),
      silence(matchers, { createdBy: 'gumshoe' }),
      silence(matchers, { endsAt: '2026-09-01T00:00:00Z' }),
      silence(matchers, { endsAt: 'soon' }),
    ];
    expect(plansOfSilences(none, NOW)).toEqual([]);
  });
});

const status = (route: string) => ({
  config: {
    original: `
time_intervals:
  - name: nights
    time_intervals: [{ times: [{ start_time: '21:00', end_time: '24:00' }] }, { times: [{ start_time: '00:00', end_time: '06:20' }] }]
  - name: office
    time_intervals: [{ weekdays: ['monday:friday'], times: [{ start_time: '08:00', end_time: '18:00' }] }]
route:
  receiver: all
  routes:
${route}
`,
  },
});

describe('a route that is muted at this time is planned work', () => {
  it('until the minute at which its interval ends, also over midnight', () => {
    const [plan] = plansOfIntervals(
      status('    - { matchers: [\'team="web"\'], mute_time_intervals: [nights] }'),
      NOW,
    );
    expect(plan).toMatchObject({ scope: ['team:web'], title: 'muted by nights' });
    expect(new Date(plan?.until ?? 0).toISOString()).toBe('2026-08-01T06:20:00.000Z');
  });

  it('where it is only told at other times', () => {
    const route = '    - { match: { service: payments }, active_time_intervals: [office] }';
    expect(plansOfIntervals(status(route), NOW)).toMatchObject([
      { scope: ['payments'], until: Date.parse('2026-08-03T08:00:00Z') },
    ]);
    expect(plansOfIntervals(status(route), Date.parse('2026-07-31T12:00:00Z'))).toEqual([]);
  });

  it('with the matchers of the routes above it, and not for what a route below it takes', () => {
    const route = `    - matchers: ['team="web"']
      mute_time_intervals: [nights]
      routes:
        - { matchers: ['service=~"shop|cart"'], mute_time_intervals: [nights] }`;
    expect(plansOfIntervals(status(route), NOW).map(({ scope }) => scope)).toEqual([
      ['team:web', 'shop', 'cart'],
    ]);
  });

  it('is the same plan at each look', () => {
    const route = status('    - { matchers: [\'team="web"\'], mute_time_intervals: [nights] }');
    const ids = [NOW, NOW + HOUR].map((at) => plansOfIntervals(route, at)[0]?.id);
    expect(ids[0]).toBe(ids[1]);
  });
});

/** A Friday, in summer time in Berlin. */
const at = (time: string, day = '2026-07-31') => Date.parse(`${day}T${time}:00Z`);

describe('an interval of Alertmanager', () => {
  it.each<[string, Parameters<typeof isWithin>[0], number, boolean]>([
    ['at its first minute', { times: [{ start_time: '22:00', end_time: '24:00' }] }, at('22:00'), true],
    ['not at its end', { times: [{ start_time: '09:00', end_time: '17:00' }] }, at('17:00'), false],
    [
      'in its zone',
      { times: [{ start_time: '22:00', end_time: '24:00' }], location: 'Europe/Berlin' },
      at('20:30'),
      true,
    ],
    ['on a day of a range', { weekdays: ['monday:friday'] }, at('12:00'), true],
    ['not on another day', { weekdays: ['saturday:sunday'] }, at('12:00'), false],
    ['on the last day of the month', { days_of_month: ['-1'] }, at('12:00'), true],
    ['not on the one before', { days_of_month: ['-1'] }, at('12:00', '2026-07-30'), false],
    ['in a month by its name', { months: ['may:august'] }, at('12:00'), true],
    ['in a month by its number', { months: ['1:6'] }, at('12:00'), false],
    ['in a year of a range', { years: ['2025:2026'] }, at('12:00'), true],
    ['only where all of it holds', { weekdays: ['friday'], months: ['january'] }, at('12:00'), false],
  ])('holds %s', (_, interval, moment, is) => {
    expect(isWithin(interval, moment)).toBe(is);
  });

  it('in a zone that is not known here is no time at all', () => {
    expect(() => isWithin({ location: 'Atlantis/Harbor' }, at('12:00'))).toThrow(RangeError);
  });
});
