import { z } from 'zod';
import { METHODS } from '../methods/index.ts';
import type { PageFaults } from '../page-stage.ts';

/** Milliseconds: far more than anybody waits. */
const LONGEST = 60_000;
/** So much may shares such as 0.1 be off when they are added. */
const ROUNDING = 1e-9;
const KNOWN = new Set(METHODS.map(({ name }) => name));

const name = z.string({ error: 'must be a text' }).min(1, { error: 'must not be empty' });
const flag = z.boolean({ error: 'must be true or false' });
const share = between(0, 1);
const milliseconds = between(0, LONGEST);
const list = { error: 'must be a list' };

function oneOf<const T extends readonly string[]>(names: T) {
  return z.enum(names, { error: `must be one of ${names.join(', ')}` });
}

function between(from: number, to: number) {
  const error = `must be a number from ${from} to ${to}`;
  return z.number({ error }).min(from, { error }).max(to, { error });
}

/** What has a field besides was meant otherwise than it would be taken. */
function exactly<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `must not have ${issue.keys.join(', ')}`
        : 'must be an object in JSON',
  });
}

/** What the calls below `/page-api/stage` take; messages go on after the name of a field. */
export const Play = exactly({ scenario: name });
export const Alert = exactly({
  tool: name,
  how: oneOf(['fires', 'again', 'recovers', 'storm']),
  channel: name,
});
export const Break = exactly({ fault: name, service: name });
export const Mend = exactly({});
export const Service = exactly({ down: flag });
export const Deed = exactly({ do: oneOf(['kill', 'stop', 'start', 'restart']) });
export const SocketEnd = exactly({ reason: oneOf(['warning', 'refresh_requested', 'drop']) });

const method = name.refine((one) => KNOWN.has(one), {
  error: ({ input }) => `must hold methods of this workspace, which ${String(input)} is not`,
});

const refusal = z
  .string({ error: 'must be a text or null' })
  .regex(/^[a-z_]+$/u, { error: 'must be an error as Slack writes it, such as token_revoked' });

/** All faults; what is absent is off. */
export const Faults = exactly({
  latencyMs: milliseconds.default(0),
  rateLimited: share.default(0),
  serverErrors: share.default(0),
  resetsBefore: share.default(0),
  resetsAfter: share.default(0),
  methods: z.array(method, list).default([]),
  twins: flag.default(false),
  shuffleMs: milliseconds.default(0),
  token: refusal.nullable().default(null),
  withheldScopes: z.array(name, list).default([]),
}).refine(
  ({ rateLimited, serverErrors, resetsBefore, resetsAfter }) =>
    rateLimited + serverErrors + resetsBefore + resetsAfter <= 1 + ROUNDING,
  { error: 'must not have more than 1 in rateLimited, serverErrors, resetsBefore and resetsAfter together' },
) satisfies z.ZodType<PageFaults>;
