import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { systemClock } from '../../../src/lib/clock.ts';
import { createDatabases, type LookedInside } from '../../../src/service/databases/databases.ts';
import { CAUSES, type DatabaseFact } from '../../../src/service/databases/fact.ts';
import type { DatabaseSettings } from '../../../src/service/databases/settings.ts';
import { openStore } from '../../../src/service/store/store.ts';
import { until } from '../until.ts';

/** Looks into one database as the service does, with what it kept of the look before. */
export async function looking(settings: DatabaseSettings) {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-looking-'));
  const store = await openStore({ file: join(folder, 'service.db') });
  const log = pino({ level: 'silent' });
  const looks: string[] = [];
  const onLook = (...words: string[]) => looks.push(words.join(' '));
  // A new one each time: what was read a moment ago is not read again by the same.
  const databases = () =>
    createDatabases({ settings: [settings], store: store.fingerprints, clock: systemClock, log, onLook });
  const look = (): Promise<LookedInside> => databases().look(settings.name, 'verdict');
  return {
    looks,
    look,
    takeFingerprint: () => databases().takeFingerprints(new AbortController().signal),
    /** Looks until there is a fact of a kind that is a cause; the first of them. */
    find: (kind: DatabaseFact['kind'], object?: string): Promise<DatabaseFact> => {
      let last: LookedInside | null = null;
      return until(
        `${kind} is found`,
        async () => {
          last = await look();
          return last.facts.find(
            (fact) => fact.kind === kind && (object === undefined || fact.object === object),
          );
        },
        () => last,
      );
    },
    /** What is told to be a cause now. */
    causes: async (): Promise<string[]> =>
      (await look()).facts
        .filter(({ weight }) => weight >= CAUSES)
        .map(({ kind, object }) => `${kind} ${object}`),
    close: async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The words of a fact, with what differs from run to run replaced. */
export function steady({ sentence }: DatabaseFact): string {
  return sentence
    .replaceAll(/\b\d{1,2}:\d\d UTC\b/gu, 'TIME')
    .replaceAll(/\b[Ss]ession \d+/gu, 'session N')
    .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s|min)\b/gu, 'SOME TIME')
    .replaceAll(/127\.0\.0\.1:\d+/gu, 'ADDRESS');
}
