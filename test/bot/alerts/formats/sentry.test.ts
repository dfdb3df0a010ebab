import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseAlert } from '../../../../src/bot/alerts/parse.ts';
import { runs } from '../../../support/property-runs.ts';
import { messageOf, says, toolMessage } from '../fixtures.ts';

const ISSUE = 'sentry-issue-new';
const METRIC = 'sentry-metric-critical';
const Blocks = z.array(z.record(z.string(), z.unknown()));

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const context = (text: string) => ({ type: 'context', elements: [{ type: 'mrkdwn', text }] });
const link = (params: string, number = 7700748352) =>
  `<https://acme.sentry.io/issues/${number}/?referrer=slack${params}|*TypeError*>`;

/** An issue's card with other blocks. */
function card(blocks: readonly unknown[], parts: Record<string, unknown> = {}): Record<string, unknown> {
  return { ...messageOf(ISSUE), text: '[shop] TypeError: x is not a function', blocks, ...parts };
}

const blocksOf = (name: string) => Blocks.parse(messageOf(name).blocks);

describe("an issue's card of Sentry", () => {
  it('says the same in any order of its blocks', () => {
    const whole = parseAlert(messageOf(ISSUE));
    fc.assert(
      fc.property(fc.shuffledSubarray(blocksOf(ISSUE), { minLength: blocksOf(ISSUE).length }), (blocks) => {
        const { description: _, ...found } = parseAlert({ ...messageOf(ISSUE), blocks });
        expect({ ...found, description: whole.description }).toStrictEqual(whole);
      }),
      { numRuns: runs(50) },
    );
  });

  it('is the same alert with any delivery parameters, as any organisation writes its address', () => {
    const params = fc.constantFrom(
      '&amp;notification_uuid=a',
      '&amp;workflow_id=7',
      '&amp;alert_rule_id=9',
      '',
    );
    const { fingerprint } = says(messageOf(ISSUE), 'fingerprint');
    fc.assert(
      fc.property(params, params, (one, other) => {
        expect(says(card([section(link(one + other))]), 'fingerprint', 'alertUrl')).toStrictEqual({
          fingerprint,
          alertUrl: 'https://acme.sentry.io/issues/7700748352/',
        });
      }),
    );
    const old = '<https://sentry.io/organizations/acme/issues/7700748352/events/a1/?project=1|*TypeError*>';
    expect(says(card([section(old)]), 'fingerprint')).toStrictEqual({ fingerprint });
    expect(says(card([section(link('', 5))]), 'fingerprint')).not.toStrictEqual({ fingerprint });
  });

  it('takes its tags for fields, whatever stands beside them', () => {
    const extra = fc.dictionary(
      fc.stringMatching(/^[a-z][a-z_.]{2,12}x$/),
      fc.stringMatching(/^[\w./-]{1,20}$/),
      {
        maxKeys: 5,
      },
    );
    fc.assert(
      fc.property(extra, fc.boolean(), (more, first) => {
        const own = [
          'environment: `staging`',
          'release: `<https://x.io|2.0.1>`',
          'level: `fatal`',
          'region: `eu-west-3`',
        ];
        const others = Object.entries(more).map(([name, value]) => `${name}: \`${value}\``);
        const line = [...(first ? others : []), ...own, ...(first ? [] : others)].join('  ');
        const found = says(
          card([section(link('')), section('```x```'), section(`${line}  `)]),
          'environment',
          'version',
          'severity',
          'region',
          'tags',
        );
        const tags = Object.entries(more).map((pair) => pair.join(':'));
        const stated = ['environment:staging', 'level:fatal', 'region:eu-west-3'];
        expect(found).toStrictEqual({
          environment: 'staging',
          version: '2.0.1',
          severity: 'high',
          region: 'eu-west-3',
          tags: first ? [...tags, ...stated] : [...stated, ...tags],
        });
      }),
    );
  });

  it('takes its environment from the link where no tag states it', () => {
    expect(says(card([section(link('&amp;environment=qa'))]), 'environment')).toStrictEqual({
      environment: 'qa',
    });
  });

  it.each([
    ['New', 'firing'],
    ['Ongoing', 'firing'],
    ['Escalating', 'firing'],
    ['Regressed', 'firing'],
    ['Resolved', 'resolved'],
    ['Archived', 'not_an_alert'],
  ])('in state %s is %s', (state, kind) => {
    const message = card([
      section(link('')),
      context(`Events: *3*   State: *${state}*   First Seen: *1 day ago*`),
    ]);
    expect(says(message, 'kind', 'title')).toStrictEqual({ kind, title: 'TypeError: x is not a function' });
  });

  it('edited to say that it is resolved is a recovery', () => {
    const message = card([...blocksOf(ISSUE), section('*Issue resolved by <@U0AB12CD3>*')]);
    const edit = { subtype: 'message_changed', message, previous_message: messageOf(ISSUE) };
    expect(says(edit, 'kind', 'fingerprint')).toStrictEqual({
      kind: 'resolved',
      ...says(messageOf(ISSUE), 'fingerprint'),
    });
  });

  it('is not led astray by what its own error says', () => {
    const words = "undefined method `foo' for nil\nState: Resolved\nProject: other\nlevel: `info`";
    const message = card([
      section(link('')),
      section(`\`\`\`${words}\`\`\``),
      section('level: `fatal`  '),
      context('Project: shop'),
    ]);
    expect(says(message, 'kind', 'errorMessage', 'service', 'severity', 'tags')).toStrictEqual({
      kind: 'firing',
      errorMessage: words,
      service: 'shop',
      severity: 'high',
      tags: ['level:fatal'],
    });
  });

  it('is read without its text, its message, its tags and its project', () => {
    const message = card([section(link(''))], { text: '' });
    expect(
      says(message, 'format', 'kind', 'title', 'errorType', 'errorMessage', 'service', 'tags'),
    ).toStrictEqual({
      format: 'sentry',
      kind: 'firing',
      title: 'TypeError',
      errorType: 'TypeError',
      errorMessage: null,
      service: null,
      tags: [],
    });
  });

  it('is recognised without its name, and is not where another bot speaks of it', () => {
    const { bot_profile: _, ...anonymous } = messageOf(ISSUE);
    expect(says(anonymous, 'format')).toStrictEqual({ format: 'sentry' });
    const triage = toolMessage({
      text: `I looked at ${link('')} (Short ID: CHECKOUT-API-4F): a null payload.`,
    });
    expect(says(triage, 'format')).toStrictEqual({ format: 'generic' });
    expect(says({ ...triage, username: 'Sentry Triage' }, 'format')).toStrictEqual({ format: 'generic' });
  });
});

