import { z } from 'zod';
import { SlackError } from '../errors.ts';
import type { Tier } from '../rates.ts';
import type { WorkspaceContext } from '../workspace-context.ts';

/** Which token a method takes. */
export type TokenKind = 'bot' | 'app';

/** One method of the Web API, as the server sees it. */
export interface Method {
  name: string;
  /** Empty if a method takes no token at all. */
  tokens: readonly TokenKind[];
  /** Any one of these scopes suffices; empty if none is needed. */
  scopes: readonly string[];
  tier: Tier;
  /** The refusals that the method makes itself, besides those of `gate.ts`. */
  checks: readonly string[];
  /** What Slack checks or does there and the workspace does not, in words for `docs/local-workspace.md`. */
  unchecked: readonly string[];
  call(context: WorkspaceContext, raw: unknown, token: TokenKind | undefined): Promise<object>;
}

interface MethodSpec<A> extends Omit<Method, 'call'> {
  args: z.ZodType<A>;
  /** The answer without `ok`. Throws a SlackError to refuse. */
  handle(context: WorkspaceContext, args: A, token: TokenKind | undefined): object | Promise<object>;
}

/** Declares a method; its arguments are parsed before it is called. */
export function method<A>({ args, handle, ...spec }: MethodSpec<A>): Method {
  return {
    ...spec,
    call: async (context, raw, token) => {
      const parsed = args.safeParse(raw);
      if (parsed.success) return handle(context, parsed.data, token);
      const messages = parsed.error.issues.map(
        (issue) => `[ERROR] ${issue.message} [json-pointer:/${issue.path.map(String).join('/')}]`,
      );
      throw new SlackError('invalid_arguments', { response_metadata: { messages } });
    },
  };
}

/** Any value, sent as itself or as JSON in a form; text that is not JSON stays text. */
export const json = z.unknown().transform((value): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
});

/** A flag, sent as a boolean or as form text. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false', '1', '0', '']), z.literal([0, 1])])
  .transform((value) => value === true || value === 'true' || value === '1' || value === 1);

/** A whole number, sent as such or as form text. */
export const whole = z.coerce.number().int();

/** The moment of a message, e.g. `1700000000.000100`. */
export const timestamp = z.string().regex(/^\d{1,12}\.\d{6}$/);
