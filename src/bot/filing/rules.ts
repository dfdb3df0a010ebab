import { excludedBy } from '../settings/patterns.ts';
import type { LookedForReason } from '../store/alerts.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import type { ChannelMessage, DecideOptions, DecisionResult } from './channel-message.ts';
import { type AlertIdentity, isMoreSevere } from './identity.ts';

export const MINUTE_MS = 60_000;
/** This many alerts within a minute are a storm, whatever the channel's budget. */
export const STORM = 10;

/** The reasons that no rule has a value for. */
export const NO_PROBLEM = 'the message reports no problem';
export const NEW_ALERT = 'a new alert';
export const ALREADY_OPEN = 'the same alert already has an open issue';
export const NEEDS_CONSENT =
  'this private channel is not watched: no member has agreed that its issues may be named in answers elsewhere';
export const PERSONS_RECOVERY = 'a person’s message is not taken as a recovery';
/** Of a recovery without an issue; its alert may still arrive if Slack delivers it later. */
export const UNFILED = 'no_open_issue' satisfies LookedForReason;
export const RESOLVES = 'the alert recovered, which resolves its issue (channel setting)';
export const NOTED = 'the alert recovered; noted on the card';
export const SUGGESTED = 'suggested' satisfies LookedForReason;
export const SUGGESTED_BEFORE = 'suggested_before' satisfies LookedForReason;

export function ignored(reason: string): DecisionResult {
  return { decision: 'ignored', reason, issueId: null };
}

/** Why an alert that fires is not even counted: its author, or the channel's patterns; `null` if it is. */
export function refused(seen: ChannelMessage, settings: ChannelSettings): DecisionResult | null {
  if (seen.byStranger === true) {
    return ignored('written by a guest or somebody from another organization, who may not file');
  }
  if (seen.byPerson && !settings.people) {
    return {
      ...ignored('written by a person; this channel files only tools’ alerts automatically'),
      offerToAuthor: true,
    };
  }
  const excluded = excludedBy(settings, seen);
  return excluded === null ? null : ignored(excluded);
}

/** Why an alert is not severe enough for an issue of its own; `null` if it is. */
export function tooMild(
  { severity }: AlertIdentity,
  { minimumSeverity }: ChannelSettings,
): DecisionResult | null {
  return isMoreSevere(minimumSeverity, severity)
    ? ignored(`${severity} is below the channel's minimum severity, ${minimumSeverity}`)
    : null;
}

/** Why one more new issue would be too many: a storm of problems, the channel's budget, or the day's limit. */
export function throttled(
  counts: { problemsInMinute: number; filedInWindow: number; filedInDay: number },
  { budget }: ChannelSettings,
  { maxIssuesPerDay }: Pick<DecideOptions, 'maxIssuesPerDay'>,
): 'storm' | 'budget' | 'day' | null {
  if (counts.problemsInMinute >= STORM) return 'storm';
  if (counts.filedInWindow >= budget.issues) return 'budget';
  return counts.filedInDay >= maxIssuesPerDay ? 'day' : null;
}

/** Why an alert is held, in words. */
export function heldBecause(
  reason: 'storm' | 'budget' | 'day' | 'paused',
  { budget }: ChannelSettings,
  { maxIssuesPerDay }: Pick<DecideOptions, 'maxIssuesPerDay'>,
): string {
  switch (reason) {
    case 'storm':
      return `held: ${STORM} or more alerts fired within a minute`;
    case 'budget':
      return `held: over the channel's budget of ${budget.issues} new issues in ${budget.minutes} minutes`;
    case 'day':
      return `held: over the workspace’s limit of ${maxIssuesPerDay} new issues in 24 hours`;
    case 'paused':
      return 'held: filing is paused';
  }
}

/** The reason of an alert that reopens its issue, or `null` if its cool-down is over. */
export function firedAgain(
  resolvedAt: number,
  now: number,
  { coolDownMinutes }: ChannelSettings,
): string | null {
  if (now - resolvedAt > coolDownMinutes * MINUTE_MS) return null;
  const minutes = Math.round((now - resolvedAt) / MINUTE_MS);
  return `fired again ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} after its issue was resolved, within the cool-down of ${coolDownMinutes}`;
}
