import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { parseAlert } from '../bot/alerts/parse.ts';
import { requestForAlert } from '../bot/filing/request.ts';
import { createLogger } from '../bot/shared/log.ts';
import { createSlackClient } from '../bot/slack/client.ts';
import { classifySlackError } from '../bot/slack/errors.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { decodeStored } from '../lib/decode-stored.ts';
import {
  type Command,
  type Environment,
  type Io,
  loadEnvFile,
  makeFolder,
  OperatorError,
  onStopSignals,
  processIo,
  programVersion,
  STOPPING,
} from '../lib/io.ts';
import { redactor, secretsIn, withoutSecrets } from '../lib/redact.ts';
import { openSources } from '../service/telemetry/open-sources.ts';
import { readTelemetrySettings, type TelemetrySettings } from '../service/telemetry/settings.ts';
import type { TelemetrySource } from '../service/telemetry/source.ts';
import { pageOf } from '../service/trial/page.ts';
import type { PastAlert } from '../service/trial/past-alert.ts';
import { lately, linesOf, reportOn, unseenIn } from '../service/trial/report.ts';
import { Row } from '../service/trial/row.ts';
import { investigatePast, keyOf, type Past, readPast } from '../service/trial/trial.ts';

const CHANNEL = /^[CDG][A-Z0-9]{1,20}$/u;
const DAY = 24 * 3_600_000;
const PAGE = 200;
const TRIES = 5;

const Page = z.looseObject({
  messages: z.array(z.looseObject({ ts: z.string() })).catch([]),
  response_metadata: z.looseObject({ next_cursor: z.string().optional() }).optional(),
});

/**
 * The alerts in a channel's history, as the bot reads them, with their recoveries as ends.
 * @throws OperatorError that says what to do
 */
async function readChannel(
  channel: string,
  days: number,
  { env, clock }: { env: Environment; clock: Clock },
): Promise<PastAlert[]> {
  const token = env.SLACK_BOT_TOKEN;
  if (token === undefined || !CHANNEL.test(channel))
    throw new OperatorError(
      token === undefined
        ? '--slack reads a channel with the bot’s token: set SLACK_BOT_TOKEN.'
        : `--slack takes the id of a channel, such as C0123ABCD (in Slack: the channel’s details, at the bottom), not ${channel}.`,
    );
  const client = createSlackClient({
    token,
    apiUrl: env.SLACK_API_URL ?? 'https://slack.com/api/',
    log: createLogger('silent'),
  });
  const oldest = String((clock.now() - days * DAY) / 1000);
  const messages: { ts: string }[] = [];
  let cursor: string | undefined;
  do {
    const from = { channel, oldest, limit: PAGE, ...(cursor !== undefined && { cursor }) };
    const page = Page.parse(await patiently(clock, () => client.conversations.history(from)));
    messages.push(...page.messages);
    cursor = page.response_metadata?.next_cursor || undefined;
  } while (cursor !== undefined);
  return alertsIn(
    messages.toSorted((a, b) => Number(a.ts) - Number(b.ts)),
    channel,
  );
}

/** Slack lets an app that is not in its directory read slowly. */
async function patiently<T>(clock: Clock, read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read();
    } catch (error) {
      const failure = classifySlackError(error);
      if (failure.kind === 'rate_limited' && tries < TRIES) {
        await clock.sleep(failure.retryAfterMs);
        continue;
      }
      const why = failure.kind === 'refused' ? failure.error : failure.kind;
      const hint = /not_in_channel|channel_not_found/u.test(why) ? ' Invite the bot there first.' : '';
      throw new OperatorError(`Slack does not give the channel’s history (${why}).${hint}`, { cause: error });
    }
  }
}

/** @param messages oldest first */
export function alertsIn(messages: readonly { ts: string }[], channel: string): PastAlert[] {
  const alerts: PastAlert[] = [];
  const open = new Map<string, PastAlert>();
  for (const message of messages) {
    const alert = parseAlert({ ...message, type: 'message', channel });
    const identity = alert.fingerprint ?? alert.title ?? message.ts;
    const at = Date.parse(alert.triggeredAt ?? '') || Number(message.ts) * 1000;
    if (alert.kind === 'resolved') {
      const fired = open.get(identity);
      if (fired !== undefined) fired.to = Math.max(fired.from, Number(message.ts) * 1000);
      open.delete(identity);
    }
    // A repeat of what fires says nothing new.
    if (alert.kind !== 'firing' || open.has(identity)) continue;
    const origin = { issueId: '', channel, ts: message.ts, permalink: null };
    const { title, description, environment, context } = requestForAlert(alert, origin, {
      environment: 'production',
      severity: 'medium',
      earlier: null,
      isTitleTaken: false,
    });
    const one: PastAlert = {
      name: title,
      from: at,
      to: null,
      identity,
      description,
      service: alert.service,
      environment,
      context: context ?? {},
      url: alert.alertUrl,
    };
    alerts.push(one);
    open.set(identity, one);
  }
  return alerts;
}

