import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { z } from 'zod';
import { createServiceClient } from '../../../src/contract/client/client.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { SERVICE_KEY } from '../program.ts';
import { ALICE, BOB } from './driver.ts';
import type { Environment } from './environment.ts';

/** The people of the driver. */
const PEOPLE = [ALICE, BOB];

const Issue = z.object({
  id: z.string(),
  identity: z.string().nullable(),
  state: z.string(),
  status: z.string(),
  wanted_status: z.string().nullable(),
  uuid: z.string().nullable(),
  number: z.number().nullable(),
  title: z.string(),
  version: z.number(),
  ended_version: z.number(),
  repeats: z.number(),
  recovered_at: z.number().nullable(),
  watched: z.number(),
  created_at: z.number(),
});
const Intent = z.object({
  key: z.string(),
  kind: z.string(),
  state: z.string(),
  channel: z.string(),
  sent: z.string().transform((text) => z.array(z.object({ ts: z.string() })).parse(JSON.parse(text))),
  sending: z.number().nullable(),
  payload: z.string(),
  error: z.string().nullable(),
  issue_id: z.string().nullable(),
  question_id: z.string().nullable(),
  created_at: z.number(),
});
const Alert = z.object({
  channel: z.string(),
  ts: z.string(),
  decision: z.string(),
  reason: z.string(),
  outcome: z.string().nullable(),
  hold_id: z.string().nullable(),
  issue_id: z.string().nullable(),
  decided_at: z.number(),
});
const Question = z.object({
  id: z.string(),
  text: z.string(),
  state: z.string(),
  answer: z.string(),
  note: z.string().nullable(),
});
const Delivery = z.object({ key: z.string(), state: z.string(), error: z.string().nullable() });
const Tick = z.object({ issue_id: z.string(), step: z.string() });
const File = z.object({ key: z.string(), state: z.string(), what: z.string().nullable() });
const Artifact = z.object({ owner: z.string(), id: z.string(), state: z.string() });
const Channel = z.object({ channel: z.string(), gap_from: z.string().nullable() });
const Audit = z.object({
  at: z.number(),
  who: z.string(),
  what: z.string(),
  issue_id: z.string().nullable(),
  channel: z.string().nullable(),
});
const Vote = z.object({ subject: z.string(), who: z.string(), value: z.number() });
const Change = z.object({ cause: z.string(), recorded: z.number(), at: z.number() });

const Message = z.looseObject({
  ts: z.string(),
  thread_ts: z.string().optional(),
  text: z.string(),
  bot_id: z.string().optional(),
  blocks: z.array(z.unknown()).optional(),
  file_ids: z.array(z.string()).optional(),
  metadata: z.looseObject({ event_payload: z.record(z.string(), z.unknown()) }).optional(),
});

/** A message of the app's that everybody sees. */
export interface OwnMessage extends z.infer<typeof Message> {
  channel: string;
  /** By which it is found again; `null` where it bears none. */
  key: string | null;
}

/** What the program knows. */
export type Rows = Awaited<ReturnType<typeof readRows>>;

/** Everything that stands anywhere at the end. */
export interface SystemState extends Rows {
  /** What stands in Slack, read past the Web API. */
  messages: OwnMessage[];
  /** Titles of the files that the app has sent into a channel. */
  shares: string[];
  /** `<channel>:<ts>` of the messages with a reaction that says what became of them. */
  eyes: Set<string>;
  /** People whose Home the app has published. */
  homes: Set<string>;
  /** What stands at the service. */
  issuesAtService: {
    uuid: string;
    number: number;
    title: string;
    description: string;
    status: string;
    latestVersion: number;
  }[];
}

/** Reads the program's database, whether it runs or not. */
export async function readRows({ database }: Pick<Environment, 'database'>) {
  const all = async <T>(schema: z.ZodType<T>, table: string): Promise<T[]> =>
    (await database.rows(table)).map((row) => schema.parse(row));
  return {
    issues: await all(Issue, 'issues'),
    outbox: await all(Intent, 'outbox'),
    alerts: await all(Alert, 'alerts'),
    questions: await all(Question, 'questions'),
    inbox: await all(Delivery, 'inbox'),
    ticks: await all(Tick, 'checklist_steps'),
    files: await all(File, 'files'),
    artifacts: await all(Artifact, 'artifacts'),
    channels: await all(Channel, 'channels'),
    audit: await all(Audit, 'audit'),
    votes: await all(Vote, 'votes'),
    changes: await all(Change, 'changes'),
  };
}

export async function readSystemState(environment: Environment): Promise<SystemState> {
  return {
    ...(await readRows(environment)),
    ...readSlack(environment),
    issuesAtService: await readService(environment),
  };
}

function readSlack({ around }: Environment): Pick<SystemState, 'messages' | 'shares' | 'eyes' | 'homes'> {
  const db = new Sqlite(join(around.folder, 'workspace.db'), { readonly: true });
  const { botUserId, files } = around.workspace;
  const Row = z.object({ channel: z.string(), body: z.string() });
  const Reaction = z.object({ channel: z.string(), ts: z.string() });
  try {
    const messages = db
      .prepare(
        `SELECT channel, body FROM messages WHERE ephemeral_to IS NULL AND state = 'live'
         AND json_extract(body, '$.user') = ? AND json_extract(body, '$.subtype') IS NOT 'channel_join'`,
      )
      .all(botUserId)
      .map((row) => {
        const { channel, body } = Row.parse(row);
        const message = Message.parse(JSON.parse(body));
        const { key } = message.metadata?.event_payload ?? {};
        return { ...message, channel, key: typeof key === 'string' ? key : null };
      });
    const eyes = db
      .prepare(
        `SELECT channel, ts FROM reactions WHERE name IN ('eyes', 'mag_right', 'shrug', 'white_check_mark', 'repeat', 'double_vertical_bar') AND user = ?`,
      )
      .all(botUserId)
      .map((row) => Reaction.parse(row))
      .map(({ channel, ts }) => `${channel}:${ts}`);
    const shares = files().flatMap(({ title, shares: places }) => places.map(() => title));
    const homes = new Set(PEOPLE.filter((id) => around.workspace.home(id) !== undefined));
    return { messages, shares, eyes: new Set(eyes), homes };
  } finally {
    db.close();
  }
}

async function readService({ around }: Environment): Promise<SystemState['issuesAtService']> {
  const client = createServiceClient({
    url: around.service.url,
    apiKey: SERVICE_KEY,
    version: '2026-03-17',
    clock: systemClock,
  });
  try {
    const issues: SystemState['issuesAtService'] = [];
    for await (const { uuid } of client.issues.list({})) {
      const {
        number,
        title = '',
        description = '',
        status,
        latestVersion = 1,
      } = await client.issues.get(uuid);
      issues.push({ uuid, number, title, description, status, latestVersion });
    }
    return issues;
  } finally {
    await client.close();
  }
}
