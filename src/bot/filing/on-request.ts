import type { Alert, Severity } from '../alerts/types.ts';
import type { AlertRow } from '../store/alerts.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { type AlertIdentity, alertIdentity } from './alert-identity.ts';
import { recordDecision } from './consider.ts';
import { fileAlert } from './file.ts';
import { type LimitReached, limitReached, type PersonLimit } from './person-limit.ts';
import { countRepeat, wantShortCard } from './repeat.ts';
import type { ChannelMessage, DecideOptions } from './seen.ts';
import { answerSuggestions } from './suggest.ts';

/** What came of a person's wish to have a message filed. */
export type Requested =
  /** A new issue; counted for the open one of the same alert; or it belonged to that issue before anybody asked. */
  | { became: 'filed' | 'counted' | 'already'; issueId: string }
  /** They have filed as many as they may. */
  | { became: 'refused'; limit: LimitReached };

/** What a person made of a message before it was filed; `null` for what they left empty. */
export type IssueEdit = Pick<Alert, 'service' | 'alertUrl' | 'host' | 'errorMessage'> & {
  title: string;
  description: string;
  severity: Severity;
  environment: string;
};

type Options = DecideOptions & PersonLimit & { store: Store };

/**
 * Files a message because a person asks for it: *File it*, *Investigate this*, 🔍. Neither the channel's rules nor its
 * budget nor a pause stand against that, only the person's own limit; an open issue of the same alert takes it in. The same wish again, also
 * of somebody else, changes nothing.
 */
export function fileOnRequest(
  seen: ChannelMessage,
  by: string,
  options: Options,
  edit: IssueEdit | null = null,
): Promise<Requested> {
  return options.store.transaction(async (tx) => {
    const now = options.clock.now();
    const row = await tx.alerts.find(seen.channel, seen.ts);
    const before = await issueOfRow(tx, row);
    // With an edit, what was filed once is filed anew when its issue is closed.
    if (before && (before.isOpen === 1 || edit === null)) return { issueId: before.id, became: 'already' };
    const { settings } = await tx.channels.get(seen.channel);
    const problem = await alertIdentity(tx, seen.alert, settings, options.defaultEnvironment);
    const open = problem === null ? null : await tx.issues.openByIdentity(problem.identity);
    if (open) return takeIn(tx, { seen, by, problem, open, now });
    const limit = await limitReached(tx, by, options, now);
    if (limit) return { became: 'refused', limit };
    const issueId = await fileAlert(
      tx,
      {
        ...seen,
        ...(row?.issueId == null ? {} : { again: String(now) }),
        alert: edit === null ? seen.alert : { ...seen.alert, ...edit },
        problem,
        requestedBy: by,
        eyes: true,
      },
      settings,
      options,
    );
    const decided = { decision: 'filed', reason: 'a person asked for it', issueId } as const;
    await recordDecision(tx, seen, problem, decided, now);
    await tx.audit.add({ at: now, who: by, what: 'filed it', issueId });
    await answerSuggestions(tx, seen, problem?.identity ?? null, { issueId, by, counted: false });
    return { issueId, became: 'filed' };
  });
}

interface TakeIn {
  seen: ChannelMessage;
  by: string;
  problem: AlertIdentity | null;
  open: Issue;
  now: number;
}

async function takeIn(tx: Aggregates, { seen, by, problem, open, now }: TakeIn): Promise<Requested> {
  // A recovery or an acknowledgement is no firing that could be counted.
  if (seen.alert.kind !== 'firing') return { issueId: open.id, became: 'already' };
  await countRepeat(tx, open, problem, now);
  await wantShortCard(tx, seen, open, now);
  const reason = 'requested by a person; the same alert already has an open issue';
  await recordDecision(tx, seen, problem, { decision: 'repeat', reason, issueId: open.id }, now);
  await tx.audit.add({ at: now, who: by, what: 'counted a message for it', issueId: open.id });
  await answerSuggestions(tx, seen, open.identity, { issueId: open.id, by, counted: true });
  return { issueId: open.id, became: 'counted' };
}

/** The issue that a message belongs to already, or would be counted for; open or, of its own, closed since. */
export async function issueOfMessage(
  seen: ChannelMessage,
  options: Pick<Options, 'store' | 'defaultEnvironment'>,
): Promise<Issue | null> {
  const { store, defaultEnvironment } = options;
  const own = await issueOfRow(store, await store.alerts.find(seen.channel, seen.ts));
  if (own?.isOpen === 1) return own;
  const { settings } = await store.channels.get(seen.channel);
  const problem = await alertIdentity(store, seen.alert, settings, defaultEnvironment);
  return (problem === null ? null : await store.issues.openByIdentity(problem.identity)) ?? own;
}

/** `null` too for an issue that was deleted at the service. */
async function issueOfRow(tx: Pick<Aggregates, 'issues'>, row: AlertRow | null): Promise<Issue | null> {
  if (row?.issueId == null || (row.decision !== 'filed' && row.decision !== 'repeat')) return null;
  const issue = await tx.issues.get(row.issueId);
  return issue?.state === 'gone' ? null : issue;
}
