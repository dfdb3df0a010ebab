import { excludedBy } from '../settings/patterns.ts';
import { isMoreSevere } from '../shared/severity.ts';
import type { Hold } from '../store/holds.ts';
import type { Reason } from '../store/reasons.ts';
import type { Facts, NewAlert, OpenIssue, ResolvedIssue } from './facts.ts';
import type { AlertIdentity } from './identity.ts';
import { heldReason, MINUTE_MS, STORM, throttled } from './limits.ts';
import { ofReport } from './of-report.ts';
import { type Action, ignored, NOTHING, type Outcome, outcome } from './outcome.ts';
import type { Looks } from './recover.ts';

/**
 * What becomes of an occurrence. Filing, the dry run and *Why was this filed?* all ask here, so what is previewed is what
 * happens. A report that is about a new firing is decided like a message, since it gets one.
 *
 * @example
 * const facts = await gather(tx, occurrence, { ...options, needsConsent: false }, null);
 * decide(facts); // { decision: 'filed', reason: 'new_alert', action: { kind: 'file', eyes: true }, … }
 */
export function decide(facts: Facts): Outcome {
  if (facts.report === null) return ofMessage(facts);
  const { settled, receipt } = ofReport(facts, facts.report);
  if (settled !== null) return { ...settled, receipt };
  const decided = ofMessage(facts);
  if (!receipt.isPosted) return { ...decided, isRecorded: false, receipt };
  return { ...decided, receipt: decided.isRecorded ? receipt : { ...receipt, state: 'waiting' } };
}

/** What becomes of a message: the rules, in order. */
function ofMessage(facts: Facts): Outcome {
  const { seen, earlier, identity, settings, recoveredAt, about } = facts;
  if (facts.needsConsent) return skip('needs_consent', null);
  // Not recorded: if it overtook the message itself, that one is still to be decided.
  if (seen.edited && seen.alert.kind === 'not_an_alert' && seen.note === null)
    return skip('nothing_new', null);
  if (earlier !== null && (!seen.edited || reportsTheSame(earlier, facts))) {
    return skip('decided_before', earlier.issueId);
  }
  if (seen.alert.kind === 'not_an_alert' || identity === null) return noted(facts);
  if (seen.alert.kind === 'resolved') {
    if (seen.byPerson) return ignored('persons_recovery');
    if (facts.asNear !== null) return ignored({ code: 'ambiguous_recovery', count: facts.asNear });
    return about.kind === 'open' ? recovered(about) : endsUnfiled(about);
  }
  const refusal = refused(facts);
  if (refusal !== null) return refusal;
  if (about.kind === 'open') return { ...again(facts, about), recoveredAt };
  if (isMoreSevere(settings.minimumSeverity, identity.severity)) return ignored(tooMild(facts, identity));
  return about.kind === 'new' ? { ...fires(facts, about), recoveredAt } : ignored('no_problem');
}

function skip(reason: Reason, issueId: string | null): Outcome {
  return outcome('ignored', reason, issueId, NOTHING, { isRecorded: false });
}

/** An edit such as a link preview does not change what the message reports. */
function reportsTheSame(earlier: NonNullable<Facts['earlier']>, { seen: { alert } }: Facts): boolean {
  const { kind, fingerprint, severity } = alert;
  return earlier.kind === kind && earlier.fingerprint === fingerprint && earlier.severity === severity;
}

/** Acknowledgements, downtimes and updates are not alerts, but are noted on the issue's card. */
function noted({ seen, earlier, about }: Facts): Outcome {
  const isRecorded = earlier === null;
  if (seen.byPerson || seen.note === null || about.kind !== 'open') {
    return outcome('not_an_alert', 'no_problem', earlier?.issueId ?? null, NOTHING, { isRecorded });
  }
  return outcome('not_an_alert', 'noted_update', about.id, { kind: 'note', text: seen.note }, { isRecorded });
}

function recovered({ id, status, onRecovery, isSteered, hasFiredSince }: OpenIssue): Outcome {
  if (hasFiredSince) return ignored('late_recovery');
  const resolves = onRecovery === 'resolve' && status !== 'resolved' && !isSteered;
  const reason = resolves ? 'recovered_resolved' : 'recovered_noted';
  return outcome('recovered', reason, id, { kind: 'recover', resolves });
}

/** A recovery of an alert that was never filed: it is no longer held or suggested. */
function endsUnfiled(about: Facts['about']): Outcome {
  if (about.kind !== 'unfiled') return ignored('no_open_issue');
  const action: Action = { kind: 'end_unfiled', unfiled: about };
  if (about.held.length > 0) return outcome('recovered', 'recovered_while_held', null, action);
  if (about.suggested.length > 0) return outcome('recovered', 'recovered_while_suggested', null, action);
  return ignored(about.firesAgain ? 'late_recovery' : 'no_open_issue');
}

