import type { Selectable, Updateable } from 'kysely';
import { AT_ONCE } from './due.ts';
import type { Tables } from './tables.ts';

type Issue = Selectable<Tables['issues']>;

/**
 * A change of an issue: the states it is allowed in, and the columns it sets.
 *
 * @example
 * if (!(await tx.issues.apply(id, transitions.attemptCreate(now)))) return; // it is no longer pending
 */
export interface Transition {
  readonly from: readonly Issue['state'][];
  readonly set: Updateable<Tables['issues']>;
}

/** Who did something, and when, in milliseconds. */
export interface Act {
  by: string;
  at: number;
}

/** What an investigation found, to compare it with others. */
type Found = Pick<Issue, 'cause'>;

const ANY = ['pending', 'created', 'failed', 'gone'] as const;

function lastAction({ by, at }: Act, what: string) {
  return { lastAction: JSON.stringify({ userId: by, what, at }) };
}

/**
 * Every change of an issue after it was added. The store applies one only if the issue's state allows it, so late or
 * repeated events change nothing.
 *
 * | from    | transition                                     | to      |
 * | ------- | ---------------------------------------------- | ------- |
 * | pending | attemptCreate · postponeCreate · awaitService  | pending |
 * | pending | markCreated                                    | created |
 * | pending | fail                                           | failed  |
 * | failed  | retry                                          | pending |
 * | created | observe · announceEnd · setStatus · wantStatus · statusPushed · statusNotPushed · postponeStatus · muteUntil · endMute · reopen · lookAnew · lookBegun · endForAnother | created |
 * | created | markGone                                       | gone    |
 * | any     | markDeleted                                    | gone    |
 *
 * The others (repeats, recoveries, notes, attachments, incidents) leave the state as it is. A created issue's `status` is the
 * service's (contract, 3); `wantedStatus` is still to be sent to the service.
 */
