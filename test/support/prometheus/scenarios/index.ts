import { FIRST } from './first.ts';
import { MORE } from './more.ts';
import { NAMED_OTHERWISE } from './named-otherwise.ts';
import { QUIET } from './quiet.ts';
import type { Scenario } from './scenario.ts';

export type { Scenario } from './scenario.ts';

export const SCENARIOS: readonly Scenario[] = [...FIRST, ...MORE, ...NAMED_OTHERWISE, ...QUIET];
