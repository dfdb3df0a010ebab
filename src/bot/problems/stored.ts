import type { Organization } from '../../contract/client/client.ts';
import type { StoredProblem } from '../store/problems.ts';

/**
 * The problems that are stored, because somebody is notified of them once, whichever process lives: `channel:<id>`,
 * `consent:<channel id>`, `scope:<scope>`, `alerts:unrouted`, and those of the investigation service.
 */
export const channelProblem = (channel: string) => `channel:${channel}`;
export const consentProblem = (channel: string) => `consent:${channel}`;
export const scopeProblem = (scope: string) => `scope:${scope}`;
/** Alerts are kept because no route names a channel. */
export const UNROUTED = 'alerts:unrouted';
/** The reason of a `consent:` problem. */
export const NO_CONSENT = 'no_consent';

/** The channel in which nothing can be posted; `null` for other problems. */
export const channelOf = (name: string): string | null => rest(name, 'channel:');
/** The private channel whose members have to agree; `null` for other problems. */
export const consentOf = (name: string): string | null => rest(name, 'consent:');
/** The scope that the app lacks; `null` for other problems. */
export const scopeOf = (name: string): string | null => rest(name, 'scope:');

/** Whether it is about Slack. */
export function isOfSlack(name: string): boolean {
  return [channelOf, consentOf, scopeOf].some((subjectOf) => subjectOf(name) !== null);
}

function rest(name: string, prefix: string): string | null {
  return name.startsWith(prefix) ? name.slice(prefix.length) : null;
}

/** Each organization's key is tracked separately: `service:key`, `private_service:key`. */
const PREFIXES: Record<Organization, string> = { default: 'service:', private: 'private_service:' };
const RIGHT = 'right:';

/** The name of a problem with the service: `key`, `right:<operation>`, `down`, … */
export const serviceProblem = (organization: Organization, kind: string) => PREFIXES[organization] + kind;
/** The key has no permission for an operation. */
export const rightProblem = (organization: Organization, operation: string) =>
  serviceProblem(organization, RIGHT + operation);
/** There are issues of the private organization, but no key for it. */
export const MISSING_KEY = serviceProblem('private', 'missing_key');

/** A problem with the service, and which organization's key it concerns. */
export interface ServiceProblem {
  organization: Organization;
  kind: string;
}

/** `null` if a problem is not about the service. */
export function serviceProblemOf(name: string): ServiceProblem | null {
  const organization = name.startsWith(PREFIXES.private) ? 'private' : 'default';
  const kind = rest(name, PREFIXES[organization]);
  return kind === null ? null : { organization, kind };
}

/** The operation that the key has no permission for; `null` for other problems. */
export function rightOf(name: string): string | null {
  return rest(serviceProblemOf(name)?.kind ?? '', RIGHT);
}

/** Whether the key itself is rejected. */
export function isOfKey(name: string): boolean {
  return serviceProblemOf(name)?.kind === 'key';
}

/** A stored problem: who can fix it, and its sentence. */
export function problemOf({ name, reason, since }: StoredProblem): Problem {
  const shared = { name, since, stopsDeliveries: false };
  const scope = scopeOf(name);
  const channel = channelOf(name) ?? consentOf(name);
  if (scope !== null) {
    const sentence = `the app lacks the Slack scope ${scope}; whatever needs it waits`;
    return { ...shared, fixedBy: 'admins', sentence, channel: null };
  }
  if (channel !== null) {
    const fixedBy = reason === NO_CONSENT ? 'members' : 'admins';
    return { ...shared, fixedBy, sentence: channelSentence(channel, reason), channel };
  }
  if (name === UNROUTED) {
    const sentence = `alerts from webhooks are kept ${sinceWords(since)}, because no route names a channel for them; add one to ALERT_ROUTES`;
    return { ...shared, fixedBy: 'operator', sentence, channel: null };
  }
  const fixedBy = isOfKey(name) || rightOf(name) !== null || name === MISSING_KEY ? 'operator' : 'nobody';
  return { ...shared, fixedBy, sentence: serviceSentence(name, reason, since), channel: null };
}

