import type { Selectable } from 'kysely';
import { z } from 'zod';
import { decodeStored } from '../../lib/decode-stored.ts';
import { parseVoteKey } from '../shared/vote-subject.ts';
import type { Database, Tables } from './tables.ts';

/** An issue of a channel, and what became of its alert. */
export type HygieneIssue = Pick<
  Selectable<Tables['issues']>,
  'id' | 'title' | 'service' | 'status' | 'hidden' | 'joinedInto' | 'symptomOf'
> & {
  /** Whether anybody did something with it: steered it, ticked a step, voted, noted, asked, made a ticket. */
  isTouched: boolean;
  isVotedDown: boolean;
};

/** A firing or a recovery of an issue's alert, in milliseconds. */
export interface HygieneAlert {
  issueId: string;
  isFiring: boolean;
  at: number;
}

const MOST_ALERTS = 20_000;
const MOST_ISSUES = 2_000;

const Reading = z.object({ alert: z.object({ kind: z.string(), triggeredAt: z.string().nullable() }) });

/** What the alerts of a channel came to. */
export function hygieneStore(db: Database) {
  return {
    /** The channel's newest alerts since then, oldest first, with their issues. */
    of: async (
      channel: string,
      since: number,
    ): Promise<{ alerts: HygieneAlert[]; issues: HygieneIssue[] }> => {
      const rows = await db
        .selectFrom('alerts')
        .select(['issueId', 'kind', 'decidedAt'])
        .where('channel', '=', channel)
        .where('decidedAt', '>', since)
        .where('decision', 'in', ['filed', 'repeat', 'recovered'])
        .orderBy('decidedAt', 'desc')
        .limit(MOST_ALERTS)
        .execute();
      const alerts = rows
        .reverse()
        .flatMap(({ issueId, kind, decidedAt }): HygieneAlert[] =>
          issueId === null ? [] : [{ issueId, isFiring: kind === 'firing', at: decidedAt }],
        );
      const ids = [...new Set(alerts.map(({ issueId }) => issueId))].slice(-MOST_ISSUES);
      if (ids.length === 0) return { alerts: [], issues: [] };
      const [issues, steps, notes, conversations, tickets, votes] = await Promise.all([
        db
          .selectFrom('issues')
          .select(['id', 'title', 'service', 'status', 'hidden', 'joinedInto', 'symptomOf', 'lastAction'])
          .select(['identity', 'createdAt'])
          .where('id', 'in', ids)
          .where('channel', '=', channel)
          .execute(),
        db.selectFrom('checklistSteps').select('issueId').distinct().where('issueId', 'in', ids).execute(),
        db.selectFrom('notes').select('issueId').distinct().where('issueId', 'in', ids).execute(),
        db.selectFrom('conversations').select('issueId').distinct().where('issueId', 'in', ids).execute(),
        db.selectFrom('tickets').select('issueId').distinct().where('issueId', 'in', ids).execute(),
        db
          .selectFrom('votes')
          .select(['subject', 'value'])
          .where('channel', '=', channel)
          .where('at', '>', since)
          .execute(),
      ]);
      const voted = votes.flatMap(({ subject, value }) => {
        const about = parseVoteKey(subject);
        return about !== null && 'issueId' in about ? [{ issueId: about.issueId, value }] : [];
      });
      const touched = new Set(
        [...steps, ...notes, ...conversations, ...tickets, ...voted].map(({ issueId }) => issueId),
      );
      const down = new Set(voted.filter(({ value }) => value < 0).map(({ issueId }) => issueId));
      return {
        alerts: [...alerts, ...(await withoutMessage(db, issues, since))].sort((a, b) => a.at - b.at),
        issues: issues.map(({ lastAction, identity: _, createdAt: __, ...issue }) => ({
          ...issue,
          isTouched: lastAction !== null || touched.has(issue.id),
          isVotedDown: down.has(issue.id),
        })),
      };
    },
  };
}

/** What webhooks and the pull told of issues' alerts that got no message of its own: firings once, however often they were sent. */
async function withoutMessage(
  db: Database,
  issues: readonly Pick<Selectable<Tables['issues']>, 'id' | 'identity' | 'createdAt'>[],
  since: number,
): Promise<HygieneAlert[]> {
  const byIdentity = Map.groupBy(
    issues.toSorted((a, b) => a.createdAt - b.createdAt),
    ({ identity }) => identity,
  );
  byIdentity.delete(null);
  const rows = await db
    .selectFrom('receivedAlerts')
    .select(['identity', 'reading', 'state', 'receivedAt'])
    .where('identity', 'in', [...byIdentity.keys()])
    .where('receivedAt', '>', since)
    .orderBy('receivedAt', 'desc')
    .limit(MOST_ALERTS)
    .execute();
  const known = new Set<string>();
  return rows.reverse().flatMap(({ identity, reading, state, receivedAt: at }): HygieneAlert[] => {
    const { kind, triggeredAt } = decodeStored(Reading, reading)?.alert ?? {};
    const issue = byIdentity.get(identity)?.findLast(({ createdAt }) => createdAt <= at);
    const firing = `${identity} ${triggeredAt ?? at}`;
    const isKnown = kind === 'firing' && known.has(firing);
    if (kind === 'firing') known.add(firing);
    const counts = issue !== undefined && state === 'noted' && !isKnown;
    return counts && (kind === 'firing' || kind === 'resolved')
      ? [{ issueId: issue.id, isFiring: kind === 'firing', at }]
      : [];
  });
}
