import { z } from 'zod';
import type { PageMessage, PageState } from '../../src/page-api.ts';

/** Slack's `text` without its markup: tokens become their labels, entities their characters. Never parsed again. */
export function plainText(text: string): string {
  return text
    .replaceAll(
      /<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>/g,
      (_whole, sign: string, target: string, label?: string) => {
        if (sign === '') return label || target;
        return sign === '!' ? `@${label || target}` : `${sign}${label || target}`;
      },
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** The address if a link may lead to it (http, https, mailto), else `null`. */
export function safeHref(address: unknown): string | null {
  if (typeof address !== 'string') return null;
  const url = URL.parse(address);
  return url && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
}

const LONGEST = 80;

const titled = z.object({
  title: z.string().optional().catch(undefined),
  fallback: z.string().optional().catch(undefined),
  text: z.string().optional().catch(undefined),
});

/** A message in one line of at most 80 characters, without markup: its text, else its first attachment's or file's title. */
export function excerptOf({ text, attachments = [], files = [] }: PageMessage): string {
  const [first] = attachments.map((attachment) => titled.safeParse(attachment).data);
  const words = [text, first?.title, first?.fallback, first?.text, files[0]?.title].find((candidate) =>
    candidate?.trim(),
  );
  const line = plainText(words ?? 'a message')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (line.length <= LONGEST) return line;
  const space = line.lastIndexOf(' ', LONGEST);
  return `${line.slice(0, space > LONGEST / 2 ? space : LONGEST - 1)}…`;
}

/** Who and what can be mentioned in a message: `@name` and `#name`, with their ids. */
export interface Names {
  users: readonly { id: string; name: string }[];
  channels: readonly { id: string; name: string }[];
}

/** The names of a workspace; the app's own is among the users whether or not the server lists it. */
export function namesOf(workspace: PageState): Names {
  const { bot } = workspace;
  const isListed = workspace.users.some((user) => user.id === bot.user_id);
  const users = isListed ? workspace.users : [...workspace.users, { id: bot.user_id, name: bot.name }];
  return { users, channels: workspace.channels.filter((channel) => !channel.is_im) };
}

/** Typed text as Slack's clients send it: `& < >` escaped, `@name` and `#name` as tokens. */
export function encodeText(typed: string, names: Names): string {
  const escaped = typed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const users = tokens('@', names.users, (id) => `<@${id}>`);
  const channels = tokens('#', names.channels, (id) => `<#${id}>`);
  return escaped.replaceAll(/(?<![\w@#])[@#][\w.-]+/g, (name) => tokenFor(name, users, channels));
}

/** A slash command and its argument, as typed; `null` if `typed` does not start with a command. */
export function splitCommand(typed: string): { command: string; text: string } | null {
  const match = /^(\/[\w-]+)(?:\s+([\s\S]*))?$/.exec(typed.trim());
  return match?.[1] ? { command: match[1], text: match[2] ?? '' } : null;
}

function tokens(
  sign: string,
  named: readonly { id: string; name: string }[],
  token: (id: string) => string,
): ReadonlyMap<string, string> {
  return new Map(named.map(({ id, name }) => [`${sign}${name}`.toLowerCase(), token(id)]));
}

/** A full stop or a dash after a name may belong to the sentence. */
function tokenFor(name: string, ...known: ReadonlyMap<string, string>[]): string {
  for (let end = name.length; end > 1; end -= 1) {
    const rest = name.slice(end);
    if (rest !== '' && !/^[.-]/.test(rest)) continue;
    const head = name.slice(0, end).toLowerCase();
    const token = known.map((map) => map.get(head)).find((found) => found !== undefined);
    if (token) return `${token}${rest}`;
  }
  return name;
}

const DAY_MS = 24 * 60 * 60_000;

/** `10:41 AM`, in the reader's zone. */
export function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
}

/** `Friday, November 20 at 10:41:07 AM`, for a hint. */
export function fullTime(at: number): string {
  return new Date(at).toLocaleString('en-US', { dateStyle: 'full', timeStyle: 'medium' });
}

/** `Today`, `Yesterday`, `Tomorrow`, else the date with its weekday. */
export function dayName(at: number, now: number): string {
  const day = new Date(at).toDateString();
  if (day === new Date(now).toDateString()) return 'Today';
  if (day === new Date(now - DAY_MS).toDateString()) return 'Yesterday';
  if (day === new Date(now + DAY_MS).toDateString()) return 'Tomorrow';
  return new Date(at).toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric' });
}

const DATE_TOKEN = /(?<=<!date\^)(\d+)\^([^|>]+)/g;
const PRETTY_WITHIN = /(?<=.)\{date_(?:short_|long_)?pretty\}/g;

/** Slack capitalizes `today` only at the beginning of a date's format; the library that draws it does so everywhere. */
export function withLowercaseDays(text: string, now: number): string {
  return text.replaceAll(
    DATE_TOKEN,
    (_token, seconds: string, format: string) => `${seconds}^${lowercaseDay(format, Number(seconds), now)}`,
  );
}

/** The same in one date's format; `at` in seconds. */
export function lowercaseDay(format: string, at: number, now: number): string {
  const day = dayName(at * 1_000, now);
  return /^\w+$/.test(day) ? format.replaceAll(PRETTY_WITHIN, day.toLowerCase()) : format;
}

/** How long ago, as Slack says it under a thread: `just now`, `5 minutes ago`, `2 days ago`. */
export function ago(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return counted(minutes, 'minute');
  if (minutes < 24 * 60) return counted(Math.floor(minutes / 60), 'hour');
  return counted(Math.floor(minutes / (24 * 60)), 'day');
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

const slackFile = z.union([
  z.object({ id: z.string() }).transform(({ id }) => id),
  z.object({ url: z.string() }).transform(({ url }) => /[-/](F[A-Z0-9]{8,})\//.exec(url)?.[1] ?? null),
]);

// The server takes 4 MiB of JSON at once, in which three bytes are four characters.
const LARGEST_BYTES = 3_000_000;

/** Where the page's server serves a file. */
export function fileAddress(id: string): string {
  return `/page-api/files/${encodeURIComponent(id)}`;
}

/** The address of the image that a `slack_file` refers to; `null` if there is none. */
export function slackFileAddress(file: unknown): string | null {
  const id = slackFile.safeParse(file).data ?? null;
  return id === null ? null : fileAddress(id);
}

/** A size as people say it: `512 bytes`, `1.2 kB`, `30 MB`. */
export function sizeWords(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const isLarge = bytes >= 999_500;
  const amount = bytes / (isLarge ? 1_000_000 : 1000);
  return `${amount < 9.95 ? amount.toFixed(1) : Math.round(amount)} ${isLarge ? 'MB' : 'kB'}`;
}

/** Why these files cannot be sent together, as a sentence; `null` if they can. */
export function tooLarge(files: readonly { size: number }[]): string | null {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= LARGEST_BYTES) return null;
  const what = files.length === 1 ? 'This file is' : 'Together, these files are';
  return `${what} ${sizeWords(bytes)}. This workspace accepts ${sizeWords(LARGEST_BYTES)} per message: send ${files.length === 1 ? 'a smaller one' : 'fewer or smaller ones'}.`;
}
