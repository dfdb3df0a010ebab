import type { Reason } from '../../store/reasons.ts';
import { count as many } from '../words.ts';

type Code = Extract<Reason, string>;
type Detailed = Exclude<Reason, string>;

const SENTENCES: Record<Code, string> = {
  new_alert: 'a new alert',
  already_open: 'the same alert already has an open issue',
  another_cause: 'it fired again after a recovery, with a different cause',
  no_problem: 'the message reports no problem',
  nothing_new: 'an edit that reports nothing new',
  decided_before: 'this message was decided before',
  noted_update: 'an update of an alert; noted on its card',
  edit_of_its_message: 'an edit of a message that belongs to its issue',
  needs_consent:
    'this private channel is not watched: no member has agreed that its issues may be named in answers elsewhere',
  external_author: 'written by a guest or somebody from another organization, who may not file',
  person_author: 'written by a person; this channel files only tools’ alerts automatically',
  persons_recovery: 'a person’s message is not taken as a recovery',
  not_included: 'the channel files only alerts matching one of its patterns, and none does',
  suggested: 'the channel is in suggest mode: the alert has a File it button',
  suggested_before: 'the channel is in suggest mode, and the same alert already has a File it button',
  over_before_suggested: 'the channel is in suggest mode, and it had already recovered when it arrived',
  recovered_noted: 'the alert recovered; noted on the card',
  recovered_resolved: 'the alert recovered, which resolves its issue (channel setting)',
  recovered_while_held: 'the alert recovered while it was held',
  recovered_while_suggested: 'the alert recovered before anybody filed it',
  no_open_issue: 'a recovery, but its alert has no open issue',
  late_recovery: 'a late recovery: the alert has fired again since',
  closed_since: 'arrived late: somebody has resolved its issue since',
  held_then_filed: 'a person filed it from the alerts that were held',
  plan_ended: 'it fired during planned work, and was still open when that ended',
  held_then_opened: 'held, then counted toward an issue opened since for the same alert',
  held_then_joined: 'held, then counted toward the same alert’s issue when somebody filed it',
  held_then_dismissed: 'held, then dismissed',
  held_then_recovered: 'held, and recovered while on hold',
  requested: 'a person asked for it',
  requested_open: 'requested by a person; the same alert already has an open issue',
  split_off: 'somebody split it off from the issue it was counted toward',
  parted: 'its sender’s other messages show that it is not the problem it was counted toward',
};

/** Why a decision was made, in words. Untrusted: it may name a channel's pattern. */
export function reasonWords(reason: Reason): string {
  return typeof reason === 'string' ? SENTENCES[reason] : detailedWords(reason);
}

function detailedWords(reason: Detailed): string {
  switch (reason.code) {
    case 'ambiguous_recovery':
      return `a recovery that could be of ${reason.count} open alerts of this sender: it fits several of them equally well, so none was resolved`;
    case 'excluded':
      return `the channel excludes alerts matching “${reason.pattern}”`;
    case 'below_minimum':
      return `${reason.severity} is below the channel’s minimum severity, ${reason.minimum}`;
    case 'fired_again': {
      const { minutes, coolDown } = reason;
      return `fired again ${many(minutes, 'minute')} after its issue was resolved, within the cool-down of ${coolDown}`;
    }
    case 'fired_anew':
      return `fired again ${many(reason.minutes, 'minute')} after it was over, so it is being investigated again`;
    case 'flapping':
      return `flapping: fired ${reason.times} times in ${many(reason.minutes, 'minute')}, so it is counted and not investigated again`;
    case 'attached': {
      const named = (number: string | null) => number ?? 'an issue without a number';
      return `somebody attached its issue, ${named(reason.issue)}, to ${named(reason.to)}`;
    }
    case 'held':
      return `held: ${heldWords(reason)}${reason.isOver ? '; it had already recovered when it arrived' : ''}`;
    case 'worded':
      return reason.text;
  }
}

function heldWords({ by, limit, minutes }: Extract<Detailed, { code: 'held' }>): string {
  switch (by) {
    case 'storm':
      return `${limit} or more alerts fired within a minute`;
    case 'budget':
      return `over the channel’s budget of ${limit} new issues in ${minutes} minutes`;
    case 'day':
      return `over the workspace’s limit of ${limit} new issues in 24 hours`;
    case 'paused':
      return 'filing is paused';
    case 'planned':
      return 'it belongs to planned work, and is filed if it is still open when that ends';
    case 'same':
      return 'the same alert is already on hold';
  }
}
