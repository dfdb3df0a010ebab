import { z } from 'zod';
import * as read from '../../lib/environment.ts';
import type { Environment } from '../../lib/io.ts';

const { secretMeta } = read;

export const MODEL_USES = ['route', 'changes', 'alerts'] as const;
/** What the model is asked for: to choose tools, to read the code of a change, how a sender words its alerts. */
export type ModelUse = (typeof MODEL_USES)[number];
/** What no model does any more: a start that asks for it is warned, not refused. */
const UNUSED = ['answer'] as const;
type UnusedModelUse = (typeof UNUSED)[number];

const use = () =>
  read.reader((text): { value: { uses: ModelUse[]; unused: UnusedModelUse[] } } | { wrong: string } => {
    const words = text.split(',').map((word) => word.trim());
    const uses = MODEL_USES.filter((one) => words.includes(one));
    const unused = UNUSED.filter((one) => words.includes(one));
    return words.every((word) => [...MODEL_USES, ...UNUSED].some((one) => one === word))
      ? { value: { uses, unused } }
      : { wrong: `must be any of ${MODEL_USES.join(', ')}, separated by commas` };
  });

/** An optional language model: variables of `npm run service`, and of `npm start` where it embeds the service. */
export const modelVariables = z.object({
  MODEL_URL: read.baseAddress().optional().meta({
    example: 'http://ollama:11434/v1',
    description:
      'The base address of the model’s API; without a path, `/v1` is meant. If it is not set, no model is ever asked',
  }),
  MODEL_API: read.oneOf(['openai', 'anthropic']).optional().meta({
    example: 'openai',
    description: '`anthropic`, or `openai` (also for Ollama, vLLM and LiteLLM), which is the default',
  }),
  MODEL_NAME: read
    .line()
    .optional()
    .meta({ example: 'qwen3:8b', description: 'The model, by the name that its server has for it' }),
  MODEL_KEY: read
    .secret()
    .optional()
    .meta({ ...secretMeta, example: 'sk-your-key', description: 'The key for the model, if it needs one' }),
  MODEL_USE: use().prefault('route,changes').meta({
    example: 'route,changes',
    description: 'What the model does: any of `route`, `changes`, `alerts`',
  }),
  MODEL_MAX_SECONDS: read
    .integer(1, 300)
    .prefault('30')
    .meta({ example: '30', description: 'How long the model may take for one question, in seconds' }),
  MODEL_MAX_CALLS: read
    .integer(1, 50)
    .prefault('6')
    .meta({ example: '6', description: 'How many requests to the model one question may take' }),
  MODEL_MAX_TOKENS: read
    .integer(500, 1_000_000)
    .prefault('20000')
    .meta({ example: '20000', description: 'How many tokens one question may take, in and out' }),
  MODEL_DAY_TOKENS: read.integer(0, 1_000_000_000).prefault('1000000').meta({
    example: '1000000',
    description:
      'How many tokens a day (UTC) may take in all. Beyond it, everything works as without a model',
  }),
  MODEL_PRIVATE: read.boolean().prefault('false').meta({
    example: 'false',
    description: 'Whether the model may also be asked about what comes from private channels',
  }),
  MODEL_SHARE_TALK: read.boolean().prefault('false').meta({
    example: 'false',
    description: 'Whether the model may see what people wrote in a thread, and the files that they attached',
  }),
  MODEL_AUDIT: read.oneOf(['hash', 'full']).prefault('hash').meta({
    example: 'hash',
    description: 'What is stored of a request: its SHA-256, or with `full` also the masked request',
  }),
});

export interface ModelSettings {
  url: string;
  api: 'openai' | 'anthropic';
  name: string;
  /** `null` where it needs none. */
  key: string | null;
  uses: readonly ModelUse[];
  /** What `MODEL_USE` names and does nothing. */
  unused: readonly UnusedModelUse[];
  maxSeconds: number;
  maxCalls: number;
  maxTokens: number;
  dayTokens: number;
  /** Whether it may be asked about what comes from private channels. */
  private: boolean;
  shareTalk: boolean;
  audit: 'hash' | 'full';
}

/** `null` without a model. */
export function modelOf(values: z.output<typeof modelVariables>): ModelSettings | null {
  if (values.MODEL_URL === undefined) return null;
  return {
    url: withPath(values.MODEL_URL),
    api: values.MODEL_API ?? 'openai',
    name: values.MODEL_NAME ?? '',
    key: values.MODEL_KEY ?? null,
    ...values.MODEL_USE,
    maxSeconds: values.MODEL_MAX_SECONDS,
    maxCalls: values.MODEL_MAX_CALLS,
    maxTokens: values.MODEL_MAX_TOKENS,
    dayTokens: values.MODEL_DAY_TOKENS,
    private: values.MODEL_PRIVATE,
    shareTalk: values.MODEL_SHARE_TALK,
    audit: values.MODEL_AUDIT,
  };
}

function withPath(address: string): string {
  const url = new URL(address);
  return url.pathname === '/' ? new URL('/v1', url).href : address.replace(/\/+$/u, '');
}

/** A model without a name, or what belongs to a model where there is none. */
export function checkModel({ given, refuse }: Pick<read.Reading<unknown>, 'given' | 'refuse'>): void {
  if (given.MODEL_URL !== undefined && given.MODEL_NAME === undefined)
    refuse('MODEL_NAME', 'is missing: MODEL_URL is set');
  const other = ['MODEL_API', 'MODEL_NAME', 'MODEL_KEY'].find((name) => given[name] !== undefined);
  if (given.MODEL_URL === undefined && other !== undefined)
    refuse('MODEL_URL', `is missing: ${other} is set`);
}

/** The model's settings by themselves, for the bot that embeds the service. */
export function readModelSettings(
  env: Environment,
): { settings: ModelSettings | null } | { problems: string[] } {
  const reading = read.readEnvironment(modelVariables, env);
  checkModel(reading);
  const result = reading.finish();
  return 'problems' in result ? result : { settings: modelOf(result.values) };
}
