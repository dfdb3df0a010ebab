import { describe, expect, it } from 'vitest';
import { commandPattern } from '../../../../src/bot/slack/commands/command.ts';
import { rejected } from '../../../support/fake-service.ts';
import { command } from '../support/command.ts';
import { commandsListenedTo } from '../support/features.ts';
import { listening, responseAddress } from '../support/listening.ts';

describe('the name of a command', () => {
  it.each([
    '/investigate',
    '/dev-investigate',
    '/my_team-staging-investigate',
    '/INVESTIGATE',
    '/Dev-Investigate',
  ])('%s is taken', (name) => {
    expect(name).toMatch(commandPattern('investigate'));
  });

  it.each([
    '/devinvestigate',
    '/investigate-dev',
    '/-investigate',
    'investigate',
    '/investigate x',
    '/issue',
  ])('%s is not', (name) => {
    expect(name).not.toMatch(commandPattern('investigate'));
  });

  it.each(commandsListenedTo)('/%s belongs to one listener, with and without a prefix', (name) => {
    const takers = commandsListenedTo.filter((other) => commandPattern(other).test(`/dev-${name}`));
    expect(takers).toEqual([name]);
  });
});

describe('/dev-investigate', () => {
  it('files as /investigate does, and is acknowledged with nothing to see', async () => {
    const l = await listening();
    await l.give(command('/dev-investigate', 'checkout is slow severity:high env:staging'));
    expect(l.acks).toEqual([null]);
    expect(await l.store.issues.pending(l.clock.now(), 10)).toMatchObject([
      {
        title: 'checkout is slow',
        severity: 'high',
        environment: 'staging',
        threadTs: null,
        requestedBy: 'U1',
      },
    ]);
    expect(l.woken).toEqual(['filed', 'outbox', 'sessions', 'timers']);
  });
});

describe('a command that is taken up after a crash', () => {
  it('is the same issue, not a second one', async () => {
    const l = await listening();
    const body = command('/investigate', 'checkout is slow');
    await l.give(body);
    await l.give(body);
    expect(await l.store.issues.pending(l.clock.now(), 10)).toHaveLength(1);
    expect(await l.store.outbox.countDue()).toBe(1);
  });

  it('is the same question, not a second one', async () => {
    const l = await listening();
    const body = command('/ask', 'what is slow?');
    await l.give(body);
    await l.give(body);
    expect(await l.store.questions.countBy('U1', 0)).toBe(1);
    expect(await l.store.outbox.countDue()).toBe(1);
  });

  it('is another one where the same words were sent a second time', async () => {
    const l = await listening();
    await l.give(command('/investigate', 'checkout is slow', { trigger_id: '1.1.1' }));
    await l.give(command('/investigate', 'checkout is slow', { trigger_id: '2.2.2' }));
    expect(await l.store.issues.pending(l.clock.now(), 10)).toHaveLength(2);
  });
});

describe('a response address', () => {
  it.each(['/investigate', '/issue', '/ask'])('that has expired does not fail %s', async (name) => {
    const l = await listening();
    const { url, sent } = await responseAddress(404);
    l.slack.next('views.open', { error: 'expired_trigger_id' });
    await l.give(command(name, '', { response_url: url }));
    // With its blocks, and as text.
    expect(sent).toHaveLength(2);
  });

  it('that nobody listens on does not fail a command either', async () => {
    const l = await listening();
    await l.give(command('/issue', 'nonsense'));
    expect(l.acks).toEqual([null]);
  });
});

describe('/issue', () => {
  it.each([
    '',
    'x',
    '0',
    '-1',
    '1.5',
    '99999999999999999',
    'show',
    'resolve',
    'mute 1 forever',
    'resolve 1 2',
  ])('“%s” is answered with an example of how it goes, without a call', async (text) => {
    const l = await listening();
    const { url, sent } = await responseAddress();
    await l.give(command('/dev-issue', text, { response_url: url }));
    expect(sent).toEqual([{ text: expect.stringMatching(/`\/dev-issue .+`/u), response_type: 'ephemeral' }]);
    expect(l.service.calls).toEqual([]);
  });

  it.each(['12', '#12', 'show 12', 'SHOW #12', ' 12 '])(
    '“%s” asks the service for number 12',
    async (text) => {
      const l = await listening();
      const { url, sent } = await responseAddress();
      await l.give(command('/issue', text, { response_url: url }));
      expect(sent.map((one) => one.text)).toEqual([
        'There is no issue 12. The number is on the issue’s card.',
      ]);
    },
  );

  it.each(['12', 'list', 'results 12', 'resolve 12'])(
    '“%s” says what to do where the service fails, and is done',
    async (text) => {
      const l = await listening();
      const { url, sent } = await responseAddress();
      l.service.break('', rejected(500, 'boom', 'api_error'));
      await l.give(command('/issue', text, { response_url: url }));
      expect(sent).toEqual([{ text: expect.stringMatching(/^⚠️ /), response_type: 'ephemeral' }]);
    },
  );
});

describe('/gumshoe', () => {
  it('runs the short commands where another app has taken their names', async () => {
    const l = await listening();
    const { url, sent } = await responseAddress();
    await l.give(command('/dev-gumshoe', 'issue 12', { response_url: url }));
    await l.give(command('/dev-gumshoe', 'issue resolve', { response_url: url }));
    await l.give(command('/dev-gumshoe', 'Ask', { response_url: url }));
    await l.give(command('/dev-gumshoe', 'investigate checkout is slow env:stg'));
    expect(sent.map(({ text }) => text.split('\n').at(-1))).toEqual([
      'There is no issue 12. The number is on the issue’s card.',
      '`/dev-gumshoe issue resolve 12`',
      '`/dev-gumshoe ask which services are failing right now?`',
    ]);
    expect(await l.store.issues.pending(l.clock.now(), 10)).toMatchObject([
      { title: 'checkout is slow', environment: 'staging', requestedBy: 'U1' },
    ]);
  });
});
