import { z } from 'zod';
import type { Method } from './method.ts';
import { method } from './method.ts';

const test = method({
  name: 'api.test',
  tokens: [],
  scopes: [],
  tier: 4,
  checks: [],
  args: z.looseObject({}),
  handle: (_, args) => ({ args }),
});

export const apiMethods: readonly Method[] = [test];
