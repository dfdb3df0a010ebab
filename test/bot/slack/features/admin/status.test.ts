import { describe, expect, it } from 'vitest';
import { channelProblem, problemOf } from '../../../../../src/bot/problems/stored.ts';
import type { RuntimeStatus } from '../../../../../src/bot/slack/status-tracker.ts';
import { ChannelSettings } from '../../../../../src/bot/store/channel-settings.ts';
import { addCreated } from '../../../../support/issues.ts';
import { listening, responseAddress } from '../../support/listening.ts';

const START = Date.parse('2026-11-20T08:00:00Z');

/** A moment as Slack is told it, with its clock time. */
const TIME = (clock: string) => new RegExp(`<!date\\^\\d+\\^[^|]*\\|2026-11-20 ${clock} UTC>`, 'u');

const broken = (channel: string, reason: string) =>
  problemOf({ name: channelProblem(channel), reason, since: START, detail: '' });

describe('/gumshoe status', () => {
  const running: RuntimeStatus = {
    version: '1.2.3',
    startedAt: START,
    slackSince: START + 60_000,
    service: [
      { part: 'issues', state: 'answers', since: START, calledAt: START + 120_000 },
      { part: 'query', state: 'held_back', since: START + 180_000, calledAt: null },
    ],
    polledAt: START + 240_000,
    problems: [
      {
        name: 'service:poll',
        since: START,
        fixedBy: 'nobody',
        sentence: 'the investigation service failed, 2 polls in a row',
        channel: null,
        stopsDeliveries: false,
      },
      broken('C1', 'is_archived'),
      broken('C0SECRET', 'not_in_channel'),
    ],
  };

  async function status(user: string, change: Partial<RuntimeStatus> = {}, channel_id = 'C1') {
    const l = await listening({ runtimeStatus: { ...running, ...change } });
    const { url, blocks } = await responseAddress();
    await l.store.channels.watch('C1', ChannelSettings.parse({}), '1.0');
    await l.store.channels.learn('C1', false);
    await l.store.channels.learn('C0SECRET', true);
    l.slack.answers('conversations.members', ({ channel }) =>
      channel === 'C0SECRET' ? { members: ['U0INSIDER'] } : { ok: false, error: 'channel_not_found' },
    );
    await addCreated(l.store, 0, { number: 12 });
    await l.store.flags.pause({ by: 'U2', at: START });
    const digest = { channel: 'C1', days: '1', time: '09:00', zone: 'Etc/UTC' };
    await l.store.digests.save({ ...digest, nextAt: START });
    await l.give({
      command: '/gumshoe',
      text: 'status',
      team_id: 'T1',
      channel_id,
      user_id: user,
      trigger_id: '1.2.3',
      response_url: url,
    });
    return blocks.join();
  }

  it('tells everybody of this channel, and what fails', async () => {
    const words = await status('U1');
    expect(words).toContain('something needs attention');
    expect(words).toContain('Filing is paused in all channels (by <@U2>');
    expect(words).toContain('⚠️ the investigation service failed, 2 polls in a row');
    expect(words).toContain('*In <#C1>*\\n• Watched: new alerts are picked up\\n• 1 open issue\\n');
    expect(words).toContain('• Budget: 0 of 10 new issues in 10 minutes used');
    expect(words).toContain('• Digest: Monday at 09:00 (Etc/UTC), next one <!date');
    expect(words).not.toContain('Version');
    expect(words).not.toContain('Slack: connected');
  });

  it.each([
    ['U1', /in channel C1 \(is_archived\)/u, /C0SECRET/u],
    ['U0INSIDER', /in channel C0SECRET \(not_in_channel\)/u, null],
    ['U0ADMIN', /in channel C0SECRET \(not_in_channel\)/u, null],
  ])(
    'tells %s of the channels in trouble that they may see, and of no others',
    async (user, said, unsaid) => {
      const words = await status(user);
      expect(words).toMatch(said);
      if (unsaid !== null) expect(words).not.toMatch(unsaid);
    },
  );

  it('is well for whoever may not see the only channel in trouble', async () => {
    const problems = [broken('C0SECRET', 'is_archived')];
    expect(await status('U1', { problems })).toContain('🟢 Gumshoe is up.');
    expect(await status('U0INSIDER', { problems })).toContain('something needs attention');
  });

  it('tells admins of the program too', async () => {
    const words = await status('U0ADMIN');
    expect(words).toMatch(new RegExp(`• Slack: connected since ${TIME('08:01').source}`, 'u'));
    expect(words).toMatch(new RegExp(`service, issues: up, last called ${TIME('08:02').source}`, 'u'));
    expect(words).toMatch(
      new RegExp(
        `service, questions: ⚠️ failed too often, not called since ${TIME('08:03').source}; retried`,
        'u',
      ),
    );
    expect(words).toMatch(new RegExp(`Investigations: last polled ${TIME('08:04').source}`, 'u'));
    expect(words).toContain('• 0 messages to send · 0 deliveries to handle · 0 issues to file');
    expect(words).toContain(
      'of 500 new issues from alerts in 24 hours used, symptoms not counted · 2 watched channels',
    );
    expect(words).toContain('• Version 1.2.3, running since');
  });

  it('in a conversation of two has no channel to tell of', async () => {
    const words = await status('U1', { problems: [] }, 'D1');
    expect(words).not.toContain('*In ');
    expect(words).not.toContain('Budget');
  });

  it('says that Slack is disconnected, and that all is well where it is', async () => {
    const words = await status('U0ADMIN', {
      slackSince: null,
      problems: [],
      service: [],
      polledAt: null,
    });
    expect(words).toContain('something needs attention');
    expect(words).toContain('• ⚠️ Slack is disconnected');
    expect(words).toContain('• Investigation service: not called yet');
    expect(words).toContain('• Investigations: not polled yet');
    expect(await status('U1', { problems: [] })).toContain('🟢 Gumshoe is up.');
  });
});
