import { describe, expect, it } from 'vitest';
import { createGenericWebhook, FieldMap } from '../../../../src/bot/alerts/formats/generic/webhook.ts';
import { emptyAlert } from '../../../../src/bot/alerts/types.ts';

const map = FieldMap.parse({
  items: 'result.problems',
  title: 'what.0',
  description: 'why',
  severity: 'sev',
  severityMap: { 'SEV-A': 'high', Meh: 'low' },
  labels: 'about.labels',
  status: 'phase',
  resolved: ['over', 'gone'],
  time: 'at',
  link: 'see.href',
  fingerprint: 'about.key',
});
const nightwatch = createGenericWebhook('nightwatch', map);
const problem = {
  what: ['Queue is stuck'],
  why: 'no consumer for 5 minutes',
  sev: 'sev-a',
  phase: 'ON',
  at: '2026-11-18T09:02:00Z',
  see: { href: 'https://nightwatch.example.io/p/7' },
  about: { key: 7, labels: { env: 'prod', queue: 'orders' } },
};

const alertIn = (...problems: unknown[]) => {
  const reading = nightwatch.read({ result: { problems } }, {});
  return reading.kind === 'alerts' ? reading.alerts : [];
};

describe('a field map', () => {
  it('says where each part of an alert stands', () => {
    const [found] = alertIn(problem);
    expect(found?.alert).toMatchObject({
      kind: 'firing',
      title: 'Queue is stuck',
      description: 'no consumer for 5 minutes',
      severity: 'high',
      environment: 'prod',
      triggeredAt: '2026-11-18T09:02:00Z',
      alertUrl: 'https://nightwatch.example.io/p/7',
    });
    expect(found?.labels).toStrictEqual({ env: 'prod', queue: 'orders' });
  });

  it('reads each item of the list, and recognizes the recovery of an alert', () => {
    const [on, over] = alertIn(problem, { ...problem, phase: 'Over', what: ['Queue moves'] });
    expect(over?.alert).toMatchObject({ kind: 'resolved', fingerprint: on?.alert.fingerprint });
  });

  it('tells alerts apart by title and labels where no fingerprint is stated', () => {
    const bare = { what: ['Queue is stuck'], about: { labels: { queue: 'orders' } } };
    const [one, same, other] = alertIn(
      bare,
      { ...bare, why: 'x' },
      { ...bare, about: { labels: { queue: 'mail' } } },
    );
    expect(same?.alert.fingerprint).toBe(one?.alert.fingerprint);
    expect(other?.alert.fingerprint).not.toBe(one?.alert.fingerprint);
  });

  it('takes the usual names where it names no path, and where its title is missing', () => {
    const [found] = alertIn({ summary: 'Disk is full', service: 'orders-db' });
    expect(found?.alert).toMatchObject({ kind: 'firing', title: 'Disk is full', service: 'orders-db' });
  });

  it('refuses a body without the list, and says where it looked', () => {
    expect(nightwatch.read({ result: {} }, {})).toStrictEqual({
      kind: 'refused',
      reason: 'The body has no list or object at `result.problems`, where the field map looks for alerts.',
    });
    expect(nightwatch.read({ result: { problems: [] } }, {})).toStrictEqual({
      kind: 'nothing',
      reason: 'Its list of alerts is empty.',
    });
  });

  it('finds a key that has dots itself, and nothing that an object inherits', () => {
    const dotted = createGenericWebhook(
      'dots',
      FieldMap.parse({ title: 'alert.name', status: 'constructor.name' }),
    );
    const reading = dotted.read({ 'alert.name': 'Down' }, {});
    expect(reading.kind === 'alerts' ? reading.alerts[0]?.alert : null).toMatchObject({
      title: 'Down',
      kind: 'firing',
    });
  });

  it('is refused with the key that is wrong', () => {
    expect(FieldMap.safeParse({ titel: 'a' }).error?.message).toContain('titel');
    expect(FieldMap.safeParse({ severityMap: { a: 'awful' } }).success).toBe(false);
  });
});

describe('a body that names no alert', () => {
  const generic = createGenericWebhook('generic', null, () => emptyAlert('generic'));
  it.each([
    ['nothing', {}, 'Nothing in the body names an alert'],
    ['an empty list', [], 'The list is empty.'],
    ['an empty message for Slack', { text: ' ' }, 'Nothing in the body names an alert'],
    ['a misspelt field', { titel: 'Disk is full' }, 'did you mean `title`?'],
  ])('is refused with what is expected: %s', (_, body, sentence) => {
    const reading = generic.read(body, {});
    expect(reading).toMatchObject({ kind: 'refused', reason: expect.stringContaining(sentence) });
    expect(reading).toMatchObject({ reason: expect.stringContaining('a JSON object with at least `title`') });
  });

  it('is accepted, and said, where it is a message for people', () => {
    expect(generic.read({ text: 'hello' }, {})).toEqual({
      kind: 'nothing',
      reason: 'It is a message for Slack that is about no alert.',
    });
  });
});
