import type { Organization } from '../../lib/issue-number.ts';
import type { ServiceClient } from './client.ts';
import { MissingKeyError } from './errors.ts';

/** The service, once for each organisation that Gumshoe has an API key of. */
export interface Services {
  /** Every call about an issue goes through here; without a key for its organisation, each rejects with `MissingKeyError`. */
  for(organization: Organization): ServiceClient;
  has(organization: Organization): boolean;
}

/** @param clients `private` is `null` without a key for private channels. */
export function createServices(clients: {
  default: ServiceClient;
  private?: ServiceClient | null;
}): Services {
  const { default: main, private: second = null } = clients;
  const ofPrivate = second ?? withoutKey();
  return {
    for: (organization) => (organization === 'private' ? ofPrivate : main),
    has: (organization) => organization === 'default' || second !== null,
  };
}

/** Stands in for the private organisation while there is no key for it: nothing of it goes anywhere else. */
function withoutKey(): ServiceClient {
  const refuse = (operation: string) => () => Promise.reject(new MissingKeyError({ operation }));
  return {
    issues: {
      create: refuse('issues.create'),
      page: refuse('issues.page'),
      list: () => failing('issues.page'),
      get: refuse('issues.get'),
      byNumber: refuse('issues.byNumber'),
      update: refuse('issues.update'),
      results: refuse('issues.results'),
      delete: refuse('issues.delete'),
    },
    artifacts: { get: refuse('artifacts.get') },
    query: { ask: refuse('query.ask'), stream: () => failing('query.stream') },
    health: () => ({ key: null, refused: new Map(), working: new Set(), filing: null, reading: null }),
    close: () => Promise.resolve(),
  };
}

/** Rejects at the first step. */
async function* failing(operation: string): AsyncGenerator<never> {
  yield Promise.reject<never>(new MissingKeyError({ operation }));
}