const USAGE = `usage: npm run -s trial -- [--days 14] [--out trial.html] [--slack CHANNEL] [--limit 200]

Investigates the alerts of the last days as of then, and writes what it would have said of each into one HTML file.
It reads the same variables as npm run service: PROMETHEUS_URL, or GRAFANA_URL with GRAFANA_TOKEN, is enough.
--slack also reads the alerts in a channel's history (its id; SLACK_BOT_TOKEN, and the bot invited there).
Ctrl-C writes what is there; the same command goes on from there.`;

const NO_SOURCE =
  'There is nothing to investigate: set PROMETHEUS_URL (such as http://prometheus:9090), or GRAFANA_URL and GRAFANA_TOKEN.';

interface Options {
  days: number;
  limit: number;
  out: string;
  slack: string | null;
}

/** `npm run -s trial`: the last days' alerts, investigated as of then. @returns the exit code */
export const trial: Command = trialBy(systemClock);

export function trialBy(clock: Clock): Command {
  return withoutSecrets((words, env, io) => command(words, { env, io, clock }));
}

async function command(words: readonly string[], given: Omit<Context, 'settings'>): Promise<number> {
  const { env, io, clock } = given;
  if (words.some((word) => word === '--help' || word === '-h')) {
    io.out(USAGE);
    return 0;
  }
  const options = optionsOf(words);
  if (typeof options === 'string') {
    io.err(`${options}\n\n${USAGE}`);
    return 2;
  }
  const read = readTelemetrySettings(env);
  if ('problems' in read) {
    for (const problem of read.problems) io.err(problem);
    return 1;
  }
  const { settings } = read;
  if (settings.prometheus === null && settings.grafanaUrl === null && options.slack === null) {
    io.err(NO_SOURCE);
    return 1;
  }
  const { source, close } = openSources(forPage(settings), clock);
  try {
    await run(source, options, { ...given, settings });
    return 0;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    io.err(error.message);
    return 1;
  } finally {
    await close();
  }
}

/**
 * The page is opened where the trial ran, so what it reads can be opened, too. A Grafana that needs no token is read
 * without one, if it is all there is.
 */
function forPage(settings: TelemetrySettings): TelemetrySettings {
  const { prometheus, grafanaUrl, grafanaToken, grafanaPublicUrl } = settings;
  return {
    ...settings,
    prometheus: prometheus && { ...prometheus, publicUrl: prometheus.publicUrl ?? prometheus.url },
    grafanaPublicUrl: grafanaPublicUrl ?? grafanaUrl ?? undefined,
    grafanaToken: grafanaToken ?? (prometheus === null && grafanaUrl !== null ? '' : null),
  };
}

function optionsOf(words: readonly string[]): Options | string {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        days: { type: 'string', default: '14' },
        limit: { type: 'string', default: '200' },
        out: { type: 'string', default: 'trial.html' },
        slack: { type: 'string' },
      },
    });
    const days = Number(values.days);
    const limit = Number(values.limit);
    if (!Number.isInteger(days) || days < 1 || days > 90) return '--days must be a number from 1 to 90.';
    if (!Number.isInteger(limit) || limit < 1) return '--limit must be a number, 1 or more.';
    return { days, limit, out: resolve(values.out), slack: values.slack ?? null };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

interface Context {
  settings: TelemetrySettings;
  env: Environment;
  io: Io;
  clock: Clock;
}

