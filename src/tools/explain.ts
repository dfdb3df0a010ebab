import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { ReceivedAlert } from '../bot/alerts/format.ts';
import type { FieldMap } from '../bot/alerts/formats/generic/webhook.ts';
import { mappedSource, webhookFormatNamed, webhookFormats } from '../bot/alerts/formats/index.ts';
import { parseAlert } from '../bot/alerts/parse.ts';
import { withRunbooksOf } from '../bot/alerts/runbook.ts';
import { learnedLines, readHistory } from '../bot/alerts/senders/history.ts';
import type { Alert } from '../bot/alerts/types.ts';
import { readConfig, type SlackConfig } from '../bot/config.ts';
import { createLogger } from '../bot/shared/log.ts';
import { createSlackClient } from '../bot/slack/client.ts';
import { fetchMessage } from '../bot/slack/fetch-message.ts';
import { type Command, type Io, loadEnvFile, processIo } from '../lib/io.ts';
import { parseJson } from '../lib/json.ts';
import { withoutSecrets } from '../lib/redact.ts';
import { routeOf } from '../service/agent/answer.ts';

const SOURCES = webhookFormats.map(({ name }) => name).join(', ');
const USAGE = `usage: npm run -s explain -- WHAT…

  WHAT is any of
    a file with a Slack message event, with an object whose \`message\` is one, or with the plain text of an alert
    the link of a message in Slack (with SLACK_BOT_TOKEN set)
    -, or nothing: standard input, as such a file

  --history         the files are one sender's messages, in order: one each, a list of them, or one a line; each is read with
                    what the others taught
  --source SOURCE   the files are payloads of a webhook; SOURCE is one of ${SOURCES}, or that of an ALERT_MAP_<SOURCE>
  --questions FILE  which of the agent's tools answer each question: a line each, or {"id","question","services":[…]}`;
const STDIN = '-';

const Recorded = z.looseObject({
  type: z.unknown().optional(),
  subtype: z.unknown().optional(),
  message: z.unknown().optional(),
});

/** How Gumshoe understands one recorded message, in a fixed order of keys. */
export interface Explanation extends Omit<Alert, 'kind' | 'format'> {
  file: string;
  kind: Alert['kind'];
  format: string;
}

/** What one alert of a webhook's payload says: the same keys, and what only payloads have. */
export interface ReceivedExplanation extends Explanation, Omit<ReceivedAlert, 'alert'> {}

/** A payload that is about no alert. */
interface OtherReading {
  file: string;
  reading: 'nothing' | 'confirm';
  reason: string;
}

/** A file without a message or a payload that is understood; the error's message says why. */
class NotAMessageError extends Error {}

const RecordedPayload = z.object({ payload: z.unknown(), headers: z.record(z.string(), z.string()) });

/**
 * Explains a file's content: a Slack message event, an object whose `message` is one, or the text of an alert as a bot
 * would post it.
 * @throws if the content is empty, or begins as a JSON object and is none.
 */