function channelSentence(channel: string, reason: string): string {
  return reason === NO_CONSENT
    ? `private channel ${channel} is not watched until a member agrees, with /gumshoe watch, that its issues may be named in answers elsewhere`
    : `cannot post in channel ${channel} (${reason}); messages are queued`;
}

const DOWN: Record<string, string> = {
  unreachable: 'has been unreachable',
  silent: 'has been timing out',
  failing: 'has been failing',
  busy: 'has been rate-limiting me',
  unreadable: 'has been sending answers I cannot read; check ISSUE_SERVICE_URL',
};

function serviceSentence(name: string, reason: string, since: number): string {
  const at = sinceWords(since);
  const isPrivate = serviceProblemOf(name)?.organization === 'private';
  const key = isPrivate ? 'the API key for private channels' : 'the API key';
  const variable = isPrivate ? 'ISSUE_SERVICE_PRIVATE_API_KEY' : 'ISSUE_SERVICE_API_KEY';
  if (name === MISSING_KEY) {
    return `issues of private channels have been unreachable ${at}: no API key for their organization; set ${variable}`;
  }
  if (isOfKey(name)) {
    return reason === '401'
      ? `the investigation service has rejected ${key} ${at}; check ${variable}`
      : `${key} has had no permissions at the investigation service ${at}; check them, or ${variable}`;
  }
  const right = rightOf(name);
  if (right !== null) {
    return `${key} has not been allowed ${right} at the investigation service ${at}; check its permissions`;
  }
  const down = (Object.hasOwn(DOWN, reason) && DOWN[reason]) || 'has been down';
  return `the investigation service ${down}${isPrivate ? ' for private channels' : ''} ${at}`;
}

function sinceWords(since: number): string {
  return `since ${new Date(since).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Who can fix a problem. `nobody`: it ends by itself, or with its cause. */
export type FixedBy = 'admins' | 'members' | 'operator' | 'nobody';

/** Something that does not work. */
export interface Problem {
  /** Stable: `service:down`, `channel:C0123456789`, `slack:connection` … */
  name: string;
  /** Milliseconds since the epoch. */
  since: number;
  fixedBy: FixedBy;
  /** One sentence without markup: what does not work and, if somebody can fix it, how. */
  sentence: string;
  /** The channel that it is about, whose name is only for those who may see it; `null` for none. */
  channel: string | null;
  /** Whether Slack's deliveries cannot be taken meanwhile. */
  stopsDeliveries: boolean;
}

/** For readers who may not know about the channels: only how many there are. */
export function publicSentences(problems: readonly Problem[]): string[] {
  const inChannels = problems.filter(({ channel }) => channel !== null);
  const unwatched = inChannels.filter(({ name }) => consentOf(name) !== null).length;
  const silent = inChannels.length - unwatched;
  return [
    ...problems.filter(({ channel }) => channel === null).map(({ sentence }) => sentence),
    ...(silent > 0 ? [`cannot post in ${counted(silent)}; messages are queued`] : []),
    ...(unwatched > 0
      ? [`not watching ${counted(unwatched, 'private ')}: a member has to agree first, with /gumshoe watch`]
      : []),
  ];
}

function counted(channels: number, kind = ''): string {
  return channels === 1 ? `1 ${kind}channel` : `${channels} ${kind}channels`;
}

/** For one person: problems of channels that they may not see are not among them. */
export async function sentencesFor(
  problems: readonly Problem[],
  { isAdmin, maySee }: { isAdmin: boolean; maySee: (channel: string) => Promise<boolean> },
): Promise<string[]> {
  const isVisible = await Promise.all(
    problems.map(async ({ channel }) => channel === null || isAdmin || maySee(channel)),
  );
  return problems.filter((_, index) => isVisible[index]).map(({ sentence }) => sentence);
}
