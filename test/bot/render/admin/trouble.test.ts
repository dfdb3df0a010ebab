import { describe, expect, it } from 'vitest';
import { renderTrouble, type TroubleView } from '../../../../src/bot/render/admin/trouble.ts';

const SINCE = Date.parse('2026-11-20T08:00:00Z');
const ago = '<!date^1795161600^{date_short_pretty} {time}|2026-11-20 08:00 UTC>';

const said = (view: Partial<TroubleView>) =>
  renderTrouble({
    of: { channel: 'C1' },
    reason: 'is_archived',
    since: SINCE,
    mendedAt: null,
    botUserId: 'U0BOT',
    ...view,
  }).text;

const WAITS = 'What I have to say there waits, and its issues go on being watched.';

describe('who can mend it is told', () => {
  it.each<[string, Partial<TroubleView>, string[]]>([
    [
      'that a channel is archived',
      {},
      [
        '⚠️ I cannot post in <#C1> any more: it is archived.',
        WAITS,
        '*To mend it:* unarchive the channel. If it is meant to stay archived, nothing has to be done.',
      ],
    ],
    [
      'that the bot was removed',
      { reason: 'not_in_channel' },
      [
        '⚠️ I am not in <#C1>, so I can neither read nor post there.',
        WAITS,
        '*To mend it:* write `/invite` <@U0BOT> there. If I am not meant to be there, nothing has to be done.',
      ],
    ],
    [
      'that a channel is gone',
      { reason: 'channel_not_found' },
      [
        '⚠️ Slack does not know <#C1> (C1) for me: it was deleted, or it is private and I was removed from it.',
        WAITS,
        '*To mend it:* if it still exists, write `/invite` <@U0BOT> there. If it was deleted, nothing can be done.',
      ],
    ],
    [
      'that posting is restricted, by a name that Slack gives',
      { reason: 'restricted_action<new>' },
      [
        '⚠️ Slack does not let me post in <#C1> (restricted_action&lt;new&gt;).',
        WAITS,
        '*To mend it:* let me post there: in the channel’s settings, under posting permissions.',
      ],
    ],
    [
      'that a scope is missing',
      { of: { scope: 'files:write' }, reason: 'missing_scope' },
      [
        '⚠️ Slack refuses a call of mine: my app has not been granted the scope `files:write`.',
        'What needs it waits; everything else goes on.',
        '*To mend it:* paste `manifest.yml` at https://api.slack.com/apps → the app → App Manifest, and install the app again.',
      ],
    ],
    [
      'that it is mended',
      { mendedAt: SINCE },
      [
        `✅ Mended ${ago}: I can post in <#C1> again. What waited is sent, and what I missed there is read.`,
        `~It was archived.~ (since ${ago})`,
      ],
    ],
  ])('%s', (_what, view, lines) => {
    expect(said(view).split('\n')).toEqual(lines);
  });
});
