import { alertStore } from './alerts.ts';
import { type CompletedStep, checklistStepStore } from './checklist-steps.ts';
import { endedKey } from './intents/keys.ts';
import { endingOf } from './intents/payloads.ts';
import type { Issue } from './issues.ts';
import { type Note, noteStore } from './notes.ts';
import { type FoundSoFar, progressStore } from './progress.ts';
import { resultStore, type StoredResults } from './results.ts';
import type { Database } from './tables.ts';
import { type TicketRow, ticketStore } from './tickets.ts';

/** Everything that is stored of an issue and shown on its card in a channel. */
export interface CardFacts {
  /** The issue that leads its incident, and those that it leads itself. */
  head: Issue | null;
  symptoms: Issue[];
  attachedTo: Issue | null;
  attached: Issue[];
  apartFrom: Issue | null;
  apart: Issue[];
  /** Its newest results. */
  latest: StoredResults | null;
  /** Its last investigation ended without having been one. */
  hasFailed: boolean;
  /** Progress of an investigation that somebody requested. */
  found: FoundSoFar | null;
  ticks: CompletedStep[];
  notes: Note[];
  ticket: TicketRow | null;
  isEvidenced: boolean;
  /** Why its newest firing was counted as it was. */
  newestReason: string | null;
  /** The channel has a message that could be split off. */
  hasRepeat: boolean;
}

const MOST = 200;

export function cardStore(db: Database) {
  return {
    of: async (
      {
        id,
        joinedInto,
        apartFrom,
        symptomOf,
        endedVersion,
      }: Pick<Issue, 'id' | 'joinedInto' | 'apartFrom' | 'symptomOf' | 'endedVersion'>,
      channel: string,
    ): Promise<CardFacts> => {
      const others = [joinedInto, apartFrom, symptomOf].filter((one) => one !== null);
      const related = db
        .selectFrom('issues')
        .selectAll()
        .where((e) =>
          e.or([
            e('symptomOf', '=', id),
            e('joinedInto', '=', id),
            e('apartFrom', '=', id),
            ...(others.length === 0 ? [] : [e('id', 'in', others)]),
          ]),
        )
        .orderBy('createdAt')
        .limit(MOST);
      const ended = db.selectFrom('outbox').select('payload').where('key', '=', endedKey(id, endedVersion));
      const artifact = db.selectFrom('artifacts').select('id').where('owner', '=', id).limit(1);
      const [rows, latest, ending, referred, ticks, notes, ticket, found, newest, repeats] =
        await Promise.all([
          related.execute(),
          resultStore(db).latest(id),
          ended.executeTakeFirst(),
          artifact.executeTakeFirst(),
          checklistStepStore(db).ofIssue(id),
          noteStore(db).ofIssue(id),
          ticketStore(db).get(id),
          progressStore(db).of(id),
          alertStore(db).ofIssue(id, 1),
          alertStore(db).ofIssue(id, 2, channel),
        ]);
      const one = (of: string | null) => rows.find((row) => row.id === of) ?? null;
      return {
        head: one(symptomOf),
        symptoms: rows.filter((row) => row.symptomOf === id),
        attachedTo: one(joinedInto),
        attached: rows.filter((row) => row.joinedInto === id),
        apartFrom: one(apartFrom),
        apart: rows.filter((row) => row.apartFrom === id),
        latest,
        hasFailed: ending !== undefined && endingOf(ending) === 'failed',
        found,
        ticks,
        notes,
        ticket,
        isEvidenced: referred !== undefined,
        newestReason: newest[0]?.reason ?? null,
        hasRepeat: repeats.some(({ decision }) => decision === 'repeat'),
      };
    },
  };
}
