import { withReference } from '../../../../src/bot/filing/reference.ts';
import type { IssueSummary } from '../../../../src/contract/answers.ts';
import type { Organization } from '../../../../src/contract/client/client.ts';
import { uuidOf } from '../../../support/issues.ts';
import { issuing } from './issuing.ts';

/** Stands in the title and results of every issue here. */
export const SECRET = 'Zanzibar';
const REFERENCE = '0123456789abcdef0123';

const NOT_FOUND = { ok: false, error: 'channel_not_found' };

export const linkTo = (channel: string) => `https://acme.slack.com/archives/${channel}/p1700000000000100`;
/** A description as Gumshoe files it for a message of a channel; `null` for a command. */
export const filedFrom = (channel: string | null) =>
  withReference('It is slow', REFERENCE, channel === null ? null : linkTo(channel));

/**
 * A public channel and a private one with U0INSIDER in it, U0ADMIN who is an admin and in neither, and issues that only
 * the service knows of.
 */
export async function forgetting(options: Parameters<typeof issuing>[0] = {}) {
  const l = await issuing(options);
  l.slack.answers('conversations.info', ({ channel = '' }) =>
    channel.startsWith('C0') ? { channel: { is_private: channel !== 'C0OPEN', is_member: true } } : NOT_FOUND,
  );
  l.slack.answers('conversations.members', ({ channel }) =>
    channel === 'C0SECRET' ? { members: ['U0INSIDER'] } : NOT_FOUND,
  );
  l.slack.answers('views.open', {});
  const there = (
    number: number,
    description: string | undefined,
    more: { status?: string } = {},
    organization: Organization = 'default',
  ) => {
    const { issues, results } = organization === 'private' ? l.privateService : l.service;
    issues.set(uuidOf(number), {
      uuid: uuidOf(number),
      number,
      status: 'ready_to_fix',
      title: `${SECRET} ${number}`,
      ...(description === undefined ? {} : { description }),
      latestVersion: 1,
      ...more,
    });
    results.set(uuidOf(number), { rootCause: { rootCauseSummary: `${SECRET} was full` } });
  };
  /** What one of them does by a command, and all that they are told. */
  const attempt = async (user: string, text: string, channel = 'C1') => {
    const [told, asked] = [l.bodies.length, l.slack.calls.length];
    const [called, calledPrivate] = [l.service.calls.length, l.privateService.calls.length];
    await l.issue(text, { user_id: user, channel_id: channel });
    const opened = l.slack.calls.slice(asked).filter(({ method }) => method === 'views.open');
    return {
      shown: JSON.stringify([...l.bodies.slice(told), ...opened]),
      changed: l.service.calls.slice(called).filter(isChange),
      changedPrivate: l.privateService.calls.slice(calledPrivate).filter(isChange),
    };
  };
  return { ...l, there, attempt };
}

const isChange = (call: string) => /^(?:update|delete)/u.test(call);

/** An issue in the service's list. */
export function listed(number: number, description: string): IssueSummary {
  return {
    uuid: uuidOf(number),
    number,
    title: `${SECRET} ${number}`,
    description,
    severity: 'high',
    status: 'ready_to_fix',
    environment: 'production',
    triggeredAt: '2026-03-17T12:00Z',
    seedCount: 1,
  };
}
