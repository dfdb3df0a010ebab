import { describe, expect, it } from 'vitest';
import { renderServiceProblem } from '../../../../src/bot/render/admin/service-problem.ts';
import { type QueuedView, renderQueued } from '../../../../src/bot/render/alerts/queued.ts';

const SINCE = Date.parse('2026-03-17T12:00:00Z');
const BACK = Date.parse('2026-03-17T13:00:00Z');
const since = '<!date^1773748800^{time} {date_short_pretty}|2026-03-17 12:00 UTC>';
const back = '<!date^1773752400^{time} {date_short_pretty}|2026-03-17 13:00 UTC>';

describe('what an admin is told of a key that the service refuses', () => {
  it.each<[string, Parameters<typeof renderServiceProblem>[0], string]>([
    [
      'it is not accepted',
      { right: null, reason: '401', since: SINCE, mendedAt: null },
      `🔑 The investigation service has rejected my API key since ${since}. Until it does, nothing is filed, tracked or answered. Nothing is lost: alerts are queued in order.\n*Fix:* make the key valid again, or set \`ISSUE_SERVICE_API_KEY\` to a valid one and restart me. Once it is fixed, I notice within a minute and carry on.`,
    ],
    [
      'it may do nothing',
      { right: null, reason: '403', since: SINCE, mendedAt: null },
      `🔑 My API key has had no permissions at the investigation service since ${since}. Until it does, nothing is filed, tracked or answered. Nothing is lost: alerts are queued in order.\n*Fix:* restore the key’s permissions, or set \`ISSUE_SERVICE_API_KEY\` to a key that has them and restart me. Once it is fixed, I notice within a minute and carry on.`,
    ],
    [
      'it lacks a right',
      { right: 'issues.create', reason: 'refused', since: SINCE, mendedAt: null },
      `🔑 My API key has not been allowed to file issues at the investigation service since ${since}. Everything else keeps working; whatever needs that permission waits.\n*Fix:* grant the key that permission, or set \`ISSUE_SERVICE_API_KEY\` to a key that has it and restart me. Once it is fixed, I notice within a minute and carry on.`,
    ],
    [
      'it is mended',
      { right: null, reason: '401', since: SINCE, mendedAt: BACK },
      `✅ Fixed ${back}: the investigation service accepts my API key again. It had not since ${since}. Everything that was waiting resumes on its own.`,
    ],
  ])('%s', (_, view, text) => {
    expect(renderServiceProblem(view)).toEqual({
      text,
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }],
    });
  });
});

describe('the line of a channel whose alerts wait', () => {
  const down: QueuedView = {
    cause: 'service:down',
    since: SINCE,
    back: null,
    queued: 3,
    filed: 0,
    refused: 0,
  };
  const after = `The investigation service is back since ${back}; it went down ${since}.`;

  it.each<[string, Partial<QueuedView>, string]>([
    [
      'while it is down',
      {},
      `⏳ The investigation service has been down since ${since}. 3 alerts are queued here and will be filed in order once it is back. No action needed.`,
    ],
    [
      'while it refuses the key',
      { cause: 'service:key', queued: 1 },
      `⏳ The investigation service has rejected my API key since ${since}; my admins know. 1 alert is queued here and will be filed in order once it is back. No action needed.`,
    ],
    [
      'while they are being filed',
      { back: BACK, queued: 2, filed: 1 },
      `🔄 ${after} Filing what was queued here, oldest first: 1 of 3 alerts so far.`,
    ],
    ['once all are', { back: BACK, queued: 0, filed: 3 }, `✅ ${after} All 3 queued alerts have been filed.`],
    ['once one is', { back: BACK, queued: 0, filed: 1 }, `✅ ${after} The queued alert has been filed.`],
    [
      'where one was refused',
      { back: BACK, queued: 0, filed: 2, refused: 1 },
      `✅ ${after} 2 of 3 queued alerts were filed; the service rejected the other (see its card).`,
    ],
    [
      'where none was taken',
      { back: BACK, queued: 0, filed: 0, refused: 2 },
      `✅ ${after} 0 of 2 queued alerts were filed; the service rejected the others (see their cards).`,
    ],
  ])('%s', (_, change, text) => {
    expect(renderQueued({ ...down, ...change }).text).toBe(text);
  });
});