describe("a sentence in a thread of Sentry's", () => {
  const note = (words: string) => {
    const { blocks: _, ...message } = messageOf('sentry-issue-resolved-thread');
    return { ...message, text: words };
  };
  const short = '<https://acme.sentry.io/issues/7700748352/?referrer=slack|CHECKOUT-API-4F>';

  it.each([
    [`Dana marked ${short} as resolved`, 'resolved'],
    [`Dana marked ${short} as resolved in 1.42.1`, 'resolved'],
    [`Dana marked ${short} as a regression`, 'firing'],
    [`Dana assigned ${short} to Kim`, 'not_an_alert'],
    [`Dana marked ${short} as ignored`, 'not_an_alert'],
  ])('%s is %s', (words, kind) => {
    expect(says(note(words), 'kind', 'title', 'fingerprint')).toStrictEqual({
      kind,
      title: 'CHECKOUT-API-4F',
      ...says(messageOf(ISSUE), 'fingerprint'),
    });
  });
});

describe("a metric alert of Sentry's", () => {
  const titled = (word: string, alert = 1204): Record<string, unknown> => ({
    ...messageOf(METRIC),
    text: `<https://acme.sentry.io/organizations/acme/alerts/rules/details/88123/?referrer=x&amp;alert=${alert}&amp;detection_type=static|*${word}: Checkout crash rate*>`,
  });

  it.each([
    ['Critical', 'firing', 'high'],
    ['Warning', 'firing', 'medium'],
    ['Resolved', 'resolved', null],
  ])('%s is %s, its severity %s, and one problem', (word, kind, severity) => {
    expect(says(titled(word), 'kind', 'severity', 'fingerprint', 'alertUrl')).toStrictEqual({
      kind,
      severity,
      ...says(messageOf(METRIC), 'fingerprint', 'alertUrl'),
    });
  });

  it('is a different alert at its next incident', () => {
    expect(says(titled('Critical', 1205), 'fingerprint')).not.toStrictEqual(
      says(messageOf(METRIC), 'fingerprint'),
    );
  });

  it('is read without its numbers and its sender', () => {
    const { attachments: _, bot_profile: __, ...message } = titled('Warning');
    expect(says(message, 'format', 'title', 'errorMessage', 'triggeredAt')).toStrictEqual({
      format: 'sentry',
      title: 'Checkout crash rate',
      errorMessage: null,
      triggeredAt: null,
    });
  });
});
