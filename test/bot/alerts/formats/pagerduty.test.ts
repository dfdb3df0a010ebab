import { describe, expect, it } from 'vitest';
import { messageOf, says, toolMessage } from '../fixtures.ts';

const TRIGGERED = 'pagerduty-triggered';
const link = (label: string, id = 'Q393WGJHNWB82M') =>
  `<https://acme.pagerduty.com/incidents/${id}|${label}>`;
const WHOLE = '[#48213] checkout-api: 5xx ratio above 5%';

/** A message of PagerDuty's app with nothing but this text. */
function line(text: string, parts: Record<string, unknown> = {}): Record<string, unknown> {
  const { blocks: _, ...message } = messageOf(TRIGGERED);
  return { ...message, text, ...parts };
}

describe('an incident of PagerDuty', () => {
  it.each([
    [`*Triggered* ${link(WHOLE)}`, 'firing'],
    [`*Resolved* ${link(WHOLE)}`, 'resolved'],
    [`Resolved by Dana Reyes ${link('[#48213]')}`, 'resolved'],
    [`Acknowledged by Dana Reyes ${link('[#48213]')}`, 'not_an_alert'],
    [`:x: Status changed to Investigating ${link('[#48213]')}`, 'not_an_alert'],
    [`:x: Status changed to Resolved ${link('[#48213]')}`, 'resolved'],
    [`Reassigned to Kim Ode ${link('[#48213]')}`, 'not_an_alert'],
    [`Escalated to Level 2 ${link('[#48213]')}`, 'not_an_alert'],
    [`Priority changed to P1 ${link('[#48213]')}`, 'not_an_alert'],
    [`Note added by Dana Reyes: resolved soon ${link('[#48213]')}`, 'not_an_alert'],
  ])('%s is %s, and the same alert', (text, kind) => {
    expect(says(line(text), 'kind', 'fingerprint')).toStrictEqual({
      kind,
      ...says(messageOf(TRIGGERED), 'fingerprint'),
    });
  });

  it('is read where it stands only in blocks', () => {
    const keys = [
      'format',
      'kind',
      'title',
      'severity',
      'service',
      'errorMessage',
      'alertUrl',
      'fingerprint',
    ] as const;
    expect(says({ ...messageOf(TRIGGERED), text: '' }, ...keys)).toStrictEqual(
      says(messageOf(TRIGGERED), ...keys),
    );
  });

  it('is an edit of one message: triggered, then resolved', () => {
    const edit = {
      subtype: 'message_changed',
      message: messageOf('pagerduty-resolved'),
      previous_message: messageOf(TRIGGERED),
    };
    expect(says(edit, 'kind', 'fingerprint')).toStrictEqual({
      kind: 'resolved',
      ...says(messageOf(TRIGGERED), 'fingerprint'),
    });
  });

  it('is read without service and urgency, and a title without a colon has no message', () => {
    expect(
      says(
        line(`*Triggered* ${link('[#7] Queue is stuck')}`),
        'title',
        'severity',
        'service',
        'errorMessage',
      ),
    ).toStrictEqual({
      title: '[#7] Queue is stuck',
      severity: null,
      service: null,
      errorMessage: null,
    });
  });

  it('without a state is new as a message of its own, and a remark as a reply', () => {
    expect(says(line(link(WHOLE)), 'kind')).toStrictEqual({ kind: 'firing' });
    expect(says(line(link(WHOLE), { thread_ts: '1794990000.000100' }), 'kind')).toStrictEqual({
      kind: 'not_an_alert',
    });
  });

  it('is another one with another id', () => {
    expect(says(line(`*Triggered* ${link(WHOLE, 'Q1AAAAAAAAAAAA')}`), 'fingerprint')).not.toStrictEqual(
      says(messageOf(TRIGGERED), 'fingerprint'),
    );
  });

  it('is recognised without its app by its shape, and is not where another bot speaks of it', () => {
    const { app_id: _, bot_profile: __, ...anonymous } = messageOf(TRIGGERED);
    expect(says(anonymous, 'format')).toStrictEqual({ format: 'pagerduty' });
    const triage = toolMessage({ text: `Looking at ${link(WHOLE)}: a deploy went out.` });
    expect(says(triage, 'format')).toStrictEqual({ format: 'generic' });
  });
});
