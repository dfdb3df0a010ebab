import { describe, expect, it } from 'vitest';
import type { ReceivedAlert } from '../../../src/bot/alerts/format.ts';
import { webhookFormatNamed } from '../../../src/bot/alerts/formats/index.ts';
import { createAlerts } from '../../../src/demo/scenarios/alerts.ts';
import { createProblems } from '../../../src/demo/scenarios/problems.ts';
import { webhookTools } from '../../../src/demo/scenarios/tools/index.ts';
import { webhookFixtures } from '../../bot/alerts/webhooks/fixtures.ts';
import { instantClock } from '../../support/manual-clock.ts';

/** Plays webhooks, and reads what was posted. */
function playing() {
  const posted: ReceivedAlert[] = [];
  const clock = instantClock();
  const play = createAlerts({
    workspace: () => {
      throw new Error('a webhook is no message');
    },
    problems: createProblems(clock, () => undefined),
    clock,
    signal: new AbortController().signal,
    sendWebhook: async (source, body, headers) => {
      const reading = webhookFormatNamed(source)?.read(body, headers);
      if (reading?.kind !== 'alerts') throw new Error(`${source} did not read what was played`);
      posted.push(...reading.alerts);
    },
  });
  return { play, posted };
}

describe('the webhooks that can be played', () => {
  it('are those of every tool that needs no signature of Amazon’s', () => {
    expect(webhookTools.map(({ source }) => source)).toStrictEqual([
      'alertmanager',
      'datadog',
      'generic',
      'grafana',
      'opsgenie',
      'pagerduty',
      'sentry',
    ]);
  });

  const playable = [...webhookFixtures.values()].filter((fixture) => fixture.playable);
  it.each(playable)(
    'every word that is replaced in $name is in its payload',
    ({ payload, playable: words = {} }) => {
      const text = JSON.stringify(payload);
      expect(Object.keys(words).filter((word) => !text.includes(word))).toStrictEqual([]);
    },
  );

  it.each(webhookTools)('$name fires, fires again, recovers and storms', async ({ id }) => {
    const { play, posted } = playing();
    for (const how of ['fires', 'again', 'recovers'] as const) await play({ tool: id, how, channel: 'C1' });
    expect(posted.map(({ alert }) => alert.kind)).toStrictEqual(['firing', 'firing', 'resolved']);
    expect(new Set(posted.map(({ alert }) => alert.fingerprint)).size).toBe(1);
    await expect(play({ tool: id, how: 'recovers', channel: 'C1' })).rejects.toThrow('has no firing alert');

    posted.length = 0;
    await play({ tool: id, how: 'storm', channel: 'C1' });
    expect(new Set(posted.map(({ alert }) => alert.fingerprint)).size).toBe(100);
  });

  it('are refused where the bot is somebody else’s', async () => {
    const clock = instantClock();
    const play = createAlerts({
      workspace: () => {
        throw new Error('a webhook is no message');
      },
      problems: createProblems(clock, () => undefined),
      clock,
      signal: new AbortController().signal,
    });
    await expect(play({ tool: 'grafana-webhook', how: 'fires', channel: 'C1' })).rejects.toThrow(
      'Gumshoe was not started from here, so no webhook can reach it.',
    );
  });
});
