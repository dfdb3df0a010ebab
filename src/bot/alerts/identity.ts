import { createHash } from 'node:crypto';
import type { Alert } from './types.ts';

/**
 * The identity of an alert: a hash of the format's name and its key parts, in order, as 16 hexadecimal digits. It is the
 * same for the alert, its repeats and its recovery, and differs between formats.
 */
export function fingerprintOf(format: string, ...parts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([format, ...parts]))
    .digest('hex')
    .slice(0, 16);
}

const SYNONYMS: Record<string, string> = {
  prod: 'production',
  prd: 'production',
  live: 'production',
  stage: 'staging',
  stg: 'staging',
  dev: 'development',
};

/** Canonical name of an environment: `prod` and `production` are the same. */
export function canonicalEnvironment(stated: string): string {
  const name = stated.trim();
  const lower = name.toLowerCase();
  return Object.hasOwn(SYNONYMS, lower) ? (SYNONYMS[lower] ?? name) : lower === 'production' ? lower : name;
}

/** Two alerts are the same problem if their fingerprint and environment are equal. */
export function identityOf(fingerprint: string, environment: string): string {
  return `${fingerprint}@${canonicalEnvironment(environment).toLowerCase()}`;
}

// A number on its own is a reading, which differs between firings; `web-1` is a name.
const READING = /(?<![\p{L}\p{N}_./:-])[-+]?\d[\d.,]*\s?(?:%|ms|s|m|h|[kmgt]i?b)?(?![\p{L}\p{N}_/:-])/giu;

// The state differs too; some tools write it before or after the name: `pay-db-2 DOWN`, later `pay-db-2 UP`.
const STATE =
  '(?:still )?(?:down|up|ok|okay|failed|failure|failing|fails|fixed|back to normal|normal|resolved|recovered|recovery|firing|triggered|alarm|critical|warning|problem|unstable|passed|successful|success|healthy|unhealthy)';
const STATES = new RegExp(`^(?:${STATE}[ :,-]+)+|(?:[ :,-]+${STATE})+$`, 'gu');
const MAX_TITLE = 500;

/** Tells apart alerts with the same fingerprint: title, service, host, region and error, without readings and states. */
export function detailOf(alert: Alert): string {
  const title = (alert.title ?? '')
    .slice(0, MAX_TITLE)
    .toLowerCase()
    .replace(READING, '#')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(STATES, '');
  return [title, alert.service, alert.host, alert.region, alert.errorType]
    .map((part) => part ?? '')
    .join('|');
}