export const transitions = {
  /** The create call is about to be sent: from now on the issue may exist at the service. */
  attemptCreate: (at: number): Transition => ({ from: ['pending'], set: { attemptedAt: at } }),

  /** The create call failed and is retried at `nextAt`. */
  postponeCreate: (
    issue: Issue,
    next: { failure: string; nextAt: number; isCertainlyNotSent: boolean },
  ): Transition => ({ from: ['pending'], set: afterAttempt(issue, next) }),

  /** Nothing was sent, since the service is failing for everybody: the issue keeps its place in the queue. */
  awaitService: (issue: Issue, failure: string): Transition => ({
    from: ['pending'],
    set: { failure: issue.failure ?? failure, ...(issue.attemptedAt === null ? { attemptedAt: null } : {}) },
  }),

  markCreated: (
    created: { uuid: string; number: number; status: string; version: number },
    at: number,
  ): Transition => ({
    from: ['pending'],
    set: { ...created, state: 'created', failure: null, statusSince: at, investigatingSince: at },
  }),

  /** It will never be created; the next alert is filed as a new issue. */
  fail: (
    issue: Issue,
    last: { failure: string; nextAt: number; isCertainlyNotSent: boolean },
  ): Transition => ({
    from: ['pending'],
    set: { ...afterAttempt(issue, last), state: 'failed', isOpen: false },
  }),

  /** Its stored request is damaged: it was not and will not be sent. */
  failDamaged: (failure: string): Transition => ({
    from: ['pending'],
    set: { state: 'failed', isOpen: false, failure },
  }),

  /** Somebody wants a retry. Not `isOpen` if a newer issue has taken its identity. */
  retry: (act: Act, isOpen: boolean): Transition => ({
    from: ['failed'],
    set: {
      state: 'pending',
      isOpen,
      failure: null,
      attempts: 0,
      nextAt: AT_ONCE,
      ...lastAction(act, 'tried again'),
    },
  }),

  /** The service no longer has it. */
  markGone: (at: number): Transition => ({
    from: ['created'],
    set: { state: 'gone', watched: false, isOpen: false, statusSince: at },
  }),

  markDeleted: (act: Act): Transition => ({
    from: ANY,
    set: {
      state: 'gone',
      isOpen: false,
      watched: false,
      statusSince: act.at,
      wantedStatus: null,
      ...lastAction(act, 'deleted it'),
    },
  }),

  /** The issue's state at the service, no matter who changed it. */
  observe: (seen: Observation, at: number): Transition => ({
    from: ['created'],
    set: {
      checkedAt: at,
      number: seen.number,
      ...(seen.title ? { title: seen.title } : {}),
      ...(seen.severity ? { severity: seen.severity } : {}),
      ...(seen.environment ? { environment: seen.environment } : {}),
      ...(seen.isWatchedEnough ? { watched: false } : {}),
      ...(seen.isOurStatus ? {} : { ourStatus: null }),
      ...(seen.changed === null
        ? {}
        : {
            status: seen.changed.status,
            statusSince: at,
            version: seen.changed.version,
            isOpen: seen.changed.isOpen,
            failure: null,
            ...(seen.changed.statusBefore === null ? {} : { statusBefore: seen.changed.statusBefore }),
            ...(seen.changed.status === 'muted' ? {} : { mutedUntil: null }),
            ...(seen.changed.isNewVersion ? { investigatingSince: at } : {}),
          }),
    },
  }),

  /** The end of this version's investigation was announced in Slack. */
  announceEnd: (version: number, found: Partial<Found> = {}): Transition => ({
    from: ['created'],
    set: { endedVersion: version, ...found },
  }),

  /** It becomes a symptom of another issue's incident, or an issue of its own (again). */
  joinIncident: (head: string | null): Transition => ({ from: ANY, set: { symptomOf: head } }),

  /** Somebody changed its status, and the service accepted it. */
  setStatus: (change: StatusSet, act: Act): Transition => ({
    from: ['created'],
    set: {
      status: change.status,
      statusSince: act.at,
      ourStatus: change.status,
      isOpen: change.isOpen,
      watched: true,
      ...lastAction(act, change.what),
      wantedStatus: null,
      mutedUntil: change.mutedUntil,
      hidden: 0,
      ...(change.statusBefore === null ? {} : { statusBefore: change.statusBefore }),
      ...(change.newVersion === null ? {} : { ...change.newVersion, investigatingSince: act.at }),
    },
  }),

  /** A local status is to be sent to the service, with when a mute ends. */
  wantStatus: (status: string, mute: { mutedUntil?: number | null } = {}): Transition => ({
    from: ['created'],
    set: { wantedStatus: status, nextAt: AT_ONCE, ...mute },
  }),

  /** The service accepted the wanted status. */
  statusPushed: (issue: Issue, status: string, at: number): Transition => {
    const isResolved = status === 'resolved';
    return {
      from: ['created'],
      set: {
        wantedStatus: null,
        attempts: 0,
        failure: null,
        ourStatus: status,
        ...(isResolved ? { isOpen: false } : {}),
        ...(issue.status === status ? {} : { status, statusSince: at }),
        ...((isResolved || status === 'muted') && issue.status !== status && issue.status !== 'muted'
          ? { statusBefore: issue.status }
          : {}),
      },
    };
  },

  /** The service refused the wanted status; unless `isFinal`, it is retried at `nextAt`. */
  statusNotPushed: (
    issue: Issue,
    next: { failure: string; nextAt: number; isFinal: boolean },
  ): Transition => ({
    from: ['created'],
    set: {
      attempts: issue.attempts + 1,
      nextAt: next.nextAt,
      failure: next.failure,
      ...(next.isFinal ? { wantedStatus: null } : {}),
    },
  }),

  /** The wanted status has to wait for the service, like everything else; this is not a failure. */
  postponeStatus: (nextAt: number): Transition => ({ from: ['created'], set: { nextAt } }),

  /** Its mute ends then. */
  muteUntil: (mutedUntil: number): Transition => ({ from: ['created'], set: { mutedUntil } }),

  /** The mute has ended: the status to return to is sent to the service. */
  endMute: (status: string, note: string, at: number): Transition => ({
    from: ['created'],
    set: {
      wantedStatus: status,
      nextAt: AT_ONCE,
      mutedUntil: null,
      note: JSON.stringify({ text: note, at }),
    },
  }),

  /** Its alert fired again within the cool-down. Without the note, the card would only say who resolved it. */
  reopen: (status: string, note: string, at: number): Transition => ({
    from: ['created'],
    set: {
      isOpen: true,
      watched: true,
      status,
      statusSince: at,
      wantedStatus: status,
      nextAt: AT_ONCE,
      attempts: 0,
      note: JSON.stringify({ text: note, at }),
    },
  }),

  /** Its alert fired again after it was over: the service is to investigate it once more. */
  lookAnew: (issue: Issue, at: number): Transition => ({
    from: ['created'],
    set: {
      ...transitions.reopen(
        'investigating',
        'Fired again after it was over, so it is being investigated again',
        at,
      ).set,
      repeats: issue.repeats + 1,
      lastRepeatAt: at,
      recoveredAt: null,
      failure: null,
    },
  }),

  /** The service has begun the investigation that was wanted; it may give it its version at once, or when it ends. */
  lookBegun: (issue: Issue, seen: { status: string; version: number }, at: number): Transition => ({
    from: ['created'],
    set: {
      wantedStatus: null,
      attempts: 0,
      failure: null,
      status: seen.status,
      ourStatus: seen.status === 'investigating' ? seen.status : null,
      version: seen.version,
      endedVersion: Math.min(issue.endedVersion, seen.version - 1),
      investigatingSince: at,
    },
  }),

  /** Its alert recovered, which resolves the issue if the channel wants that. A webhook and the pull both say it. */
  recover: (issue: Issue, resolves: boolean, at: number): Transition => ({
    from: ANY,
    set: {
      recoveredAt: issue.recoveredAt ?? at,
      ...(resolves ? { wantedStatus: 'resolved' } : {}),
      // A pending issue keeps its retry time.
      ...(resolves && issue.state === 'created' ? { nextAt: AT_ONCE } : {}),
    },
  }),

  /**
   * Its alert fired again, which cancels a recovery that was to resolve it; if that may have reached the service, the
   * local status is sent again.
   */
  countRepeat: (issue: Issue, standing: string, at: number): Transition => ({
    from: ANY,
    set: {
      repeats: issue.repeats + 1,
      lastRepeatAt: at,
      recoveredAt: null,
      ...(issue.status === 'muted' ? { hidden: issue.hidden + 1 } : {}),
      ...(issue.wantedStatus === 'resolved' && issue.recoveredAt !== null
        ? overtakeRecovery(issue, standing)
        : {}),
    },
  }),

  /** Counts held repeats all at once; the issue's recovery, if any, is newer than them. */
  countHeld: (issue: Issue, held: { repeats: number; lastAt: number }): Transition => ({
    from: ANY,
    set: {
      repeats: issue.repeats + held.repeats,
      lastRepeatAt: Math.max(issue.lastRepeatAt ?? 0, held.lastAt),
    },
  }),

  /** Counts one message less, as if it had never arrived. */
  discountRepeat: (
    issue: Issue,
    left: { lastRepeatAt: number | null; wasHidden: boolean; raisedSeverity: string | null },
  ): Transition => ({
    from: ANY,
    set: {
      repeats: Math.max(0, issue.repeats - 1),
      lastRepeatAt: left.lastRepeatAt,
      hidden: Math.max(0, issue.hidden - (left.wasHidden ? 1 : 0)),
      raisedSeverity: left.raisedSeverity,
    },
  }),

  /** An escalation raises the severity shown on the card; only `discountRepeat` lowers it. */
  raiseSeverity: (severity: string): Transition => ({ from: ANY, set: { raisedSeverity: severity } }),

  /** What the tool has said about the alert since. */
  note: (note: { text: string; at: number; channel: string }): Transition => ({
    from: ANY,
    set: { note: JSON.stringify(note) },
  }),

  /** A person filed it from a held batch; `recoveredAt` is set if all of its alerts had recovered there. */
  releaseFromHold: (act: Act, hasRecovered: boolean, what = 'filed it'): Transition => ({
    from: ANY,
    set: { ...lastAction(act, what), ...(hasRecovered ? { recoveredAt: act.at } : {}) },
  }),

  /** It was split off from another issue. */
  splitFrom: (other: Issue): Transition => ({ from: ANY, set: { apartFrom: other.id } }),

  /** Its alert fired again with another cause, which is another issue: this one is over, and counts so many firings less. */
  endForAnother: (
    issue: Issue,
    { firings, overAt }: { firings: number; overAt: number },
    at: number,
  ): Transition => ({
    from: ['created'],
    set: {
      isOpen: false,
      status: 'resolved',
      statusSince: at,
      wantedStatus: 'resolved',
      nextAt: AT_ONCE,
      attempts: 0,
      recoveredAt: overAt,
      repeats: Math.max(0, issue.repeats - firings),
      note: null,
    },
  }),

  /** It was attached to another issue, which takes over its alerts. */
  attachTo: (issue: Issue, target: { id: string; what: string }, act: Act): Transition => {
    const resolves = issue.status !== 'resolved' && (issue.state === 'created' || issue.state === 'pending');
    return {
      from: ANY,
      set: {
        isOpen: false,
        joinedInto: target.id,
        symptomOf: null,
        repeats: 0,
        lastRepeatAt: null,
        mutedUntil: null,
        ...lastAction(act, target.what),
        ...(resolves ? { wantedStatus: 'resolved' } : {}),
        // A pending issue keeps its retry time.
        ...(resolves && issue.state === 'created' ? { nextAt: AT_ONCE, attempts: 0 } : {}),
      },
    };
  },

  /** Another issue was attached to it. */
  absorb: (taken: {
    identity: string | null;
    repeats: number;
    lastRepeatAt: number | null;
    raisedSeverity: string | null;
  }): Transition => ({ from: ANY, set: taken }),

  /** The message that starts its thread was posted: its card, or its alert's own, to which the request leads back then. */
  place: (channel: string, threadTs: string, request?: string): Transition => ({
    from: ANY,
    set: { channel, threadTs, ...(request === undefined ? {} : { request }) },
  }),
};