export function explain(file: string, content: string): Explanation {
  const text = content.replace(/^\u{FEFF}/u, '');
  const isText = text.trim() !== '' && !/^\s*(?:\{|\[\s*[{\]])/u.test(text);
  return explanationOf(
    file,
    parseAlert(isText ? botMessage(text.trim()) : eventOf(jsonOf(text, 'a Slack message event'))),
  );
}

/** What an incoming webhook's message looks like, down to the escapes that Slack adds. */
function botMessage(text: string): unknown {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return { type: 'message', subtype: 'bot_message', bot_id: 'B0', text: escaped, ts: '0.000000' };
}

/** The message that a link leads to, as Slack gives it. A reply's link names its thread in the query. */
const MESSAGE_LINK =
  /^https:\/\/[^/]+\/archives\/(?<channel>[A-Z0-9]+)\/p(?<seconds>\d{10})(?<micros>\d{6})(?:\?\S*)?$/u;

async function explainLink(link: string, slack: SlackConfig | null): Promise<Explanation | null> {
  const { channel, seconds, micros } = MESSAGE_LINK.exec(link)?.groups ?? {};
  if (channel === undefined) return null;
  if (slack === null)
    throw new NotAMessageError('a link is read from Slack: set SLACK_BOT_TOKEN, as the bot has it');
  const client = createSlackClient({
    token: slack.botToken,
    apiUrl: slack.apiUrl,
    log: createLogger('silent'),
  });
  const message = await fetchMessage(client, channel, `${seconds}.${micros}`);
  if (message === null)
    throw new NotAMessageError(
      'there is no such message, or Gumshoe is not in its channel: invite it there first',
    );
  return explanationOf(link, parseAlert({ type: 'message', channel, ...message }));
}

/**
 * Explains a webhook's payload, one object for each alert: the payload as the tool sends it, or an object with `payload`
 * and the request's `headers`.
 * @throws if there is no such source, the content is not JSON, or the source refuses it.
 */
export function explainPayload(
  source: string,
  file: string,
  content: string,
  mapped: ReadonlyMap<string, FieldMap> = new Map(),
): (ReceivedExplanation | OtherReading)[] {
  const map = mapped.get(source);
  const format = map === undefined ? webhookFormatNamed(source) : mappedSource(source, map);
  if (format === null) {
    const names = [SOURCES, ...mapped.keys()].join(', ');
    const how = `set ALERT_MAP_${source.toUpperCase()} as the bot has it`;
    throw new NotAMessageError(`there is no source ${source}; name one of ${names}, or ${how}`);
  }
  const body = jsonOf(content.replace(/^\u{FEFF}/u, ''), 'a payload');
  const recorded = RecordedPayload.safeParse(body);
  const { payload, headers } = recorded.success ? recorded.data : { payload: body, headers: {} };
  const reading = withRunbooksOf(format.read(payload, headers), payload);
  if (reading.kind === 'refused') throw new NotAMessageError(reading.reason);
  if (reading.kind === 'nothing') return [{ file, reading: 'nothing', reason: reading.reason }];
  if (reading.kind === 'confirm')
    return [{ file, reading: 'confirm', reason: `It asks to confirm the topic ${reading.topicArn}.` }];
  return reading.alerts.map(({ alert, routing: _, ...rest }) => ({ ...explanationOf(file, alert), ...rest }));
}

/** Messages, as {@link explain} takes them one by one: one, a list of them, or one a line. */
function messagesIn(file: string, content: string): { file: string; event: unknown }[] {
  const text = content.replace(/^\u{FEFF}/u, '').trim();
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const perLine = lines.map(parseJson);
  const isLines = lines.length > 1 && perLine.every((line) => typeof line === 'object' && line !== null);
  const all: unknown = isLines ? perLine : jsonOf(text, 'a list of messages');
  const list: unknown[] = Array.isArray(all) ? all : [all];
  return list.map((one, at) => ({
    file: list.length === 1 ? file : `${file}:${at + 1}`,
    event: typeof one === 'string' ? botMessage(one) : eventOf(one),
  }));
}

/** Explains the messages of one sender in order, each with what the others taught. */
export function explainHistory(files: readonly { file: string; content: string }[]): {
  explanations: Explanation[];
  learned: string[];
} {
  const messages = files.flatMap(({ file, content }) => messagesIn(file, content));
  const { alerts, learned } = readHistory(messages.map(({ event }) => event));
  return {
    explanations: alerts.map((alert, at) => explanationOf(messages[at]?.file ?? '', alert)),
    learned: learnedLines(learned),
  };
}

const Question = z.object({
  id: z.union([z.string(), z.number()]),
  question: z.string(),
  services: z.array(z.string()).default([]),
});

/** Which tools answer a question, and whether it is understood at all. */
interface QuestionExplanation {
  id: string | number;
  tools: string[];
  understood: boolean;
}

/**
 * Explains which of the agent's tools answer each question; nothing is read for it.
 * @throws if a line begins like JSON and is not that of a question
 */
export function explainQuestions(content: string): QuestionExplanation[] {
  return content
    .split('\n')
    .map((line, i) => [line.trim(), i + 1] as const)
    .filter(([line]) => line !== '')
    .map(([line, number]) => {
      const plain = line.startsWith('{') ? parseJson(line) : { id: number, question: line };
      const parsed = Question.safeParse(plain);
      if (!parsed.success)
        throw new NotAMessageError(
          `line ${number} is no question; each is its words, or {"id","question","services":[…]}`,
        );
      const { id, question, services } = parsed.data;
      const { tools, understood } = routeOf(question, services);
      return { id, tools, understood };
    });
}

function explanationOf(file: string, alert: Alert): Explanation {
  return {
    file,
    kind: alert.kind,
    format: alert.format,
    title: alert.title,
    description: alert.description,
    severity: alert.severity,
    environment: alert.environment,
    service: alert.service,
    triggeredAt: alert.triggeredAt,
    alertUrl: alert.alertUrl,
    host: alert.host,
    region: alert.region,
    version: alert.version,
    traceId: alert.traceId,
    spanId: alert.spanId,
    errorType: alert.errorType,
    errorMessage: alert.errorMessage,
    tags: alert.tags,
    fingerprint: alert.fingerprint,
    ...(alert.isContradicted ? { isContradicted: true as const } : {}),
  };
}

function jsonOf(text: string, what: 'a Slack message event' | 'a payload' | 'a list of messages'): unknown {
  if (text.trim() === '') throw new NotAMessageError(`it is empty; save ${what} in it`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const sender = what === 'a payload' ? 'the tool' : 'Slack';
    throw new NotAMessageError(`it is not JSON; save ${what} as ${sender} sends it`, { cause });
  }
}

// An edit is an event with a `message` of its own, so events are recognized by their type.
function eventOf(content: unknown): unknown {
  const recorded = Recorded.safeParse(content);
  if (!recorded.success || Array.isArray(content))
    throw new NotAMessageError('it is not a JSON object; save a Slack message event in it');
  const { type, subtype, message } = recorded.data;
  const wraps =
    type !== 'message' && typeof subtype !== 'string' && typeof message === 'object' && message !== null;
  return wraps ? message : content;
}

/** `npm run -s explain`. @returns the exit code */
export const explainCommand: Command = withoutSecrets(async (words, env, io) => {
  const command = commandOf(words, io);
  if ('code' in command) return command.code;
  const { source, files } = command;
  const config = readConfig(env);
  const mapped = config.ok ? config.config.webhooks.maps : new Map();
  if (!config.ok && source !== undefined) for (const problem of config.problems) io.err(problem);
  const slack = config.ok ? config.config.slack : null;
  const explanationsOf = async (file: string) => {
    const linked = source === undefined && !command.questions ? await explainLink(file, slack) : null;
    if (linked !== null) return [linked];
    const content = file === STDIN ? ((await io.input?.()) ?? '') : await readFile(file, 'utf8');
    if (command.questions) return explainQuestions(content);
    return source === undefined ? [explain(file, content)] : explainPayload(source, file, content, mapped);
  };
  if (command.history) return printHistory(files, io);
  let code = 0;
  for (const file of files) {
    try {
      for (const one of await explanationsOf(file)) io.out(JSON.stringify(one));
    } catch (error) {
      code = 1;
      io.err(`${file}: cannot explain: ${reasonOf(error)}`);
    }
  }
  return code;
});

async function printHistory(files: readonly string[], io: Io): Promise<number> {
  try {
    const contents = files.map(async (file) => ({
      file,
      content: file === STDIN ? ((await io.input?.()) ?? '') : await readFile(file, 'utf8'),
    }));
    const { explanations, learned } = explainHistory(await Promise.all(contents));
    for (const one of explanations) io.out(JSON.stringify(one));
    for (const line of learned) io.err(line);
    return 0;
  } catch (error) {
    io.err(`cannot explain: ${reasonOf(error)}`);
    return 1;
  }
}

interface Asked {
  source: string | undefined;
  files: string[];
  history: boolean;
  questions: boolean;
}

/** The options, or the code to exit with after the usage. */
function commandOf(words: readonly string[], io: Io): Asked | { code: number } {
  try {
    const { values, positionals: files } = parseArgs({
      args: [...words],
      options: {
        source: { type: 'string' },
        history: { type: 'boolean', default: false },
        questions: { type: 'string', multiple: true },
        // Taken for those who still give it: a question goes the same way with and without a cluster.
        kubernetes: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    });
    if (values.help) {
      io.out(USAGE);
      return { code: 0 };
    }
    const { source, history, questions = [] } = values;
    const asked = { source, history };
    if (questions.length > 0 && files.length === 0) return { ...asked, files: questions, questions: true };
    if (files.length > 0 && questions.length === 0) return { ...asked, files, questions: false };
    if (io.isPiped?.() && questions.length === 0) return { ...asked, files: [STDIN], questions: false };
  } catch (error) {
    io.err(error instanceof Error ? error.message : String(error));
  }
  io.err(USAGE);
  return { code: 1 };
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory; name the files in it',
  EACCES: 'you may not read it',
};

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return UNREADABLE[code] ?? error.message;
}

if (import.meta.main)
  process.exitCode = await explainCommand(process.argv.slice(2), loadEnvFile(), processIo);
