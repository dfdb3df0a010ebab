import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FieldMap } from '../../../../src/bot/alerts/formats/generic/webhook.ts';
import { webhookFormats } from '../../../../src/bot/alerts/formats/index.ts';
import { alertsOf } from './fixtures.ts';

const page = readFileSync('docs/usage.md', 'utf8');
const [, section = ''] = page.split('## Alerts by webhook\n');
const blocks = [...section.matchAll(/^```json\n(.*?)^```/gmsu)].map(([, text = '']) => text);

/** What Datadog puts in place of its variables. */
const FILLED: Readonly<Record<string, string>> = {
  EVENT_TITLE: '[P2] [Triggered on {host:web-14,env:prod}] CPU high',
  TEXT_ONLY_MSG: 'CPU is above 90%',
  ALERT_TRANSITION: 'Triggered',
  ALERT_TYPE: 'error',
  ALERT_ID: '991',
  ALERT_SCOPE: 'host:web-14,env:prod',
  AGGREG_KEY: 'a1b2',
  TAGS: 'env:prod,host:web-14,team:web',
  ALERT_PRIORITY: 'P2',
  HOSTNAME: 'web-14',
  LINK: 'https://app.datadoghq.com/monitors/991',
  DATE: '1795038421000',
};

describe('what docs/usage.md tells people to paste', () => {
  it('is a payload of Datadog that is understood in full', () => {
    const filled = (blocks[0] ?? '').replace(/\$([A-Z_]+)/gu, (_whole, name: string) => FILLED[name] ?? '?');
    expect(filled).not.toContain('?');
    const [found] = alertsOf('datadog', JSON.parse(filled));
    expect(found?.alert).toMatchObject({
      kind: 'firing',
      title: '[P2] CPU high',
      severity: 'high',
      environment: 'prod',
      host: 'web-14',
      errorMessage: 'CPU is above 90%',
      triggeredAt: '2026-11-18T21:47:01Z',
      alertUrl: 'https://app.datadoghq.com/monitors/991',
    });
    expect(found?.labels).toMatchObject({ team: 'web' });
  });

  it('is a field map that is accepted', () => {
    expect(FieldMap.parse(JSON.parse(blocks[1] ?? ''))).toMatchObject({
      title: 'rule.name',
      link: 'pages.0.url',
    });
  });

  it('names the address of every source', () => {
    for (const { name } of webhookFormats) expect(section).toContain(`/alerts/${name}`);
  });
});
