import { describe, expect, it } from 'vitest';
import { type ProblemView, renderProblem } from '../../../../src/bot/render/admin/problem.ts';

const SINCE = Date.parse('2026-11-20T08:00:00Z');
const ago = '<!date^1795161600^{time} {date_short_pretty}|2026-11-20 08:00 UTC>';

const said = (view: Partial<ProblemView>) =>
  renderProblem({
    of: { channel: 'C1' },
    reason: 'is_archived',
    since: SINCE,
    mendedAt: null,
    botUserId: 'U0BOT',
    ...view,
  }).text;

const WAITS = 'My messages there are queued; its issues are still being tracked.';

describe('who can fix it is told', () => {
  it.each<[string, Partial<ProblemView>, string[]]>([
    [
      'that a channel is archived',
      {},
      [
        '⚠️ I cannot post in <#C1> anymore: it is archived.',
        WAITS,
        '*Fix:* unarchive the channel. If it is meant to stay archived, no action is needed.',
      ],
    ],
    [
      'that the bot was removed',
      { reason: 'not_in_channel' },
      [
        '⚠️ I am not in <#C1>, so I cannot read or post there.',
        WAITS,
        '*Fix:* write `/invite` <@U0BOT> there. If I am not meant to be there, no action is needed.',
      ],
    ],
    [
      'that a channel is gone',
      { reason: 'channel_not_found' },
      [
        '⚠️ Slack says <#C1> (C1) does not exist: it was deleted, or it is private and I was removed from it.',
        WAITS,
        '*Fix:* if it still exists, write `/invite` <@U0BOT> there. If it was deleted, there is nothing to do.',
      ],
    ],
    [
      'that posting is restricted, by a name that Slack gives',
      { reason: 'restricted_action<new>' },
      [
        '⚠️ Slack does not let me post in <#C1> (restricted_action&lt;new&gt;).',
        WAITS,
        '*Fix:* allow me to post: channel settings → posting permissions.',
      ],
    ],
    [
      'that a scope is missing',
      { of: { scope: 'files:write' }, reason: 'missing_scope' },
      [
        '⚠️ Slack rejects some of my calls: my app lacks the scope `files:write`.',
        'Whatever needs it waits; everything else keeps working.',
        '*Fix:* paste `manifest.yml` at https://api.slack.com/apps → the app → App Manifest, then reinstall the app.',
      ],
    ],
    [
      'that it is mended',
      { mendedAt: SINCE },
      [
        `✅ Fixed ${ago}: I can post in <#C1> again. Queued messages are being sent, and I am catching up on what I missed there.`,
        `~It was archived.~ (since ${ago})`,
      ],
    ],
  ])('%s', (_what, view, lines) => {
    expect(said(view).split('\n')).toEqual(lines);
  });
});
