import { describe, expect, it } from 'vitest';
import { webhookFormatNamed } from '../../../src/bot/alerts/formats/index.ts';
import { parseAlert } from '../../../src/bot/alerts/parse.ts';
import { withRunbooksOf } from '../../../src/bot/alerts/runbook.ts';

const URL_ = 'https://wiki.example/pool?a=1&b=2';
const SLACK = 'https://wiki.example/pool?a=1&amp;b=2';

const inMessage = (text: string, more: object = {}) =>
  parseAlert({
    type: 'message',
    subtype: 'bot_message',
    bot_id: 'B0',
    text: `🔥 Payments is down\n${text}`,
    ...more,
  }).runbookUrl ?? null;

describe('the runbook that a message links to', () => {
  it.each([
    [`*Runbook:* <${SLACK}>`],
    [`<${SLACK}|:notebook: Runbook>`],
    [` - runbook_url = <${SLACK}>`],
    [`Playbook → ${SLACK}`],
    [`See the <${SLACK}|payments run book>.`],
  ])('is the one that it calls so: %s', (text) => {
    expect(inMessage(text)).toBe(URL_);
  });

  it('may be a button', () => {
    const button = { type: 'button', text: { type: 'plain_text', text: 'Runbook' }, url: URL_ };
    expect(inMessage('', { blocks: [{ type: 'actions', elements: [button] }] })).toBe(URL_);
  });

  it.each([
    ['another link', `*Dashboard:* <${SLACK}>`],
    ['a link far behind the word', `The runbook is old. <${SLACK}>`],
    [
      'one of several, which are of several alerts',
      `Runbook: <${SLACK}>\nRunbook: <https://wiki.example/disk>`,
    ],
    ['no web page', 'Runbook: <file:///etc/passwd>'],
  ])('is not %s', (_, text) => {
    expect(inMessage(text)).toBeNull();
  });
});

function inPayload(source: string, payload: unknown): (string | null)[] {
  const reading = withRunbooksOf(
    webhookFormatNamed(source)?.read(payload, {}) ?? { kind: 'nothing', reason: '' },
    payload,
  );
  return reading.kind === 'alerts' ? reading.alerts.map(({ alert }) => alert.runbookUrl ?? null) : [];
}

describe('the runbook that a payload links to', () => {
  it('is each alert’s own', () => {
    const firing = (alertname: string, runbook?: string) => ({
      status: 'firing',
      labels: { alertname },
      annotations: runbook === undefined ? {} : { runbook_url: runbook },
    });
    const alerts = [
      firing('A', 'https://wiki.example/a'),
      firing('B', 'https://wiki.example/b'),
      firing('C'),
    ];
    expect(inPayload('alertmanager', { version: '4', status: 'firing', alerts })).toEqual([
      'https://wiki.example/a',
      'https://wiki.example/b',
      null,
    ]);
  });

  it('is what the payload of a single alert has under such a key, however deep', () => {
    const payload = { title: 'Payments is down', status: 'firing', details: { links: { runbookUrl: URL_ } } };
    expect(inPayload('generic', payload)).toEqual([URL_]);
  });
});
