import type { Selectable, Updateable } from 'kysely';
import type { Tables } from './tables.ts';

type Issue = Selectable<Tables['issues']>;

/** One change of an issue: the states in which it may happen, and the columns that it sets. */
export interface Transition {
  readonly from: readonly Issue['state'][];
  readonly set: Updateable<Tables['issues']>;
}

/** Who did something, and when, in milliseconds. */
export interface Act {
  by: string;
  at: number;
}

const ANY = ['pending', 'created', 'failed', 'gone'] as const;

function lastAction({ by, at }: Act, what: string) {
  return { lastAction: JSON.stringify({ userId: by, what, at }) };
}

/**
 * Every way in which an issue changes after it was added. The store applies one only where the issue is in a state that
 * allows it, so what arrives late or twice changes nothing.
 *
 * | from    | transition                                     | to      |
 * | ------- | ---------------------------------------------- | ------- |
 * | pending | attemptCreate · postponeCreate · awaitService  | pending |
 * | pending | markCreated                                    | created |
 * | pending | fail                                           | failed  |
 * | failed  | retry                                          | pending |
 * | created | observe · announceEnd · setStatus · wantStatus · statusPushed · statusNotPushed · postponeStatus · endMute · reopen | created |
 * | created | markGone                                       | gone    |
 * | any     | markDeleted                                    | gone    |
 *
 * The others (repeats, recoveries, notes, attachments) leave the state as it is. A created issue's `status` is the
 * service's own word (contract, 3); `wantedStatus` is what the service is still to be told.
 */
