import type { Database } from './tables.ts';

/** Why a message became what it became (DESIGN section 4, *Filing*). */
export type Decision = 'filed' | 'repeat' | 'recovered' | 'ignored' | 'not_an_alert';

/** The record that answers *Why was this (not) filed?* */
export interface DecidedAlert {
  channel: string;
  ts: string;
  decision: Decision;
  reason: string;
  /** What the message said: firing, resolved, not_an_alert. */
  kind: string;
  format: string;
  fingerprint: string | null;
  issueId: string | null;
  /** The parsed alert, as JSON. */
  alert: string;
  decidedAt: number;
}

export type AlertStore = ReturnType<typeof alertStore>;

export function alertStore(db: Database) {
  const id = (channel: string, ts: string) => `${channel}:${ts}`;
  return {
    /** Records a decision; a message edited since is decided anew and takes the newest. */
    record: async (a: DecidedAlert): Promise<void> => {
      const row = {
        decision: a.decision,
        reason: a.reason,
        kind: a.kind,
        format: a.format,
        fingerprint: a.fingerprint,
        issue_id: a.issueId,
        alert: a.alert,
        decided_at: a.decidedAt,
      };
      await db
        .insertInto('alerts')
        .values({ id: id(a.channel, a.ts), channel: a.channel, ts: a.ts, ...row })
        .onConflict((c) => c.column('id').doUpdateSet(row))
        .execute();
    },
    find: async (
      channel: string,
      ts: string,
    ): Promise<{
      decision: string;
      issueId: string | null;
      kind: string;
      fingerprint: string | null;
    } | null> => {
      const row = await db
        .selectFrom('alerts')
        .select(['decision', 'issue_id', 'kind', 'fingerprint'])
        .where('id', '=', id(channel, ts))
        .executeTakeFirst();
      if (!row) return null;
      return { decision: row.decision, issueId: row.issue_id, kind: row.kind, fingerprint: row.fingerprint };
    },
  };
}
