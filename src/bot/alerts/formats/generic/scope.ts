import { type Fact, normalizedName } from '../../facts.ts';
import { plainText, withoutMarkup, withoutUrls } from '../../slack-text.ts';
import { NOT_NAMES } from './vocabulary/identity.ts';
import { SYNONYMS } from './vocabulary/synonyms.ts';

const INLINE =
  /(?:^|[\s,({[|])(env|environment|stage|service|svc|app|application|component|host|hostname|node|instance|server|machine|region|zone|datacenter|dc|version|release|build|trace_id|traceId|traceID|trace|span_id|spanId|severity|sev|level|priority|prio)[=:] ?([^\s,;(){}[\]`"|]{1,120})/gu;
const NAMED: ReadonlyMap<string, string> = new Map([
  ['traceId', 'trace_id'],
  ['traceID', 'trace_id'],
  ['spanId', 'span_id'],
  ['app', 'service'],
  ['application', 'service'],
  ['node', 'host'],
  ['instance', 'host'],
  ['server', 'host'],
]);

/** Adds each fact under its canonical name; a fact that already has that name comes first. */
export function withUsualNames(facts: readonly Fact[]): Fact[] {
  const renamed = facts.flatMap((one) => {
    const name = SYNONYMS.get(normalizedName(one.name));
    return name === undefined || one.value === '' ? [] : [{ ...one, name }];
  });
  return [...facts, ...renamed];
}

/** Pairs in the middle of a sentence: `(env=prod, host: db-3)`. */
export function inlineFacts(body: string): Fact[] {
  return [...withoutUrls(body).matchAll(INLINE)].flatMap(([, name, value]) =>
    name === undefined || value === undefined
      ? []
      : [{ name: NAMED.get(name) ?? name, value: value.replace(/[.:!?]+$/u, ''), url: null }],
  );
}

/** The environment, service and host that an alert's first lines name. */
interface Scope {
  environment: string | null;
  service: string | null;
  host: string | null;
}

const ENVIRONMENT =
  '(prod|production|staging|stage|stg|pre-?prod|preproduction|uat|qa|dev|development|sandbox|live)';
const APART = new RegExp(
  `[\\[({|]\\s?${ENVIRONMENT}\\s?[\\])}|]|(?:^|[•·|] ?)${ENVIRONMENT}(?= ?[•·|]|$)|^${ENVIRONMENT}\\s?[:|]`,
  'iu',
);
const IN = new RegExp(`\\b(?:in|on|environment|env) (?:the )?${ENVIRONMENT}(?![\\w-]|\\.\\w)`, 'iu');
const HOST = /\b(?:host|server|node|machine|instance|vm)\s['"]?(?=[\w.-]*[\d.-])([a-z\d][\w.-]{1,120}\w)/iu;
const SERVICE = /\b(?:service|application|microservice|component)\s['"]?([a-z][\w.-]{1,80}\w)/iu;

/** Environment, host and service where a line labels them: `[prod]`, `on host db-3`, `service cart`. */
export function scopeOf(heads: readonly string[]): Scope {
  const lines = heads.slice(0, 10).map((head) => withoutMarkup(plainText(head)));
  const first = (expression: RegExp): string | null => {
    for (const line of lines) {
      const found = expression
        .exec(line)
        ?.slice(1)
        .find((group) => group !== undefined);
      if (
        found !== undefined &&
        (expression === APART || expression === IN || !NOT_NAMES.has(found.toLowerCase()))
      )
        return found;
    }
    return null;
  };
  return {
    environment: (first(APART) ?? first(IN))?.toLowerCase() ?? null,
    host: first(HOST),
    service: first(SERVICE),
  };
}