/** The state of an issue at the service, with what is known here. */
export interface Observation {
  number: number;
  title: string | null | undefined;
  severity: string | null | undefined;
  environment: string | null | undefined;
  /** The status is still the one we set. */
  isOurStatus: boolean;
  /** It has been resolved for long enough: stop watching it. */
  isWatchedEnough: boolean;
  /** `null` if status and version are unchanged. */
  changed: {
    status: string;
    version: number;
    isOpen: boolean;
    isNewVersion: boolean;
    /** The status before it was resolved or muted; `null` if that did not happen just now. */
    statusBefore: string | null;
  } | null;
}

export interface StatusSet {
  status: string;
  /** For the history: “resolved it”. */
  what: string;
  isOpen: boolean;
  mutedUntil: number | null;
  statusBefore: string | null;
  /** A new investigation has started. */
  newVersion: { version: number; endedVersion: number } | null;
}

function afterAttempt(issue: Issue, next: { failure: string; nextAt: number; isCertainlyNotSent: boolean }) {
  return {
    failure: next.failure,
    attempts: issue.attempts + 1,
    nextAt: next.nextAt,
    // An issue that was certainly not sent need not be looked up.
    ...(next.isCertainlyNotSent && issue.attemptedAt === null ? { attemptedAt: null } : {}),
  };
}

function overtakeRecovery(issue: Issue, standing: string) {
  return issue.attempts > 0
    ? { wantedStatus: standing, nextAt: AT_ONCE, attempts: 0, failure: null }
    : { wantedStatus: null };
}
