import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { parseAlert } from '../../../src/bot/alerts/parse.ts';
import type { Alert } from '../../../src/bot/alerts/types.ts';
import { alertsOf } from './webhooks/fixtures.ts';

const ROOT = join(import.meta.dirname, 'cases');

const Step = z.strictObject({
  step: z.string(),
  message: z.record(z.string(), z.unknown()).optional(),
  webhook: z.string().optional(),
  payload: z.unknown().optional(),
  expected: z.strictObject({
    kind: z.string().optional(),
    /** Any of these. */
    kindIn: z.array(z.string()).optional(),
    severity: z.string().nullable().optional(),
    environment: z.string().nullable().optional(),
    host: z.string().nullable().optional(),
    /** Expressions; `(?i)` at the start ignores case. */
    titleMatches: z.string().optional(),
    hostMatches: z.string().optional(),
    serviceMatches: z.string().optional(),
    /** Other steps of the case: the same problem, or another one. */
    fingerprintSameAs: z.union([z.string(), z.array(z.string())]).optional(),
    fingerprintDiffersFrom: z.union([z.string(), z.array(z.string())]).optional(),
    /** How many alerts a payload holds. */
    count: z.number().optional(),
  }),
});
type Step = z.output<typeof Step>;

const Case = z.strictObject({
  what: z.string(),
  /** Where the shape of its inputs was read; hosts, companies and people are invented. */
  source: z.looseObject({ repo: z.string() }),
  steps: z.array(Step).min(1),
});

/** Several inputs of one tool, and what each is to be understood as. */
export interface AlertCase extends z.output<typeof Case> {
  name: string;
}

export const alertCases: readonly AlertCase[] = readdirSync(ROOT).map((file) => ({
  name: basename(file, '.json'),
  ...Case.parse(JSON.parse(readFileSync(join(ROOT, file), 'utf8'))),
}));

/** What a step's input says: of a payload, each alert. */
export function readStep({
  message,
  webhook,
  payload,
}: Pick<Step, 'message' | 'webhook' | 'payload'>): Alert[] {
  if (webhook === undefined) return [parseAlert(message)];
  return alertsOf(webhook, payload).map(({ alert }) => alert);
}