/** Why an alert that fires is not even counted: its author, or the channel's patterns; `null` if it is. */
function refused({ seen, settings }: Facts): Outcome | null {
  if (seen.byExternalUser === true) return ignored('external_author');
  if (seen.byPerson && !settings.people) return ignored('person_author', { offerToAuthor: true });
  const excluded = excludedBy(settings, seen);
  return excluded === null ? null : ignored(excluded);
}

function tooMild({ settings }: Facts, { severity }: AlertIdentity): Reason {
  return { code: 'below_minimum', severity, minimum: settings.minimumSeverity };
}

function again({ earlier, recoveredAt, now }: Facts, open: OpenIssue): Outcome {
  const { looks } = open;
  const counted = outcome('repeat', 'already_open', open.id, { kind: 'count' });
  // One that its own recovery has overtaken is of the episode that is over.
  if (looks.recoveredAt !== null)
    return recoveredAt === null ? anew(looks, looks.recoveredAt, now, counted) : counted;
  if (earlier === null || earlier.issueId !== open.id) return counted;
  const decision = earlier.decision === 'repeat' ? 'repeat' : 'filed';
  return outcome(decision, 'edit_of_its_message', open.id, { kind: 'escalate' });
}

/** So many firings of one alert are investigated within its cool-down; what fires more often is flapping. */
const MOST_LOOKS = 2;

/**
 * It was over, and fires again: its issue is investigated again, once the recovery has held. While that runs, while it is
 * muted, and where it is flapping, it is only counted.
 */
function anew(looks: Looks, overAt: number, now: number, counted: Outcome): Outcome {
  const hasHeld = looks.recoveredAt === null || now - looks.recoveredAt >= looks.recoveryMinutes * MINUTE_MS;
  if (!hasHeld || !looks.isFree) return counted;
  const { episodes, recent, coolDownMinutes: minutes } = looks;
  if (recent >= MOST_LOOKS) return { ...counted, reason: { code: 'flapping', times: episodes + 1, minutes } };
  const reason: Reason = { code: 'fired_anew', minutes: Math.round((now - overAt) / MINUTE_MS) };
  return { ...counted, reason, action: { kind: 'look_anew' } };
}

/** An alert without an open issue. */
function fires(facts: Facts, about: NewAlert): Outcome {
  const { settings, now } = facts;
  if (about.heldIn !== null) {
    return held(facts, 'same', { kind: 'join_hold', holdId: about.heldIn });
  }
  if (about.paused) return held(facts, 'paused', { kind: 'hold', by: 'paused' });
  if (about.plan !== null) return held(facts, 'planned', { kind: 'hold', by: 'planned' });
  const returned = about.resolved === null ? null : comesBack(about.resolved, now);
  if (returned !== null) return returned;
  if (settings.mode === 'suggest') return suggested(facts, about);
  const flood = throttled(about.counts, settings, facts);
  if (flood !== null) return held(facts, flood, { kind: 'hold', by: flood });
  return outcome('filed', 'new_alert', null, { kind: 'file', eyes: !about.isStorming });
}

function held(facts: Facts, by: Hold['reason'] | 'same', action: Action): Outcome {
  const reason = heldReason(by, facts.settings, facts, facts.recoveredAt !== null);
  return outcome('held', reason, null, action);
}

/**
 * The last issue of an alert that fires again is reopened within the cool-down. An alert posted before somebody resolved the
 * issue, but delivered after that, reopens nothing.
 */
function comesBack({ id, at, looks, isSteered }: ResolvedIssue, now: number): Outcome | null {
  if (isSteered) return outcome('repeat', 'closed_since', id, { kind: 'count' });
  const { coolDownMinutes: coolDown } = looks;
  if (now - at > coolDown * MINUTE_MS) return null;
  const minutes = Math.round((now - at) / MINUTE_MS);
  const reason: Reason = { code: 'fired_again', minutes, coolDown };
  return anew(looks, at, now, outcome('repeat', reason, id, { kind: 'reopen' }));
}

/** In suggest mode: a *File it* button under the alert, once per firing alert. In a storm, buttons would flood the channel. */
function suggested(facts: Facts, { offered }: NewAlert): Outcome {
  // A button to file something that is over would only have to be removed again.
  if (facts.recoveredAt !== null) return ignored('over_before_suggested');
  const { before } = offered;
  if (before !== null) {
    // It had recovered and fires again: its button comes back.
    const action: Action = before.isWithdrawn
      ? { kind: 'suggest_again', row: before.row, ts: before.ts }
      : NOTHING;
    return outcome('ignored', 'suggested_before', null, action);
  }
  if (offered.inMinute >= STORM) return held(facts, 'storm', { kind: 'hold', by: 'storm' });
  return outcome('ignored', 'suggested', null, { kind: 'suggest' });
}