async function run(
  source: TelemetrySource,
  options: Options,
  { settings, env, io, clock }: Context,
): Promise<void> {
  const stopping = new AbortController();
  onStopSignals({
    clock,
    stop: () => {
      io.err(STOPPING);
      stopping.abort();
    },
    atOnce: () => process.exit(130),
    signals: io.process,
  });
  const program = programVersion();
  const clean = redactor(secretsIn(env));
  const progress = await readProgress(options.out, program);
  io.err(`Reading which alerts fired in the ${lately(options.days)} …`);
  const read: PastAlert[] =
    options.slack === null ? [] : await readChannel(options.slack, options.days, { env, clock });
  const past = await readPast(source, { ...options, read, clock });
  if (past.problem !== null) io.err(`Not all alerts could be read: ${past.problem}`);
  if (past.problems.length === 0) throw new OperatorError(nothingFired(past));
  const keys = new Set(past.problems.map(keyOf));
  const rows = progress.rows.filter((row) => keys.has(keyOf(row)));
  if (rows.length > 0)
    io.err(`Going on: ${rows.length} of ${past.problems.length} were investigated before.`);
  await investigateAll(source, past, rows, { settings, io, clock, progress, stop: stopping.signal });
  rows.sort((a, b) => a.from - b.from);
  const unseen = await unseenIn(source, { to: past.to, rows, clock });
  const report = reportOn(past, rows, unseen);
  const isWhole = rows.length === past.problems.length;
  await writePage(options.out, clean(pageOf(report, { program })), progress, isWhole);
  for (const line of linesOf(report)) io.out(clean(line));
  if (!isWhole)
    io.out(`Stopped after ${rows.length} of ${past.problems.length}: the same command goes on from here.`);
  io.out(options.out);
}

async function investigateAll(
  source: TelemetrySource,
  past: Past,
  rows: Row[],
  { settings, io, clock, progress, stop }: Omit<Context, 'env'> & { progress: Progress; stop: AbortSignal },
): Promise<void> {
  const options = { limits: settings.limits, clock, stop, done: [...rows] };
  for await (const { row, done, of, leftSeconds } of investigatePast(source, past.problems, options)) {
    // Stored before it is said: what was investigated is not investigated again.
    await progress.add(row);
    rows.push(row);
    const when = new Date(row.from).toISOString().slice(0, 16).replace('T', ' ');
    const verdict = row.verdict ?? 'no cause found';
    io.err(
      `${done} of ${of}, ${leftSeconds} s left · ${when} ${row.name}: ${verdict.slice(0, 100)}${row.confidence === null ? '' : ` (${row.confidence})`}`,
    );
  }
}

function nothingFired({ days, problem, before }: Past): string {
  if (problem !== null) return `No alerts could be read: ${problem}`;
  const only = before.length === 0 ? '' : ` (${before.slice(0, 5).join(', ')} fired all the time)`;
  return (
    `No alert fired in the ${lately(days)}${only}. Prometheus keeps them in the series ALERTS, Grafana in its annotations. ` +
    'If yours are evaluated elsewhere, --slack CHANNEL reads them in a channel.'
  );
}

/** What an unfinished trial has investigated so far, in a file beside its page. */
interface Progress {
  rows: readonly Row[];
  add(row: Row): Promise<void>;
  end(): Promise<void>;
}

/** Alerts and log lines are nobody else's business. */
const OWN = { mode: 0o600 };

/**
 * What an earlier run left behind, unless another version of the program wrote it.
 * @throws OperatorError if the page could not be written there
 */
async function readProgress(out: string, program: string): Promise<Progress> {
  const file = `${out}.progress`;
  const first = JSON.stringify({ program });
  const [head, ...lines] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  // The last line may have been cut off.
  const rows = head === first ? lines.flatMap((line) => decodeStored(Row, line) ?? []) : [];
  try {
    makeFolder(dirname(out));
    await writeFile(file, [first, ...rows.map((row) => JSON.stringify(row)), ''].join('\n'), OWN);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${out} cannot be written: ${reason}. Choose another place with --out.`, {
      cause: error,
    });
  }
  return {
    rows,
    add: (row) => appendFile(file, `${JSON.stringify(row)}\n`),
    end: () => rm(file, { force: true }),
  };
}

/** Writes the page in place of an earlier one, and forgets the progress once everything is in it. */
async function writePage(out: string, page: string, progress: Progress, isWhole: boolean): Promise<void> {
  const draft = `${out}.draft`;
  await writeFile(draft, page, OWN);
  await rename(draft, out);
  if (isWhole) await progress.end();
}

if (import.meta.main) process.exitCode = await trial(process.argv.slice(2), loadEnvFile(), processIo);
