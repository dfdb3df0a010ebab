import { expect, it } from 'vitest';
import { readConfig } from '../../../../../src/bot/config.ts';
import { received } from '../../../webhooks/support.ts';
import { listening, responseAddress } from '../../support/listening.ts';

async function asked(words: string, user_id = 'U0ADMIN'): Promise<string> {
  const config = readConfig({ ALERT_ROUTES: 'tool{team=a}->C0AAAAAAA' });
  if (!config.ok) throw new Error(config.problems.join('\n'));
  const l = await listening({
    webhooks: {
      sources: [
        { name: 'tool', isOn: true },
        { name: 'grafana', isOn: false },
      ],
      routes: config.config.alertRoutes,
      read: async (source, payload) => {
        if (source !== 'tool') return null;
        if (payload !== '{"a":1}') return { kind: 'refused', reason: 'It names no alert.' };
        return {
          kind: 'alerts',
          alerts: [
            received({ title: 'Disk is full' }, { labels: { team: 'a' } }),
            received({ title: 'CPU is high' }),
          ],
        };
      },
    },
  });
  const { url, blocks } = await responseAddress();
  await l.give({
    command: '/gumshoe',
    text: `routes ${words}`,
    team_id: 'T1',
    channel_id: 'C1',
    user_id,
    trigger_id: '1.2.3',
    response_url: url,
  });
  return blocks.join('\n');
}

it('/gumshoe routes shows an admin the sources and the routes', async () => {
  const said = await asked('');
  expect(said).toContain('*Sources that are on:* tool');
  expect(said).toContain('*Off, without a secret:* grafana');
  expect(said).toContain('1. `tool{team=a}-&gt;C0AAAAAAA` → <#C0AAAAAAA>');
});

it('/gumshoe routes with a payload shows where each of its alerts would go', async () => {
  const said = await asked('tool {"a":1}');
  expect(said).toContain('Disk is full → <#C0AAAAAAA> by `tool{team=a}-&gt;C0AAAAAAA`');
  expect(said).toContain('CPU is high → no route: it would be kept');
});

it('/gumshoe routes says what is wrong with a payload, and is for admins', async () => {
  expect(await asked('tool {}')).toContain('It names no alert.');
  expect(await asked('nagios {}')).toContain('There is no such source.');
  expect(await asked('', 'U1')).toContain('Only admins can see the routes');
});
