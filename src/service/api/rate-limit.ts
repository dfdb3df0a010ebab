import type { MiddlewareHandler } from 'hono';
import type { Clock } from '../../lib/clock.ts';
import type { ServiceEnv } from './env.ts';
import { ApiError } from './errors.ts';

/** How many requests each API key may make per window, which starts with its first request. */
export interface RateLimit {
  requests: number;
  windowMs: number;
}

/** 429 with `Retry-After` (in seconds) above the limit (contract, section 8). Runs after `authenticate`. */
export function limitRate({ requests, windowMs }: RateLimit, clock: Clock): MiddlewareHandler<ServiceEnv> {
  const windows = new Map<string, { endsAt: number; made: number }>();
  return async (c, next) => {
    const key = c.get('key');
    const now = clock.now();
    const current = windows.get(key);
    const window = current && current.endsAt > now ? current : { endsAt: now + windowMs, made: 0 };
    window.made += 1;
    windows.set(key, window);
    if (window.made > requests) {
      c.header('Retry-After', String(Math.ceil((window.endsAt - now) / 1000)));
      throw new ApiError(
        429,
        'invalid_request_error',
        `Rate limit of ${requests} requests exceeded: slow down`,
      );
    }
    await next();
  };
}
