import type { ServiceClient } from '../../../src/contract/client/client.ts';
import { all, UUID } from './harness.ts';

/** One way to call each operation of the contract (section 4), by the client's name of the operation. */
export const EVERY_CALL: ReadonlyArray<
  readonly [string, (client: ServiceClient, signal?: AbortSignal) => Promise<unknown>]
> = [
  [
    'issues.create',
    ({ issues }, signal) =>
      issues.create({ title: 'Disk full', description: 'on pay-db-2', environment: 'production' }, signal),
  ],
  ['issues.page', ({ issues }, signal) => issues.page({}, signal)],
  ['issues.page', ({ issues }, signal) => all(issues.list({}, signal))],
  ['issues.get', ({ issues }, signal) => issues.get(UUID, {}, signal)],
  ['issues.byNumber', ({ issues }, signal) => issues.byNumber(1, signal)],
  ['issues.update', ({ issues }, signal) => issues.update(UUID, 'muted', signal)],
  ['issues.results', ({ issues }, signal) => issues.results(UUID, {}, signal)],
  ['issues.delete', ({ issues }, signal) => issues.delete(UUID, signal)],
  ['artifacts.get', ({ artifacts }, signal) => artifacts.get(['a'], signal)],
  ['query.ask', ({ query }, signal) => query.ask({ question: 'why?' }, signal)],
  ['query.stream', ({ query }, signal) => all(query.stream({ question: 'why?' }, signal))],
];
