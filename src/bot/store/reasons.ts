import { z } from 'zod';
import { decodeStored } from '../../lib/decode-stored.ts';

/** Why a message was filed, ignored, held and so on; `render/alerts/reasons.ts` has the sentences. */
export const REASONS = [
  'new_alert',
  'already_open',
  'another_cause',
  'no_problem',
  'nothing_new',
  'decided_before',
  'noted_update',
  'edit_of_its_message',
  'needs_consent',
  'external_author',
  'person_author',
  'persons_recovery',
  'not_included',
  'suggested',
  'suggested_before',
  'over_before_suggested',
  'recovered_noted',
  'recovered_resolved',
  'recovered_while_held',
  'recovered_while_suggested',
  'no_open_issue',
  'late_recovery',
  'closed_since',
  'held_then_filed',
  'plan_ended',
  'held_then_opened',
  'held_then_joined',
  'held_then_dismissed',
  'held_then_recovered',
  'requested',
  'requested_open',
  'split_off',
  'parted',
] as const;

const Detailed = z.discriminatedUnion('code', [
  /** A recovery that may end several open alerts of its sender. */
  z.object({ code: z.literal('ambiguous_recovery'), count: z.number() }),
  z.object({ code: z.literal('excluded'), pattern: z.string() }),
  z.object({ code: z.literal('below_minimum'), severity: z.string(), minimum: z.string() }),
  z.object({ code: z.literal('fired_again'), minutes: z.number(), coolDown: z.number() }),
  /** So many minutes after it was over: its issue is investigated again. */
  z.object({ code: z.literal('fired_anew'), minutes: z.number() }),
  /** It was over and fired again so many times in as many minutes. */
  z.object({ code: z.literal('flapping'), times: z.number(), minutes: z.number() }),
  /** Numbers of issues, as people see them; `null` for one without a number. */
  z.object({ code: z.literal('attached'), issue: z.string().nullable(), to: z.string().nullable() }),
  z.object({
    code: z.literal('held'),
    /** `same`: the same alert is on hold already. */
    by: z.enum(['storm', 'budget', 'day', 'paused', 'planned', 'same']),
    /** Its recovery arrived first. */
    isOver: z.boolean(),
    /** What the limit was: new issues, and minutes for a channel's budget. */
    limit: z.number().nullable(),
    minutes: z.number().nullable(),
  }),
  /** What another release has stored, as it is. */
  z.object({ code: z.literal('worded'), text: z.string() }),
]);

/** A code, or a code with what its sentence names. Later decisions search for codes alone. */
export type Reason = (typeof REASONS)[number] | z.infer<typeof Detailed>;

/** A reason as the column holds it. */
export function storedReason(reason: Reason): string {
  return typeof reason === 'string' ? reason : JSON.stringify(reason);
}

export function readReason(stored: string): Reason {
  const code = REASONS.find((known) => known === stored);
  return code ?? decodeStored(Detailed, stored) ?? { code: 'worded', text: stored };
}

/** Whether an investigation was begun for a message of an issue that had one before. */
export function isLook({ reason }: { reason: string }): boolean {
  return codeOf(reason) === 'fired_anew';
}

export function codeOf(stored: string): string {
  const reason = readReason(stored);
  return typeof reason === 'string' ? reason : reason.code;
}
