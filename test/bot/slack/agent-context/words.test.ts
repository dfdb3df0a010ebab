import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../support/property-runs.ts';
import { conversation, message, question, reading, somebodies } from './support.ts';

/** What a message says to the agent, where Bob and Maria talk. */
async function said(text: string, more: Parameters<typeof reading>[1] = {}) {
  const { agentContext } = await reading([message('U0BOB', 'hello'), message('U0BOB', text)], more);
  return (await agentContext.talk(conversation, question)).at(1)?.text;
}

describe('the words of a message', () => {
  it.each([
    [
      'see <https://runbooks.test/a?b=1&amp;c=2|the runbook> now',
      'see the runbook (https://runbooks.test/a?b=1&c=2) now',
    ],
    ['see <https://runbooks.test/a>', 'see https://runbooks.test/a'],
    ['on <http://payments.test|payments.test>', 'on http://payments.test'],
    ['in <#C0OPS|ops> and <#C0SECRET>', 'in a channel and a channel'],
    ['<!here> and <!subteam^S1|@oncall> and <!subteam^S2>', '@here and @oncall and @a group'],
    ['at <!date^1700000000^{date}|that day>', 'at 2023-11-14T22:13:20Z'],
    ['a &lt; b &amp;&amp; c &gt; d', 'a < b && c > d'],
    [
      'ask <@U0MARIA> or <@U0BOB|bob> or <@U0NOBODY> or <@U0GUMSHOE>',
      'ask Person B or Person A or @someone or Gumshoe',
    ],
    ['typed &lt;@U0MARIA&gt; and &lt;@U0NOBODY&gt;', 'typed Person B and @someone'],
    [
      'mail <mailto:maria@acme.test|maria@acme.test>, or x.y+z@acme.test',
      'mail an email address, or an email address',
    ],
    ['call <tel:+491234|+49 1234>', 'call a telephone number'],
    [
      'thanks Maria, @bob and ROBERT TABLES; mariadb is not hers',
      'thanks Person B, Person A and Person A; mariadb is not hers',
    ],
    ['U0MARIA at <https://acme.slack.com/team/U0123456789>', 'Person B at https://acme.slack.com/team/…'],
    ['bell\u0007 <not a link>', 'bell <not a link>'],
  ])('%s → %s', async (text, words) => {
    expect(await said(text)).toBe(words);
  });

  it('name the files that were attached', async () => {
    const { agentContext } = await reading([
      message('U0BOB', '', { subtype: 'file_share', files: [{ name: 'app.log' }, { name: 'bob.txt' }] }),
    ]);
    expect(await agentContext.talk(conversation, question)).toEqual([
      { speaker: 'Person A', text: '[attached: app.log]\n[attached: Person A.txt]' },
    ]);
  });

  it('of a tool are its alert’s title in one line', async () => {
    const { agentContext } = await reading([
      message('', '', {
        bot_id: 'B1',
        bot_profile: { name: 'bob’s tool' },
        blocks: [
          {
            type: 'section',
            text: { type: 'mrkdwn', text: 'Deployed by Robert Tables\nto <https://x.test|prod>' },
          },
        ],
      }),
      message('U0BOB', 'fine'),
    ]);
    expect((await agentContext.talk(conversation, question))[0]).toEqual({
      speaker: 'Person A’s tool',
      text: 'Deployed by Person A to prod',
    });
  });
});

describe('where names are shared', () => {
  const share = { shareUserNames: true };

  it('people are told by name, those whom somebody mentions too', async () => {
    expect(await said('ask <@U0MARIA>, <@U0LI> or <@U0NOBODY>; maria@acme.test', share)).toBe(
      'ask maria, Li or @someone; maria@acme.test',
    );
  });

  it('people of other organizations are not', async () => {
    const { agentContext } = await reading(
      [message('U0EVE', 'hi'), message('U0BOB', 'eve and <@U0EVE>')],
      share,
    );
    expect(await agentContext.talk(conversation, question)).toEqual([
      { speaker: 'Bobby T', text: '@someone and @someone' },
    ]);
  });
});

describe('the words of a question', () => {
  const asks = (text: string) => ({ ...question, asker: 'U0MARIA', text });

  it('leave without the name of a channel, which may be private', async () => {
    const { agentContext } = await reading([]);
    expect(
      await agentContext.words(conversation, asks('what of <#C0SECRET|acquisition> and <#C0OPS>?')),
    ).toBe('what of a channel and a channel?');
  });

  it('name people as the talk before it does, in later questions too', async () => {
    const { agentContext } = await reading([message('U0BOB', 'it was me')]);
    await agentContext.talk(conversation, question);
    expect(await agentContext.words(conversation, asks('what did <@U0BOB> tell <@U0LI>?'))).toBe(
      'what did Person A tell @someone?',
    );
    expect(await agentContext.words(conversation, { ...asks('Li, or <@U0LI>?'), asker: 'U0LI' })).toBe(
      'Person C, or Person C?',
    );
  });

  it('bear no id without any talk', async () => {
    const { agentContext, slack } = await reading([], { shareThread: false });
    const words = await agentContext.words(
      conversation,
      asks('Maria here: <@U0BOB> says a < b && <https://x.test|x>?'),
    );
    expect([words, slack.calls]).toEqual(['Person A here: @someone says a < b && x (https://x.test)?', []]);
  });

  it('name people where names are shared', async () => {
    const { agentContext } = await reading([], { shareUserNames: true });
    expect(await agentContext.words(conversation, asks('what did <@U0BOB> tell <@U0EVE>?'))).toBe(
      'what did Bobby T tell @someone?',
    );
  });

  it('are asked without knowing the asker, where Slack does not tell of them', async () => {
    const { agentContext } = await reading([]);
    expect(await agentContext.words(conversation, { ...asks('<@U0NEW>: why?'), asker: 'U0NEW' })).toBe(
      '@someone: why?',
    );
  });
});

describe('where names are not shared', () => {
  const names = Object.values(somebodies).flatMap((one) => one.names);
  const ids = Object.keys(somebodies);
  const piece = fc.oneof(
    fc.constantFrom(...names, ...names.map((name) => `@${name}`), ...ids, ...ids.map((id) => `<@${id}>`)),
    fc.constantFrom(
      ...ids.map((id) => `<@${id}|x>`),
      ...ids.map((id) => `&lt;@${id}&gt;`),
      'maria@acme.test',
    ),
    fc.constantFrom('<mailto:bob@acme.test|Bob>', '<https://x.test/u/bob|Robert Tables>', '*', '_', '`', '"'),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  );
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(' '));

  it('no id and no name of anybody in the thread is in what is sent', async () => {
    const edge = String.raw`[\p{L}\p{N}]`;
    const banned = [...names, ...ids].map((one) => new RegExp(`(?<!${edge})${one}(?!${edge})`, 'u'));
    const { agentContext, slack } = await reading([]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(...ids), text)), text, async (all, asked) => {
        slack.answers('conversations.replies', {
          messages: [
            ...ids.map((id) => message(id, 'hello')),
            ...all.map(([id, words]) => message(id, words)),
          ],
        });
        const talk = await agentContext.talk(conversation, question);
        const words = await agentContext.words(conversation, { ...question, text: asked });
        const sent = [...talk.map((spoken) => spoken.text), words].join('\n');
        expect(banned.filter((one) => one.test(sent))).toEqual([]);
        expect(sent).not.toMatch(/<@|@acme/u);
      }),
      { numRuns: runs(200) },
    );
  });
});
