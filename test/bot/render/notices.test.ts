import { describe, expect, it } from 'vitest';
import { usageMention } from '../../../src/bot/render/admin/usage.ts';
import { askHere } from '../../../src/bot/render/asking/thread-notices.ts';
import {
  endedWithoutResults,
  investigationFailed,
  issueUnknownHere,
  notAllowed,
  notInChannel,
  refusedThere,
  serviceFailure,
  takesLong,
  unknownIssue,
} from '../../../src/bot/render/notices.ts';
import { type Rendered, section } from '../../../src/bot/render/rendered.ts';

const ISSUE = { number: 12, title: 'Checkout <502>', simulated: false };

describe('a notice', () => {
  it.each<[string, Rendered, string]>([
    [
      'no results',
      endedWithoutResults(ISSUE),
      '#12 Checkout &lt;502&gt;\nThe investigation ended without results.',
    ],
    ['a failure', investigationFailed(ISSUE), '#12 Checkout &lt;502&gt;\n⚠️ The investigation failed.'],
    [
      'a failure with its reason',
      investigationFailed(ISSUE, 'Not investigated: <Prometheus> is down.'),
      '#12 Checkout &lt;502&gt;\n⚠️ Not investigated: &lt;Prometheus&gt; is down.',
    ],
    [
      'a long investigation',
      takesLong({ ...ISSUE, simulated: true }),
      'Simulated: not your systems. #12 Checkout &lt;502&gt;\nThe investigation is taking longer than 30 minutes. Results will still be posted here.',
    ],
    [
      'an unknown number',
      unknownIssue('#9<!here>'),
      'There is no issue #9&lt;!here&gt;. The number is on the issue’s card.',
    ],
    ['a guest', notAllowed('guest'), 'Guests cannot use Gumshoe here. Ask a member of this workspace.'],
    [
      'somebody from elsewhere',
      notAllowed('external'),
      'People from other organizations cannot use Gumshoe here. Ask a member of this workspace.',
    ],
    [
      'a channel without the bot',
      notInChannel('C1', 'U0BOT'),
      'I am not in <#C1>, so I am answering here. To add me, run `/invite` <@U0BOT> in <#C1>.',
    ],
    [
      'an archived channel',
      refusedThere('C1', 'is_archived'),
      'Slack does not let me post in <#C1> (it is archived), so I am answering here.',
    ],
    [
      'a restricted channel',
      refusedThere('C1', 'restricted_action_thread_only_channel'),
      'Slack does not let me post in <#C1> (posting is restricted there), so I am answering here.',
    ],
    [
      'any other refusal',
      refusedThere('C1', 'ekm_access_denied'),
      'Slack does not let me post in <#C1> (ekm access denied), so I am answering here.',
    ],
    [
      'a failing service',
      serviceFailure('The service answered 500 (request r1). Please try again.'),
      '⚠️ The service answered 500 (request r1). Please try again.',
    ],
    [
      'a forgotten issue',
      issueUnknownHere(),
      'I no longer have this issue. `/issue` with its number shows what the service has.',
    ],
    [
      'where to ask',
      askHere({ ...ISSUE, simulated: true }),
      'Simulated: not your systems. Ask me anything about issue #12: reply in this thread.',
    ],
    [
      'the use of a mention',
      usageMention(),
      'Mention me with a question:\n`why is checkout slow?`\n`what changed before 14:00?`',
    ],
  ])('tells of %s', (_, notice, text) => {
    expect(notice).toEqual({ text, blocks: [section(text)] });
  });
});
