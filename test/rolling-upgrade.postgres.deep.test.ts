import { readdirSync } from 'node:fs';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { openStore as openBotStore } from '../src/bot/store/open.ts';
import { systemClock } from '../src/lib/clock.ts';
import { openStore as openServiceStore } from '../src/service/store/store.ts';
import { projectFile, projectRoot } from './support/files.ts';
import { createDatabase } from './support/postgres/databases.ts';

const onConnectionLost = () => undefined;

/** Makes the newest tables of a program in an empty database. */
const PROGRAMS = {
  bot: async (url: string) =>
    (await openBotStore({ url, clock: systemClock, random: Math.random, onConnectionLost })).close(),
  service: async (url: string) => (await openServiceStore({ url, directUrl: url, onConnectionLost })).close(),
};

/** The release before this one; its statements were recorded when it was made (AGENTS.md, *Make a release*). */
const LAST_RELEASE = readdirSync(`${projectRoot}test/fixtures/releases`).sort(byVersion).at(-1) ?? '';

function byVersion(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

async function newestTables(program: keyof typeof PROGRAMS): Promise<pg.Client> {
  const { url } = await createDatabase();
  await PROGRAMS[program](url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

function statementsOf(program: keyof typeof PROGRAMS): string[] {
  return z
    .array(z.string())
    .parse(JSON.parse(projectFile(`test/fixtures/releases/${LAST_RELEASE}/${program}.json`)));
}

describe.each(['bot', 'service'] as const)(
  'while a release is rolled out, the %s of the last one',
  (program) => {
    it('can run each of its statements on the new tables', async () => {
      const client = await newestTables(program);
      const refused: string[] = [];
      for (const [i, statement] of statementsOf(program).entries()) {
        await client.query(`prepare s${i} as ${statement}`).catch((error) => {
          refused.push(`${statement}: ${error.message}`);
        });
      }
      expect(refused).toEqual([]);
    });

    it('can add rows without knowing the new columns', async () => {
      const client = await newestTables(program);
      const { rows } = await client.query(
        `select table_name as table, array_agg(column_name::text) as columns from information_schema.columns
        where table_schema = current_schema() and is_nullable = 'NO' and column_default is null and is_identity = 'NO'
        group by table_name`,
      );
      const required = new Map(
        z
          .array(Required)
          .parse(rows)
          .map(({ table, columns }) => [table, columns]),
      );
      const missing: string[] = [];
      for (const statement of statementsOf(program)) {
        for (const { groups } of statement.matchAll(INSERT)) {
          const named = groups?.columns?.replaceAll('"', '').split(', ') ?? [];
          for (const column of required.get(groups?.table ?? '') ?? []) {
            if (!named.includes(column)) missing.push(`${groups?.table}.${column}: ${statement}`);
          }
        }
      }
      expect(missing).toEqual([]);
    });
  },
);

const Required = z.object({ table: z.string(), columns: z.array(z.string()) });
const INSERT = /insert into "(?<table>\w+)" \((?<columns>[^)]+)\)/gu;
