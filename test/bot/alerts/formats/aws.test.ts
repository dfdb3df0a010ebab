import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseAlert } from '../../../../src/bot/alerts/parse.ts';
import { runs } from '../../../support/property-runs.ts';
import { messageOf, partOf, says, toolMessage, variant } from '../fixtures.ts';

const ALARM = 'aws-notify-slack-cloudwatch-alarm';
const OTHER = 'aws-to-slack-cloudwatch-alarm';
const TEXT = 'aws-alarm-text-alarm';
const SUBJECT = 'aws-notify-slack-default-text';
const HEALTH = 'aws-notify-slack-health-issue';
const GUARD = 'aws-notify-slack-guardduty-finding';
const HUB = 'aws-notify-slack-securityhub-finding';

const Field = z.object({ title: z.string().default(''), value: z.string().default('') });
const Message = z.object({ attachments: z.array(z.object({ fields: z.array(Field) })).min(1) });
const fieldsOf = (name: string) => Message.parse(messageOf(name)).attachments[0]?.fields ?? [];

/** A recorded card with some of its fields said otherwise; `undefined` takes one away. */
function card(
  name: string,
  changes: Record<string, string | undefined>,
  parts: Record<string, unknown> = {},
) {
  const fields = fieldsOf(name).flatMap(({ title, value }) => {
    const changed = title in changes ? changes[title] : value;
    return changed === undefined ? [] : [{ title, value: changed }];
  });
  return variant(name, { fields, ...parts });
}

const state = (word: string) => card(ALARM, { 'Current State': `\`${word}\`` });

describe('a card of terraform-aws-notify-slack', () => {
  it.each([ALARM, OTHER, HEALTH, GUARD, HUB])(
    '%s says the same in any order of its fields, beside others',
    (name) => {
      const fields = fieldsOf(name);
      const extra = fc.array(
        fc.record({ title: fc.constantFrom('Team', 'Cost center'), value: fc.constant('`x`') }),
        {
          maxLength: 2,
        },
      );
      fc.assert(
        fc.property(fc.shuffledSubarray(fields, { minLength: fields.length }), extra, (shuffled, more) => {
          const { description: _, ...found } = parseAlert(variant(name, { fields: [...more, ...shuffled] }));
          const { description: __, ...whole } = parseAlert(messageOf(name));
          expect(found).toStrictEqual(whole);
        }),
        { numRuns: runs(30) },
      );
    },
  );

  it.each([
    ['ALARM', 'firing'],
    ['OK', 'resolved'],
    ['INSUFFICIENT_DATA', 'not_an_alert'],
  ])('about an alarm in %s is %s, whatever its fallback and reason say', (word, kind) => {
    expect(says(state(word), 'kind', 'fingerprint')).toStrictEqual({
      kind,
      ...says(messageOf(ALARM), 'fingerprint'),
    });
  });

  it('is a different alert for another alarm, and for another region', () => {
    const link = (region: string, name: string) =>
      `<https://console.aws.amazon.com/cloudwatch/home?region=${region}#alarm:alarmFilter=ANY;name=${name}>`;
    const prints = [
      messageOf(ALARM),
      card(ALARM, { 'Alarm Name': '`other`', 'Link to Alarm': link('eu-west-1', 'other') }),
      card(ALARM, { 'Link to Alarm': link('us-east-2', 'prod-checkout-alb-5xx') }),
    ].map((message) => says(message, 'fingerprint').fingerprint);
    expect(new Set(prints).size).toBe(3);
  });

  it('about an alarm is read without its name, its reason and its link', () => {
    const message = card(ALARM, {
      'Alarm Name': undefined,
      'Alarm reason': undefined,
      'Link to Alarm': undefined,
    });
    expect(
      says(message, 'format', 'kind', 'title', 'errorMessage', 'alertUrl', 'region', 'triggeredAt'),
    ).toStrictEqual({
      format: 'aws',
      kind: 'firing',
      title: 'prod-checkout-alb-5xx',
      errorMessage: null,
      alertUrl: null,
      region: null,
      triggeredAt: null,
    });
  });

  it('is parsed under any sender name', () => {
    const message = { ...messageOf(ALARM), username: 'Nagios' };
    expect(says(message, 'format')).toStrictEqual({ format: 'aws' });
  });

  it('about AWS Health is over when its end has passed, and open while it is still to come', () => {
    const ends = (time: string) => says(card(HEALTH, { 'End Time': `\`${time}\`` }), 'kind', 'fingerprint');
    const { fingerprint } = says(messageOf(HEALTH), 'fingerprint');
    expect(ends('Wed, 18 Nov 2026 01:00:00 GMT')).toStrictEqual({ kind: 'resolved', fingerprint });
    expect(ends('Thu, 18 Nov 2027 01:00:00 GMT')).toStrictEqual({ kind: 'firing', fingerprint });
  });

  it('about AWS Health names a host only where one resource is affected', () => {
    expect(says(card(HEALTH, { 'Affected Resources': '`i-1, i-2`' }), 'host')).toStrictEqual({ host: null });
    expect(says(card(HEALTH, { 'Affected Resources': '`&lt;unknown&gt;`' }), 'host')).toStrictEqual({
      host: null,
    });
  });

  it('about Security Hub is over when the check has passed', () => {
    const message = card(HUB, {
      'Compliance Status': '`PASSED`',
      'Last Updated': '`2026-11-19T03:05:00.000Z`',
    });
    expect(says(message, 'kind', 'fingerprint')).toStrictEqual({
      kind: 'resolved',
      ...says(messageOf(HUB), 'fingerprint'),
    });
  });

  it('about a finding of GuardDuty is the same alert at the next count', () => {
    const message = card(GUARD, { Count: '`13`', 'Last Seen': '`2026-11-18T09:00:00Z`' });
    expect(says(message, 'fingerprint')).toStrictEqual(says(messageOf(GUARD), 'fingerprint'));
  });

  it('about a failed backup is the same alert at the next job', () => {
    const failed = 'aws-notify-slack-backup-failed';
    const fields = fieldsOf(failed).map(({ title, value }) => ({
      title,
      value: value.replace('124`', '125`'),
    }));
    expect(says(variant(failed, { fields }), 'kind', 'fingerprint')).toStrictEqual({
      kind: 'firing',
      ...says(messageOf(failed), 'fingerprint'),
    });
  });

  it('about a mail of CloudWatch knows its state by the subject', () => {
    const mail = (title: string) => says(variant(SUBJECT, { title }), 'kind', 'title', 'region');
    expect(mail('OK: "orders-dlq-depth" in US East (Ohio)')).toStrictEqual({
      kind: 'resolved',
      title: 'orders-dlq-depth',
      region: 'US East (Ohio)',
    });
    expect(mail('INSUFFICIENT_DATA: "a b" in EU (Ireland)').kind).toBe('not_an_alert');
    const over = variant(SUBJECT, { title: partOf(SUBJECT, 'title').replace('ALARM', 'OK') });
    expect(says(over, 'fingerprint')).toStrictEqual(says(messageOf(SUBJECT), 'fingerprint'));
  });
});

