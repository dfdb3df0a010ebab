import { expect, it } from 'vitest';
import type { Variable } from '../../src/lib/environment.ts';
import { misspeltFields, misspeltVariables } from '../../src/lib/misspelt.ts';

const variable = (name: string, secret?: true): Variable => ({
  name,
  default: null,
  description: '',
  example: '',
  ...(secret && { secret }),
});
const VARIABLES = [
  variable('PROMETHEUS_USER'),
  variable('PROMETHEUS_URL'),
  variable('TEMPO_URL'),
  variable('SLACK_BOT_TOKEN', true),
  variable('ALERT_MAP_<SOURCE>'),
];

it.each<[Record<string, string>, string[]]>([
  [{ PROMETEUS_URL: 'http://a' }, ['PROMETEUS_URL PROMETHEUS_URL']],
  [{ SLACK_BOT_TOKEN_FIEL: '/a' }, ['SLACK_BOT_TOKEN_FIEL SLACK_BOT_TOKEN_FILE']],
  [{ PROMETEUS_URL: 'http://a', PROMETHEUS_URL: 'http://b' }, []],
  [{ PROMETEUS_URL: '' }, []],
  [{ PROMETHEUS_ULR: 'http://a' }, ['PROMETHEUS_ULR PROMETHEUS_URL']],
  [{ REPO_URL: 'http://a', PATH: '/bin', ALERT_MAP_JIRA: '{}', SLACK_BOT_TOKEN_FILE: '/a' }, []],
])('%o asks about %j', (env, expected) => {
  expect(misspeltVariables(env, VARIABLES)).toEqual(
    expected.map((pair) => {
      const [name, meant] = pair.split(' ');
      return `${name} is set, but Gumshoe reads no such variable: did you mean ${meant}?`;
    }),
  );
});

it.each([
  [{ servce: 'x' }, ['servce service']],
  [{ Title: 'x' }, ['Title title']],
  [{ service: 'x', services: 'x', team: 'x', constructor: 1 }, []],
  [{ [`service${'x'.repeat(99_999)}`]: 1 }, []],
  [['servce'], []],
  [null, []],
])('of the fields of %j these are misspelt: %j', (body, expected) => {
  const found = misspeltFields(body, ['service', 'title']);
  expect(found.map(({ name, meant }) => `${name} ${meant}`)).toEqual(expected);
});
