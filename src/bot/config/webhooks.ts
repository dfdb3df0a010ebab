import type { z } from 'zod';
import { FieldMap } from '../alerts/formats/generic/webhook.ts';
import { secrets as readSecrets } from './values.ts';
import { type VariableFamily, variableFamilies } from './variables.ts';

/** What webhooks at `POST /alerts/<source>` are authenticated with. */
export interface WebhookSettings {
  /** A bearer token, or the password of basic authentication; `null` if there is none. */
  token: string | null;
  /** By source: the secrets of which one must have signed the body. */
  secrets: ReadonlyMap<string, readonly string[]>;
  /** The ARNs of the SNS topics from which alarms are taken. */
  topics: readonly string[];
  /** By source: the field map of a tool that has no format. */
  maps: ReadonlyMap<string, FieldMap>;
}

/** An Alertmanager whose alerts are read. */
export interface Alertmanager {
  /** Without a trailing slash. */
  url: string;
  token: string | null;
  user: string | null;
  password: string | null;
  /** Whether issues that are muted in Slack are silenced there. */
  silences: boolean;
}

type Families = Pick<WebhookSettings, 'secrets' | 'maps'> & { problems: string[] };

/** Reads the variables of which each source may have one. No problem holds a value, which may be a secret. */
export function readFamilies(env: Readonly<Record<string, string | undefined>>): Families {
  const secrets = new Map<string, readonly string[]>();
  const maps = new Map<string, FieldMap>();
  const problems: string[] = [];
  for (const family of variableFamilies) {
    for (const { name, source, text } of membersOf(family, env)) {
      const problem = (wrong: string) =>
        problems.push(`${name} ${wrong}; for example ${name}=${family.example}`);
      if (source === null) problem('must end in the name of a source: letters, digits and underscores');
      else if (family.prefix === 'ALERT_MAP_') {
        const map = FieldMap.safeParse(parsed(text));
        if (map.success) maps.set(source, map.data);
        else problem(wrongInMap(map.error));
      } else {
        const read = readSecrets().safeParse(text);
        if (read.success) secrets.set(source, read.data);
        else problem(read.error.issues[0]?.message ?? 'is not a secret');
      }
    }
  }
  return { secrets, maps, problems };
}

/** The variables of a family that are set; `source` is null where the name does not end in that of a source. */
function membersOf(
  { prefix }: Pick<VariableFamily, 'prefix'>,
  env: Readonly<Record<string, string | undefined>>,
): { name: string; source: string | null; text: string }[] {
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix))
    .sort()
    .flatMap((name) => {
      const text = env[name]?.trim() ?? '';
      if (text === '') return [];
      const ending = name.slice(prefix.length);
      return [{ name, source: /^[A-Z0-9_]{1,60}$/u.test(ending) ? ending.toLowerCase() : null, text }];
    });
}

function wrongInMap({ issues }: z.ZodError): string {
  const [issue] = issues;
  if (issue === undefined || (issue.path.length === 0 && issue.code === 'invalid_type'))
    return 'must be a JSON object';
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : '';
  return unknown === ''
    ? `holds a bad value at ${issue.path.join('.')}`
    : `holds an unknown field: ${unknown}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The Alertmanager of a configuration; `null` if there is none. */
export function alertmanagerOf(values: {
  ALERTMANAGER_URL?: string | undefined;
  ALERTMANAGER_TOKEN?: string | undefined;
  ALERTMANAGER_USER?: string | undefined;
  ALERTMANAGER_PASSWORD?: string | undefined;
  ALERTMANAGER_SILENCE: boolean;
}): Alertmanager | null {
  const { ALERTMANAGER_URL: url } = values;
  if (url === undefined) return null;
  return Object.freeze({
    url: url.replace(/\/+$/, ''),
    token: values.ALERTMANAGER_TOKEN ?? null,
    user: values.ALERTMANAGER_USER ?? null,
    password: values.ALERTMANAGER_PASSWORD ?? null,
    silences: values.ALERTMANAGER_SILENCE,
  });
}
