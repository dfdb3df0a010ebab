import { z } from 'zod';
import type { Facts } from './types.ts';
import type { Expects, Relation, Turn } from './understand.ts';

/** What a tool found: as data for programs, and in Markdown made from it. */
export interface Found {
  data: Record<string, unknown>;
  text: string;
  /** The yes or no of who computed it: said where that is asked for, else left out. */
  says?: Says | null | undefined;
  isUnknown?: boolean;
}

/** Whether a relation holds; `null` where what was compared does not tell. */
export interface Says {
  relation: Relation;
  holds: boolean | null;
  /** How it is said, where that is no bare yes or no. */
  text?: string;
}

/** Whether it is as a question expects: *is it over?*, *is it still failing?* */
export function howItIs(expects: Expects, isIll: boolean | null): Says | null {
  if (expects === null) return null;
  return { relation: expects, holds: isIll === null ? null : isIll === (expects === 'ongoing') };
}

export function cannotTell(text: string, data: Found['data'] = {}): Found {
  return { data, text, isUnknown: true };
}

/** One thing that the agent can look up. Programs call it with arguments; a question in English fills them in. */
export interface Tool {
  name: string;
  /** What it answers, for the documents and for agents. */
  answers: string;
  /** A question that it answers; `{service}` is replaced by the name of a known service. */
  example: string;
  input: z.ZodObject;
  isOffline: boolean;
  /** @param over arguments that were chosen otherwise than by the words */
  answer(turn: Turn, facts: Facts, over?: Record<string, unknown>): Promise<Found>;
  /** @throws ZodError if the arguments are none of its own */
  call(args: unknown, facts: Facts): Promise<Found>;
}

export interface Choice {
  tool: Tool;
  turn: Turn;
  /** Whether a metric was found by the question's words: then these are no names of services. */
  isInCatalog?: true;
}

interface Definition<Input extends z.ZodObject> {
  name: string;
  answers: string;
  example: string;
  input: Input;
  isOffline?: true;
  fill(turn: Turn, facts: Facts): z.input<Input>;
  run(args: z.output<Input>, facts: Facts): Found | Promise<Found>;
}

export function tool<Input extends z.ZodObject>(definition: Definition<Input>): Tool {
  const { name, answers, example, input, fill, run } = definition;
  const call = async (args: unknown, facts: Facts) => run(input.parse(args), facts);
  return {
    name,
    answers,
    example,
    input,
    isOffline: definition.isOffline === true,
    answer: (turn, facts, over = {}) => call({ ...fill(turn, facts), ...over }, facts),
    call,
  };
}

/** Names of services, as telemetry has them. */
export const services = z.array(z.string().min(1).max(200)).max(50).default([]);
/** A time in milliseconds since the epoch; undefined for the tool's own default. */
const moment = z.number().int().min(0).optional();
export const window = { from: moment, to: moment };

/** The time that arguments name, else the last hour. */
export function windowOf({ from, to }: { from?: number | undefined; to?: number | undefined }, now: number) {
  const end = to ?? now + 1;
  return { from: from ?? end - 3_600_000, to: end };
}
