import { z } from 'zod';
import type { Facts } from './types.ts';
import type { Turn } from './understand.ts';

/** What a tool found: as data for programs, and in Markdown made from it. */
export interface Found {
  data: Record<string, unknown>;
  text: string;
  /** Whether a yes/no question is to be answered with yes; `null` or left out where this does not show it. */
  holds?: boolean | null;
}

/** Words that ask for a tool, and how telling they are: 4 names what it shows, 2 only fits it. */
type Cue = readonly [weight: number, words: RegExp];

/**
 * One thing that the agent can look up. Programs call it with arguments; a question in English selects it by its cues and
 * fills its arguments.
 */
export interface Tool {
  name: string;
  /** What it answers, for the documents and for agents. */
  answers: string;
  /** A question that it answers; `{service}` is replaced by the name of a known service. */
  example: string;
  input: z.ZodObject;
  /** Whether it can answer without telemetry. */
  isOffline: boolean;
  cues: readonly Cue[];
  /** How much a question asks for it: 0 for not at all. */
  scoreOf(asked: Asked): number;
  /** Whether a word begins as one of its own: no name then. */
  knows(word: string): boolean;
  /** @param over arguments that were chosen otherwise than by the words */
  answer(turn: Turn, facts: Facts, over?: Record<string, unknown>): Promise<Found>;
  /** @throws ZodError if the arguments are none of its own */
  call(args: unknown, facts: Facts): Promise<Found>;
}

/** A question as tools are selected for it. */
export interface Asked {
  /** The question with the names in it taken out: a name is no word of the sentence. */
  words: string;
  turn: Turn;
  /** Whether a cluster is connected. */
  hasState: boolean;
  /** 1 for words that say what is asked for, half for those that only say more about it, 0 if there are none. */
  weightOf(cue: RegExp): number;
}

interface Definition<Input extends z.ZodObject> {
  name: string;
  answers: string;
  example: string;
  input: Input;
  isOffline?: true;
  cues: readonly Cue[];
  /** Further reasons for or against it, added to the cues that match. */
  also?(asked: Asked): number;
  /** The arguments that a question gives it. */
  fill(turn: Turn, facts: Facts): z.input<Input>;
  run(args: z.output<Input>, facts: Facts): Found | Promise<Found>;
}

export function tool<Input extends z.ZodObject>(definition: Definition<Input>): Tool {
  const { name, answers, example, input, cues, also, fill, run } = definition;
  const call = async (args: unknown, facts: Facts) => run(input.parse(args), facts);
  return {
    name,
    answers,
    example,
    input,
    isOffline: definition.isOffline === true,
    cues,
    scoreOf: (asked) => {
      const own = cues.reduce((sum, [weight, words]) => sum + weight * asked.weightOf(words), 0);
      return Math.max(0, own + (also?.(asked) ?? 0));
    },
    knows: (word) => cues.some(([, words]) => words.exec(word)?.index === 0),
    answer: (turn, facts, over = {}) => call({ ...fill(turn, facts), ...over }, facts),
    call,
  };
}

/** Names of services, as telemetry has them. */
export const services = z.array(z.string().min(1).max(200)).max(50).default([]);
/** A time in milliseconds since the epoch; undefined for the tool's own default. */
const moment = z.number().int().min(0).optional();
export const window = { from: moment, to: moment };