describe('a card of aws-to-slack', () => {
  it.each([
    ['ALARM → OK', 'resolved'],
    ['OK → ALARM', 'firing'],
    ['INSUFFICIENT_DATA → ALARM', 'firing'],
    ['ALARM → INSUFFICIENT_DATA', 'not_an_alert'],
  ])('that says %s is %s', (change, kind) => {
    expect(says(card(OTHER, { 'State Change': change }), 'kind', 'fingerprint')).toStrictEqual({
      kind,
      ...says(messageOf(OTHER), 'fingerprint'),
    });
  });

  it('is read without its author, its region and its footer', () => {
    const message = card(OTHER, { Region: undefined }, { author_name: undefined, footer: undefined });
    expect(says(message, 'format', 'title', 'region')).toStrictEqual({
      format: 'aws',
      title: 'orders-dlq-depth',
      region: 'us-east-1',
    });
  });
});

describe('a text about an alarm', () => {
  const text = z.string().parse(messageOf(TEXT).text);

  it.each([
    ['ALARM', 'firing'],
    ['OK', 'resolved'],
    ['INSUFFICIENT_DATA', 'not_an_alert'],
  ])('that changed to %s is %s, though its description stays', (word, kind) => {
    const message = { ...messageOf(TEXT), text: text.replace('to ALARM', `to ${word}`) };
    expect(says(message, 'kind', 'fingerprint', 'errorMessage')).toStrictEqual({
      kind,
      ...says(messageOf(TEXT), 'fingerprint', 'errorMessage'),
    });
  });

  it('has its reason for a message where it has no description', () => {
    const message = toolMessage({ text: text.split('\n').slice(0, 2).join('\n') });
    expect(says(message, 'format', 'errorMessage')).toStrictEqual({
      format: 'aws',
      errorMessage: 'Threshold Crossed.',
    });
  });
});

describe('a card of Amazon Q', () => {
  const CARD = 'amazonq-cloudwatch-alarm';

  it.each([
    ['ALARM', 'firing'],
    ['OK', 'resolved'],
    ['INSUFFICIENT_DATA', 'not_an_alert'],
  ])('in state %s is %s', (value, kind) => {
    expect(says(variant(CARD, { fields: [{ title: 'State', value }] }), 'kind', 'fingerprint')).toStrictEqual(
      {
        kind,
        ...says(messageOf(CARD), 'fingerprint'),
      },
    );
  });

  it.each([
    ['a30200', 'firing'],
    ['2eb886', 'resolved'],
  ])('without a state gets its state from its colour %s', (color, kind) => {
    expect(says(variant(CARD, { color, fields: [] }), 'kind')).toStrictEqual({ kind });
  });

  it('is not an alert when the app only chats', () => {
    const { attachments: _, ...message } = messageOf(CARD);
    const words = {
      ...message,
      text: 'The alarm prod-orders-5xx is in state ALARM since 06:00: the service is down.',
    };
    expect(says(words, 'format', 'kind', 'fingerprint')).toStrictEqual({
      format: 'amazonq',
      kind: 'not_an_alert',
      fingerprint: null,
    });
  });
});
