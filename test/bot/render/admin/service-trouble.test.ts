import { describe, expect, it } from 'vitest';
import { renderServiceTrouble } from '../../../../src/bot/render/admin/service-trouble.ts';
import { renderWaiting, type WaitingView } from '../../../../src/bot/render/alerts/waiting.ts';

const SINCE = Date.parse('2026-03-17T12:00:00Z');
const BACK = Date.parse('2026-03-17T13:00:00Z');
const since = '<!date^1773748800^{date_short_pretty} {time}|2026-03-17 12:00 UTC>';
const back = '<!date^1773752400^{date_short_pretty} {time}|2026-03-17 13:00 UTC>';

describe('what an admin is told of a key that the service refuses', () => {
  it.each<[string, Parameters<typeof renderServiceTrouble>[0], string]>([
    [
      'it is not accepted',
      { right: null, reason: '401', since: SINCE, mendedAt: null },
      `🔑 The investigation service has not accepted my API key since ${since}. Until it does, nothing is filed, followed or answered. Nothing is lost: alerts wait in their order.\n*To mend it:* make the key valid again, or set \`ISSUE_SERVICE_API_KEY\` to one that is, and restart me. What is mended at the service I notice within a minute, and go on by myself.`,
    ],
    [
      'it may do nothing',
      { right: null, reason: '403', since: SINCE, mendedAt: null },
      `🔑 The investigation service has not let my API key do anything since ${since}. Until it does, nothing is filed, followed or answered. Nothing is lost: alerts wait in their order.\n*To mend it:* give the key its permissions back, or set \`ISSUE_SERVICE_API_KEY\` to one that has them, and restart me. What is mended at the service I notice within a minute, and go on by myself.`,
    ],
    [
      'it lacks a right',
      { right: 'issues.create', reason: 'refused', since: SINCE, mendedAt: null },
      `🔑 My API key has not been allowed to file issues at the investigation service since ${since}. All else goes on; what needs it waits.\n*To mend it:* give the key that permission, or set \`ISSUE_SERVICE_API_KEY\` to one that has it, and restart me. What is mended at the service I notice within a minute, and go on by myself.`,
    ],
    [
      'it is mended',
      { right: null, reason: '401', since: SINCE, mendedAt: BACK },
      `✅ Mended ${back}: the investigation service takes my API key again. It did not since ${since}. What waited goes on by itself.`,
    ],
  ])('%s', (_, view, text) => {
    expect(renderServiceTrouble(view)).toEqual({
      text,
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }],
    });
  });
});

describe('the line of a channel whose alerts wait', () => {
  const down: WaitingView = {
    cause: 'service:down',
    since: SINCE,
    back: null,
    waiting: 3,
    filed: 0,
    refused: 0,
  };
  const after = `The investigation service is back since ${back}; it was away from ${since} on.`;

  it.each<[string, Partial<WaitingView>, string]>([
    [
      'while it is down',
      {},
      `⏳ The investigation service has not worked since ${since}. 3 alerts wait here, in order, to be filed when it is back. Nothing has to be done.`,
    ],
    [
      'while it refuses the key',
      { cause: 'service:key', waiting: 1 },
      `⏳ The investigation service has not taken my API key since ${since}; my admins have been told. 1 alert waits here, in order, to be filed when it is back. Nothing has to be done.`,
    ],
    [
      'while they are being filed',
      { back: BACK, waiting: 2, filed: 1 },
      `🔄 ${after} What waited here is being filed, the oldest first: 1 of 3 alerts so far.`,
    ],
    [
      'once all are',
      { back: BACK, waiting: 0, filed: 3 },
      `✅ ${after} All 3 alerts that waited here were filed.`,
    ],
    [
      'once one is',
      { back: BACK, waiting: 0, filed: 1 },
      `✅ ${after} The alert that waited here was filed.`,
    ],
    [
      'where one was refused',
      { back: BACK, waiting: 0, filed: 2, refused: 1 },
      `✅ ${after} 2 of 3 alerts that waited here were filed; the service did not take the other, as its card says.`,
    ],
    [
      'where none was taken',
      { back: BACK, waiting: 0, filed: 0, refused: 2 },
      `✅ ${after} 0 of 2 alerts that waited here were filed; the service did not take the others, as their cards say.`,
    ],
  ])('%s', (_, change, text) => {
    expect(renderWaiting({ ...down, ...change }).text).toBe(text);
  });
});
