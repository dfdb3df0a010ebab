import { expect, it } from 'vitest';
import { isRelated, type Relation } from '../../../../src/service/agent/tools/relation.ts';
import { headed } from '../../../../src/service/agent/words/answer.ts';
import { relationInWords } from '../../../../src/service/agent/words/relation.ts';
import type { Series } from '../../../../src/service/telemetry/model.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 27, 18, 0);
const ONSET = NOW - 90 * MINUTE;

const series: Series = {
  signal: {
    id: 'q',
    name: 'q',
    label: 'queue depth',
    measure: 'queue',
    unit: '{message}',
    bad: 'high',
    metricType: 'gauge',
  },
  service: 'mails',
  instance: null,
  edge: null,
  labels: {},
  points: { times: new Float64Array(0), values: new Float64Array(0) },
  limit: null,
  query: null,
  providerUrl: null,
  provider: 'made',
};

const relation = (gapMinutes: number | null, more: Partial<Relation> = {}): Relation => ({
  number: 7,
  onset: ONSET,
  about: ['mails'],
  compared: 2,
  departed:
    gapMinutes === null
      ? null
      : { series, onset: ONSET + gapMinutes * MINUTE, end: null, now: 900, usual: 30 },
  isPart: false,
  path: null,
  seesCalls: true,
  change: null,
  isOther: false,
  ...more,
});

it.each<[string, Relation, RegExp, boolean | null]>([
  [
    'began long before, and no calls connect the two',
    relation(-100),
    /^\*\*No, as far as I can see\.\*\* mails queue depth is 900 messages \(usually 30 messages\), outside its usual range since 14:50 UTC, 2 h before #7 began \(16:30 UTC\)/u,
    false,
  ],
  [
    'nothing of it departs from what is usual',
    relation(null),
    /^\*\*No, as far as I can see\.\*\* None of the 2 series of mails has left its usual range/u,
    false,
  ],
  [
    'began with it, a call apart',
    relation(2, { path: ['mails', 'till'] }),
    /^\*\*Probably yes\.\*\* .*call path between them: mails – till\./u,
    true,
  ],
  [
    'is part of what the issue is about',
    relation(1, { isPart: true, path: ['mails'] }),
    /^\*\*Yes\.\*\* The results of #7 involve mails\./u,
    true,
  ],
  ['began with it, and nothing connects the two', relation(2), /^I can’t tell for sure\. /u, null],
  [
    'no source of telemetry shows which service calls which',
    relation(-100, { seesCalls: false }),
    /^I can’t tell for sure\. .*no source of telemetry shows which service calls which\.$/u,
    null,
  ],
  [
    'is called by no name that telemetry has',
    relation(null, { about: [], compared: 0 }),
    /^I can’t tell: no service or metric here has that name\./u,
    null,
  ],
])('%s', (_, found, text, holds) => {
  const said = relationInWords(found, NOW);
  expect(headed(said, ['related'], 'is that related?')).toMatch(text);
  expect(isRelated(found)).toBe(holds);
});

it('what is exported of something else is neither a yes nor a no', () => {
  for (const gap of [0, -100]) expect(isRelated(relation(gap, { isOther: true }))).toBeNull();
});

it('says what was changed just before it began', () => {
  const change = { at: ONSET - 104 * MINUTE, title: 'Scale postman from 4 to 1' };
  expect(relationInWords(relation(-100, { change }), NOW).text).toContain(
    'Just before it: “Scale postman from 4 to 1” at 14:46 UTC.',
  );
});
