import { z } from 'zod';
import { type Method, method } from './method.ts';

const connectionsOpen = method({
  name: 'apps.connections.open',
  tokens: ['app'],
  scopes: [],
  tier: 3,
  checks: [],
  unchecked: [
    'the scope `connections:write` of the app-level token',
    'that the manifest switches Socket Mode on',
  ],
  args: z.looseObject({}),
  handle: (context) => ({ url: context.socketUrl() }),
});

export const appsMethods: readonly Method[] = [connectionsOpen];
