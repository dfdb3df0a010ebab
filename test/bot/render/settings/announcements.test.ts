import { describe, expect, it } from 'vitest';
import { type Announcement, renderAnnouncement } from '../../../../src/bot/render/settings/announcements.ts';

describe('what a channel is told', () => {
  it.each<[string, Announcement, string]>([
    [
      'it is watched',
      { what: 'watched', by: 'U1', suggests: false, changes: [] },
      '👀 <@U1> turned on Gumshoe in this channel: new alerts are filed and investigated.',
    ],
    [
      'it is watched, and alerts are only suggested',
      { what: 'watched', by: 'U1', suggests: true, changes: [] },
      '👀 <@U1> turned on Gumshoe in this channel: new alerts get a _File it_ button.',
    ],
    [
      'it is watched no longer',
      { what: 'unwatched', by: 'U1' },
      '💤 <@U1> turned off Gumshoe in this channel: new alerts are no longer filed. Open issues carry on.',
    ],
    [
      'its digest is set',
      { what: 'digest', by: 'U1', when: 'every day at 09:00 (America/New_York)' },
      '📊 <@U1> set this channel’s digest: every day at 09:00 (America/New_York).',
    ],
    [
      'its digest is turned off',
      { what: 'digest', by: 'U1', when: null },
      '📊 <@U1> turned off this channel’s digest.',
    ],
    [
      'filing is paused',
      { what: 'paused', by: 'U1' },
      '⏸️ <@U1> paused filing in all channels. Alerts are put on hold until an admin runs `/gumshoe resume`.',
    ],
    [
      'filing goes on, and nothing came',
      { what: 'resumed', by: 'U1', held: 0 },
      '▶️ <@U1> resumed filing: new alerts are filed again. No alerts arrived here in the meantime.',
    ],
    [
      'filing goes on, and one alert came',
      { what: 'resumed', by: 'U1', held: 1 },
      '▶️ <@U1> resumed filing: new alerts are filed again. One alert arrived here in the meantime and awaits your decision.',
    ],
    [
      'filing goes on, and alerts came',
      { what: 'resumed', by: 'U1', held: 12 },
      '▶️ <@U1> resumed filing: new alerts are filed again. 12 alerts arrived here in the meantime and await your decision.',
    ],
  ])('%s', (_, announcement, text) => {
    expect(renderAnnouncement(announcement)).toEqual({
      text,
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }],
    });
  });

  it('its settings changed: each change by itself, exactly as it was written', () => {
    const changes = ['exclude: “/<!channel> .*rate*/” (was nothing)', 'results: in the thread'];
    expect(renderAnnouncement({ what: 'changed', by: 'U1', changes })).toEqual({
      text:
        '⚙️ <@U1> changed Gumshoe’s settings here:\n' +
        '• exclude: “/&lt;!channel&gt; .∗rate∗/” (was nothing)\n• results: in the thread',
      blocks: [
        {
          type: 'section',
          text: { type: 'mrkdwn', text: '⚙️ <@U1> changed Gumshoe’s settings here:', verbatim: true },
        },
        {
          type: 'section',
          text: {
            type: 'plain_text',
            text: '• exclude: “/<!channel> .*rate*/” (was nothing)\n• results: in the thread',
            emoji: false,
          },
        },
      ],
    });
  });
});
