import { z } from 'zod';
import type { Method } from './method.ts';
import { method } from './method.ts';

const test = method({
  name: 'api.test',
  tokens: [],
  scopes: [],
  tier: 4,
  checks: [],
  unchecked: ['the argument `error`, which Slack answers with'],
  args: z.looseObject({}),
  handle: (_, args) => ({ args }),
});

export const apiMethods: readonly Method[] = [test];
