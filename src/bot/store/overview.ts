import { isNoSymptomIn } from './incidents.ts';
import type { Issue } from './issues.ts';
import type { Database } from './tables.ts';

/** The heading of an open issue: filing failed, to be fixed, no cause found, under investigation (or anything else), muted. */
export type OpenGroup = 'failed' | 'ready' | 'unexplained' | 'investigating' | 'muted';

/** Current issues over several channels, one for each incident, for people's Home. */
export function overviewStore(db: Database) {
  const open = (channels: readonly string[]) =>
    db
      .selectFrom('issues')
      .where('channel', 'in', channels)
      .where('state', '!=', 'gone')
      .where('joinedInto', 'is', null)
      .where(isNoSymptomIn(channels))
      .where((e) => e.or([e('status', '!=', 'resolved'), e('state', '=', 'failed')]));
  return {
    /** Where open issues live; for a direct message, who asked for them. */
    places: (): Promise<{ channel: string; requestedBy: string | null }[]> =>
      db
        .selectFrom('issues')
        .select(({ fn }) => ['channel', fn.max('requestedBy').as('requestedBy')])
        .where('state', '!=', 'gone')
        .where('joinedInto', 'is', null)
        .where((e) => e.or([e('status', '!=', 'resolved'), e('state', '=', 'failed')]))
        .groupBy('channel')
        .execute(),

    /** The number of open issues in these channels, by group. */
    counts: async (channels: readonly string[]): Promise<Record<OpenGroup, number>> => {
      const rows = await open(channels)
        .select(({ fn }) => ['state', 'status', 'cause', 'endedVersion', fn.countAll<number>().as('n')])
        .groupBy(['state', 'status', 'cause', 'endedVersion'])
        .execute();
      const counts = { failed: 0, ready: 0, unexplained: 0, investigating: 0, muted: 0 };
      for (const row of rows) counts[groupOf(row)] += Number(row.n);
      return counts;
    },

    /** Open issues of these channels by group, each with the most severe first, then the most recently changed. */
    page: (channels: readonly string[], limit: number, offset: number): Promise<Issue[]> =>
      open(channels)
        .selectAll()
        .orderBy((e) =>
          e
            .case()
            .when('state', '=', 'failed')
            .then(0)
            .when('state', '=', 'pending')
            .then(3)
            .when(
              e.and([e('status', '=', 'ready_to_fix'), e('cause', 'is', null), e('endedVersion', '>', 0)]),
            )
            .then(2)
            .when('status', '=', 'ready_to_fix')
            .then(1)
            .when('status', '=', 'muted')
            .then(4)
            .else(3)
            .end(),
        )
        .orderBy((e) =>
          e
            .case()
            .when(e.fn.coalesce('raisedSeverity', 'severity'), '=', 'high')
            .then(0)
            .when(e.fn.coalesce('raisedSeverity', 'severity'), '=', 'medium')
            .then(1)
            .else(2)
            .end(),
        )
        .orderBy('statusSince', 'desc')
        .orderBy('id')
        .limit(limit)
        .offset(offset)
        .execute(),

    /** The most recently filed open issue of a channel, or `null`. */
    newest: async (channel: string): Promise<Issue | null> =>
      (await open([channel])
        .selectAll()
        .where('state', '=', 'created')
        .orderBy('createdAt', 'desc')
        .limit(1)
        .executeTakeFirst()) ?? null,

    /** When the last alert arrived in each of these channels (milliseconds), if any did. */
    lastAlerts: async (channels: readonly string[]): Promise<Map<string, number>> => {
      const rows = await db
        .selectFrom('alerts')
        .select(({ fn }) => ['channel', fn.max<number>('decidedAt').as('at')])
        .where('channel', 'in', channels)
        .where('kind', '=', 'firing')
        .groupBy('channel')
        .execute();
      return new Map(rows.map(({ channel, at }) => [channel, Number(at)]));
    },
  };
}

/** The heading of an issue. */
export function groupOf({
  state,
  status,
  cause,
  endedVersion,
}: Pick<Issue, 'state' | 'status' | 'cause' | 'endedVersion'>): OpenGroup {
  if (state === 'failed') return 'failed';
  if (state === 'pending') return 'investigating';
  if (status === 'ready_to_fix') return cause === null && endedVersion > 0 ? 'unexplained' : 'ready';
  return status === 'muted' ? 'muted' : 'investigating';
}
