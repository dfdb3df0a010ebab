import type { ContextBlock } from '@slack/types';
import type { InvestigationResults } from '../../../contract/answers.ts';
import { literal } from '../escape.ts';
import { context } from '../rendered.ts';
import { phrase } from './phrases.ts';

const MOST = 5;
const MAX_NAME = 80;

/** Which customers are hit most: for the alert's own thread, since nobody else is to read their names. */
export function customerBlocks(customers: InvestigationResults['customers'] = []): ContextBlock[] {
  const named = customers.slice(0, MOST).flatMap(({ name, failed, requests }) => {
    const shown = literal(phrase(name, MAX_NAME));
    if (shown === '' || failed === undefined) return [];
    const of = requests === undefined ? '' : ` of ${requests.toLocaleString('en-US')}`;
    return [`*${shown}* ${failed.toLocaleString('en-US')}${of}`];
  });
  return named.length === 0 ? [] : [context(`Failed requests by customer: ${named.join(' · ')}`)];
}