export const transitions = {
  /** The create call is about to be sent: from now on the issue may exist at the service. */
  attemptCreate: (at: number): Transition => ({ from: ['pending'], set: { attemptedAt: at } }),

  /** The create call failed; it is tried again at `nextAt`. */
  postponeCreate: (
    issue: Issue,
    next: { failure: string; nextAt: number; isCertainlyNotSent: boolean },
  ): Transition => ({ from: ['pending'], set: afterAttempt(issue, next) }),

  /** Nothing was sent, since the service fails for everybody: the issue keeps its place. */
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

  /** It will never be created: what fires next is filed again. */
  fail: (
    issue: Issue,
    last: { failure: string; nextAt: number; isCertainlyNotSent: boolean },
  ): Transition => ({
    from: ['pending'],
    set: { ...afterAttempt(issue, last), state: 'failed', isOpen: false },
  }),

  /** Its stored request is damaged: it was never sent, and never will be. */
  failDamaged: (failure: string): Transition => ({
    from: ['pending'],
    set: { state: 'failed', isOpen: false, failure },
  }),

  /** Somebody wants it tried again. Not `isOpen` where a newer issue has taken its identity. */
  retry: (act: Act, isOpen: boolean): Transition => ({
    from: ['failed'],
    set: {
      state: 'pending',
      isOpen,
      failure: null,
      attempts: 0,
      nextAt: act.at,
      ...lastAction(act, 'tried again'),
    },
  }),

  /** The service does not know it any more. */
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

  /** What the service says of it, whoever changed it. */
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

  /** The end of this version's investigation has been told in Slack. */
  announceEnd: (version: number): Transition => ({ from: ['created'], set: { endedVersion: version } }),

  /** Somebody changed its status, and the service has taken it. */
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

  /** The service is to be told a status that is here. */
  wantStatus: (status: string, at: number): Transition => ({
    from: ['created'],
    set: { wantedStatus: status, nextAt: at },
  }),

  /** The service has taken the status that was wanted. */
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
        ...(isResolved && issue.status !== status && issue.status !== 'muted'
          ? { statusBefore: issue.status }
          : {}),
      },
    };
  },

  /** The service did not take the wanted status; without `isFinal` it is told again at `nextAt`. */
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

  /** The wanted status waits for the service like everything else, which is no failure of its own. */
  postponeStatus: (nextAt: number): Transition => ({ from: ['created'], set: { nextAt } }),

  /** Its time is over: the service is to be told the status that it returns to. */
  endMute: (status: string, note: string, at: number): Transition => ({
    from: ['created'],
    set: { wantedStatus: status, nextAt: at, mutedUntil: null, note: JSON.stringify({ text: note, at }) },
  }),

  /** Its alert fired again within the cool-down. The note, or else the card would go on saying only who resolved it. */
  reopen: (status: string, note: string, at: number): Transition => ({
    from: ['created'],
    set: {
      isOpen: true,
      watched: true,
      status,
      statusSince: at,
      wantedStatus: status,
      nextAt: at,
      attempts: 0,
      note: JSON.stringify({ text: note, at }),
    },
  }),

  /** Its alert is over, which resolves it where the channel wants that. */
  recover: (issue: Issue, resolves: boolean, at: number): Transition => ({
    from: ANY,
    set: {
      recoveredAt: at,
      ...(resolves ? { wantedStatus: 'resolved' } : {}),
      // A pending issue keeps the time of its next try.
      ...(resolves && issue.state === 'created' ? { nextAt: at } : {}),
    },
  }),

  /** An alert that arrived after its own recovery: the recovery stands. */
  keepRecovery: (issue: Issue): Transition => ({ from: ANY, set: { recoveredAt: issue.recoveredAt } }),

  /**
   * Its alert fired once more. A recovery that was to resolve it is overtaken; where the service may have heard of that
   * already, it is told the status that is here.
   */
  countRepeat: (issue: Issue, standing: string, at: number): Transition => ({
    from: ANY,
    set: {
      lastRepeatAt: at,
      ...(issue.status === 'muted' ? { hidden: issue.hidden + 1 } : {}),
      ...(issue.wantedStatus === 'resolved' && issue.recoveredAt !== null
        ? overtakeRecovery(issue, standing, at)
        : {}),
    },
  }),

  /** Repeats that were held are counted all at once; what it says of its recovery is newer than they are. */
  countHeld: (issue: Issue, held: { repeats: number; lastAt: number }): Transition => ({
    from: ANY,
    set: {
      repeats: issue.repeats + held.repeats,
      lastRepeatAt: Math.max(issue.lastRepeatAt ?? 0, held.lastAt),
    },
  }),

  /** It counts one message less, as if that had never come. */
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

  /** An escalation raises the severity that the card shows; nothing but `discountRepeat` lowers it. */
  raiseSeverity: (severity: string): Transition => ({ from: ANY, set: { raisedSeverity: severity } }),

  /** What the tool said of the alert meanwhile. */
  note: (note: { text: string; at: number; channel: string }): Transition => ({
    from: ANY,
    set: { note: JSON.stringify(note) },
  }),

  /** It was filed from a held batch, by a person; `recoveredAt` where all of its alerts had recovered there. */
  releaseFromHold: (act: Act, hasRecovered: boolean): Transition => ({
    from: ANY,
    set: { ...lastAction(act, 'filed it'), ...(hasRecovered ? { recoveredAt: act.at } : {}) },
  }),

  /** It was split off from another issue. */
  splitFrom: (other: Issue): Transition => ({ from: ANY, set: { apartFrom: other.id } }),

  /** It was attached to another issue, which counts for it from now on. */
  attachTo: (issue: Issue, target: { id: string; what: string }, act: Act): Transition => {
    const resolves = issue.status !== 'resolved' && (issue.state === 'created' || issue.state === 'pending');
    return {
      from: ANY,
      set: {
        isOpen: false,
        joinedInto: target.id,
        repeats: 0,
        lastRepeatAt: null,
        mutedUntil: null,
        ...lastAction(act, target.what),
        ...(resolves ? { wantedStatus: 'resolved' } : {}),
        // A pending issue keeps the time of its next try.
        ...(resolves && issue.state === 'created' ? { nextAt: act.at, attempts: 0 } : {}),
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

  /** Its card, which starts its thread, has been posted. */
  place: (channel: string, threadTs: string): Transition => ({ from: ANY, set: { channel, threadTs } }),
};

/** What the service says of an issue, next to what is known here. */
export interface Observation {
  number: number;
  title: string | null | undefined;
  severity: string | null | undefined;
  environment: string | null | undefined;
  /** The status is still the one that we set. */
  isOurStatus: boolean;
  /** It has been resolved for long: nobody looks at it any more. */
  isWatchedEnough: boolean;
  /** `null` where status and version are as known. */
  changed: {
    status: string;
    version: number;
    isOpen: boolean;
    isNewVersion: boolean;
    /** The status that it had before it was resolved or muted; `null` if it was not, just now. */
    statusBefore: string | null;
  } | null;
}

/** A status that a person set. */
export interface StatusSet {
  status: string;
  /** For its history: “resolved it”. */
  what: string;
  isOpen: boolean;
  mutedUntil: number | null;
  statusBefore: string | null;
  /** A new investigation has begun. */
  newVersion: { version: number; endedVersion: number } | null;
}

function afterAttempt(issue: Issue, next: { failure: string; nextAt: number; isCertainlyNotSent: boolean }) {
  return {
    failure: next.failure,
    attempts: issue.attempts + 1,
    nextAt: next.nextAt,
    // What certainly did not happen need not be searched for.
    ...(next.isCertainlyNotSent && issue.attemptedAt === null ? { attemptedAt: null } : {}),
  };
}

function overtakeRecovery(issue: Issue, standing: string, at: number) {
  return issue.attempts > 0
    ? { wantedStatus: standing, nextAt: at, attempts: 0, failure: null }
    : { wantedStatus: null };
}
