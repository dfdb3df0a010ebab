import { describe, expect, it } from 'vitest';
import { parseAlert } from '../../../src/bot/alerts/parse.ts';
import type { Alert } from '../../../src/bot/alerts/types.ts';
import { alertCases, readStep } from './cases.ts';
import { fixtures } from './fixtures.ts';
import { alertsOf, webhookFixtures } from './webhooks/fixtures.ts';

/** An input that is about one alert that fires, and how it is read. */
interface Input {
  name: string;
  value: unknown;
  read(value: unknown): Alert[];
}

const inputs: Input[] = [
  ...[...fixtures.values()].map(({ name, message }) => ({
    name,
    value: message,
    read: (value: unknown) => [parseAlert(value)],
  })),
  ...[...webhookFixtures.values()].map(({ name, format, payload, headers }) => ({
    name,
    value: payload,
    read: (value: unknown) => alertsOf(format, value, headers).map(({ alert }) => alert),
  })),
  ...alertCases.flatMap(({ name, steps }) =>
    steps.map(({ step, message, webhook, payload }) => ({
      name: `${name} ${step}`,
      value: webhook === undefined ? message : payload,
      read: (value: unknown) =>
        readStep(webhook === undefined ? { message: Object(value) } : { webhook, payload: value }),
    })),
  ),
].filter(({ value, read }) => {
  const alerts = read(value);
  return alerts.length === 1 && alerts[0]?.kind === 'firing' && alerts[0].fingerprint !== null;
});

/** A value with each text of it changed. */
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withTexts(one, change)]));
}

function textsOf(value: unknown): string[] {
  const found: string[] = [];
  withTexts(value, (text) => {
    found.push(text);
    return text;
  });
  return found;
}

function problem({ read }: Input, value: unknown): string[] {
  return read(value).map(({ fingerprint, environment }) => `${fingerprint}@${environment ?? ''}`);
}

/** Names of machines and their like, with a number of their own and perhaps a port: `web-03`, `db-7:27017`, `node-3`. */
const OBJECT =
  /(?<![\p{L}\d_./:@=#%+-])[a-z]{2,12}(?:-[a-z]{2,8})?-\d{1,2}(?:\.[a-z]{2,12}){0,3}(?::\d{4,5})?(?![\p{L}\d_/%@-]|[.:][\p{L}\d])/gu;

/** What looks like an object and is none. */
const NO_OBJECT = /^(?:utf-8|sha-\d|http-\d|page-\d|p-\d)/u;

function objectsOf(value: unknown): string[] {
  const all = textsOf(value).flatMap((text) => text.match(OBJECT) ?? []);
  return [...new Set(all)].filter((name) => !NO_OBJECT.test(name));
}

/** Inputs that state which problem they are of, whatever objects they name, by what states it. */
const STATED: Readonly<Record<string, RegExp>> = {
  'the group of several alerts, in its title': /^(?:am-count-behind-state|grafana-datasource-error)/u,
  'the issue’s own link or number': /^(?:sentry-|wh-instana|zabbix-problem)/u,
  'the saved search, which may find many hosts': /^splunk-alert/u,
};

const withObjects = inputs
  .filter(({ name }) => !Object.values(STATED).some((stated) => stated.test(name)))
  .flatMap((input) => objectsOf(input.value).map((object) => [input.name, object, input] as const));

describe('two alerts that differ in an object are two problems', () => {
  it.each(withObjects)('%s: %s', (_, object, input) => {
    const other = object.replace(/-\d+/u, (number) =>
      number === '-7' ? '-8' : '-7'.padEnd(number.length, '3'),
    );
    const changed = withTexts(input.value, (text) => text.replaceAll(object, other));
    expect(problem(input, changed)).not.toStrictEqual(problem(input, input.value));
  });
});

/** A name beside a title, as tools put the values of labels there. */
const BESIDE = [
  [' (node-3)', ' (node-4)'],
  [' [broker1]', ' [broker2]'],
  [' (shard 2)', ' (shard 3)'],
  [' (db-7:27017)', ' (db-8:27017)'],
] as const;
const TITLES = [
  '[FIRING:1] NodeDown',
  '[FIRING:2, RESOLVED:1] NodeDown',
  '[CRITICAL - 2] NodeDown',
  'NodeDown [FIRING:1]',
];

describe('a name in brackets beside a count of states stays in the title and the identity', () => {
  const read = (title: string) =>
    parseAlert({
      type: 'message',
      subtype: 'bot_message',
      bot_id: 'B1',
      username: 'Alertmanager',
      ts: '1794993262.000100',
      attachments: [{ color: 'danger', title, title_link: 'http://am.example/#/alerts?receiver=slack' }],
    });
  it.each(TITLES.flatMap((title) => BESIDE.map(([one, other]) => [title, one, other] as const)))(
    '%s%s',
    (title, one, other) => {
      const [alert, another] = [read(`${title}${one}`), read(`${title}${other}`)];
      expect(alert.title).toContain(one.trim().slice(1, -1));
      expect(alert.fingerprint).not.toBe(another.fingerprint);
      expect(alert.fingerprint).toBe(read(`${title.replace(/\d/u, '5')}${one}`).fingerprint);
    },
  );
});

/** What differs between an alert and its repeat: times, counts of states, and measurements. */
const REPEATED: Readonly<Record<string, (text: string) => string>> = {
  'the date': (text) => text.replace(/\b2026-11-(\d\d)(?=[T ]\d\d:)/gu, '2026-12-09'),
  'the time': (text) => text.replace(/(?<=\b2026[-.]\d\d[-.]\d\d[T ])\d\d:\d\d/gu, '17:41'),
  'the count of a state': (text) => text.replace(/(?<=\bFIRING:)\d+/gu, '9'),
  'a percentage': (text) => text.replace(/(?<=[\s(:*`])(\d{1,2})\.\d+(?= ?%)/gu, '$1.07'),
};

const repeats = Object.entries(REPEATED).flatMap(([what, change]) =>
  inputs
    .filter(({ value }) => JSON.stringify(withTexts(value, change)) !== JSON.stringify(value))
    .map((input) => [what, input.name, input, change] as const),
);

describe('an alert that is repeated is the same problem', () => {
  it.each(repeats)('with another value of %s: %s', (_, __, input, change) => {
    expect(problem(input, withTexts(input.value, change))).toStrictEqual(problem(input, input.value));
  });
});
